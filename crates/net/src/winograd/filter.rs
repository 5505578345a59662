//! Filter transform of the weights of a convolution, in the formats of the kernels.

use std::sync::OnceLock;

use super::interpolation::{FILTER_TRANSFORM, FREQS, TILE, freq};
use crate::bf16;
use crate::layer::{BLOCK, Convolution, Row};

/// The filter transform of nine taps at the 36 pairs of interpolation points. Each format is
/// computed from the weights on first use. Comparisons of layers ignore it.
#[derive(Clone, Debug, Default)]
pub struct FilterTransforms {
    /// `[freq][output / 32][input][output % 32]`
    pub(super) floats: OnceLock<Vec<Row<f32>>>,
    /// `floats` in bf16, two inputs per operand: `[freq][output / 32][input / 2][output % 32]`.
    pub(super) bf16: OnceLock<Vec<Row<u32>>>,
    /// `floats` as 16-bit integers with their scales.
    pub(super) int16: OnceLock<ShortWeights>,
}

impl PartialEq for FilterTransforms {
    fn eq(&self, _: &FilterTransforms) -> bool {
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
