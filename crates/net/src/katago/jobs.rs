//! Computations of a pass apart from the convolutions, written for any vectors.
//!
//! Values lie as `[cell][channel]`. The *rows* hold the computed cells of all boards. Operands of
//! convolutions hold all cells, and every cell off the boards is zero there. Rows may hold any
//! numbers off the boards, because no result depends on them.

use std::ops::Range;

use super::model::{Activation, Bias, Encoder, Matrix, Norm};
use crate::functions::exp;
use crate::kernels::Job;
use crate::layout::BoardLayout;

/// Returns `x · tanh(ln(1 + eˣ))`.
#[inline(always)]
fn mish<const FUSED: bool>(x: f32) -> f32 {
    // Above 20, the factor rounds to 1.
    let power = exp::<FUSED>(x.min(20.0));
    let part = power * (power + 2.0);
    x * part / (part + 2.0)
}

/// Returns `x / (1 + e⁻ˣ)`.
#[inline(always)]
fn silu<const FUSED: bool>(x: f32) -> f32 {
    x / (1.0 + exp::<FUSED>(-x))
}

/// Applies an activation to single values.
fn activate(activation: Activation, values: &mut [f32]) {
    for value in values {
        *value = match activation {
            Activation::Identity => *value,
            Activation::Relu => value.max(0.0),
            Activation::Mish => mish::<false>(*value),
            Activation::Silu => silu::<false>(*value),
        };
    }
}

/// Adds the product of a matrix with `inputs` to `outputs`.
pub(super) fn multiply(matrix: &Matrix, inputs: &[f32], outputs: &mut [f32]) {
    let rows = matrix.weights.chunks_exact(matrix.outputs);
    for (row, input) in rows.zip(inputs) {
        for (output, weight) in outputs.iter_mut().zip(row) {
            *output += weight * input;
        }
    }
}

/// Adds a bias and applies its activation.
pub(super) fn add_bias(bias: &Bias, values: &mut [f32]) {
    for (value, offset) in values.iter_mut().zip(&bias.offset) {
        *value += offset;
    }
    activate(bias.activation, values);
}

/// Adds the output of an encoder to the bias of the trunk.
pub(super) fn encode(encoder: &Encoder, facts: &[f32], bias: &mut [f32]) {
    let mut first = vec![0.0; encoder.first.outputs];
    multiply(&encoder.first, facts, &mut first);
    add_bias(&encoder.first_bias, &mut first);
    let mut second = vec![0.0; encoder.second.outputs];
    multiply(&encoder.second, &first, &mut second);
    add_bias(&encoder.second_bias, &mut second);
    multiply(&encoder.last, &second, bias);
}

/// Calls `each` for each point, with the number of its board, the range of its values in the rows,
/// and its cell of an operand. Clears the other cells of the operand.
#[inline(always)]
fn each_cell(
    layout: &BoardLayout,
    channels: usize,
    operand: &mut [f32],
    mut each: impl FnMut(usize, Range<usize>, &mut [f32]),
) {
    let margin = layout.margin() * channels;
    let length = layout.stride() * channels;
    let inside = layout.width() * channels;
    let (rows, span) = (layout.height(), layout.height() + 1);
    let (before, operand) = operand.split_at_mut(margin);
    before.fill(0.0);
    let mut lines = operand.chunks_exact_mut(length);
    for board in 0..layout.boards() {
        for row in board * span..board * span + rows {
            let Some(to) = lines.next() else { return };
            let (to, gap) = to.split_at_mut(inside);
            for (column, to) in to.chunks_exact_mut(channels).enumerate() {
                let start = row * length + column * channels;
                each(board, start..start + channels, to);
            }
            gap.fill(0.0);
        }
        if let Some(between) = lines.next() {
            between.fill(0.0);
        }
    }
    lines.by_ref().for_each(|line| line.fill(0.0));
    lines.into_remainder().fill(0.0);
}

/// Writes each channel of rows times its scale plus its offset to an operand, as `function` returns
/// it. Its second argument is the old value of the operand. Offsets are those of each board.
#[inline(always)]
fn each_normalized(
    layout: &BoardLayout,
    [scale, offsets]: [&[f32]; 2],
    rows: &[f32],
    operand: &mut [f32],
    function: impl Fn(f32, f32) -> f32,
) {
    let channels = scale.len();
    each_cell(layout, channels, operand, |board, cell, to| {
        let offset = &offsets[board * channels..][..channels];
        let factors = scale.iter().zip(offset);
        for ((to, from), (scale, offset)) in to.iter_mut().zip(&rows[cell]).zip(factors) {
            *to = function(from * scale + offset, *to);
        }
    });
}

/// Normalization and activation of rows to an operand.
pub(crate) struct Normalize<'a> {
    pub(crate) layout: &'a BoardLayout,
    pub(crate) norm: &'a Norm,
    /// Offsets added before the normalization, if any: `[board][channel]`.
    pub(crate) bias: Option<&'a [f32]>,
    pub(crate) rows: &'a [f32],
    pub(crate) operand: &'a mut [f32],
}

impl Normalize<'_> {
    #[inline(always)]
    fn each(self, function: impl Fn(f32) -> f32) {
        let scale = &self.norm.scale;
        let mut offsets = self.norm.offset.repeat(self.layout.boards());
        if let Some(bias) = self.bias {
            let scales = scale.iter().cycle();
            for ((offset, bias), scale) in offsets.iter_mut().zip(bias).zip(scales) {
                *offset += scale * bias;
            }
        }
        let factors = [&scale[..], &offsets[..]];
        each_normalized(self.layout, factors, self.rows, self.operand, |value, _| {
            function(value)
        });
    }
}

impl Job for Normalize<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        match self.norm.activation {
            Activation::Identity => self.each(|x| x),
            Activation::Relu => self.each(|x| x.max(0.0)),
            Activation::Mish => self.each(mish::<FUSED>),
            Activation::Silu => self.each(silu::<FUSED>),
        }
    }
}

/// Normalization of rows, sum with an operand, and rectification. The operand takes the result.
pub(crate) struct Join<'a> {
    pub(crate) layout: &'a BoardLayout,
    pub(crate) norm: &'a Norm,
    pub(crate) rows: &'a [f32],
    pub(crate) operand: &'a mut [f32],
}

impl Job for Join<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let offsets = self.norm.offset.repeat(self.layout.boards());
        let factors = [&self.norm.scale[..], &offsets[..]];
        let sum = |value: f32, old: f32| (value + old).max(0.0);
        each_normalized(self.layout, factors, self.rows, self.operand, sum);
    }
}

/// Division of rows by the root mean square of each point, to an operand.
pub(super) struct Scale<'a> {
    pub(super) layout: &'a BoardLayout,
    /// Number of channels that count for the mean.
    pub(super) channels: usize,
    pub(super) epsilon: f32,
    pub(super) scale: &'a [f32],
    pub(super) rows: &'a [f32],
    pub(super) operand: &'a mut [f32],
}

/// Returns the sum of squares, in eight parts that fit in one vector.
#[inline(always)]
fn squares(values: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for part in values.as_chunks::<8>().0 {
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += value * value;
        }
    }
    sums.iter().sum()
}

impl Job for Scale<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let share = 1.0 / self.channels as f32;
        let stored = self.scale.len();
        each_cell(self.layout, stored, self.operand, |_, cell, to| {
            let from = &self.rows[cell];
            let factor = 1.0 / (squares(from) * share + self.epsilon).sqrt();
            for ((to, from), scale) in to.iter_mut().zip(from).zip(self.scale) {
                *to = from * factor * scale;
            }
        });
    }
}

/// Multiplication of rows by the inverse root mean square of each point or of its whole board.
pub(super) struct Rescale<'a> {
    pub(super) layout: &'a BoardLayout,
    /// Number of channels that count for the mean.
    pub(super) channels: usize,
    /// Number of stored channels.
    pub(super) stored: usize,
    pub(super) epsilon: f32,
    pub(super) spatial: bool,
    pub(super) rows: &'a mut [f32],
}

impl Job for Rescale<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let stored = self.stored;
        let length = self.layout.stride() * stored;
        let end = self.layout.height() * length;
        let inside = self.layout.width() * stored;
        let factor = |sum: f32, count: usize| 1.0 / (sum / count as f32 + self.epsilon).sqrt();
        for board in 0..self.layout.boards() {
            let first = board * self.layout.board_cells() * stored;
            let rows = &mut self.rows[first..first + end];
            let mut whole = 0.0;
            if self.spatial {
                for row in rows.chunks_exact(length) {
                    whole += squares(&row[..inside]);
                }
                whole = factor(whole, self.channels * self.layout.board_points());
            }
            for row in rows.chunks_exact_mut(length) {
                for cell in row[..inside].chunks_exact_mut(stored) {
                    let factor = match self.spatial {
                        true => whole,
                        false => factor(squares(cell), self.channels),
                    };
                    cell.iter_mut().for_each(|value| *value *= factor);
                }
            }
        }
    }
}

/// Addition of rows to other rows.
pub(super) struct Add<'a> {
    pub(super) layout: &'a BoardLayout,
    pub(super) channels: usize,
    pub(super) from: &'a [f32],
    pub(super) to: &'a mut [f32],
}

impl Job for Add<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let length = self.layout.stride() * self.channels;
        let inside = self.layout.width() * self.channels;
        let from = self.from.chunks_exact(length);
        // The rows between boards may be added too.
        for (to, from) in self.to.chunks_exact_mut(length).zip(from) {
            for (to, from) in to[..inside].iter_mut().zip(&from[..inside]) {
                *to += from;
            }
        }
    }
}

/// Product of rows with a gate: `silu(rows) · gate`, to an operand.
pub(super) struct Gate<'a> {
    pub(super) layout: &'a BoardLayout,
    pub(super) channels: usize,
    pub(super) rows: &'a [f32],
    pub(super) gate: &'a [f32],
    pub(super) operand: &'a mut [f32],
}

impl Job for Gate<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        each_cell(self.layout, self.channels, self.operand, |_, cell, to| {
            let factors = self.rows[cell.clone()].iter().zip(&self.gate[cell]);
            for (to, (value, gate)) in to.iter_mut().zip(factors) {
                *to = silu::<FUSED>(*value) * gate;
            }
        });
    }
}

/// Sums and maxima of each channel of an operand over the points of a board.
pub(super) struct Pool<'a> {
    pub(super) layout: &'a BoardLayout,
    pub(super) board: usize,
    pub(super) channels: usize,
    pub(super) operand: &'a [f32],
    pub(super) sums: &'a mut [f32],
    pub(super) maxima: &'a mut [f32],
}

impl Job for Pool<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let cells = self.layout.margin() + self.board * self.layout.board_cells();
        let first = cells * self.channels;
        let length = self.layout.stride() * self.channels;
        let end = self.layout.height() * length;
        let inside = self.layout.width() * self.channels;
        self.sums.fill(0.0);
        self.maxima.fill(f32::NEG_INFINITY);
        for row in self.operand[first..first + end].chunks_exact(length) {
            for cell in row[..inside].chunks_exact(self.channels) {
                let totals = self.sums.iter_mut().zip(self.maxima.iter_mut());
                for ((sum, most), &value) in totals.zip(cell) {
                    *sum += value;
                    *most = most.max(value);
                }
            }
        }
    }
}
