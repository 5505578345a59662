//! Layers of a network: convolutions in the memory layouts of the kernels, and small dense layers.

use super::bf16;
use super::winograd::FilterTransforms;

/// Number of output channels that are adjacent in the weights of the vector kernels.
pub const BLOCK: usize = 32;

/// Largest absolute value of an activation as a 16-bit integer, in products of single taps. The
/// activations have 13 bits, so that the weights have about as many.
pub const POINT_MOST: i16 = (1 << 13) - 1;

/// Minimum absolute value of a weight. Smaller weights become 0. Training can leave numbers below
/// 2⁻¹²⁶, and some processors take 25 times as long to multiply them.
const TINY: f32 = 1e-30;

/// Convolution with 1 or 9 taps, with bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Convolution {
    /// Number of taps, 1 or 9; taps are stored row by row.
    pub taps: usize,
    /// Number of input channels, a multiple of 32.
    pub inputs: usize,
    /// Number of output channels, a multiple of [`BLOCK`].
    pub outputs: usize,
    /// `[output]`
    pub bias: Vec<f32>,
    /// `[output / 32][tap][input][output % 32]`; exact in bf16 except after `from_floats`.
    weights: Vec<Row<f32>>,
    /// Weights in the formats of the kernels.
    pub(crate) transforms: FilterTransforms,
}

/// A row of weights for a block of outputs, aligned to cache lines. Unaligned rows need twice as
/// many cache lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Row<T>(pub [T; BLOCK]);

/// A row of an AMX weight tile, in one cache line. Unaligned tiles take a third longer to load.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
pub struct TileRow(pub [u16; 32]);

impl Convolution {
    /// Returns the layer with these weights, `[tap][input][output]` in bf16.
    pub fn new(taps: usize, inputs: usize, weights: &[u16], bias: Vec<f32>) -> Convolution {
        let outputs = bias.len();
        let mut blocks = Vec::with_capacity(weights.len() / BLOCK);
        for output in (0..outputs).step_by(BLOCK) {
            for row in weights.chunks_exact(outputs) {
                blocks.push(Row(std::array::from_fn(|lane| {
                    row.get(output + lane).map_or(0.0, |&w| bf16::widen(w))
                })));
            }
        }
        Convolution {
            taps,
            inputs,
            outputs,
            bias,
            weights: blocks,
            transforms: FilterTransforms::default(),
        }
    }

    /// Returns the layer with these weights, `[tap][input][output]` in full precision, and without
    /// a bias. Channels are filled up with zeros, and weights below [`TINY`] become zero.
    pub fn from_floats(taps: usize, inputs: usize, outputs: usize, weights: &[f32]) -> Convolution {
        let stored = [inputs, outputs].map(|count| count.next_multiple_of(BLOCK));
        let mut blocks = Vec::with_capacity(taps * stored[0] * stored[1] / BLOCK);
        for output in (0..outputs).step_by(BLOCK) {
            for tap in 0..taps {
                for input in 0..stored[0] {
                    let row = weights.get((tap * inputs + input) * outputs..);
                    let row = row.filter(|_| input < inputs).unwrap_or_default();
                    let row = &row[..outputs.min(row.len())];
                    blocks.push(Row(std::array::from_fn(|lane| {
                        let weight = row.get(output + lane);
                        weight.filter(|w| w.abs() >= TINY).copied().unwrap_or(0.0)
                    })));
                }
            }
        }
        Convolution {
            taps,
            inputs: stored[0],
            outputs: stored[1],
            bias: vec![0.0; stored[1]],
            weights: blocks,
            transforms: FilterTransforms::default(),
        }
    }

    /// Returns the weights of a block of outputs for one tap: a row per input.
    #[inline(always)]
    pub fn block_weights(&self, block: usize, tap: usize) -> &[Row<f32>] {
        &self.block_rows(block)[tap * self.inputs..][..self.inputs]
    }

    /// Returns the weights of a block of outputs for all taps: a row per input.
    #[inline(always)]
    pub fn block_rows(&self, block: usize) -> &[Row<f32>] {
        let count = self.taps * self.inputs;
        &self.weights[block * count..][..count]
    }

    /// Returns all weights: `[output / 32][tap][input]`, each a row of 32 outputs.
    pub fn rows(&self) -> &[Row<f32>] {
        &self.weights
    }

    /// Returns true if all weights and biases are finite.
    pub fn is_finite(&self) -> bool {
        let weights = self.weights.iter().flat_map(|row| &row.0);
        weights.chain(&self.bias).all(|weight| weight.is_finite())
    }
}

/// Dense layer with bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// `[input][output]`
    pub weights: Vec<f32>,
    /// `[output]`
    pub bias: Vec<f32>,
}

impl Dense {
    /// Returns the layer with these weights, `[output][input]`.
    pub fn new(weights: &[f32], bias: Vec<f32>) -> Dense {
        let outputs = bias.len().max(1);
        let inputs = weights.len() / outputs;
        let turned = |i: usize| weights[i % outputs * inputs + i / outputs];
        Dense {
            weights: (0..inputs * outputs).map(turned).collect(),
            bias,
        }
    }

    /// Adds the layer's outputs for `inputs` to `outputs`.
    #[inline(always)]
    pub fn add_to(&self, inputs: &[f32], outputs: &mut [f32]) {
        for (output, bias) in outputs.iter_mut().zip(&self.bias) {
            *output += bias;
        }
        let rows = || {
            let rows = self.weights.chunks_exact(self.bias.len().max(1));
            inputs.iter().zip(rows)
        };
        let (blocks, rest) = outputs.as_chunks_mut::<BLOCK>();
        let wide = blocks.len() * BLOCK;
        for (number, block) in blocks.iter_mut().enumerate() {
            // Add up in a copy, which stays in registers.
            let mut sums = *block;
            for (input, row) in rows() {
                for (sum, weight) in sums.iter_mut().zip(&row.as_chunks::<BLOCK>().0[number]) {
                    *sum += input * weight;
                }
            }
            *block = sums;
        }
        for (input, row) in rows() {
            for (sum, weight) in rest.iter_mut().zip(&row[wide..]) {
                *sum += input * weight;
            }
        }
    }
}

/// Returns the dot product, added up in eight independent partial sums.
#[inline(always)]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut strands = [0.0f32; 8];
    let (whole_a, rest_a) = a.as_chunks::<8>();
    let (whole_b, rest_b) = b.as_chunks::<8>();
    for (a, b) in whole_a.iter().zip(whole_b) {
        for i in 0..8 {
            strands[i] += a[i] * b[i];
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = strands;
    ((a + e) + (c + g)) + ((b + f) + (d + h)) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_compare_only_by_weights() {
        let layer = |weight: f32| {
            let weights = vec![bf16::round(weight); 9 * 32 * BLOCK];
            Convolution::new(9, 32, &weights, vec![0.5; BLOCK])
        };
        let (asked, other) = (layer(0.25), layer(0.5));
        asked.transformed_weights();
        assert_eq!(asked, layer(0.25));
        assert!(asked != other);
        other.transformed_weights();
        assert!(asked != other);
    }

    #[test]
    fn tiny_weights_become_zero() {
        let weights = [1e-40, -1e-40, 1e-31, -1e-29, 0.5];
        let layer = Convolution::from_floats(1, 1, 5, &weights);
        let row = layer.block_weights(0, 0)[0].0;
        assert_eq!(row[..5], [0.0, 0.0, 0.0, -1e-29, 0.5]);
    }

    #[test]
    fn dense_layers_add_the_products_of_each_output() {
        for (inputs, outputs) in [(3, 1), (5, 3), (7, 32), (130, 67)] {
            // Use small whole numbers, so that all sums are exact.
            let number = |i: usize| ((i * 37 + 11) % 23) as f32 - 11.0;
            let weights: Vec<f32> = (0..inputs * outputs).map(number).collect();
            let layer = Dense::new(&weights, (0..outputs).map(|i| number(i + 5)).collect());
            let seen: Vec<f32> = (0..inputs).map(|i| number(i + 1)).collect();
            let mut found: Vec<f32> = (0..outputs).map(|i| number(i + 9)).collect();
            layer.add_to(&seen, &mut found);
            for (i, found) in found.into_iter().enumerate() {
                let product = dot(&weights[i * inputs..][..inputs], &seen);
                assert_eq!(found, number(i + 9) + number(i + 5) + product);
            }
        }
    }
}
