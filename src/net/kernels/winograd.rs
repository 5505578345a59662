//! 3x3 convolutions by Winograd's minimal filtering (Lavin and Gray, 2016). A tile of 4x4 outputs
//! takes 36 products per pair of channels instead of 144.
//!
//! A tile of 4x4 outputs depends on 6x6 cells. The input transform (`transforms`) evaluates it at
//! six interpolation points in both directions. The convolution then becomes 36 matrix products,
//! one per pair of interpolation points. The output transform gives the outputs.
//!
//! Tiles may have 3 or 4 outputs per side. Both lengths share the weights, and 3 outputs skip ∞. A
//! board is divided into tiles of both lengths ([`Tiles`]), and each pair of interpolation points
//! multiplies only the tiles that need it. With floats, the transforms cost one or two digits at
//! the end, far less than rounding to bf16.

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

/// Numbers per cache line. This much padding separates the data of consecutive pairs of
/// interpolation points. Without it, distances can be powers of two, and the data of a tile would
/// compete for a few sets of the first-level cache.
const LINE: usize = 16;

/// Working space: the transformed inputs and the products, `[pair][tile][channel]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Operands of any format.
    seen: Vec<u32>,
    sums: Vec<f32>,
}

/// Returns `count` numbers of `space`, starting at a cache line. Vectors that cross cache lines
/// cost a few percent of the total time.
fn lines<T: Copy + Default>(space: &mut Vec<T>, count: usize) -> &mut [T] {
    space.resize(count + LINE, T::default());
    let first = space.as_ptr().align_offset(LINE * size_of::<T>());
    &mut space[first.min(LINE)..][..count]
}

/// Computes a convolution with nine taps, in blocks of at most `LIMIT` tiles by two vectors.
///
/// # Safety
/// The machine must support `P`.
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
    // SAFETY: by this function's contract, the machine supports `P`. All slices have the required
    // lengths.
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

/// Input transform: writes the tiles at all pairs of interpolation points as operands.
///
/// # Safety
/// The machine must support `P`. `input` must hold all cells of the shape of `tiles`, and `seen`
/// must have room for all tiles.
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
            // SAFETY: this function has the same contract as `look_at`.
            unsafe {
                $(look_at::<P, $up, $along>(tiles.all(), $kind, inputs, input, scale, apart, seen);)*
            }
        };
    }
    look!(high POINTS SHORT, both POINTS POINTS, wide SHORT POINTS, neither SHORT SHORT);
}

/// Input transform of the tiles of one kind, which have `UP` by `ALONG` input cells.
///
/// # Safety
/// The machine must support `P`. `input` must hold all cells of the tiles' shape, and `seen` must
/// have room for all tiles.
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
            // SAFETY: by this function's contract, the machine supports `P`, and the slices are
            // long enough. A tile's cells are cells of the shape.
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

/// Output transform: from the products at all pairs of interpolation points to the outputs.
///
/// # Safety
/// The machine must have the vectors `V`. `sums` must hold the products of all tiles, and `bias`
/// all outputs.
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
            // SAFETY: this function has the same contract as `conclude_at`.
            unsafe {
                $(conclude_at::<V, $up, $along>(tiles.all(), $kind, outputs, sums, bias, finish);)*
            }
        };
    }
    conclude!(high LONG SHORT, both LONG LONG, wide SHORT LONG, neither SHORT SHORT);
}

/// Output transform of the tiles of one kind, which have `UP` by `ALONG` outputs.
///
/// # Safety
/// The machine must have the vectors `V`. `sums` must hold the products of all tiles, and `bias`
/// all outputs.
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
            // SAFETY: by this function's contract, the machine has the vectors, and the slices are
            // long enough.
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
