//! Convolutions on floats in plain Rust: the reference implementation for all kernels, and the
//! fallback without vectors.
//!
//! A block of the output (six cells by eight channels) stays in registers or cache while all taps
//! and inputs are added. Each weight that is read serves six cells. Activations of the program's
//! own networks are rounded to bf16, so all kernels compute the same network.

use super::matrix::MatrixProduct;
use super::products::{LayerProduct, Operands};
use super::vector::Vector;
use super::{Arithmetic, Job, Kernel, native};
use crate::bf16;
use crate::layer::{BLOCK, Convolution};
use crate::layout::BoardLayout;
use crate::winograd::Scratch;

/// Cells per block; divides [`GROUP`](crate::layout::GROUP).
const CELLS: usize = 6;
/// Channels per block; divides [`BLOCK`].
const LANES: usize = 8;

/// Arithmetic on floats with the vectors of a kernel.
#[derive(Clone, Debug)]
pub struct Float {
    kernel: Kernel,
    scratch: Scratch,
    operands: Operands,
}

impl Float {
    /// Returns the arithmetic with the vectors of `kernel`, or without vectors if the machine lacks
    /// them.
    pub fn new(kernel: Kernel) -> Float {
        Float {
            kernel: if kernel.is_available() {
                kernel
            } else {
                Kernel::Portable
            },
            scratch: Default::default(),
            operands: Default::default(),
        }
    }
}

/// Final step of a convolution: takes the sums and writes the results.
pub(crate) trait Finish {
    /// Takes consecutive sums of a computed cell, starting at `channel`, bias included.
    fn take(&mut self, cell: usize, channel: usize, sums: &[f32]);

    /// Takes the sums of one vector, starting at `channel`, bias included. The cell must be a point
    /// of the board.
    ///
    /// # Safety
    /// The machine must have the vectors `V`.
    #[inline(always)]
    unsafe fn take_vector<V: Vector>(&mut self, cell: usize, channel: usize, sums: V) {
        let mut row = [0.0f32; BLOCK];
        // SAFETY: the machine has the vectors by this function's contract, and `row` has room for
        // one of any width.
        unsafe { sums.store(row.as_mut_ptr()) };
        self.take(cell, channel, &row[..V::FLOATS]);
    }
}

/// Adds a residual, applies ReLU, and rounds to bf16. Cells outside the board become zero.
struct Activate<'a> {
    layout: &'a BoardLayout,
    outputs: usize,
    residual: Option<&'a [f32]>,
    output: &'a mut [f32],
}

impl Finish for Activate<'_> {
    #[inline(always)]
    fn take(&mut self, cell: usize, channel: usize, sums: &[f32]) {
        let from = (cell + self.layout.margin()) * self.outputs + channel;
        let out = &mut self.output[from..from + sums.len()];
        if !self.layout.inside()[cell] {
            out.fill(0.0);
            return;
        }
        match self.residual {
            Some(residual) => {
                let residual = &residual[from..from + sums.len()];
                for ((out, sum), more) in out.iter_mut().zip(sums).zip(residual) {
                    *out = Float::cell((sum + more).max(0.0));
                }
            }
            None => {
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = Float::cell(sum.max(0.0));
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn take_vector<V: Vector>(&mut self, cell: usize, channel: usize, sums: V) {
        let from = (cell + self.layout.margin()) * self.outputs + channel;
        let out = &mut self.output[from..from + V::FLOATS];
        // SAFETY: by this function's contract, the machine has the vectors; both slices hold one
        // vector.
        unsafe {
            let sums = match self.residual {
                Some(residual) => sums.plus(V::load(residual[from..from + V::FLOATS].as_ptr())),
                None => sums,
            };
            sums.activate().store(out.as_mut_ptr());
        }
    }
}

/// Writes the sums unchanged.
struct Raw<'a> {
    outputs: usize,
    output: &'a mut [f32],
}

impl Finish for Raw<'_> {
    #[inline(always)]
    fn take(&mut self, cell: usize, channel: usize, sums: &[f32]) {
        let from = cell * self.outputs + channel;
        self.output[from..from + sums.len()].copy_from_slice(sums);
    }
}

fn convolve(
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let inputs = layer.inputs;
    for channel in (0..layer.outputs).step_by(LANES) {
        for first in (0..layout.cells()).step_by(CELLS) {
            let mut sums = [[0.0f32; LANES]; CELLS];
            for sum in &mut sums {
                sum.copy_from_slice(&bias[channel..channel + LANES]);
            }
            for tap in 0..layer.taps {
                let from = (layout.tap(tap, layer.taps) + first) * inputs;
                let seen = &input[from..from + CELLS * inputs];
                let weights = layer.block_weights(channel / BLOCK, tap);
                for (k, row) in weights.iter().enumerate() {
                    let mut weight = [0.0f32; LANES];
                    weight.copy_from_slice(&row.0[channel % BLOCK..][..LANES]);
                    for (cell, sum) in sums.iter_mut().enumerate() {
                        let value = seen[cell * inputs + k];
                        for (sum, weight) in sum.iter_mut().zip(weight) {
                            *sum += weight * value;
                        }
                    }
                }
            }
            for (cell, sum) in sums.iter().enumerate() {
                finish.take(first + cell, channel, sum);
            }
        }
    }
}

impl Float {
    fn run(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[f32],
        bias: &[f32],
        finish: &mut impl Finish,
    ) {
        if self.kernel == Kernel::Portable {
            convolve(layer, layout, input, bias, finish);
        } else {
            let scratch = &mut self.scratch;
            native::convolve(self.kernel, layer, layout, input, bias, scratch, finish);
        }
    }
}

/// Computes a product of matrices without vectors.
fn product(product: &mut MatrixProduct<'_>) {
    product.check();
    let columns = product.columns;
    let stored = columns.outputs();
    for row in 0..product.count {
        let from = &product.rows[row * product.stride..];
        let to = &mut product.product[row * stored..][..stored];
        for (block, sums) in to.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            *sums = [0.0; BLOCK];
            for (value, column) in from.iter().zip(columns.block(block)) {
                for (sum, weight) in sums.iter_mut().zip(&column.0) {
                    *sum += value * weight;
                }
            }
        }
    }
}

impl Float {
    /// Computes a product of matrices.
    pub(crate) fn product(&self, mut matrices: MatrixProduct<'_>) {
        if !native::product(self.kernel, &mut matrices) {
            product(&mut matrices);
        }
    }

    /// Computes a product of a layer at least at the points of a board, if this kernel can. Returns
    /// false otherwise.
    pub(crate) fn multiply(&mut self, mut product: LayerProduct<'_>) -> bool {
        native::multiply(self.kernel, &mut product, &mut self.operands)
    }
}

impl Arithmetic for Float {
    type Cell = f32;

    fn cell(value: f32) -> f32 {
        bf16::widen(bf16::round(value))
    }

    fn with_target_features(&self, job: impl Job) {
        native::with_target_features(self.kernel, job);
    }

    fn convolve(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[f32],
        bias: &[f32],
        residual: Option<&[f32]>,
        output: &mut [f32],
    ) {
        let mut finish = Activate {
            layout,
            outputs: layer.outputs,
            residual,
            output,
        };
        self.run(layer, layout, input, bias, &mut finish);
    }

    fn convolve_raw(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[f32],
        output: &mut [f32],
    ) {
        let mut finish = Raw {
            outputs: layer.outputs,
            output,
        };
        self.run(layer, layout, input, &layer.bias, &mut finish);
    }

    fn pool(&mut self, layout: &BoardLayout, channels: usize, input: &[f32], output: &mut [f32]) {
        let (means, maxima) = output.split_at_mut(channels);
        means.fill(0.0);
        maxima.fill(0.0);
        for cell in input.chunks_exact(channels) {
            for ((mean, most), &value) in means.iter_mut().zip(maxima.iter_mut()).zip(cell) {
                *mean += value;
                *most = most.max(value);
            }
        }
        let share = 1.0 / layout.points() as f32;
        means.iter_mut().for_each(|mean| *mean *= share);
    }
}
