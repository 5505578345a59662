//! Reader of network files of Leela Zero, format versions 1 and 2.
//!
//! A file is text, and may be packed. Its first line is the version. Each further line has the
//! numbers of one array:
//!
//! - the first convolution: weights, biases, means, variances
//! - each residual block: two convolutions, each with the same four lines
//! - the policy head: a convolution, then the weights and biases of a dense layer
//! - the value head: a convolution, then the weights and biases of two dense layers
//!
//! No line tells a size, so the sizes follow from the numbers of numbers.

use std::io::BufRead;

use super::POINTS;
use super::inputs::PLANES;
use crate::katago::ModelError;
use crate::katago::model::{Activation, Conv, Norm};
use crate::katago::plan::size;
use crate::katago::scan::Scanner;
use crate::layer::Dense;
use omnigo_base::hash::scatter;

/// Maximum number of channels of a block.
const MOST_CHANNELS: usize = 2048;
/// Maximum number of channels of a head.
const MOST_HEAD: usize = 8;
/// Maximum number of hidden values of the value head.
const MOST_HIDDEN: usize = 4096;
/// Maximum number of residual blocks.
const MOST_BLOCKS: usize = 256;
/// Number of taps of the convolutions in the trunk.
const TAPS: usize = 9;
/// Added to variances, as in Leela Zero.
const EPSILON: f32 = 1e-5;

/// A convolution, its normalization, and its activation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) conv: Conv,
    pub(super) norm: Norm,
}

/// A network as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    /// Version of the format. In version 2, the value is that of Black.
    pub(super) version: usize,
    /// Hash of all weights.
    pub(super) hash: u64,
    pub(super) stem: Layer,
    /// The second layer of a block adds the block's input before its activation.
    pub(super) blocks: Vec<[Layer; 2]>,
    pub(super) policy: Layer,
    /// From `[channel][point]` to the logits of the points and of the pass.
    pub(super) policy_out: Dense,
    pub(super) value: Layer,
    /// From `[channel][point]` to hidden values.
    pub(super) hidden: Dense,
    /// To the value before `tanh`.
    pub(super) value_out: Dense,
}

/// Reader of the lines of a file.
struct Lines<'a> {
    scanner: Scanner<'a>,
    number: usize,
    hash: u64,
}

impl Lines<'_> {
    /// Reads the next line, which may have up to `most` numbers.
    fn next(&mut self, most: usize, expected: &str) -> Result<Vec<f32>, ModelError> {
        self.number += 1;
        self.scanner.layer = format!("line {}", self.number);
        let numbers = self.scanner.line(most)?.ok_or_else(|| {
            let found = format!("more than {most} numbers");
            self.scanner.unexpected(&found, expected)
        })?;
        for number in &numbers {
            self.hash = scatter(self.hash ^ u64::from(number.to_bits())).wrapping_add(1);
        }
        Ok(numbers)
    }

    /// Returns the error that the latest line has the wrong number of numbers.
    fn wrong(&self, found: usize, expected: &str) -> ModelError {
        let found = format!("{found} numbers");
        self.scanner.unexpected(&found, expected)
    }

    /// Reads a line of `count` numbers.
    fn exactly(&mut self, count: usize, what: &str) -> Result<Vec<f32>, ModelError> {
        let expected = format!("{count} for {what}");
        let numbers = self.next(count, &expected)?;
        match numbers.len() == count {
            true => Ok(numbers),
            false => Err(self.wrong(numbers.len(), &expected)),
        }
    }

    /// Reads a line of a multiple of `unit` numbers, at most `most` times as many. Returns the
    /// quotient too.
    fn multiple(
        &mut self,
        unit: usize,
        most: usize,
        what: &str,
    ) -> Result<(Vec<f32>, usize), ModelError> {
        let expected = format!("a multiple of {unit}, up to {most} times, for {what}");
        let numbers = self.next(unit * most, &expected)?;
        let count = numbers.len();
        match count > 0 && count.is_multiple_of(unit) {
            true => Ok((numbers, count / unit)),
            false => Err(self.wrong(count, &expected)),
        }
    }

    /// Reads the other lines of a convolution with these weights, `[output][input][tap]`.
    fn layer(&mut self, weights: &[f32], inputs: usize, taps: usize) -> Result<Layer, ModelError> {
        let outputs = weights.len() / (inputs * taps).max(1);
        let biases = self.exactly(outputs, "the biases of the layer")?;
        let means = self.exactly(outputs, "the means of the layer")?;
        let variances = self.exactly(outputs, "the variances of the layer")?;
        let scale: Vec<f32> = variances
            .iter()
            .map(|v| 1.0 / (v + EPSILON).sqrt())
            .collect();
        let offsets = biases.iter().zip(&means).zip(&scale);
        let offset: Vec<f32> = offsets.map(|((bias, mean), s)| (bias - mean) * s).collect();
        if scale.iter().chain(&offset).any(|value| !value.is_finite()) {
            return Err(ModelError::Weight(self.scanner.layer.clone()));
        }
        let mut turned = vec![0.0; weights.len()];
        for (i, &weight) in weights.iter().enumerate() {
            let (tap, rest) = (i % taps, i / taps);
            let (input, output) = (rest % inputs, rest / inputs);
            turned[(tap * inputs + input) * outputs + output] = weight;
        }
        let side = if taps == TAPS { 3 } else { 1 };
        Ok(Layer {
            conv: Conv {
                height: side,
                width: side,
                inputs,
                outputs,
                weights: turned,
            },
            norm: Norm {
                scale,
                offset,
                activation: Activation::Relu,
            },
        })
    }

    /// Reads the blocks, and the weights of the policy head's convolution, which follow them.
    fn blocks(&mut self, channels: usize) -> Result<(Vec<[Layer; 2]>, Vec<f32>), ModelError> {
        let weights = TAPS * channels * channels;
        let expected = format!(
            "{weights} for a block, or a multiple of {channels}, up to {MOST_HEAD} times, for the \
             policy"
        );
        let most = weights.max(MOST_HEAD * channels);
        let mut blocks = Vec::new();
        loop {
            let numbers = self.next(most, &expected)?;
            let count = numbers.len();
            if count == weights {
                if blocks.len() == MOST_BLOCKS {
                    let expected = format!("at most {MOST_BLOCKS} blocks");
                    return Err(self.wrong(count, &expected));
                }
                let first = self.layer(&numbers, channels, TAPS)?;
                let numbers = self.exactly(weights, "the second layer of a block")?;
                blocks.push([first, self.layer(&numbers, channels, TAPS)?]);
            } else if (1..=MOST_HEAD).contains(&(count / channels))
                && count.is_multiple_of(channels)
            {
                return Ok((blocks, numbers));
            } else {
                return Err(self.wrong(count, &expected));
            }
        }
    }
}

impl Model {
    /// Reads a network from a file of `size` bytes.
    ///
    /// # Errors
    /// If the file is not a network that this program can use.
    pub(super) fn read<'a>(file: impl BufRead + 'a, size: u64) -> Result<Model, ModelError> {
        let mut lines = Lines {
            scanner: Scanner::new(file, size),
            number: 0,
            hash: 0,
        };
        let start = lines.next(1, "a format version")?;
        let version = match start[..] {
            [1.0] => 1,
            [2.0] => 2,
            _ => return Err(ModelError::LeelaVersion(start.first().map(f32::to_string))),
        };
        let unit = TAPS * PLANES;
        let (weights, channels) = lines.multiple(unit, MOST_CHANNELS, "18 input planes")?;
        let stem = lines.layer(&weights, PLANES, TAPS)?;
        drop(weights);
        let (blocks, weights) = lines.blocks(channels)?;
        let policy = lines.layer(&weights, channels, 1)?;
        let inputs = POINTS * policy.conv.outputs;
        let moves = POINTS + 1;
        let weights = lines.exactly(moves * inputs, "the policy of 19x19 points")?;
        let policy_out = Dense::new(&weights, lines.exactly(moves, "the policy")?);
        let (weights, _) = lines.multiple(channels, MOST_HEAD, "the value")?;
        let value = lines.layer(&weights, channels, 1)?;
        let unit = POINTS * value.conv.outputs;
        let (weights, hidden) = lines.multiple(unit, MOST_HIDDEN, "the value of 19x19 points")?;
        let hidden = Dense::new(&weights, lines.exactly(hidden, "the value")?);
        let weights = lines.exactly(hidden.bias.len(), "the value")?;
        let value_out = Dense::new(&weights, lines.exactly(1, "the value")?);
        lines.scanner.end()?;
        Ok(Model {
            version,
            hash: lines.hash,
            stem,
            blocks,
            policy,
            policy_out,
            value,
            hidden,
            value_out,
        })
    }

    /// Returns the number of bytes that the convolutions take in the order of the kernels.
    pub(super) fn planned_size(&self) -> u64 {
        let blocks = self.blocks.iter().flatten();
        let layers = blocks.chain([&self.stem, &self.policy, &self.value]);
        let sizes = layers.map(|layer| size(&layer.conv));
        sizes.fold(0, u64::saturating_add)
    }
}
