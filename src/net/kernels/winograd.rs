//! Convolutions of 3x3 with fewer products (Winograd's minimal filtering, Lavin and Gray 2016): 25 for nine cells in place of 81.
//!
//! A tile of 3x3 results depends on 5x5 cells. Seen as polynomials at the points 0, 1, −1, 2 and ∞, in both directions, a
//! convolution becomes 25 products of matrices, one a pair of points. Three divides 9, and little is lost on 13 and 19.
//! In floats the detour costs the last one or two digits, far below what rounding to bf16 leaves.

use super::float::Finish;
use super::products::Products;
use super::vector::Vector;
use crate::net::layer::{BLOCK, Convolution};
use crate::net::shape::{NOWHERE, SPOTS, Shape, Tile};

/// How many rows of weights ahead of the one in use are called for.
const AHEAD: usize = 40;

/// Working space: the tiles of the input and of the output, `[pair of points][tile][channel]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Operands, whichever they are.
    seen: Vec<u32>,
    sums: Vec<f32>,
}

/// An array of what an expression is for each number from 0 on, all written out: with constants for indices, nothing has to lie in
/// memory for their sake.
macro_rules! each {
    (3, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2) };
    (5, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2 3 4) };
    (@ $i:ident, $value:expr, $($number:literal)*) => {
        [$({ const $i: usize = $number; $value }),*]
    };
}

/// Five cells in a row to the values at the points.
///
/// # Safety
/// The machine has these vectors.
#[inline(always)]
pub(super) unsafe fn to_points<V: Vector>(d: [V; 5]) -> [V; 5] {
    // SAFETY: the caller's promise.
    unsafe {
        let (two, minus_two, minus_three) = (V::splat(2.0), V::splat(-2.0), V::splat(-3.0));
        let far = d[3].minus(d[1]);
        [
            far.add_product(d[0].minus(d[2]), two),
            d[3].minus(d[2]).add_product(d[1], minus_two),
            d[3].add_product(d[1], two).add_product(d[2], minus_three),
            far,
            d[4].minus(d[2]).add_product(far, minus_two),
        ]
    }
}

/// The values at the points to three results in a row.
///
/// # Safety
/// The machine has these vectors.
#[inline(always)]
unsafe fn from_points<V: Vector>(m: [V; 5]) -> [V; 3] {
    // SAFETY: the caller's promise.
    unsafe {
        let (sum, difference) = (m[1].plus(m[2]), m[1].minus(m[2]));
        [
            sum.plus(m[0]).plus(m[3]),
            difference.add_product(m[3], V::splat(2.0)),
            sum.plus(m[4]).add_product(m[3], V::splat(4.0)),
        ]
    }
}

/// All of a convolution of nine taps, by blocks of at most `LIMIT` tiles and two vectors.
///
/// # Safety
/// The machine can do `P`.
#[inline(always)]
pub(super) unsafe fn convolve<P: Products, const LIMIT: usize>(
    layer: &Convolution,
    shape: &Shape,
    input: &[f32],
    bias: &[f32],
    scratch: &mut Scratch,
    finish: &mut impl Finish,
) {
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    let operands = inputs / P::INPUTS;
    let tiles = shape.tiles();
    let count = tiles.len();
    scratch.seen.resize(SPOTS * count * operands, 0);
    scratch.sums.resize(SPOTS * count * outputs, 0.0);
    let input = &input[..shape.all_cells() * inputs];
    let bias = &bias[..outputs];
    // SAFETY: the caller's promise; all slices have the lengths that are asked for.
    unsafe {
        let scale = P::scale(input);
        look::<P>(tiles, inputs, input, scale, &mut scratch.seen);
        for (spot, weights) in P::weights(layer)
            .chunks_exact(operands * outputs / BLOCK)
            .enumerate()
        {
            let seen = &scratch.seen[spot * count * operands..][..count * operands];
            let sums = &mut scratch.sums[spot * count * outputs..][..count * outputs];
            multiply::<P, LIMIT>(layer, scale, spot, weights, seen, sums);
        }
        conclude::<P::Vector>(tiles, outputs, &scratch.sums, bias, finish);
    }
}

/// The input's tiles at all pairs of points, as operands.
///
/// # Safety
/// The machine can do `P`; `input` has all cells of the shape that the tiles are of, and `seen` room for all tiles.
#[inline(always)]
unsafe fn look<P: Products>(
    tiles: &[Tile],
    inputs: usize,
    input: &[f32],
    scale: P::Scale,
    seen: &mut [u32],
) {
    let apart = tiles.len() * inputs / P::INPUTS;
    for (number, tile) in tiles.iter().enumerate() {
        for channel in (0..inputs).step_by(P::Vector::FLOATS) {
            // SAFETY: the caller's promise; a tile's cells are cells of the shape.
            unsafe {
                let from = input.as_ptr().add(channel);
                let columns = each!(5, X, {
                    to_points(each!(5, Y, {
                        let cell = usize::from(tile.input[Y * 5 + X]);
                        P::Vector::load(from.add(cell * inputs))
                    }))
                });
                let first = (number * inputs + channel) / P::INPUTS;
                let to = seen.as_mut_ptr().cast::<P::Operand>().add(first);
                each!(5, Y, {
                    let row = to_points(each!(5, X, columns[X][Y]));
                    let pair = Y * 5;
                    each!(
                        5,
                        X,
                        P::store(row[X], scale, pair + X, to.add((pair + X) * apart))
                    );
                });
            }
        }
    }
}

/// The product of all tiles, `[tile][operand]`, and the weights at a pair of points.
///
/// # Safety
/// The machine can do `P`; `seen` and `sums` are as many rows of the layer's inputs, as operands, and of its outputs, `weights` a row
/// of a block for each operand of each block of outputs, and `pair` is a pair of points.
#[inline(always)]
unsafe fn multiply<P: Products, const LIMIT: usize>(
    layer: &Convolution,
    scale: P::Scale,
    pair: usize,
    weights: &[[P::Operand; BLOCK]],
    seen: &[u32],
    sums: &mut [f32],
) {
    let (operands, outputs) = (layer.inputs / P::INPUTS, layer.outputs);
    let count = seen.len() / operands;
    let blocks = count.div_ceil(LIMIT);
    for channel in (0..outputs).step_by(2 * P::Vector::FLOATS) {
        let weights = &weights[channel / BLOCK * operands..][..operands];
        let weights = weights.as_flattened()[channel % BLOCK..].as_ptr();
        // Not by `map`: a closure would be compiled without these vectors. SAFETY: the caller's promise.
        let factors = unsafe {
            [
                P::factor(layer, scale, pair, channel),
                P::factor(layer, scale, pair, channel + P::Vector::FLOATS),
            ]
        };
        for block in 0..blocks {
            let (first, end) = (block * count / blocks, (block + 1) * count / blocks);
            let seen = seen[first * operands..end * operands].as_ptr().cast();
            let sums = sums[first * outputs..end * outputs].as_mut_ptr();
            // SAFETY: rows from `first` to `end`, as many as the block's size.
            unsafe {
                let sums = sums.add(channel);
                macro_rules! sizes {
                    ($($size:literal)*) => {
                        match end - first {
                            $($size if $size <= LIMIT =>
                                products::<P, $size>(operands, outputs, weights, seen, factors, sums),)*
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
    seen: *const P::Operand,
    factors: [P::Factor; 2],
    sums: *mut f32,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut lows = [P::zero(); TILES];
        let mut highs = lows;
        for k in 0..operands {
            // The weights of all layers are more than most second caches hold; past the last ones nothing comes of it.
            let ahead = weights.wrapping_add((k + AHEAD) * BLOCK);
            P::Vector::call_for(ahead);
            let low = P::load(weights.add(k * BLOCK));
            let high = P::load(weights.add(k * BLOCK + P::Vector::FLOATS));
            if P::Vector::FLOATS == 16 {
                P::Vector::call_for(ahead.wrapping_add(P::Vector::FLOATS));
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

/// From the sums at all pairs of points to results.
///
/// # Safety
/// The machine has the vectors `V`; `sums` are those of all tiles, and `bias` has all outputs.
#[inline(always)]
unsafe fn conclude<V: Vector>(
    tiles: &[Tile],
    outputs: usize,
    sums: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let apart = tiles.len() * outputs;
    for (number, tile) in tiles.iter().enumerate() {
        for channel in (0..outputs).step_by(V::FLOATS) {
            // SAFETY: the caller's promise.
            unsafe {
                let from = sums.as_ptr().add(number * outputs + channel);
                let columns = each!(5, X, {
                    from_points(each!(5, Y, V::load(from.add((Y * 5 + X) * apart))))
                });
                let bias = V::load(bias.as_ptr().add(channel));
                each!(3, Y, {
                    let found = from_points(each!(5, X, columns[X][Y]));
                    each!(3, X, {
                        let cell = tile.output[Y * 3 + X];
                        if cell != NOWHERE {
                            finish.take_vector(usize::from(cell), channel, found[X].plus(bias));
                        }
                    })
                });
            }
        }
    }
}
