//! Convolutions on vectors: one text for all widths, and for what Winograd's tiles are multiplied as.
//!
//! The registers hold a block of the output, some cells by some vectors of channels, while all taps and inputs are gone
//! through: a weight that is loaded serves all cells of the block, an activation all its channels. Convolutions of nine taps
//! go by `winograd`.

use super::float::Finish;
use crate::net::layer::{BLOCK, Convolution};
use crate::net::shape::Shape;

/// A vector of floats.
pub(super) trait Vector: Copy {
    /// How many floats.
    const FLOATS: usize;

    /// # Safety
    /// The machine has these vectors, and [`Vector::FLOATS`] floats are at `from`.
    unsafe fn load(from: *const f32) -> Self;

    /// # Safety
    /// The machine has these vectors.
    unsafe fn splat(value: f32) -> Self;

    /// `self + a · b`
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;

    /// # Safety
    /// The machine has these vectors.
    unsafe fn plus(self, other: Self) -> Self;

    /// # Safety
    /// The machine has these vectors.
    unsafe fn minus(self, other: Self) -> Self;

    /// What is negative or no number becomes zero, the rest is rounded to bf16.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn activate(self) -> Self;

    /// # Safety
    /// The machine has these vectors, and there is room for [`Vector::FLOATS`] floats at `to`.
    unsafe fn store(self, to: *mut f32);

    /// Calls for the line of the cache with this address, ahead of its use; nothing is read, so anything may be there.
    ///
    /// # Safety
    /// The machine has these vectors.
    unsafe fn call_for<T>(from: *const T);
}

/// Blocks of `CELLS` cells by two vectors.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
pub(super) unsafe fn convolve<V: Vector, const CELLS: usize>(
    layer: &Convolution,
    shape: &Shape,
    input: &[f32],
    bias: &[f32],
    finish: &mut impl Finish,
) {
    let inputs = layer.inputs;
    let lanes = 2 * V::FLOATS;
    let mut row = [0.0f32; BLOCK];
    for channel in (0..layer.outputs).step_by(lanes) {
        let bias = &bias[channel..channel + lanes];
        for first in (0..shape.cells()).step_by(CELLS) {
            // SAFETY: `bias` holds two vectors.
            let start = unsafe { [V::load(bias.as_ptr()), V::load(bias[V::FLOATS..].as_ptr())] };
            let mut sums = [start; CELLS];
            for tap in 0..layer.taps {
                let from = (shape.tap(tap, layer.taps) + first) * inputs;
                let seen = &input[from..from + CELLS * inputs];
                let weights = layer.block_weights(channel / BLOCK, tap);
                let weights = &weights[..inputs];
                for (k, weight) in weights.iter().enumerate() {
                    let weight = &weight[channel % BLOCK..][..lanes];
                    // SAFETY: `weight` holds two vectors; `seen` holds `CELLS` rows of `inputs` floats, and `k` is below that.
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
                // SAFETY: a row has room for two vectors of any width.
                unsafe {
                    sum[0].store(row.as_mut_ptr());
                    sum[1].store(row.as_mut_ptr().add(V::FLOATS));
                }
                finish.take(first + cell, channel, &row[..lanes]);
            }
        }
    }
}

/// A convolution compiled for what a kernel needs, with blocks of at most so many cells or tiles.
macro_rules! convolution {
    ($name:ident, $kernel:ident, $features:literal, $products:ty, $limit:literal) => {
        /// A convolution by the kernel of this name.
        ///
        /// # Panics
        /// Where the machine cannot run it.
        fn $name<F: $crate::net::kernels::float::Finish>(
            layer: &$crate::net::layer::Convolution,
            shape: &$crate::net::shape::Shape,
            input: &[f32],
            bias: &[f32],
            scratch: &mut $crate::net::kernels::winograd::Scratch,
            finish: &mut F,
        ) {
            use $crate::net::kernels::{Kernel, float, products, vector, winograd};
            use $crate::net::{layer, shape};

            /// # Safety
            /// The machine has the features.
            #[target_feature(enable = $features)]
            unsafe fn run<F: float::Finish>(
                layer: &layer::Convolution,
                shape: &shape::Shape,
                input: &[f32],
                bias: &[f32],
                scratch: &mut winograd::Scratch,
                finish: &mut F,
            ) {
                type V = <$products as products::Products>::Vector;
                // SAFETY: the caller's promise.
                unsafe {
                    if layer.taps == 9 {
                        winograd::convolve::<$products, $limit>(
                            layer, shape, input, bias, scratch, finish,
                        );
                    } else {
                        vector::convolve::<V, $limit>(layer, shape, input, bias, finish);
                    }
                }
            }
            assert!(Kernel::$kernel.is_available(), "no {}", Kernel::$kernel);
            // SAFETY: just checked.
            unsafe { run(layer, shape, input, bias, scratch, finish) }
        }
    };
}
pub(super) use convolution;

/// What holds for all vectors.
#[cfg(test)]
pub(super) mod twins {
    use super::*;
    use crate::net::kernels::{Arithmetic, Float};

    /// Vectors are activated as floats are, one by one.
    ///
    /// # Safety
    /// The machine has the vectors `V`.
    #[inline(always)]
    pub(in crate::net::kernels) unsafe fn check_activation<V: Vector>() {
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
            // SAFETY: the caller's promise; as many values are there.
            unsafe {
                V::load(values.as_ptr())
                    .activate()
                    .store(found.as_mut_ptr());
            }
            for (found, &value) in found.iter().zip(values) {
                // Not by `max`, which keeps a signalling NaN on some processors.
                let expected = if value > 0.0 { Float::cell(value) } else { 0.0 };
                assert_eq!(*found, expected, "{value}");
            }
        }
    }
}
