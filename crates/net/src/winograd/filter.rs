//! Filter transform of the weights of a convolution, in the formats of the kernels.

use std::sync::OnceLock;

use super::interpolation::{FILTER_TRANSFORM, FREQS, TILE, freq};
use crate::bf16;
use crate::layer::{BLOCK, Convolution, POINT_MOST, Row, TileRow};

/// Weights of a layer in the formats of the kernels. Most formats hold the filter transform of nine
/// taps at the 36 pairs of interpolation points. Each is computed on first use. Comparisons of
/// layers ignore them.
#[derive(Clone, Debug, Default)]
pub struct FilterTransforms {
    /// `[freq][output / 32][input][output % 32]`
    pub(super) floats: OnceLock<Vec<Row<f32>>>,
    /// `floats` in bf16, two inputs per operand: `[freq][output / 32][input / 2][output % 32]`.
    pub(super) bf16: OnceLock<Vec<Row<u32>>>,
    /// `floats` as 16-bit integers with their scales.
    pub(super) int16: OnceLock<ShortWeights>,
    /// Weights of a single tap as 16-bit integers with their scales.
    points: OnceLock<ShortWeights>,
    /// All taps in bf16 for matrix tiles.
    tiles: OnceLock<Vec<TileRow>>,
}

/// Number of outputs of a matrix tile.
const TILE_OUTPUTS: usize = 16;

#[cfg(test)]
impl FilterTransforms {
    /// Returns true if the weights were computed in at least one format.
    pub(crate) fn is_known(&self) -> bool {
        self.floats.get().is_some()
            || self.bf16.get().is_some()
            || self.int16.get().is_some()
            || self.points.get().is_some()
            || self.tiles.get().is_some()
    }
}

impl PartialEq for FilterTransforms {
    fn eq(&self, _: &FilterTransforms) -> bool {
        true
    }
}

/// Weights in 16-bit integers. Each output has its own scale, for a filter transform at each pair
/// of interpolation points.
#[derive(Clone, Debug, Default)]
pub struct ShortWeights {
    /// Two inputs per operand, the first in the lower half: `[freq][output / 32][input / 2][output
    /// % 32]`. A single tap has no `freq`.
    pub weights: Vec<Row<u32>>,
    /// Weight that the integer 1 represents: `[freq][output]`.
    pub scales: Vec<f32>,
}

impl ShortWeights {
    /// Adds the weights of 32 outputs, a row per input. The sum of the absolute values of the
    /// integers of an output is at most `sum`.
    fn push(&mut self, rows: &[Row<f32>], sum: f64) {
        // Reserve 1/2 per input for rounding.
        let most = sum - rows.len() as f64 / 2.0;
        debug_assert!(most > 0.0, "{} inputs", rows.len());
        let scales: [f32; BLOCK] = std::array::from_fn(|lane| {
            let weights = || rows.iter().map(|row| f64::from(row.0[lane].abs()));
            let greatest = weights().fold(0.0, f64::max) / f64::from(i16::MAX);
            // Increase the scale slightly, because the conversion to `f32` may round it down.
            let scale = (weights().sum::<f64>() / most).max(greatest) * (1.0 + 1e-6);
            match greatest {
                // An output without weights gets a scale whose product with the scale of a point is
                // normal. Intel processors multiply subnormal numbers slowly.
                0.0 => 1.0,
                _ => (scale as f32).max(f32::MIN_POSITIVE),
            }
        });
        let short = |lane: usize, w: f32| ((w / scales[lane]).round() as i16).cast_unsigned();
        let pairs = rows.as_chunks().0.iter();
        self.weights.extend(pairs.map(|rows| couple(rows, short)));
        self.scales.extend(scales);
    }
}

impl Convolution {
    /// Returns the filter transform of the nine taps ([`FILTER_TRANSFORM`] in both directions):
    /// `[freq][output / 32][input]`, each a row of 32 outputs.
    pub fn transformed_weights(&self) -> &[Row<f32>] {
        self.transforms
            .floats
            .get_or_init(|| self.filter_transform())
    }

    /// Returns the filter transform as pairs of bf16: `[freq][output / 32][input / 2]`, each a row
    /// of 32 outputs. The first input of a pair is in the lower half.
    pub fn transformed_bf16(&self) -> &[Row<u32>] {
        self.transforms.bf16.get_or_init(|| {
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
        self.transforms.int16.get_or_init(|| {
            let transformed = self.filter_transform();
            let mut shorts = ShortWeights {
                weights: Vec::with_capacity(transformed.len() / 2),
                scales: Vec::with_capacity(transformed.len() / self.inputs * BLOCK),
            };
            // The integers of the inputs have up to 16 bits.
            for rows in transformed.chunks_exact(self.inputs) {
                shorts.push(rows, f64::from(u16::MAX));
            }
            shorts
        })
    }

    /// Returns the weights of a single tap as 16-bit integers. Their scales ensure that no sum over
    /// all inputs overflows 32 bits, if the integers of the inputs are at most [`POINT_MOST`].
    pub fn point_weights(&self) -> &ShortWeights {
        self.transforms.points.get_or_init(|| {
            let mut shorts = ShortWeights::default();
            for block in 0..self.outputs / BLOCK {
                let rows = self.block_weights(block, 0);
                shorts.push(rows, f64::from(i32::MAX / i32::from(POINT_MOST)));
            }
            shorts
        })
    }

    /// Returns all taps in bf16 for matrix tiles: `[output / 16][tap][input / 32]`. Each tile
    /// stores pairs of inputs: `[input % 32 / 2][output % 16][input % 2]`.
    pub fn tiles(&self) -> &[TileRow] {
        self.transforms.tiles.get_or_init(|| {
            let mut tiles = Vec::with_capacity(self.taps * self.inputs * self.outputs / 32);
            for output in (0..self.outputs).step_by(TILE_OUTPUTS) {
                let lane = output % BLOCK;
                for pair in self.block_rows(output / BLOCK).as_chunks::<2>().0 {
                    tiles.push(TileRow(std::array::from_fn(|i| {
                        bf16::round(pair[i % 2].0[lane + i / 2])
                    })));
                }
            }
            tiles
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
                    let weights = &self.block_weights(block, tap)[input].0;
                    for (sum, weight) in row.0.iter_mut().zip(weights) {
                        *sum += share * weight;
                    }
                }
            }
        }
        found
    }
}

/// Combines two rows to one row of operands, with the first row in the lower halves.
fn couple(rows: &[Row<f32>; 2], half: impl Fn(usize, f32) -> u16) -> Row<u32> {
    Row(std::array::from_fn(|lane| {
        let [low, high] = rows.map(|row| u32::from(half(lane, row.0[lane])));
        high << 16 | low
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(shorts.scales, vec![1.0; shorts.scales.len()]);
        let nothing = Convolution::new(1, 32, &[0; 32 * BLOCK], vec![0.0; BLOCK]);
        let shorts = nothing.point_weights();
        assert!(shorts.weights.iter().all(|row| row.0 == [0; BLOCK]));
        assert_eq!(shorts.scales, [1.0; BLOCK]);
    }

    #[test]
    fn short_weights_of_a_tap_never_overflow() {
        let mut weights = vec![0.25; 1030 * 40];
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = if i % 3 == 0 {
                -0.5
            } else {
                1.0 + (i as f32).sin()
            };
        }
        let layer = Convolution::from_floats(1, 1030, 40, &weights);
        let shorts = layer.point_weights();
        assert_eq!(shorts.weights.len(), 2 * layer.inputs / 2);
        for output in 0..40 {
            let rows = &shorts.weights[output / BLOCK * layer.inputs / 2..][..layer.inputs / 2];
            let pairs = rows.iter().map(|row| row.0[output % BLOCK]);
            let both = pairs.flat_map(|pair| [pair as i16, (pair >> 16) as i16]);
            let shorts_of: Vec<i16> = both.collect();
            let sum: i64 = shorts_of.iter().map(|&short| i64::from(short).abs()).sum();
            assert!(sum * i64::from(POINT_MOST) <= i64::from(i32::MAX), "{sum}");
            let scale = shorts.scales[output];
            for (input, &short) in shorts_of.iter().take(1030).enumerate() {
                let expected = weights[input * 40 + output];
                let error = (f32::from(short) * scale - expected).abs();
                assert!(error <= 0.501 * scale, "{input} {output}");
                assert!(error < 0.01, "{input} {output}: {error}");
            }
        }
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
