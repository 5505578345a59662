//! Attention between all points of a board.

use super::SIDES;
use super::model::{Attention, Rotation};
use super::plan::{Product, stored};
use crate::functions::exp;
use crate::kernels::even_blocks::EvenBlocks;
use crate::kernels::matrix::{Columns, MatrixProduct};
use crate::kernels::{Float, Job};
use crate::layer::BLOCK;
use crate::layout::BoardLayout;

/// Maximum number of queries whose scores are computed together. The scores of 19x19 then take at
/// most 74 KB, which the second-level cache holds.
const QUERIES: usize = 48;
/// Number of partial sums and maxima: a multiple of the floats of any vector.
const LANES: usize = 16;

/// Number of points of the largest board, 25x25.
const MOST_POINTS: u64 = (*SIDES.end() * *SIDES.end()) as u64;

/// Cosines and sines of the rotations on one rectangle: `[group][point][pair]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    turns: Vec<[f32; 2]>,
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
        let turn = |angle: f32| [angle.cos(), angle.sin()];
        for group in 0..groups {
            // A rotation by column and row is the product of two rotations. So sines are computed
            // only for columns and rows, not for each point.
            let (mut columns, mut rows) = (Vec::new(), Vec::new());
            let found: Vec<_> = (0..pairs)
                .map(|pair| frequencies(attention, group, pair))
                .collect();
            for x in 0..width {
                columns.extend(found.iter().map(|[across, _]| turn(x as f32 * across)));
            }
            for y in 0..height {
                rows.extend(found.iter().map(|[_, down]| turn(y as f32 * down)));
            }
            for row in rows.chunks_exact(pairs.max(1)) {
                for column in columns.chunks_exact(pairs.max(1)) {
                    let both = row.iter().zip(column);
                    turns.turns.extend(
                        both.map(|(a, b)| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]),
                    );
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
        if self.turns.is_empty() {
            return;
        }
        let group = if self.shared { 0 } else { group };
        let pairs = channels.len() / 2;
        let turns = &self.turns[(group * points + point) * pairs..][..pairs];
        for (two, &[cosine, sine]) in channels.as_chunks_mut::<2>().0.iter_mut().zip(turns) {
            let [first, second] = *two;
            *two = [
                first * cosine - second * sine,
                first * sine + second * cosine,
            ];
        }
    }
}

/// Returns the frequencies of a pair of channels: per column and per row.
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
    /// `[query][channel]`
    queries: Vec<f32>,
    /// Inputs are channels, and outputs are points.
    keys: Columns,
    /// Inputs are points, and outputs are channels.
    values: Columns,
    /// `[query][point]`, each query filled up to a multiple of 32 numbers.
    scores: Vec<f32>,
    /// Inverse of the sum of the powers of each query.
    shares: Vec<f32>,
    /// `[query][channel]`
    sums: Vec<f32>,
}

/// The attention of all heads on all boards, from rows of queries, keys and values to an operand.
pub(super) struct Attend<'a> {
    pub(super) arithmetic: &'a Float,
    pub(super) layout: &'a BoardLayout,
    pub(super) attention: &'a Attention<Product>,
    pub(super) turns: &'a Turns,
    pub(super) queries: &'a [f32],
    pub(super) keys: &'a [f32],
    pub(super) values: &'a [f32],
    pub(super) operand: &'a mut [f32],
    pub(super) desk: &'a mut Desk,
}

impl Job for Attend<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(mut self) {
        let heads = self.attention.heads / self.attention.groups;
        self.operand.fill(0.0);
        for board in 0..self.layout.boards() {
            let first = board * self.layout.board_cells();
            for group in 0..self.attention.groups {
                self.copy_group(first, group);
                for head in group * heads..(group + 1) * heads {
                    self.head::<FUSED>(first, head, group);
                }
            }
        }
    }
}

impl Attend<'_> {
    /// Copies the keys and values of a group as columns of matrices. The board begins at cell
    /// `first`.
    #[inline(always)]
    fn copy_group(&mut self, first: usize, group: usize) {
        let (points, size) = (self.layout.board_points(), self.attention.key_size);
        let own = self.attention.value_size;
        let from = [
            stored(self.attention.groups * size),
            stored(self.attention.groups * own),
        ];
        let Desk { keys, values, .. } = &mut *self.desk;
        keys.resize(size, points);
        values.resize(points, own);
        let mut key = vec![0.0; size];
        for point in 0..points {
            let cell = first + self.layout.cell(point);
            key.copy_from_slice(&self.keys[cell * from[0] + group * size..][..size]);
            self.turns.turn(group, point, points, &mut key);
            let columns = keys.block_mut(point / BLOCK);
            for (column, value) in columns.iter_mut().zip(&key) {
                column.0[point % BLOCK] = *value;
            }
            let channels = &self.values[cell * from[1] + group * own..][..own];
            for (block, channels) in channels.chunks(BLOCK).enumerate() {
                values.block_mut(block)[point].0[..channels.len()].copy_from_slice(channels);
            }
        }
    }

    /// Computes a head whose group is laid out. The board begins at cell `first`.
    #[inline(always)]
    fn head<const FUSED: bool>(&mut self, first: usize, head: usize, group: usize) {
        let (points, size) = (self.layout.board_points(), self.attention.key_size);
        let own = self.attention.value_size;
        let from = stored(self.attention.heads * size);
        let to = stored(self.attention.heads * own);
        let (wide, deep) = (stored(points), stored(own));
        let scale = 1.0 / (size as f32).sqrt();
        let margin = self.layout.margin();
        let Desk {
            queries,
            keys,
            values,
            scores,
            shares,
            sums,
        } = &mut *self.desk;
        let blocks = EvenBlocks::new(points, QUERIES);
        let mut end = 0;
        for block in 0..blocks.count {
            let block = end..end + blocks.rows(block);
            end = block.end;
            queries.resize(block.len() * size, 0.0);
            for (point, query) in block.clone().zip(queries.chunks_exact_mut(size)) {
                let cell = first + self.layout.cell(point);
                query.copy_from_slice(&self.queries[cell * from + head * size..][..size]);
                self.turns.turn(group, point, points, query);
                for value in query {
                    *value *= scale;
                }
            }
            scores.resize(block.len() * wide, 0.0);
            self.arithmetic.product(MatrixProduct {
                count: block.len(),
                rows: queries,
                stride: size,
                columns: keys,
                product: scores,
            });
            shares.clear();
            // A closure in `extend` would not be compiled for the vectors of the kernel.
            for row in scores.chunks_exact_mut(wide) {
                shares.push(soften::<FUSED>(row, points));
            }
            sums.resize(block.len() * deep, 0.0);
            self.arithmetic.product(MatrixProduct {
                count: block.len(),
                rows: scores,
                stride: wide,
                columns: values,
                product: sums,
            });
            for ((point, share), sums) in block.zip(&*shares).zip(sums.chunks_exact(deep)) {
                let cell = margin + first + self.layout.cell(point);
                let to = &mut self.operand[cell * to + head * own..][..own];
                for (to, sum) in to.iter_mut().zip(sums) {
                    *to = sum * share;
                }
            }
        }
    }
}

/// Softmax: replaces the scores of the first `points` points by their powers and returns the
/// inverse of their sum. The number of scores must be a multiple of [`LANES`]. Those beyond the
/// points become negligible.
#[inline(always)]
fn soften<const FUSED: bool>(scores: &mut [f32], points: usize) -> f32 {
    scores[points..].fill(f32::NEG_INFINITY);
    let parts = scores.as_chunks_mut::<LANES>().0;
    let mut maxima = [f32::NEG_INFINITY; LANES];
    for part in &*parts {
        for (most, score) in maxima.iter_mut().zip(part) {
            *most = if *score > *most { *score } else { *most };
        }
    }
    let most = maxima.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let mut sums = [0.0f32; LANES];
    for part in parts {
        for (score, sum) in part.iter_mut().zip(&mut sums) {
            *score = exp::<FUSED>(*score - most);
            *sum += *score;
        }
    }
    1.0 / sums.iter().sum::<f32>()
}
