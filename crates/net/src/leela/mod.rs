//! Networks of Leela Zero: reading their text files, and evaluating positions with them.
//!
//! `read` reads a file, `execute` computes a pass with the kernels, and `inputs` converts a
//! position. The format and the meaning of inputs and outputs are Leela Zero's; the code is not.
//!
//! The networks know only one board and one komi: 19×19 and 7.5 points, under area rules. They give
//! move probabilities and a win probability, but no score and no ownership.

mod evaluator;
mod execute;
mod inputs;
mod read;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

pub use evaluator::Evaluator;

use std::io::{BufRead, Read};

use flate2::read::MultiGzDecoder;

use execute::{Executor, Plan, Raw};
use read::Model;

use crate::katago::{ModelError, memory_limit};
use crate::kernels::Kernel;
use omnigo_core::rules::{Button, Points, Ruleset, Scoring, Tax, kata};

/// Side of the board.
const SIDE: usize = 19;
/// Number of points of the board.
const POINTS: usize = SIDE * SIDE;
/// Number of unpacked bytes that tell whether a file is one of Leela Zero.
const START: u64 = 256;

/// A network of Leela Zero with its weights.
#[derive(Clone, Debug)]
pub struct LeelaZero {
    plan: Plan,
    version: usize,
    hash: u64,
}

impl LeelaZero {
    /// Komi of the games that the networks learned from.
    pub const KOMI: Points = Points::from_halves(15);

    /// Returns true if a file that starts with these bytes is one of Leela Zero, packed or not. Its
    /// first line is a number, and its second line has several words.
    pub fn is_start_of_file(start: &[u8]) -> bool {
        let mut text = Vec::new();
        if start.starts_with(&[0x1f, 0x8b]) {
            // The start of an archive ends early, after the bytes that matter.
            let _ = MultiGzDecoder::new(start)
                .take(START)
                .read_to_end(&mut text);
        } else {
            text.extend(start.iter().take(START as usize));
        }
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.filter(|line| !line.is_empty());
        let version = lines.next().unwrap_or_default();
        let numbers = lines.next().unwrap_or_default();
        let digits = 1..=4;
        digits.contains(&version.len())
            && version.iter().all(u8::is_ascii_digit)
            && numbers.contains(&b' ')
    }

    /// Reads a network from a file of `size` bytes.
    ///
    /// # Errors
    /// If the file is not a network that this program can use.
    pub fn read<'a>(file: impl BufRead + 'a, size: u64) -> Result<LeelaZero, ModelError> {
        let model = Model::read(file, size)?;
        let limit = memory_limit(size);
        if model.planned_size() > limit {
            return Err(ModelError::Memory(limit >> 20));
        }
        Ok(LeelaZero {
            version: model.version,
            hash: model.hash,
            plan: Plan::new(model),
        })
    }

    /// Computes the weights in the format of a kernel. Otherwise, the first evaluation would do so.
    pub fn prepare(&self, kernel: Kernel) {
        let planes = [0; POINTS];
        Executor::new(kernel).pass(&self.plan, &planes, &mut Raw::default());
    }

    /// Returns a name made from the weights, because files have none.
    pub fn name(&self) -> String {
        format!("leela-zero-{:016x}", self.hash)
    }

    /// Returns the version of the format, 1 or 2.
    pub fn version(&self) -> usize {
        self.version
    }

    /// Returns the number of residual blocks.
    pub fn blocks(&self) -> usize {
        self.plan.blocks.len()
    }

    /// Returns the number of channels of the residual blocks.
    pub fn channels(&self) -> usize {
        self.plan.channels
    }

    /// Returns true if networks of Leela Zero can evaluate rectangles of these sides.
    pub fn plays_on(width: usize, height: usize) -> bool {
        [width, height] == [SIDE; 2]
    }

    /// Returns true if networks of Leela Zero know these rules: those of area without a button, for
    /// two colors.
    pub fn knows(rules: &Ruleset) -> bool {
        let is_area = rules.scoring == Scoring::Area && rules.tax == Tax::None;
        let is_known = rules.button == Button::None && kata::to_json(rules).is_some();
        rules.colors == 2 && is_area && is_known
    }
}
