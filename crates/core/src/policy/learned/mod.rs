//! Move probabilities from weights learned from games. A move's score is the sum of the weights of
//! its [`features`], one per group. Probabilities are proportional to the exponentials of the
//! scores (a generalized Bradley-Terry model, Coulom 2007).
//!
//! There are two sets of weights. One is for boards that look like a square lattice nearly
//! everywhere, the other, without shapes, for all other boards.

pub mod features;
pub mod patterns;

use std::sync::LazyLock;

use crate::board::Board;
use crate::policy::{Survey, Terrain};
use features::{FEATURES, Features, GROUPS, SHAPELESS, SHAPELESS_GROUPS};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use patterns::Patterns;

/// Weights of all features.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Weights with shapes: [`FEATURES`] of them, then one for each larger shape.
    pub shaped: Vec<f32>,
    /// Weights without shapes: [`SHAPELESS`] of them.
    pub shapeless: Vec<f32>,
    /// Keys of the larger shapes, in the order of their weights.
    pub keys: Vec<u32>,
    /// Lookup table of `keys`.
    pub patterns: Patterns,
}

/// Value in the file of a weight of 1.
const UNIT: f32 = 256.0;

/// Built-in weights, written by `omnigo fit`.
static BUILT_IN: LazyLock<Option<Weights>> =
    LazyLock::new(|| Weights::read(include_bytes!("weights.bin")));

impl Weights {
    /// Returns the built-in weights.
    pub fn built_in() -> Option<&'static Weights> {
        BUILT_IN.as_ref()
    }

    /// Reads weights from the bytes of a file. Returns `None` if its length is wrong.
    ///
    /// A weight is a signed 16-bit little-endian integer, in units of 1/256. The weights with
    /// shapes come first, then those without. Then each larger shape has its key of 32 bits and its
    /// weight.
    pub fn read(bytes: &[u8]) -> Option<Weights> {
        let (plain, larger) = bytes.split_at_checked(2 * (FEATURES + SHAPELESS))?;
        let weight = |pair: [u8; 2]| f32::from(i16::from_le_bytes(pair)) / UNIT;
        let (pairs, _) = plain.as_chunks::<2>();
        let all: Vec<f32> = pairs.iter().map(|&pair| weight(pair)).collect();
        let (shaped, shapeless) = all.split_at(FEATURES);
        let (larger, rest) = larger.as_chunks::<6>();
        if !rest.is_empty() || larger.len() > Patterns::MOST {
            return None;
        }
        let key = |&[a, b, c, d, _, _]: &[u8; 6]| u32::from_le_bytes([a, b, c, d]);
        let keys: Vec<u32> = larger.iter().map(key).collect();
        let larger = larger.iter().map(|&[.., a, b]| weight([a, b]));
        Some(Weights {
            shaped: shaped.iter().copied().chain(larger).collect(),
            shapeless: shapeless.to_vec(),
            patterns: Patterns::new(keys.iter().copied()),
            keys,
        })
    }

    /// Returns the bytes that [`Weights::read`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = |weight: f32| ((weight * UNIT).round() as i16).to_le_bytes();
        let (shaped, larger) = self.shaped.split_at(FEATURES);
        let all = shaped.iter().chain(&self.shapeless);
        let mut file: Vec<u8> = all.flat_map(|&weight| bytes(weight)).collect();
        for (key, &weight) in self.keys.iter().zip(larger) {
            file.extend(key.to_le_bytes());
            file.extend(bytes(weight));
        }
        file
    }

    /// Returns the sum of the weights of a move's features.
    #[inline]
    pub fn sum(&self, features: &Features, shapes: bool) -> f32 {
        let (weights, groups) = if shapes {
            (&self.shaped, GROUPS)
        } else {
            (&self.shapeless, SHAPELESS_GROUPS)
        };
        let of = |&feature: &u16| weights.get(usize::from(feature)).copied().unwrap_or(0.0);
        features[..groups].iter().map(of).sum()
    }
}

/// Writes to `probabilities` the probability of each of `moves`, which are placements of `color`.
/// Empty on boards with more than two colors, because the weights were learned from two-player
/// games. On lattices, the sum is less than 1.
pub fn probabilities<B: Board>(
    board: &B,
    color: Color,
    moves: &[Vertex],
    terrain: &Terrain,
    survey: &Survey<B>,
    probabilities: &mut Vec<f32>,
) {
    probabilities.clear();
    let Some(weights) = Weights::built_in().filter(|_| board.colors() == 2) else {
        return;
    };
    probabilities.extend(moves.iter().map(|&at| {
        let features = features::of(board, color, at, terrain, survey, &weights.patterns);
        weights.sum(&features, terrain.is_lattice())
    }));
    normalize(probabilities, terrain.is_lattice().then_some(NONE_OF_THEM));
}

/// Score of playing none of the moves, used where the learned weights are used alone. The weights
/// do not cover passes. Without this score, the least bad of several bad moves would look good.
/// Scores of likely moves in the middle of a game are about 5.
const NONE_OF_THEM: f32 = 3.0;

/// Exponentials of 0, −1/[`UNIT`], −2/[`UNIT`] …, and of 0, −1, −2 …. They are computed by
/// multiplications alone, so they are identical on every machine.
static EXPONENTIALS: LazyLock<([f64; STEPS], [f64; DEPTH])> = LazyLock::new(|| {
    /// The exponential of −1/256.
    const STEP: f64 = 0.996_101_369_470_117_5;
    let mut fine = [1.0; STEPS];
    for i in 1..STEPS {
        fine[i] = fine[i - 1] * STEP;
    }
    let mut coarse = [1.0; DEPTH];
    for i in 1..DEPTH {
        coarse[i] = coarse[i - 1] * fine[STEPS - 1] * STEP;
    }
    (fine, coarse)
});
const STEPS: usize = UNIT as usize;
const DEPTH: usize = 64;

/// Returns the exponential of −`depth`, with `depth` ≥ 0 rounded to the nearest 1/[`UNIT`]. Returns
/// 0 beyond [`DEPTH`].
fn exponential(depth: f32) -> f32 {
    let (fine, coarse) = &*EXPONENTIALS;
    let steps = (depth * UNIT + 0.5) as usize;
    coarse
        .get(steps / STEPS)
        .map_or(0.0, |c| (c * fine[steps % STEPS]) as f32)
}

/// Turns scores into probabilities. Together with that of `rest`, if given, they sum to 1.
pub fn normalize(sums: &mut [f32], rest: Option<f32>) {
    let all = sums.iter().copied().chain(rest);
    let most = all.fold(f32::NEG_INFINITY, f32::max);
    let mut total = rest.map_or(0.0, |rest| exponential(most - rest));
    for sum in sums.iter_mut() {
        *sum = exponential(most - *sum);
        total += *sum;
    }
    for probability in sums {
        *probability /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_accurate() {
        for step in 0..4000u16 {
            let depth = f32::from(step) / 100.0;
            let (found, wanted) = (exponential(depth), (-depth).exp());
            assert!(
                (found - wanted).abs() <= wanted * 0.003,
                "{depth}: {found}, {wanted}"
            );
        }
        assert_eq!(exponential(1000.0), 0.0);
    }

    #[test]
    fn probabilities_sum_to_one() {
        let mut sums = [3.0, -1.0, 0.5, -200.0];
        normalize(&mut sums, None);
        assert!((sums.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(sums[0] > sums[2] && sums[2] > sums[1] && sums[3] == 0.0);
        let mut sums = [1.0, 1.0];
        normalize(&mut sums, Some(1.0));
        assert!((sums[0] - 1.0 / 3.0).abs() < 1e-5 && sums[0] == sums[1]);
        let mut sums = [1.0, -1.0];
        normalize(&mut sums, Some(4.0));
        assert!((sums[0] - 0.047).abs() < 0.002, "{sums:?}");
    }

    #[test]
    fn the_file_round_trips() {
        let built_in = Weights::built_in().unwrap();
        assert_eq!(built_in.to_bytes(), include_bytes!("weights.bin"));
        assert!(built_in.shaped.iter().any(|&weight| weight != 0.0));
        let bytes = built_in.to_bytes();
        assert!(Weights::read(&bytes[2..]).is_none());
        assert!(Weights::read(&[]).is_none());
        assert!(Weights::read(&[&bytes[..], &[0]].concat()).is_none());
        let many = vec![0; 2 * (FEATURES + SHAPELESS) + 6 * (Patterns::MOST + 1)];
        assert!(Weights::read(&many).is_none() && Weights::read(&many[6..]).is_some());
    }
}
