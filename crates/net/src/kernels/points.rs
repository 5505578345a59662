//! Products of the points of a board with a layer of one tap, on floats or on pairs of 16-bit
//! integers.
//!
//! In integers, each point has its own scale, so one large activation rounds only the others of its
//! point. The weights of each output have their own scale too ([`Convolution::point_weights`]).
//! Both leave about as many bits to the activations as to the weights, and no sum overflows 32
//! bits.
//!
//! The registers hold a block of sums (points by two vectors of outputs) while all inputs are
//! added.

use super::ahead::Ahead;
use super::even_blocks::EvenBlocks;
use super::products::{LayerProduct, Operands};
use super::vector::Vector;
use crate::layer::{BLOCK, Convolution, POINT_MOST, Row};
use crate::winograd::{Floats, Products};

/// Operands between the rows of consecutive points. Without this cache line, rows can be a power
/// of two apart and compete for a few sets of the first-level cache.
const GAP: usize = 16;

/// A format for products of points. Floats need no factors, and their unit is 1.
pub(super) trait PointProducts: Products {
    /// Returns the weights of a layer with one tap: `[output / 32][operand][output % 32]`.
    fn point_weights(layer: &Convolution) -> &[Row<Self::Operand>];

    /// Returns the working space for operands.
    fn space(operands: &mut Operands) -> &mut Vec<Self::Operand>;

    /// Writes the activations of a point as operands. Returns the unit: the activation that the
    /// number 1 represents.
    fn convert(from: &[f32], to: &mut [Self::Operand]) -> f32;

    /// Returns the factors from sums to results of a vector of outputs, for a unit of 1.
    ///
    /// # Safety
    /// The machine must support this format, and the layer must have these outputs.
    unsafe fn factors(layer: &Convolution, output: usize) -> Self::Factor;

    /// Returns the factors for another unit.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn scaled(factors: Self::Factor, unit: f32) -> Self::Factor;
}

impl<V: Vector> PointProducts for Floats<V> {
    fn point_weights(layer: &Convolution) -> &[Row<f32>] {
        layer.rows()
    }

    fn space(operands: &mut Operands) -> &mut Vec<f32> {
        &mut operands.floats
    }

    #[inline(always)]
    fn convert(from: &[f32], to: &mut [f32]) -> f32 {
        to.copy_from_slice(from);
        1.0
    }

    #[inline(always)]
    unsafe fn factors(_: &Convolution, _: usize) {}

    #[inline(always)]
    unsafe fn scaled((): (), _: f32) {}
}

/// Implements [`PointProducts`] for a format of 16-bit integer pairs.
macro_rules! point_pairs {
    ($products:ty) => {
        impl $crate::kernels::points::PointProducts for $products {
            fn point_weights(layer: &$crate::layer::Convolution) -> &[$crate::layer::Row<u32>] {
                &layer.point_weights().weights
            }

            fn space(operands: &mut $crate::kernels::products::Operands) -> &mut Vec<u32> {
                &mut operands.pairs
            }

            #[inline(always)]
            fn convert(from: &[f32], to: &mut [u32]) -> f32 {
                $crate::kernels::points::shorten(from, to)
            }

            #[inline(always)]
            unsafe fn factors(layer: &$crate::layer::Convolution, output: usize) -> Self::Factor {
                let scales = &layer.point_weights().scales[output..];
                let scales = &scales[..<Self::Factor as $crate::kernels::vector::Vector>::FLOATS];
                // SAFETY: by this function's contract, the machine has the vectors. The slice holds
                // one.
                unsafe { $crate::kernels::vector::Vector::load(scales.as_ptr()) }
            }

            #[inline(always)]
            unsafe fn scaled(factors: Self::Factor, unit: f32) -> Self::Factor {
                use $crate::kernels::vector::Vector;
                // SAFETY: by this function's contract, the machine has the vectors.
                unsafe {
                    let zero = <Self::Factor as Vector>::splat(0.0);
                    zero.add_product(factors, Vector::splat(unit))
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use point_pairs;

/// Largest absolute value of an activation that 16-bit integers represent. It is far outside the
/// range of networks.
pub(super) const HUGE: f32 = 1e30;

/// Converts the activations of a point to integers up to [`POINT_MOST`], two per operand. Returns
/// the activation that the integer 1 represents. It is NaN if an activation is beyond [`HUGE`], so
/// that the results are no plausible numbers.
#[inline(always)]
pub(super) fn shorten(from: &[f32], to: &mut [u32]) -> f32 {
    /// 1.5 · 2²³. Adding it to a float rounds it to a whole number in the lowest bits.
    const ROUNDER: f32 = 12_582_912.0;
    let most = f32::from(POINT_MOST);
    // The bits of floats without sign are in the order of the floats, and those of NaN are last.
    let mut maxima = [0u32; BLOCK];
    for part in from.as_chunks::<BLOCK>().0 {
        for (greatest, value) in maxima.iter_mut().zip(part) {
            *greatest = value.abs().to_bits().max(*greatest);
        }
    }
    let greatest = f32::from_bits(maxima.into_iter().fold(0, u32::max));
    if greatest.is_nan() || greatest > HUGE {
        return f32::NAN;
    }
    // The lower limit is far below the range of networks. It keeps the scale finite, and the
    // product with the scale of usual weights normal.
    let greatest = greatest.max(1e-20);
    let scale = most / greatest;
    for (pair, to) in from.as_chunks::<2>().0.iter().zip(to) {
        let [low, high] = pair.map(|value| (value * scale + ROUNDER).to_bits());
        *to = low & 0xffff | high << 16;
    }
    greatest / most
}

/// Computes a product in blocks of at most `LIMIT` points by two vectors of outputs.
///
/// # Safety
/// The machine must support `P`.
///
/// # Panics
/// If a slice is too short.
#[inline(always)]
pub(super) unsafe fn multiply<P: PointProducts, const LIMIT: usize>(
    product: &mut LayerProduct<'_>,
    operands: &mut Operands,
) {
    let (layer, layout) = (product.layer, product.layout);
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    let (length, count) = (inputs / P::INPUTS, layout.points());
    let stride = length + GAP;
    assert!(product.output.len() >= layout.cells() * outputs, "output");
    let mut rows = std::mem::take(P::space(operands));
    if rows.len() < count * stride {
        rows.resize(count * stride, P::Operand::default());
    }
    operands.units.clear();
    operands.starts.clear();
    for (point, to) in rows.chunks_exact_mut(stride).take(count).enumerate() {
        let cell = layout.cell(point);
        let from = &product.input[(layout.margin() + cell) * inputs..][..inputs];
        operands.units.push(P::convert(from, &mut to[..length]));
        operands.starts.push(cell * outputs);
    }
    let blocks = EvenBlocks::new(count, LIMIT);
    let floats = P::Vector::FLOATS;
    let lanes = 2 * floats;
    let weights = P::point_weights(layer);
    assert!(outputs.is_multiple_of(BLOCK), "outputs");
    assert!(weights.len() >= outputs / BLOCK * length, "weights");
    let weights = weights.as_ptr().cast::<P::Operand>();
    for channel in (0..outputs).step_by(lanes) {
        let start = channel / BLOCK * length * BLOCK + channel % BLOCK;
        // SAFETY: by this function's contract, the machine supports `P`. The number of outputs is a
        // multiple of 32, as was just checked, so the layer has those of two vectors.
        let factors = unsafe {
            [
                P::factors(layer, channel),
                P::factors(layer, channel + floats),
            ]
        };
        let mut end = 0;
        for block in 0..blocks.count {
            let first = end;
            end += blocks.rows(block);
            let task = Task::<P> {
                length,
                weights: weights.wrapping_add(start),
                ahead: Ahead::new::<P::Vector>(weights, channel, length, blocks, block),
                operands: rows[first * stride..end * stride].as_ptr(),
                stride,
                units: operands.units[first..end].as_ptr(),
                starts: operands.starts[first..end].as_ptr(),
                factors,
                output: product.output.as_mut_ptr().wrapping_add(channel),
                adds: product.adds,
            };
            macro_rules! sizes {
                ($($size:literal)*) => {
                    match end - first {
                        // SAFETY: this function has the same contract. The slices of the task hold
                        // the rows of all points of the block. Its weights and outputs exist,
                        // because both slices were just checked.
                        $($size if $size <= LIMIT => unsafe { products::<P, $size>(task) },)*
                        size => unreachable!("{size} points"),
                    }
                };
            }
            sizes!(1 2 3 4 5 6 7 8 9 10 11 12);
        }
    }
    *P::space(operands) = rows;
}

/// A block of points and two vectors of outputs.
struct Task<P: Products> {
    /// Number of operands of a point.
    length: usize,
    /// First weights, in rows of [`BLOCK`].
    weights: *const P::Operand,
    /// Weights of the next outputs.
    ahead: Ahead<P::Operand>,
    operands: *const P::Operand,
    /// Number of operands from a point to the next.
    stride: usize,
    units: *const f32,
    starts: *const usize,
    factors: [P::Factor; 2],
    output: *mut f32,
    adds: bool,
}

/// Computes a block of `POINTS` points by two vectors of outputs.
///
/// # Safety
/// The machine must support `P`. `weights` must hold a row for each operand. `operands`, `units`
/// and `starts` must hold `POINTS` points, and two vectors of `output` must be at each start.
#[inline(always)]
unsafe fn products<P: PointProducts, const POINTS: usize>(task: Task<P>) {
    let floats = P::Vector::FLOATS;
    // SAFETY: by this function's contract, the machine supports `P`, and all rows exist.
    unsafe {
        let mut lows = [P::zero(); POINTS];
        let mut highs = lows;
        let mut ahead = task.ahead;
        for k in 0..task.length {
            ahead.prefetch::<P::Vector>(k);
            let weights = task.weights.add(k * BLOCK);
            let (low, high) = (P::load(weights), P::load(weights.add(floats)));
            for point in 0..POINTS {
                let value = P::splat(*task.operands.add(point * task.stride + k));
                lows[point] = P::add(lows[point], value, low);
                highs[point] = P::add(highs[point], value, high);
            }
        }
        for point in 0..POINTS {
            let unit = *task.units.add(point);
            for (half, sum) in [lows[point], highs[point]].into_iter().enumerate() {
                let to = task.output.add(*task.starts.add(point) + half * floats);
                let mut result = P::results(sum, P::scaled(task.factors[half], unit));
                if task.adds {
                    result = result.plus(P::Vector::load(to));
                }
                result.store(to);
            }
        }
    }
}

/// Defines a product of points compiled for the features of a kernel, in blocks of at most
/// `$limit` points.
macro_rules! point_product {
    ($name:ident, $kernel:ident, $features:literal, $products:ty, $limit:literal) => {
        /// Computes a product of points. Returns false if the machine cannot run the kernel.
        fn $name(
            product: &mut $crate::kernels::products::LayerProduct<'_>,
            operands: &mut $crate::kernels::products::Operands,
        ) -> bool {
            use $crate::kernels::{Kernel, points, products};

            /// # Safety
            /// The machine must have the enabled features.
            #[target_feature(enable = $features)]
            unsafe fn run(
                product: &mut products::LayerProduct<'_>,
                operands: &mut products::Operands,
            ) {
                // SAFETY: by this function's contract, the machine has the features of this kernel.
                unsafe { points::multiply::<$products, $limit>(product, operands) }
            }
            let available = Kernel::$kernel.is_available();
            if available {
                // SAFETY: the features were just checked.
                unsafe { run(product, operands) }
            }
            available
        }
    };
}
pub(super) use point_product;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::products::checks::random_numbers;
    use crate::kernels::{Arithmetic, Float, Kernel};
    use crate::layer::Convolution;
    use crate::layout::BoardLayout;

    #[test]
    fn products_agree_with_the_reference_at_any_size() {
        let mut number = random_numbers();
        // The first two have no such products, and `amx` has another one.
        let others = [Kernel::Portable, Kernel::Avx512Bf16, Kernel::Amx];
        for kernel in Kernel::available().filter(|kernel| !others.contains(kernel)) {
            for (inputs, outputs, width, height) in [
                (1, 1, 3, 3),
                (33, 31, 5, 7),
                (384, 65, 9, 9),
                (1030, 96, 4, 11),
            ] {
                let layout = BoardLayout::any(width, height);
                let mut weights: Vec<f32> = (0..inputs * outputs).map(|_| number()).collect();
                // Include an output of zeros, and one with a single weight.
                for (i, weight) in weights.iter_mut().enumerate() {
                    match (i / outputs, i % outputs) {
                        (_, 2) | (1.., 3) => *weight = 0.0,
                        _ => {}
                    }
                }
                let layer = Convolution::from_floats(1, inputs, outputs, &weights);
                let mut input = vec![0.0; layout.all_cells() * layer.inputs];
                for point in 0..layout.points() {
                    let cell = layout.margin() + layout.cell(point);
                    // Sizes of activations differ from point to point. One point is zero.
                    let size = 0.1 * (point % 7) as f32;
                    for value in &mut input[cell * layer.inputs..][..inputs] {
                        *value = size * number();
                    }
                }
                let mut expected = vec![0.0; layout.cells() * layer.outputs];
                let portable = &mut Float::new(Kernel::Portable);
                portable.convolve_raw(&layer, &layout, &input, &mut expected);
                let mut arithmetic = Float::new(kernel);
                for adds in [false, true] {
                    let mut found = vec![1.0; expected.len()];
                    assert!(arithmetic.multiply(LayerProduct {
                        layer: &layer,
                        layout: &layout,
                        input: &input,
                        output: &mut found,
                        adds,
                    }));
                    for (cell, &inside) in layout.inside().iter().enumerate() {
                        for output in 0..layer.outputs {
                            let at = cell * layer.outputs + output;
                            if !inside {
                                assert_eq!(found[at], 1.0, "{kernel} {at}");
                                continue;
                            }
                            let expected = expected[at] + f32::from(u8::from(adds));
                            let error = (found[at] - expected).abs();
                            if kernel.is_precise() {
                                assert!(error <= 1e-4, "{kernel} {at}: {} {expected}", found[at]);
                                continue;
                            }
                            // Rounding errors are uniform within an integer. Six standard
                            // deviations of their sum are allowed.
                            let from = &input[(layout.margin() + cell) * layer.inputs..];
                            let values = &from[..layer.inputs];
                            let most = values.iter().fold(0.0f32, |a, b| a.max(b.abs()));
                            let unit = most / f32::from(POINT_MOST);
                            let rows = layer.block_weights(output / BLOCK, 0);
                            // Zeros are exact in every scale.
                            let scale = match rows.iter().all(|row| row.0[output % BLOCK] == 0.0) {
                                true => 0.0,
                                false => layer.point_weights().scales[output],
                            };
                            let squares = values.iter().zip(rows).map(|(value, row)| {
                                (value * scale).powi(2) + (row.0[output % BLOCK] * unit).powi(2)
                            });
                            let allowed = 6.0 * (squares.sum::<f32>() / 12.0).sqrt() + 1e-5;
                            assert!(error <= allowed, "{kernel} {at}: {} {expected}", found[at]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn products_of_huge_activations_are_no_numbers() {
        for value in [1.01 * HUGE, f32::MAX, f32::INFINITY, f32::NAN] {
            for value in [value, -value] {
                let mut from = [0.5; 64];
                from[41] = value;
                assert!(shorten(&from, &mut [0; 32]).is_nan(), "{value}");
            }
        }
    }

    #[test]
    fn shortened_activations_keep_their_order_and_largest_value() {
        for greatest in [0.0, 1e-38, 3.5, -3.5, HUGE] {
            let mut from = [0.0; 64];
            from[37] = greatest;
            from[2] = -greatest / 2.0;
            let mut to = [0; 32];
            let unit = shorten(&from, &mut to);
            // The product with the scale of small weights is normal too.
            assert!((unit * 1e-10).is_normal() && unit > 0.0, "{greatest}");
            let short = |at: usize| f32::from((to[at / 2] >> (16 * (at % 2))) as i16);
            for (at, &value) in from.iter().enumerate() {
                assert!(
                    (short(at) * unit - value).abs() <= 0.51 * unit,
                    "{at} {value}"
                );
            }
        }
    }
}
