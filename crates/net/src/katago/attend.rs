//! Attention between all points of a board.

use super::model::{Attention, Rotation};
use super::plan::{Product, stored};
use crate::functions::exp;
use crate::kernels::Job;
use crate::layout::BoardLayout;

/// Queries that are computed together, so that each key and value that is read serves all of them.
const QUERIES: usize = 4;
/// Points per block of scores, and channels per block of values.
const LANES: usize = 16;

/// Number of points of the largest board, 25x25.
const MOST_POINTS: u64 = 625;

/// Cosines and sines of the rotations on one rectangle: `[group][pair][point]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    cosines: Vec<f32>,
    sines: Vec<f32>,
    /// True if all groups share one table.
    shared: bool,
}

impl Turns {
    /// Returns the rotations of a block on a rectangle, whose rows count from the top.
    pub(super) fn new<L>(attention: &Attention<L>, width: usize, height: usize) -> Turns {
        let pairs = attention.key_size / 2;
        let (groups, shared) = match attention.rotation {
            Rotation::None => return Turns::default(),
            Rotation::Fixed(_) => (1, true),
            Rotation::Learned(_) => (attention.groups, false),
        };
        let mut turns = Turns {
            shared,
            ..Turns::default()
        };
        for group in 0..groups {
            for pair in 0..pairs {
                let [along, up] = frequencies(attention, group, pair);
                for point in 0..width * height {
                    let (x, y) = ((point % width) as f32, (point / width) as f32);
                    let angle = x * along + y * up;
                    turns.cosines.push(angle.cos());
                    turns.sines.push(angle.sin());
                }
            }
        }
        turns
    }

    /// Returns the number of bytes of the rotations of a block on the largest board.
    pub(super) fn most_bytes<L>(attention: &Attention<L>) -> u64 {
        let groups = match attention.rotation {
            Rotation::None => 0,
            Rotation::Fixed(_) => 1,
            Rotation::Learned(_) => attention.groups as u64,
        };
        // A cosine and a sine for each pair of channels.
        let numbers = groups.saturating_mul(attention.key_size as u64);
        numbers.saturating_mul(MOST_POINTS * 4)
    }

    /// Rotates the channels of a head at a point.
    #[inline(always)]
    fn turn(&self, group: usize, point: usize, points: usize, channels: &mut [f32]) {
        if self.cosines.is_empty() {
            return;
        }
        let group = if self.shared { 0 } else { group };
        let pairs = channels.len() / 2;
        for (pair, two) in channels.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let at = (group * pairs + pair) * points + point;
            let (cosine, sine) = (self.cosines[at], self.sines[at]);
            let [first, second] = *two;
            *two = [
                first * cosine - second * sine,
                first * sine + second * cosine,
            ];
        }
    }
}

/// Returns the frequencies of a pair of channels along columns and along rows.
fn frequencies<L>(attention: &Attention<L>, group: usize, pair: usize) -> [f32; 2] {
    let pairs = attention.key_size / 2;
    match &attention.rotation {
        Rotation::None => [0.0, 0.0],
        Rotation::Learned(found) => {
            let at = 2 * (group * pairs + pair);
            [0, 1].map(|i| found.get(at + i).copied().unwrap_or(0.0))
        }
        Rotation::Fixed(base) => {
            // The first half of the pairs turns with the row, the second with the column.
            let half = pairs / 2;
            let number = if pair < half { pair } else { pair - half };
            let frequency = 1.0 / base.powf(2.0 * number as f32 / pairs as f32);
            match pair < half {
                true => [0.0, frequency],
                false => [frequency, 0.0],
            }
        }
    }
}

/// Working space.
#[derive(Clone, Debug, Default)]
pub(super) struct Desk {
    /// `[point][channel]`
    queries: Vec<f32>,
    /// `[channel][point]`
    keys: Vec<f32>,
    /// `[point][channel]`
    values: Vec<f32>,
    /// `[query][point]`
    scores: Vec<f32>,
}

/// The attention of all heads, from rows of queries, keys and values to an operand.
pub(super) struct Attend<'a> {
    pub(super) layout: &'a BoardLayout,
    pub(super) attention: &'a Attention<Product>,
    pub(super) turns: &'a Turns,
    pub(super) queries: &'a [f32],
    pub(super) keys: &'a [f32],
    pub(super) values: &'a [f32],
    pub(super) operand: &'a mut [f32],
    pub(super) desk: &'a mut Desk,
}

impl Attend<'_> {
    /// Copies the keys and values of a group. Numbers of points and of channels are filled up to
    /// whole blocks.
    #[inline(always)]
    fn set_board(&mut self, group: usize, wide: usize, deep: usize) {
        let (points, size) = (self.layout.points(), self.attention.key_size);
        let own = self.attention.value_size;
        let from = [
            stored(self.attention.groups * size),
            stored(self.attention.groups * own),
        ];
        let Desk { keys, values, .. } = &mut *self.desk;
        keys.clear();
        keys.resize(size * wide, 0.0);
        values.clear();
        values.resize(wide * deep, 0.0);
        let mut key = vec![0.0; size];
        for point in 0..points {
            let cell = self.layout.cell(point);
            key.copy_from_slice(&self.keys[cell * from[0] + group * size..][..size]);
            self.turns.turn(group, point, points, &mut key);
            for (channel, value) in key.iter().enumerate() {
                keys[channel * wide + point] = *value;
            }
            values[point * deep..][..own]
                .copy_from_slice(&self.values[cell * from[1] + group * own..][..own]);
        }
    }

    /// Computes a head whose group is laid out.
    #[inline(always)]
    fn head(&mut self, head: usize, group: usize, wide: usize, deep: usize) {
        let (points, size) = (self.layout.points(), self.attention.key_size);
        let own = self.attention.value_size;
        let from = stored(self.attention.heads * size);
        let to = stored(self.attention.heads * own);
        let scale = 1.0 / (size as f32).sqrt();
        let margin = self.layout.margin();
        let Desk {
            queries,
            keys,
            values,
            scores,
        } = &mut *self.desk;
        queries.resize(QUERIES * size, 0.0);
        scores.resize(QUERIES * wide, 0.0);
        for first in (0..points).step_by(QUERIES) {
            let count = QUERIES.min(points - first);
            for (i, query) in queries.chunks_exact_mut(size).take(count).enumerate() {
                let cell = self.layout.cell(first + i);
                query.copy_from_slice(&self.queries[cell * from + head * size..][..size]);
                self.turns.turn(group, first + i, points, query);
                query.iter_mut().for_each(|value| *value *= scale);
            }
            for block in (0..wide).step_by(LANES) {
                let mut sums = [[0.0f32; LANES]; QUERIES];
                for channel in 0..size {
                    let mut key = [0.0f32; LANES];
                    key.copy_from_slice(&keys[channel * wide + block..][..LANES]);
                    for (i, sums) in sums.iter_mut().enumerate() {
                        let query = queries[i * size + channel];
                        for (sum, key) in sums.iter_mut().zip(key) {
                            *sum += query * key;
                        }
                    }
                }
                for (i, sums) in sums.iter().enumerate() {
                    scores[i * wide + block..][..LANES].copy_from_slice(sums);
                }
            }
            for scores in scores.chunks_exact_mut(wide).take(count) {
                soften(scores, points);
            }
            for block in (0..deep).step_by(LANES) {
                let mut sums = [[0.0f32; LANES]; QUERIES];
                for point in 0..points {
                    let mut value = [0.0f32; LANES];
                    value.copy_from_slice(&values[point * deep + block..][..LANES]);
                    for (i, sums) in sums.iter_mut().enumerate() {
                        let score = scores[i * wide + point];
                        for (sum, value) in sums.iter_mut().zip(value) {
                            *sum += score * value;
                        }
                    }
                }
                let kept = LANES.min(own - block.min(own));
                for (i, sums) in sums.iter().take(count).enumerate() {
                    let cell = margin + self.layout.cell(first + i);
                    self.operand[cell * to + head * own + block..][..kept]
                        .copy_from_slice(&sums[..kept]);
                }
            }
        }
    }
}

/// Replaces the scores of the first `points` points by probabilities, and the others by zeros.
#[inline(always)]
fn soften(scores: &mut [f32], points: usize) {
    let (scores, rest) = scores.split_at_mut(points);
    rest.fill(0.0);
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in &mut *scores {
        *score = exp(*score - most);
    }
    let share = 1.0 / scores.iter().sum::<f32>();
    scores.iter_mut().for_each(|score| *score *= share);
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run(mut self) {
        let heads = self.attention.heads / self.attention.groups;
        let wide = self.layout.points().next_multiple_of(LANES);
        let deep = self.attention.value_size.next_multiple_of(LANES);
        self.operand.fill(0.0);
        for group in 0..self.attention.groups {
            self.set_board(group, wide, deep);
            for head in group * heads..(group + 1) * heads {
                self.head(head, group, wide, deep);
            }
        }
    }
}
