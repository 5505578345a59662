//! Convolutions with nine taps: input transform, products, and output transform.

use std::ops::Range;

use super::blocks::multiply;
use super::interpolation::{FREQS, TILE, freq};
use super::products::Products;
use super::tiles::{LONG, NOWHERE, Tile, Tiles};
use super::transforms::{each, input_transform_row, output_transform_row};
use crate::kernels::float::Finish;
use crate::kernels::vector::Vector;
use crate::layer::{BLOCK, Convolution};
use crate::layout::BoardLayout;

/// Numbers per cache line. This much padding separates the data of consecutive pairs of
/// interpolation points. Without it, distances can be powers of two, and the data of a tile would
/// compete for a few sets of the first-level cache.
const CACHE_LINE: usize = 16;

/// Working space: the transformed inputs and the products, `[freq][tile][channel]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Operands of any format.
    transformed: Vec<u32>,
    sums: Vec<f32>,
}

/// Returns `count` numbers of `space`, starting at a cache line. Vectors that cross cache
/// lines cost a few percent of the total time.
fn cache_aligned<T: Copy + Default>(space: &mut Vec<T>, count: usize) -> &mut [T] {
    space.resize(count + CACHE_LINE, T::default());
    let first = space.as_ptr().align_offset(CACHE_LINE * size_of::<T>());
    &mut space[first.min(CACHE_LINE)..][..count]
}

/// Computes a convolution with nine taps, in blocks of at most `LIMIT` tiles by two vectors.
///
/// # Safety
/// The machine must support `P`.
#[inline(always)]
pub(crate) unsafe fn convolve<P: Products, const LIMIT: usize>(
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[f32],
    bias: &[f32],
    scratch: &mut Scratch,
    finish: &mut impl Finish,
) {
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    let operands = inputs / P::INPUTS;
    let tiles = layout.tiles();
    let count = tiles.all().len();
    let (transformed_stride, sums_stride) =
        (count * operands + CACHE_LINE, count * outputs + CACHE_LINE);
    let all_transformed = cache_aligned(&mut scratch.transformed, FREQS * transformed_stride);
    let all_sums = cache_aligned(&mut scratch.sums, FREQS * sums_stride);
    let input = &input[..layout.all_cells() * inputs];
    let bias = &bias[..outputs];
    // SAFETY: by this function's contract, the machine supports `P`. All slices have the required
    // lengths.
    unsafe {
        let scale = P::scale(input);
        input_transform::<P>(tiles, inputs, input, scale, all_transformed);
        for (freq, weights) in P::weights(layer)
            .chunks_exact(operands * outputs / BLOCK)
            .enumerate()
        {
            let range = tiles.at(freq);
            if range.is_empty() {
                continue;
            }
            let transformed = &all_transformed[freq * transformed_stride..][..count * operands];
            let transformed = &transformed[range.start * operands..range.end * operands];
            let sums = &mut all_sums[freq * sums_stride..][..count * outputs];
            let sums = &mut sums[range.start * outputs..range.end * outputs];
            multiply::<P, LIMIT>(layer, scale, freq, weights, transformed, sums);
        }
        output_transform::<P::Vector>(tiles, outputs, all_sums, bias, finish);
    }
}

/// Input transform: writes the tiles at all pairs of interpolation points as operands.
///
/// # Safety
/// The machine must support `P`. `input` must hold all cells of the layout of `tiles`, and
/// `transformed` must have room for all tiles.
#[inline(always)]
unsafe fn input_transform<P: Products>(
    tiles: &Tiles,
    inputs: usize,
    input: &[f32],
    scale: P::Scale,
    transformed: &mut [u32],
) {
    const SHORT: usize = TILE - 1;
    let stride = transformed.len() / FREQS;
    let [high, both, wide, neither] = tiles.kinds();
    macro_rules! input_transform {
        ($($kind:ident $up:ident $along:ident),*) => {
            // SAFETY: this function has the same contract as `input_transform_kind`.
            unsafe {
                $(input_transform_kind::<P, $up, $along>(
                    tiles.all(), $kind, inputs, input, scale, stride, transformed,
                );)*
            }
        };
    }
    input_transform!(high TILE SHORT, both TILE TILE, wide SHORT TILE, neither SHORT SHORT);
}

/// Input transform of the tiles of one kind, which have `ROWS` by `COLUMNS` input cells.
///
/// # Safety
/// The machine must support `P`. `input` must hold all cells of the layout, and `transformed` must
/// have room for all tiles.
#[inline(always)]
unsafe fn input_transform_kind<P: Products, const ROWS: usize, const COLUMNS: usize>(
    tiles: &[Tile],
    kind: Range<usize>,
    inputs: usize,
    input: &[f32],
    scale: P::Scale,
    stride: usize,
    transformed: &mut [u32],
) {
    for number in kind {
        let tile = &tiles[number];
        for channel in (0..inputs).step_by(P::Vector::FLOATS) {
            // SAFETY: by this function's contract, the machine supports `P`, and the slices are
            // long enough. A tile's cells are cells of the layout.
            unsafe {
                let zero = P::Vector::splat(0.0);
                let from = input.as_ptr().add(channel);
                let columns = each!(6, X, {
                    input_transform_row(each!(6, Y, {
                        if X < COLUMNS && Y < ROWS {
                            let cell = usize::from(tile.input[Y * TILE + X]);
                            P::Vector::load(from.add(cell * inputs))
                        } else {
                            zero
                        }
                    }))
                });
                let first = (number * inputs + channel) / P::INPUTS;
                let to = transformed.as_mut_ptr().cast::<P::Operand>().add(first);
                each!(6, Y, {
                    if Y < ROWS {
                        let row = input_transform_row(each!(6, X, columns[X][Y]));
                        each!(6, X, {
                            if X < COLUMNS {
                                const FREQ: usize = freq(Y, X);
                                P::store(row[X], scale, FREQ, to.add(FREQ * stride));
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
unsafe fn output_transform<V: Vector>(
    tiles: &Tiles,
    outputs: usize,
    sums: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    const SHORT: usize = LONG - 1;
    let [high, both, wide, neither] = tiles.kinds();
    macro_rules! output_transform {
        ($($kind:ident $up:ident $along:ident),*) => {
            // SAFETY: this function has the same contract as `output_transform_kind`.
            unsafe {
                $(output_transform_kind::<V, $up, $along>(
                    tiles.all(), $kind, outputs, sums, bias, finish,
                );)*
            }
        };
    }
    output_transform!(high LONG SHORT, both LONG LONG, wide SHORT LONG, neither SHORT SHORT);
}

/// Output transform of the tiles of one kind, which have `ROWS` by `COLUMNS` outputs.
///
/// # Safety
/// The machine must have the vectors `V`. `sums` must hold the products of all tiles, and `bias`
/// all outputs.
#[inline(always)]
unsafe fn output_transform_kind<V: Vector, const ROWS: usize, const COLUMNS: usize>(
    tiles: &[Tile],
    kind: Range<usize>,
    outputs: usize,
    sums: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let stride = sums.len() / FREQS;
    for number in kind {
        let tile = &tiles[number];
        for channel in (0..outputs).step_by(V::FLOATS) {
            // SAFETY: by this function's contract, the machine has the vectors, and the slices are
            // long enough.
            unsafe {
                let zero = V::splat(0.0);
                let from = sums.as_ptr().add(number * outputs + channel);
                let columns = each!(6, X, {
                    output_transform_row(each!(6, Y, {
                        if X < COLUMNS + 2 && Y < ROWS + 2 {
                            V::load(from.add(freq(Y, X) * stride))
                        } else {
                            zero
                        }
                    }))
                });
                let bias = V::load(bias.as_ptr().add(channel));
                each!(4, Y, {
                    if Y < ROWS {
                        let found = output_transform_row(each!(6, X, columns[X][Y]));
                        each!(4, X, {
                            let cell = tile.output[Y * LONG + X];
                            if X < COLUMNS && cell != NOWHERE {
                                finish.take_vector(usize::from(cell), channel, found[X].plus(bias));
                            }
                        });
                    }
                });
            }
        }
    }
}
