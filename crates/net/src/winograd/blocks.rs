//! Products of Winograd tiles and weights at one pair of interpolation points. The registers hold a
//! block of sums (tiles by two vectors of outputs) while all inputs are added.

use super::products::Products;
use crate::kernels::ahead::Ahead;
use crate::kernels::even_blocks::EvenBlocks;
use crate::kernels::vector::Vector;
use crate::layer::{BLOCK, Convolution, Row};

/// Multiplies the tiles at a pair of interpolation points (`[tile][operand]`, at least one tile)
/// with the weights there.
///
/// # Safety
/// The machine must support `P`, and `freq` must be a pair of interpolation points. For the same
/// number of tiles, `transformed` must hold rows of all inputs (as operands) and `sums` rows of all
/// outputs. `weights` must hold a row for each operand of each block of outputs.
#[inline(always)]
pub(super) unsafe fn multiply<P: Products, const LIMIT: usize>(
    layer: &Convolution,
    scale: P::Scale,
    freq: usize,
    weights: &[Row<P::Operand>],
    transformed: &[u32],
    sums: &mut [f32],
) {
    let (operands, outputs) = (layer.inputs / P::INPUTS, layer.outputs);
    let count = transformed.len() / operands;
    let blocks = EvenBlocks::new(count, LIMIT);
    let lanes = 2 * P::Vector::FLOATS;
    let weights = weights.as_ptr().cast::<P::Operand>();
    for channel in (0..outputs).step_by(lanes) {
        // A call of `map` with a closure would be compiled without these vectors. SAFETY: by this
        // function's contract, the machine supports `P`, and the layer has these outputs.
        let factors = unsafe {
            [
                P::factor(layer, scale, freq, channel),
                P::factor(layer, scale, freq, channel + P::Vector::FLOATS),
            ]
        };
        let mut end = 0;
        for block in 0..blocks.count {
            let first = end;
            end += blocks.rows(block);
            let transformed = transformed[first * operands..end * operands]
                .as_ptr()
                .cast();
            let sums = sums[first * outputs..end * outputs].as_mut_ptr();
            // SAFETY: both slices hold the rows from `first` to `end`, the size of the block. The
            // rest follows from this function's contract.
            unsafe {
                let sums = sums.add(channel);
                let ahead = Ahead::new::<P::Vector>(weights, channel, operands, blocks, block);
                let weights = weights.add(channel / BLOCK * operands * BLOCK + channel % BLOCK);
                macro_rules! sizes {
                    ($($size:literal)*) => {
                        match end - first {
                            $($size if $size <= LIMIT =>
                                products::<P, $size>(
                                    operands, outputs, weights, ahead, transformed, factors, sums,
                                ),)*
                            size => unreachable!("{size} tiles"),
                        }
                    };
                }
                sizes!(1 2 3 4 5 6 7 8 9 10 11 12);
            }
        }
    }
}

/// Computes a block of `TILES` tiles by two vectors of outputs.
///
/// # Safety
/// The machine must support `P`. `transformed` and `sums` must hold `TILES` rows, and `weights` a
/// row of [`BLOCK`] weights for each operand.
#[inline(always)]
unsafe fn products<P: Products, const TILES: usize>(
    operands: usize,
    outputs: usize,
    weights: *const P::Operand,
    mut ahead: Ahead<P::Operand>,
    transformed: *const P::Operand,
    factors: [P::Factor; 2],
    sums: *mut f32,
) {
    // SAFETY: by this function's contract, the machine supports `P`, and all rows exist.
    unsafe {
        let mut lows = [P::zero(); TILES];
        let mut highs = lows;
        for k in 0..operands {
            ahead.prefetch::<P::Vector>(k);
            let low = P::load(weights.add(k * BLOCK));
            let high = P::load(weights.add(k * BLOCK + P::Vector::FLOATS));
            for tile in 0..TILES {
                let value = P::splat(*transformed.add(tile * operands + k));
                lows[tile] = P::add(lows[tile], value, low);
                highs[tile] = P::add(highs[tile], value, high);
            }
        }
        for tile in 0..TILES {
            let sums = sums.add(tile * outputs);
            P::results(lows[tile], factors[0]).store(sums);
            P::results(highs[tile], factors[1]).store(sums.add(P::Vector::FLOATS));
        }
    }
}
