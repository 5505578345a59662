//! Layers of a network: convolutions in the memory layouts of the kernels, and small dense layers.

mod packed;

use std::sync::OnceLock;

use super::bf16;
use super::interpolation::{FILTER_TRANSFORM, FREQS, TILE, freq};

/// Number of output channels that are adjacent in the weights of the vector kernels.
pub const BLOCK: usize = 32;

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
    weights: Vec<[f32; BLOCK]>,
    /// The filter transform of nine taps at the 36 pairs of interpolation points, computed on first
    /// use: `[freq][output / 32][input][output % 32]`.
    transformed_weights: Derived<Vec<Row<f32>>>,
    /// `transformed_weights` in bf16, two inputs per operand: `[freq][output / 32][input /
    /// 2][output % 32]`.
    transformed_bf16: Derived<Vec<Row<u32>>>,
    /// `transformed_weights` as 16-bit integers with their scales.
    transformed_int16: Derived<ShortWeights>,
    /// All taps in bf16 for the AMX tiles: `[output / 16][tap][input / 32]`. Each tile stores pairs
    /// of inputs: `[input % 32 / 2][output % 16][input % 2]`.
    pub tiles: Vec<TileRow>,
}

/// A value computed from the weights on first use. Comparisons of layers ignore it.
#[derive(Clone, Debug)]
struct Derived<T>(OnceLock<T>);

impl<T> Default for Derived<T> {
    fn default() -> Derived<T> {
        Derived(OnceLock::new())
    }
}

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Derived<T>) -> bool {
        true
    }
}

/// Filter transform in 16-bit integers. Each output has its own scale at each pair of interpolation
/// points.
#[derive(Clone, Debug)]
pub struct ShortWeights {
    /// Two inputs per operand, the first in the lower half: `[freq][output / 32][input / 2][output
    /// % 32]`.
    pub weights: Vec<Row<u32>>,
    /// Weight that the integer 1 represents: `[freq][output]`.
    pub scales: Vec<f32>,
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
        let mut tiles = Vec::with_capacity(weights.len() / 32);
        for output in (0..outputs).step_by(16) {
            for tap in 0..taps {
                for input in (0..inputs).step_by(2) {
                    tiles.push(TileRow(std::array::from_fn(|i| {
                        let (row, column) = (input + i % 2, output + i / 2);
                        weights[(tap * inputs + row) * outputs + column]
                    })));
                }
            }
        }
        let mut blocks = Vec::with_capacity(weights.len() / BLOCK);
        for output in (0..outputs).step_by(BLOCK) {
            for row in weights.chunks_exact(outputs) {
                blocks.push(std::array::from_fn(|lane| {
                    row.get(output + lane).map_or(0.0, |&w| bf16::widen(w))
                }));
            }
        }
        Convolution {
            taps,
            inputs,
            outputs,
            bias,
            weights: blocks,
            transformed_weights: Derived::default(),
            transformed_bf16: Derived::default(),
            transformed_int16: Derived::default(),
            tiles,
        }
    }

    /// Returns the layer with these weights, `[tap][input][output]` in full precision, and without
    /// a bias. Channels are filled up with zeros. The AMX kernel cannot compute it.
    pub fn from_floats(taps: usize, inputs: usize, outputs: usize, weights: &[f32]) -> Convolution {
        let stored = [inputs, outputs].map(|count| count.next_multiple_of(BLOCK));
        let mut blocks = Vec::with_capacity(taps * stored[0] * stored[1] / BLOCK);
        for output in (0..outputs).step_by(BLOCK) {
            for tap in 0..taps {
                for input in 0..stored[0] {
                    let row = weights.get((tap * inputs + input) * outputs..);
                    let row = row.filter(|_| input < inputs).unwrap_or_default();
                    let row = &row[..outputs.min(row.len())];
                    blocks.push(std::array::from_fn(|lane| {
                        row.get(output + lane).copied().unwrap_or(0.0)
                    }));
                }
            }
        }
        Convolution {
            taps,
            inputs: stored[0],
            outputs: stored[1],
            bias: vec![0.0; stored[1]],
            weights: blocks,
            transformed_weights: Derived::default(),
            transformed_bf16: Derived::default(),
            transformed_int16: Derived::default(),
            tiles: Vec::new(),
        }
    }

    /// Returns the weights of a block of outputs for one tap: a row per input.
    #[inline(always)]
    pub fn block_weights(&self, block: usize, tap: usize) -> &[[f32; BLOCK]] {
        &self.weights[(block * self.taps + tap) * self.inputs..][..self.inputs]
    }

    /// Returns the filter transform of the nine taps ([`FILTER_TRANSFORM`] in both directions):
    /// `[freq][output / 32][input]`, each a row of 32 outputs.
    pub fn transformed_weights(&self) -> &[Row<f32>] {
        self.transformed_weights
            .0
            .get_or_init(|| self.filter_transform())
    }

    /// Returns the filter transform as pairs of bf16: `[freq][output / 32][input / 2]`, each a row
    /// of 32 outputs. The first input of a pair is in the lower half.
    pub fn transformed_bf16(&self) -> &[Row<u32>] {
        self.transformed_bf16.0.get_or_init(|| {
            let transformed = self.filter_transform();
            let pairs = transformed.as_chunks().0.iter();
            pairs
                .map(|rows| couple(rows, |_, w| bf16::round(w)))
                .collect()
        })
    }

    /// Returns the filter transform as 16-bit integers. Their scales ensure that no sum over all
    /// inputs overflows 32 bits, whatever the inputs.
    pub fn transformed_int16(&self) -> &ShortWeights {
        self.transformed_int16.0.get_or_init(|| {
            let transformed = self.filter_transform();
            let mut shorts = ShortWeights {
                weights: Vec::with_capacity(transformed.len() / 2),
                scales: Vec::with_capacity(transformed.len() / self.inputs * BLOCK),
            };
            // The absolute values of one output's integers may add up to at most 2^16 − 1. Reserve
            // 1/2 per input for rounding.
            let most = f64::from(u16::MAX) - self.inputs as f64 / 2.0;
            for rows in transformed.chunks_exact(self.inputs) {
                let scales: [f32; BLOCK] = std::array::from_fn(|lane| {
                    let weights = || rows.iter().map(|row| f64::from(row.0[lane].abs()));
                    let greatest = weights().fold(0.0, f64::max) / f64::from(i16::MAX);
                    // Increase the scale slightly, because the conversion to `f32` may round it
                    // down.
                    let scale = (weights().sum::<f64>() / most).max(greatest) * (1.0 + 1e-6);
                    (scale as f32).max(f32::MIN_POSITIVE)
                });
                let short =
                    |lane: usize, w: f32| ((w / scales[lane]).round() as i16).cast_unsigned();
                let pairs = rows.as_chunks().0.iter();
                shorts.weights.extend(pairs.map(|rows| couple(rows, short)));
                shorts.scales.extend(scales);
            }
            shorts
        })
    }

    fn filter_transform(&self) -> Vec<Row<f32>> {
        let rows = self.outputs.div_ceil(BLOCK) * self.inputs;
        let mut found = vec![Row([0.0; BLOCK]); FREQS * rows];
        for element in 0..FREQS {
            let (y, x) = (element / TILE, element % TILE);
            let (up, along) = (FILTER_TRANSFORM[y], FILTER_TRANSFORM[x]);
            let found = &mut found[freq(y, x) * rows..][..rows];
            for (i, row) in found.iter_mut().enumerate() {
                let (block, input) = (i / self.inputs, i % self.inputs);
                for tap in 0..self.taps.min(9) {
                    let share = up[tap / 3] * along[tap % 3];
                    let weights = &self.block_weights(block, tap)[input];
                    for (sum, weight) in row.0.iter_mut().zip(weights) {
                        *sum += share * weight;
                    }
                }
            }
        }
        found
    }

    /// Returns true if all weights and biases are finite.
    pub fn is_finite(&self) -> bool {
        let mut all = self.weights.as_flattened().iter().chain(&self.bias);
        all.all(|weight| weight.is_finite())
    }
}

/// Combines two rows to one row of operands, with the first row in the lower halves.
fn couple(rows: &[Row<f32>; 2], half: impl Fn(usize, f32) -> u16) -> Row<u32> {
    Row(std::array::from_fn(|lane| {
        let [low, high] = rows.map(|row| u32::from(half(lane, row.0[lane])));
        high << 16 | low
    }))
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

    /// Returns a layer with 32 inputs and 64 outputs.
    fn any_layer() -> Convolution {
        let mut bits = 1u32;
        let weights: Vec<u16> = (0..9 * 32 * 64)
            .map(|_| {
                bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bf16::round((bits >> 8) as f32 / (1 << 24) as f32 - 0.5)
            })
            .collect();
        Convolution::new(9, 32, &weights, vec![0.0; 64])
    }

    #[test]
    fn shorts_at_points_approximate_the_weights_and_sums_never_overflow() {
        let layer = any_layer();
        let (transformed, shorts) = (layer.transformed_weights(), layer.transformed_int16());
        assert_eq!(shorts.weights.len(), FREQS * 2 * 16);
        assert_eq!(shorts.scales.len(), FREQS * 64);
        for (block, rows) in transformed.chunks_exact(32).enumerate() {
            for lane in 0..BLOCK {
                let scale = shorts.scales[block * BLOCK + lane];
                let mut sum = 0;
                for (input, row) in rows.iter().enumerate() {
                    let pair = shorts.weights[block * 16 + input / 2].0[lane];
                    let short = (pair >> (16 * (input % 2))) as i16;
                    let weight = f32::from(short) * scale;
                    assert!(
                        (weight - row.0[lane]).abs() <= 0.501 * scale,
                        "{weight} {}",
                        row.0[lane]
                    );
                    sum += i64::from(short).abs();
                }
                assert!(sum * -i64::from(i16::MIN) <= i64::from(i32::MAX), "{sum}");
            }
        }
        let nothing = Convolution::new(9, 32, &vec![0; 9 * 32 * BLOCK], vec![0.0; BLOCK]);
        let shorts = nothing.transformed_int16();
        assert!(shorts.weights.iter().all(|row| row.0 == [0; BLOCK]));
        assert!(shorts.scales.iter().all(|scale| scale.is_normal()));
    }

    #[test]
    fn pairs_at_points_are_the_rounded_weights() {
        let layer = any_layer();
        let (transformed, pairs) = (layer.transformed_weights(), layer.transformed_bf16());
        assert_eq!(transformed.len(), FREQS * 2 * 32);
        assert_eq!(pairs.len(), FREQS * 2 * 16);
        for (rows, pair) in transformed.chunks_exact(2).zip(pairs) {
            for lane in 0..BLOCK {
                assert_eq!(pair.0[lane] as u16, bf16::round(rows[0].0[lane]));
                assert_eq!((pair.0[lane] >> 16) as u16, bf16::round(rows[1].0[lane]));
            }
        }
    }
}
