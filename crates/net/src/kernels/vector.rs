//! Convolutions on vectors, generic over the vector width and over the format of Winograd products.
//!
//! The registers hold a block of the output (cells by vectors of channels) while all taps and
//! inputs are added. A loaded weight serves all cells of the block, and an activation serves all
//! channels of the block. `winograd` computes the convolutions with nine taps.

use super::even_blocks::EvenBlocks;
use super::float::Finish;
use super::matrix::MatrixProduct;
use crate::layer::{BLOCK, Convolution, Row};
use crate::layout::BoardLayout;

/// A vector of floats.
pub(crate) trait Vector: Copy {
    /// Number of floats per vector.
    const FLOATS: usize;

    /// Reads a vector.
    ///
    /// # Safety
    /// The machine must have these vectors, and [`Vector::FLOATS`] floats must be at `from`.
    unsafe fn load(from: *const f32) -> Self;

    /// Returns a vector whose numbers all equal `value`.
    ///
    /// # Safety
    /// The machine must have these vectors.
    unsafe fn splat(value: f32) -> Self;

    /// Returns `self + a · b`.
    ///
    /// # Safety
    /// The machine must have these vectors.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;

    /// # Safety
    /// The machine must have these vectors.
    unsafe fn plus(self, other: Self) -> Self;

    /// # Safety
    /// The machine must have these vectors.
    unsafe fn minus(self, other: Self) -> Self;

    /// Replaces negative numbers and NaN by zero and rounds the others to bf16.
    ///
    /// # Safety
    /// The machine must have these vectors.
    unsafe fn activate(self) -> Self;

    /// Writes the vector.
    ///
    /// # Safety
    /// The machine must have these vectors, and `to` must have room for [`Vector::FLOATS`] floats.
    unsafe fn store(self, to: *mut f32);

    /// Prefetches the cache line with this address. Nothing is read, so the address may be invalid.
    ///
    /// # Safety
    /// The machine must have these vectors.
    unsafe fn prefetch<T>(from: *const T);
}

/// Computes a convolution in blocks of `CELLS` cells by two vectors of channels.
///
/// # Safety
/// The machine must have the vectors `V`.
#[inline(always)]
pub(super) unsafe fn convolve<V: Vector, const CELLS: usize>(
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let inputs = layer.inputs;
    let lanes = 2 * V::FLOATS;
    let mut row = [0.0f32; BLOCK];
    for channel in (0..layer.outputs).step_by(lanes) {
        let bias = &bias[channel..channel + lanes];
        for first in (0..layout.cells()).step_by(CELLS) {
            // SAFETY: the machine has the vectors by this function's contract, and `bias` holds two
            // of them.
            let start = unsafe { [V::load(bias.as_ptr()), V::load(bias[V::FLOATS..].as_ptr())] };
            let mut sums = [start; CELLS];
            for tap in 0..layer.taps {
                let from = (layout.tap(tap, layer.taps) + first) * inputs;
                let seen = &input[from..from + CELLS * inputs];
                let weights = layer.block_weights(channel / BLOCK, tap);
                let weights = &weights[..inputs];
                for (k, weight) in weights.iter().enumerate() {
                    let weight = &weight.0[channel % BLOCK..][..lanes];
                    // SAFETY: `weight` holds two vectors. `seen` holds `CELLS` rows of `inputs`
                    // floats, and `k` is less than `inputs`. The machine has the vectors by this
                    // function's contract.
                    unsafe {
                        let low = V::load(weight.as_ptr());
                        let high = V::load(weight.as_ptr().add(V::FLOATS));
                        for (cell, sum) in sums.iter_mut().enumerate() {
                            let value = V::splat(*seen.as_ptr().add(cell * inputs + k));
                            *sum = [
                                sum[0].add_product(value, low),
                                sum[1].add_product(value, high),
                            ];
                        }
                    }
                }
            }
            for (cell, sum) in sums.iter().enumerate() {
                // SAFETY: `row` has room for two vectors of any width. The machine has the vectors
                // by this function's contract.
                unsafe {
                    sum[0].store(row.as_mut_ptr());
                    sum[1].store(row.as_mut_ptr().add(V::FLOATS));
                }
                finish.take(first + cell, channel, &row[..lanes]);
            }
        }
    }
}

/// Computes a product of matrices in blocks of at most `LIMIT` rows by two vectors of outputs.
///
/// # Safety
/// The machine must have the vectors `V`.
#[inline(always)]
pub(super) unsafe fn product<V: Vector, const LIMIT: usize>(product: &mut MatrixProduct<'_>) {
    product.check();
    let stored = product.columns.outputs();
    let blocks = EvenBlocks::new(product.count, LIMIT);
    for output in (0..stored).step_by(2 * V::FLOATS) {
        let columns = product.columns.block(output / BLOCK);
        let mut end = 0;
        for block in 0..blocks.count {
            let first = end;
            end += blocks.rows(block);
            let rows = &product.rows[first * product.stride..];
            let to = &mut product.product[first * stored..end * stored];
            let stride = product.stride;
            macro_rules! sizes {
                ($($size:literal)*) => {
                    match end - first {
                        // SAFETY: this function has the same contract. The slices hold the rows, as
                        // was just checked.
                        $($size if $size <= LIMIT => unsafe {
                            product_block::<V, $size>(columns, output, rows, stride, to, stored);
                        },)*
                        size => unreachable!("{size} rows"),
                    }
                };
            }
            sizes!(1 2 3 4 5 6 7 8 9 10 11 12);
        }
    }
}

/// Computes two vectors of outputs, starting at `output`, of `ROWS` rows.
///
/// # Safety
/// The machine must have the vectors `V`. `rows` must hold `ROWS` rows, `stride` floats apart, with
/// an input for each of `columns`. `product` must hold `ROWS` rows of `stored` outputs.
#[inline(always)]
unsafe fn product_block<V: Vector, const ROWS: usize>(
    columns: &[Row<f32>],
    output: usize,
    rows: &[f32],
    stride: usize,
    product: &mut [f32],
    stored: usize,
) {
    // SAFETY: by this function's contract, the machine has the vectors, and all rows exist. Two
    // vectors never cross the end of a block.
    unsafe {
        let mut sums = [[V::splat(0.0); 2]; ROWS];
        for (k, column) in columns.iter().enumerate() {
            let column = column.0.as_ptr().add(output % BLOCK);
            let (low, high) = (V::load(column), V::load(column.add(V::FLOATS)));
            for (row, sum) in sums.iter_mut().enumerate() {
                let value = V::splat(*rows.as_ptr().add(row * stride + k));
                *sum = [
                    sum[0].add_product(value, low),
                    sum[1].add_product(value, high),
                ];
            }
        }
        for (row, sum) in sums.iter().enumerate() {
            let to = product.as_mut_ptr().add(row * stored + output);
            sum[0].store(to);
            sum[1].store(to.add(V::FLOATS));
        }
    }
}

/// Defines a product of matrices compiled for the features of a kernel, in blocks of at most
/// `$limit` rows.
macro_rules! matrix_product {
    ($name:ident, $kernel:ident, $features:literal, $vector:ty, $limit:literal) => {
        /// Computes a product of matrices. Returns false if the machine lacks the vectors.
        fn $name(product: &mut $crate::kernels::matrix::MatrixProduct<'_>) -> bool {
            /// # Safety
            /// The machine must have the enabled features.
            #[target_feature(enable = $features)]
            unsafe fn run(product: &mut $crate::kernels::matrix::MatrixProduct<'_>) {
                // SAFETY: by this function's contract, the machine has the vectors.
                unsafe { $crate::kernels::vector::product::<$vector, $limit>(product) }
            }
            let available = $crate::kernels::Kernel::$kernel.is_available();
            if available {
                // SAFETY: the features were just checked.
                unsafe { run(product) }
            }
            available
        }
    };
}
pub(super) use matrix_product;

/// Defines a convolution compiled for the features of a kernel, with blocks of at most `$limit`
/// cells or tiles.
macro_rules! convolution {
    ($name:ident, $kernel:ident, $features:literal, $products:ty, $limit:literal) => {
        /// Computes a convolution with the kernel of this name.
        ///
        /// # Panics
        /// If the machine cannot run the kernel.
        fn $name<F: $crate::kernels::float::Finish>(
            layer: &$crate::layer::Convolution,
            layout: &$crate::layout::BoardLayout,
            input: &[f32],
            bias: &[f32],
            scratch: &mut $crate::winograd::Scratch,
            finish: &mut F,
        ) {
            use $crate::kernels::{Kernel, float, vector};
            use $crate::{layer, layout, winograd};

            /// # Safety
            /// The machine must have the enabled features.
            #[target_feature(enable = $features)]
            unsafe fn run<F: float::Finish>(
                layer: &layer::Convolution,
                layout: &layout::BoardLayout,
                input: &[f32],
                bias: &[f32],
                scratch: &mut winograd::Scratch,
                finish: &mut F,
            ) {
                type V = <$products as winograd::Products>::Vector;
                // SAFETY: by this function's contract, the machine has the features of this kernel.
                unsafe {
                    if layer.taps == 9 {
                        winograd::convolve::<$products, $limit>(
                            layer, layout, input, bias, scratch, finish,
                        );
                    } else {
                        vector::convolve::<V, $limit>(layer, layout, input, bias, finish);
                    }
                }
            }
            assert!(Kernel::$kernel.is_available(), "no {}", Kernel::$kernel);
            // SAFETY: the kernel's features were just checked.
            unsafe { run(layer, layout, input, bias, scratch, finish) }
        }
    };
}
pub(super) use convolution;

/// Tests for every kind of vector.
#[cfg(test)]
pub(super) mod checks {
    use super::*;
    use crate::kernels::{Arithmetic, Float};

    /// Checks that `activate` gives the same results as for single floats.
    ///
    /// # Safety
    /// The machine must have the vectors `V`.
    #[inline(always)]
    pub(in crate::kernels) unsafe fn check_activation<V: Vector>() {
        let mut values = vec![f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        values.extend([0.0, -0.0, f32::MIN_POSITIVE / 3.0, f32::MAX, f32::MIN, 1.0]);
        let mut bits = 1u32;
        let half_way = [0x3f80_8000, 0x3f81_8000, 0x3f80_8001, 0x3f80_7fff];
        values.extend(half_way.map(f32::from_bits));
        values.extend((0..4098).map(|_| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(bits)
        }));
        for values in values.chunks_exact(V::FLOATS) {
            let mut found = values.to_vec();
            // SAFETY: by this function's contract, the machine has the vectors; both slices hold
            // one vector.
            unsafe {
                V::load(values.as_ptr())
                    .activate()
                    .store(found.as_mut_ptr());
            }
            for (found, &value) in found.iter().zip(values) {
                // Do not use `max`: on some processors it keeps a signaling NaN.
                let expected = if value > 0.0 { Float::cell(value) } else { 0.0 };
                assert_eq!(*found, expected, "{value}");
            }
        }
    }
}
