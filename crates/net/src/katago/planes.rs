//! First layer: the convolution of the input planes.
//!
//! The planes are bits, and few bits of a point are set. So each output is a sum of rows of the
//! filter, without a multiplication. The sum of the plane that is set at every point is known in
//! advance. A dense product takes several times as long.
//!
//! A *tap* is one position of the filter. Each tap has `step` rows of weights, one for each input.
//! A *cell* is the memory slot of a point in a [`BoardLayout`].

use super::inputs::{ON_BOARD, PLANES};
use super::plan::Product;
use crate::kernels::Job;
use crate::layer::BLOCK;
use crate::layout::BoardLayout;

/// Sum of the filter over the plane that is set at every point, for one board:
/// `[point][output / BLOCK]`.
#[derive(Clone, Debug)]
pub(super) struct OnBoardSums(Vec<[f32; BLOCK]>);

impl OnBoardSums {
    /// Returns the sums for a board of the layout.
    pub(super) fn new(product: &Product, layout: &BoardLayout) -> OnBoardSums {
        let blocks = product.layer.outputs / BLOCK;
        let step = product.step();
        let mut sums = Vec::with_capacity(layout.board_points() * blocks);
        for point in 0..layout.board_points() {
            for block in 0..blocks {
                let rows = product.layer.block_rows(block);
                let mut sum = [0.0; BLOCK];
                layout.each_tap(product.sides(), point, |tap, _| {
                    add(&mut sum, &rows[tap * step + ON_BOARD as usize].0);
                });
                sums.push(sum);
            }
        }
        OnBoardSums(sums)
    }
}

#[inline(always)]
fn add(sum: &mut [f32; BLOCK], row: &[f32; BLOCK]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// Convolves the planes, adds the bias, and writes the rows.
pub(super) struct ConvolvePlanes<'a> {
    pub(super) layout: &'a BoardLayout,
    pub(super) product: &'a Product,
    pub(super) on_board: &'a OnBoardSums,
    /// Planes of each point as bits, row by row and board by board. The plane `ON_BOARD` is always
    /// set.
    pub(super) planes: &'a [u32],
    /// `[board][output]`
    pub(super) bias: &'a [f32],
    /// Scratch: indices of the filter rows to add for a point. Cleared for each point.
    pub(super) chosen: &'a mut Vec<u32>,
    /// `[cell][output]`
    pub(super) rows: &'a mut [f32],
}

impl Job for ConvolvePlanes<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let layer = &self.product.layer;
        let blocks = layer.outputs / BLOCK;
        let (sides, step) = (self.product.sides(), self.product.step() as u32);
        let others = ((1 << PLANES) - 1) & !(1 << ON_BOARD);
        let bias = self.bias.as_chunks::<BLOCK>().0;
        let points = self.layout.board_points();
        for point in 0..self.layout.points() {
            let bias = &bias[point / points * blocks..][..blocks];
            let on_board = &self.on_board.0[point % points * blocks..][..blocks];
            self.chosen.clear();
            self.layout.each_tap(sides, point, |tap, other| {
                let mut bits = self.planes[other] & others;
                while bits != 0 {
                    self.chosen.push(tap as u32 * step + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            });
            let cell = self.layout.cell(point) * layer.outputs;
            let to = self.rows[cell..][..layer.outputs]
                .as_chunks_mut::<BLOCK>()
                .0;
            for (block, to) in to.iter_mut().enumerate() {
                let rows = layer.block_rows(block);
                // The sum stays in registers.
                let mut sum = on_board[block];
                add(&mut sum, &bias[block]);
                for &row in self.chosen.iter() {
                    add(&mut sum, &rows[row as usize].0);
                }
                *to = sum;
            }
        }
    }
}
