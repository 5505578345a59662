//! Convolutions of 3x3 with fewer products (Winograd's minimal filtering, Lavin and Gray 2016): 36 for sixteen cells in place of 144.
//!
//! A tile of 4x4 results depends on 6x6 cells. Seen as polynomials at six points in both directions (`transforms`), a convolution
//! becomes 36 products of matrices, one a pair of points. A side of three results does without the point ∞, by the same weights, so
//! boards are filled with tiles of both lengths ([`Tiles`]), and at a pair of points those are multiplied that need it. In floats
//! the detour costs the last one or two digits, far below what rounding to bf16 leaves.

use std::ops::Range;

use super::blocks::multiply;
use super::float::Finish;
use super::products::Products;
use super::transforms::{each, from_points, to_points};
use super::vector::Vector;
use crate::net::interpolation::{PAIRS, POINTS, pair};
use crate::net::layer::{BLOCK, Convolution};
use crate::net::shape::Shape;
use crate::net::tiles::{LONG, NOWHERE, Tile, Tiles};

/// Numbers in a line of the cache. So many are left free between what lies at one pair of points and at the next: were they a power
/// of two apart, all that is known of a tile would have to share a few places in the first cache.
const LINE: usize = 16;

/// Working space: the tiles of the input and of the output, `[pair of points][tile][channel]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Operands, whichever they are.
    seen: Vec<u32>,
    sums: Vec<f32>,
}

/// So many numbers of a space, from the start of a line of the cache on: vectors that lie across two lines cost some hundredths of
/// all time.
fn lines<T: Copy + Default>(space: &mut Vec<T>, count: usize) -> &mut [T] {
    space.resize(count + LINE, T::default());
    let first = space.as_ptr().align_offset(LINE * size_of::<T>());
    &mut space[first.min(LINE)..][..count]
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
    let (seen_apart, sums_apart) = (count * operands + LINE, count * outputs + LINE);
    let all_seen = lines(&mut scratch.seen, PAIRS * seen_apart);
    let all_sums = lines(&mut scratch.sums, PAIRS * sums_apart);
    let input = &input[..shape.all_cells() * inputs];
    let bias = &bias[..outputs];
    // SAFETY: the caller's promise; all slices have the lengths that are asked for.
    unsafe {
        let scale = P::scale(input);
        look::<P>(tiles, inputs, input, scale, all_seen);
        for (pair, weights) in P::weights(layer)
            .chunks_exact(operands * outputs / BLOCK)
            .enumerate()
        {
            let range = tiles.at(pair);
            if range.is_empty() {
                continue;
            }
            let seen = &all_seen[pair * seen_apart..][..count * operands];
            let seen = &seen[range.start * operands..range.end * operands];
            let sums = &mut all_sums[pair * sums_apart..][..count * outputs];
            let sums = &mut sums[range.start * outputs..range.end * outputs];
            multiply::<P, LIMIT>(layer, scale, pair, weights, seen, sums);
        }
        conclude::<P::Vector>(tiles, outputs, all_sums, bias, finish);
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
