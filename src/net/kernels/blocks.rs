//! Winograd's tiles at a pair of points times the weights there: the registers hold a block of sums, some tiles by two vectors of
//! outputs, while all inputs are gone through.

use super::products::Products;
use super::vector::Vector;
use crate::net::layer::{BLOCK, Convolution, Row};

/// The product of tiles, `[tile][operand]`, of which there are some, and the weights at a pair of points.
///
/// # Safety
/// The machine can do `P`; `seen` and `sums` are as many rows of the layer's inputs, as operands, and of its outputs, `weights` a row
/// of a block for each operand of each block of outputs, and `pair` is a pair of points.
#[inline(always)]
pub(super) unsafe fn multiply<P: Products, const LIMIT: usize>(
    layer: &Convolution,
    scale: P::Scale,
    pair: usize,
    weights: &[Row<P::Operand>],
    seen: &[u32],
    sums: &mut [f32],
) {
    let (operands, outputs) = (layer.inputs / P::INPUTS, layer.outputs);
    let count = seen.len() / operands;
    let blocks = count.div_ceil(LIMIT);
    // Blocks differ by one tile at most.
    let (size, longer) = (count / blocks, count % blocks);
    let lanes = 2 * P::Vector::FLOATS;
    let weights = weights.as_ptr().cast::<P::Operand>();
    // Past the last output the next pair of points begins.
    let from = |channel| weights.wrapping_add(channel / BLOCK * operands * BLOCK + channel % BLOCK);
    for channel in (0..outputs).step_by(lanes) {
        let (weights, next) = (from(channel), from(channel + lanes));
        // Not by `map`: a closure would be compiled without these vectors. SAFETY: the caller's promise.
        let factors = unsafe {
            [
                P::factor(layer, scale, pair, channel),
                P::factor(layer, scale, pair, channel + P::Vector::FLOATS),
            ]
        };
        let mut end = 0;
        for block in 0..blocks {
            let first = end;
            end += size + usize::from(block < longer);
            let seen = seen[first * operands..end * operands].as_ptr().cast();
            let sums = sums[first * outputs..end * outputs].as_mut_ptr();
            // SAFETY: rows from `first` to `end`, as many as the block's size.
            unsafe {
                let sums = sums.add(channel);
                macro_rules! sizes {
                    ($($size:literal)*) => {
                        match end - first {
                            $($size if $size <= LIMIT =>
                                products::<P, $size>(operands, outputs, weights, next, seen, factors, sums),)*
                            size => unreachable!("{size} tiles"),
                        }
                    };
                }
                sizes!(1 2 3 4 5 6 7 8 9 10 11 12);
            }
        }
    }
}

/// A block of `TILES` tiles and two vectors.
///
/// # Safety
/// The machine can do `P`; there are so many rows at `seen` and `sums`, and a row of [`BLOCK`] weights for each operand.
#[inline(always)]
unsafe fn products<P: Products, const TILES: usize>(
    operands: usize,
    outputs: usize,
    weights: *const P::Operand,
    next: *const P::Operand,
    seen: *const P::Operand,
    factors: [P::Factor; 2],
    sums: *mut f32,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut lows = [P::zero(); TILES];
        let mut highs = lows;
        for k in 0..operands {
            // The weights of all layers are more than most second caches hold, so the next ones are called for while these serve.
            P::Vector::call_for(next.wrapping_add(k * BLOCK));
            let low = P::load(weights.add(k * BLOCK));
            let high = P::load(weights.add(k * BLOCK + P::Vector::FLOATS));
            if P::Vector::FLOATS == 16 {
                P::Vector::call_for(next.wrapping_add(k * BLOCK + P::Vector::FLOATS));
            }
            for tile in 0..TILES {
                let value = P::splat(*seen.add(tile * operands + k));
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
