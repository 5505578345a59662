//! Convolutions of 3x3 with fewer products (Winograd's minimal filtering, Lavin and Gray 2016): 36 for sixteen cells in place of 144.
//!
//! A tile of 4x4 results depends on 6x6 cells. Seen as polynomials at six points in both directions (`transforms`), a convolution
//! becomes 36 products of matrices, one a pair of points. A side of three results does without the point ∞, by the same weights, so
//! boards are filled with tiles of both lengths ([`Tiles`]), and at a pair of points those are multiplied that need it. In floats
//! the detour costs the last one or two digits, far below what rounding to bf16 leaves.

use std::ops::Range;

use super::float::Finish;
use super::products::Products;
use super::transforms::{each, from_points, to_points};
use super::vector::Vector;
use crate::net::layer::{BLOCK, Convolution, Row};
use crate::net::shape::Shape;
use crate::net::tiles::{LONG, NOWHERE, PAIRS, POINTS, Tile, Tiles, pair};

/// Numbers between what lies at one pair of points and at the next, a line of the cache: were they a power of two apart, all that
/// is known of a tile would have to share a few places in the first cache.
const GAP: usize = 16;
/// Working space: the tiles of the input and of the output, `[pair of points][tile][channel]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Operands, whichever they are.
    seen: Vec<u32>,
    sums: Vec<f32>,
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
    let count = tiles.all().len();
    let (seen_apart, sums_apart) = (count * operands + GAP, count * outputs + GAP);
    scratch.seen.resize(PAIRS * seen_apart, 0);
    scratch.sums.resize(PAIRS * sums_apart, 0.0);
    let input = &input[..shape.all_cells() * inputs];
    let bias = &bias[..outputs];
    // SAFETY: the caller's promise; all slices have the lengths that are asked for.
    unsafe {
        let scale = P::scale(input);
        look::<P>(tiles, inputs, input, scale, &mut scratch.seen);
        for (pair, weights) in P::weights(layer)
            .chunks_exact(operands * outputs / BLOCK)
            .enumerate()
        {
            let range = tiles.at(pair);
            let seen = &scratch.seen[pair * seen_apart..][..count * operands];
            let seen = &seen[range.start * operands..range.end * operands];
            let sums = &mut scratch.sums[pair * sums_apart..][..count * outputs];
            let sums = &mut sums[range.start * outputs..range.end * outputs];
            multiply::<P, LIMIT>(layer, scale, pair, weights, seen, sums);
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
    tiles: &Tiles,
    inputs: usize,
    input: &[f32],
    scale: P::Scale,
    seen: &mut [u32],
) {
    const SHORT: usize = POINTS - 1;
    let apart = seen.len() / PAIRS;
    let [high, both, wide, neither] = tiles.kinds();
    macro_rules! look {
        ($($kind:ident $up:ident $along:ident),*) => {
            // SAFETY: the caller's promise.
            unsafe {
                $(look_at::<P, $up, $along>(tiles.all(), $kind, inputs, input, scale, apart, seen);)*
            }
        };
    }
    look!(high POINTS SHORT, both POINTS POINTS, wide SHORT POINTS, neither SHORT SHORT);
}

/// The tiles of a kind, which see so many cells up and along.
///
/// # Safety
/// The same.
#[inline(always)]
unsafe fn look_at<P: Products, const UP: usize, const ALONG: usize>(
    tiles: &[Tile],
    kind: Range<usize>,
    inputs: usize,
    input: &[f32],
    scale: P::Scale,
    apart: usize,
    seen: &mut [u32],
) {
    for number in kind {
        let tile = &tiles[number];
        for channel in (0..inputs).step_by(P::Vector::FLOATS) {
            // SAFETY: the caller's promise; a tile's cells are cells of the shape.
            unsafe {
                let nothing = P::Vector::splat(0.0);
                let from = input.as_ptr().add(channel);
                let columns = each!(6, X, {
                    to_points(each!(6, Y, {
                        if X < ALONG && Y < UP {
                            let cell = usize::from(tile.input[Y * POINTS + X]);
                            P::Vector::load(from.add(cell * inputs))
                        } else {
                            nothing
                        }
                    }))
                });
                let first = (number * inputs + channel) / P::INPUTS;
                let to = seen.as_mut_ptr().cast::<P::Operand>().add(first);
                each!(6, Y, {
                    if Y < UP {
                        let row = to_points(each!(6, X, columns[X][Y]));
                        each!(6, X, {
                            if X < ALONG {
                                const PAIR: usize = pair(Y, X);
                                P::store(row[X], scale, PAIR, to.add(PAIR * apart));
                            }
                        });
                    }
                });
            }
        }
    }
}

/// The product of tiles, `[tile][operand]`, and the weights at a pair of points.
///
/// # Safety
/// The machine can do `P`; `seen` and `sums` are as many rows of the layer's inputs, as operands, and of its outputs, `weights` a row
/// of a block for each operand of each block of outputs, and `pair` is a pair of points.
#[inline(always)]
unsafe fn multiply<P: Products, const LIMIT: usize>(
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
    let (size, longer) = (count / blocks.max(1), count % blocks.max(1));
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

/// From the sums at all pairs of points to results.
///
/// # Safety
/// The machine has the vectors `V`; `sums` are those of all tiles, and `bias` has all outputs.
#[inline(always)]
unsafe fn conclude<V: Vector>(
    tiles: &Tiles,
    outputs: usize,
    sums: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    const SHORT: usize = LONG - 1;
    let [high, both, wide, neither] = tiles.kinds();
    macro_rules! conclude {
        ($($kind:ident $up:ident $along:ident),*) => {
            // SAFETY: the caller's promise.
            unsafe {
                $(conclude_at::<V, $up, $along>(tiles.all(), $kind, outputs, sums, bias, finish);)*
            }
        };
    }
    conclude!(high LONG SHORT, both LONG LONG, wide SHORT LONG, neither SHORT SHORT);
}

/// The tiles of a kind, which have so many results up and along.
///
/// # Safety
/// The same.
#[inline(always)]
unsafe fn conclude_at<V: Vector, const UP: usize, const ALONG: usize>(
    tiles: &[Tile],
    kind: Range<usize>,
    outputs: usize,
    sums: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let apart = sums.len() / PAIRS;
    for number in kind {
        let tile = &tiles[number];
        for channel in (0..outputs).step_by(V::FLOATS) {
            // SAFETY: the caller's promise.
            unsafe {
                let nothing = V::splat(0.0);
                let from = sums.as_ptr().add(number * outputs + channel);
                let columns = each!(6, X, {
                    from_points(each!(6, Y, {
                        if X < ALONG + 2 && Y < UP + 2 {
                            V::load(from.add(pair(Y, X) * apart))
                        } else {
                            nothing
                        }
                    }))
                });
                let bias = V::load(bias.as_ptr().add(channel));
                each!(4, Y, {
                    if Y < UP {
                        let found = from_points(each!(6, X, columns[X][Y]));
                        each!(4, X, {
                            let cell = tile.output[Y * LONG + X];
                            if X < ALONG && cell != NOWHERE {
                                finish.take_vector(usize::from(cell), channel, found[X].plus(bias));
                            }
                        });
                    }
                });
            }
        }
    }
}
