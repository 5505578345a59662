//! Networks of KataGo: reading their files, and evaluating positions with them.
//!
//! [`Model::read`] reads a file, `plan` rearranges its weights for the kernels, and `execute`
//! computes a pass. [`inputs`] converts a position, and `output` converts the outputs of the heads
//! to probabilities and points. The format and the meaning of inputs and outputs are KataGo's; the
//! code is not.

mod area;
mod attend;
mod batch;
mod evaluator;
mod execute;
mod facts;
mod frame;
pub mod inputs;
pub(crate) mod jobs;
mod ladders;
mod layers;
pub(crate) mod model;
mod output;
mod packed;
pub(crate) mod plan;
mod planes;
mod profile;
mod read;
pub(crate) mod scan;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;

pub use batch::Batches;
pub use evaluator::{Evaluator, View};
pub use execute::Raw;
pub use facts::Collector;
pub use frame::{Frame, Turned};
pub use model::Model;
pub use omnigo_base::symmetry::SYMMETRIES;
pub use output::Output;
pub use packed::{PackedError, content_hash};
pub use profile::{ParseProfileError, Profile, ProfileError};
pub use scan::ModelError;

use std::io::BufRead;
use std::ops::RangeInclusive;

use plan::Plan;

use omnigo_core::rules::{Ruleset, kata};

/// Sides of boards that are evaluated. The networks were trained on sides from 7 to 19.
const SIDES: RangeInclusive<usize> = 3..=25;

/// Maximum memory of the weights in the order of the kernels, in bytes: 8 GiB.
const MOST_BYTES: u64 = 8 << 30;
/// That memory may be this number of times the size of the file, and [`FREE_BYTES`] more.
const EXPANSION: u64 = 64;
/// Memory that every network may take, whatever its size, in bytes: 256 MiB.
const FREE_BYTES: u64 = 256 << 20;

/// Returns the maximum memory of the weights from a file of `size` bytes, in the order of the
/// kernels, in bytes.
pub(crate) fn memory_limit(size: u64) -> u64 {
    let limit = FREE_BYTES.saturating_add(EXPANSION.saturating_mul(size));
    limit.min(MOST_BYTES)
}

/// A network of KataGo with its weights.
#[derive(Clone, Debug)]
pub struct KataGo {
    plan: Plan,
}

impl KataGo {
    /// Reads a network from a file of `size` bytes.
    ///
    /// # Errors
    /// If the file is not a network that this program can use.
    pub fn read<'a>(file: impl BufRead + 'a, size: u64) -> Result<KataGo, ModelError> {
        KataGo::of(Model::read(file, size)?, size)
    }

    /// Returns the network with its weights in the order of the kernels, from a file of `size`
    /// bytes.
    ///
    /// # Errors
    /// If the weights take too much memory.
    fn of(model: Model, size: u64) -> Result<KataGo, ModelError> {
        let limit = memory_limit(size);
        if model.planned_size() > limit {
            return Err(ModelError::Memory(limit >> 20));
        }
        Ok(KataGo { plan: model.plan() })
    }

    /// Returns the name in the file.
    pub fn name(&self) -> &str {
        &self.plan.name
    }

    /// Returns the version of the format.
    pub fn version(&self) -> usize {
        self.plan.version
    }

    /// Returns the number of blocks of the trunk.
    pub fn blocks(&self) -> usize {
        self.plan.trunk.blocks.len()
    }

    /// Returns the number of channels of the trunk.
    pub fn channels(&self) -> usize {
        self.plan.channels()
    }

    /// Returns the numbers of outputs per move and of scores, as in [`Raw`].
    pub fn output_sizes(&self) -> [usize; 2] {
        [self.plan.policies(), self.plan.value.scores.outputs]
    }

    /// Returns true if the network imitates players. Then every evaluation needs a [`Profile`].
    pub fn imitates(&self) -> bool {
        self.plan.trunk.encoder.is_some()
    }

    /// Returns the sides of rectangles that networks of KataGo can evaluate, as a range.
    pub fn sides() -> String {
        format!("{} to {}", SIDES.start(), SIDES.end())
    }

    /// Returns true if networks of KataGo can evaluate rectangles of these sides.
    pub fn plays_on(width: usize, height: usize) -> bool {
        SIDES.contains(&width) && SIDES.contains(&height)
    }

    /// Returns true if networks of KataGo know these rules.
    pub fn knows(rules: &Ruleset) -> bool {
        rules.colors == 2 && kata::to_json(rules).is_some()
    }
}
