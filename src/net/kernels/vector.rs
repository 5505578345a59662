//! Convolutions on vectors: one text for two widths, and for what Winograd's tiles are multiplied as.
//!
//! The registers hold a block of the output, some cells by some vectors of channels, while all taps and inputs are gone
//! through: a weight that is loaded serves all cells of the block, an activation all its channels. Convolutions of nine taps
//! go by `winograd`.

use std::arch::x86_64::*;

use super::float::Finish;
use super::products::{Floats, Pairs, Products};
use super::shorts::Shorts;
use super::winograd::{self, Scratch};
use super::{Job, Kernel};
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
}

impl Vector for __m512 {
    const FLOATS: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm512_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm512_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm512_sub_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            // Where either is no number, or both are zeros, the maximum is the second.
            let bits = _mm512_castps_si512(_mm512_max_ps(self, _mm512_setzero_ps()));
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
            let rounded = _mm512_add_epi32(bits, half);
            _mm512_castsi512_ps(_mm512_and_si512(rounded, _mm512_set1_epi32(!0xffff)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_ps(to, self) }
    }
}

impl Vector for __m256 {
    const FLOATS: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm256_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm256_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { _mm256_sub_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            // Where either is no number, or both are zeros, the maximum is the second.
            let bits = _mm256_castps_si256(_mm256_max_ps(self, _mm256_setzero_ps()));
            let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
            let rounded = _mm256_add_epi32(bits, half);
            _mm256_castsi256_ps(_mm256_and_si256(rounded, _mm256_set1_epi32(!0xffff)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_ps(to, self) }
    }
}

/// Blocks of `CELLS` cells by two vectors.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn convolve<V: Vector, const CELLS: usize>(
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
        pub(super) fn $name<F: Finish>(
            layer: &Convolution,
            shape: &Shape,
            input: &[f32],
            bias: &[f32],
            scratch: &mut Scratch,
            finish: &mut F,
        ) {
            /// # Safety
            /// The machine has the features.
            #[target_feature(enable = $features)]
            unsafe fn run<F: Finish>(
                layer: &Convolution,
                shape: &Shape,
                input: &[f32],
                bias: &[f32],
                scratch: &mut Scratch,
                finish: &mut F,
            ) {
                type V = <$products as Products>::Vector;
                // SAFETY: the caller's promise.
                unsafe {
                    if layer.taps == 9 {
                        winograd::convolve::<$products, $limit>(
                            layer, shape, input, bias, scratch, finish,
                        );
                    } else {
                        convolve::<V, $limit>(layer, shape, input, bias, finish);
                    }
                }
            }
            assert!(Kernel::$kernel.is_available(), "no {}", Kernel::$kernel);
            // SAFETY: just checked.
            unsafe { run(layer, shape, input, bias, scratch, finish) }
        }
    };
}

convolution!(avx2, Avx2, "avx2,fma", Floats<__m256>, 6);
convolution!(avx2int16, Avx2Int16, "avx2,fma", Shorts, 6);
convolution!(avx512, Avx512, "avx512f,fma", Floats<__m512>, 12);
convolution!(avx512bf16, Avx512Bf16, "avx512f,avx512bf16,fma", Pairs, 12);

/// # Safety
/// The machine has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn job_avx2(job: impl Job) {
    job.run();
}

/// # Safety
/// The machine has AVX-512F and FMA.
#[target_feature(enable = "avx512f,fma")]
unsafe fn job_avx512(job: impl Job) {
    job.run();
}

/// Does something with the vectors of a kernel, as far as the machine has them.
pub(super) fn widely(kernel: Kernel, job: impl Job) {
    match kernel {
        Kernel::Avx512 | Kernel::Avx512Bf16 | Kernel::Amx if Kernel::Avx512.is_available() => {
            // SAFETY: just checked.
            unsafe { job_avx512(job) }
        }
        Kernel::Avx2 | Kernel::Avx2Int16 if Kernel::Avx2.is_available() => {
            // SAFETY: just checked.
            unsafe { job_avx2(job) }
        }
        Kernel::Portable
        | Kernel::Avx2
        | Kernel::Avx2Int16
        | Kernel::Avx512
        | Kernel::Avx512Bf16
        | Kernel::Amx => job.run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::kernels::{Arithmetic, Float};

    /// # Safety
    /// The machine has the vectors `V`, and `values` are as many as one holds.
    #[inline(always)]
    unsafe fn activated<V: Vector>(values: &mut [f32]) {
        // SAFETY: the caller's promise.
        unsafe {
            V::load(values.as_ptr())
                .activate()
                .store(values.as_mut_ptr())
        }
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn activated_avx2(values: &mut [f32]) {
        // SAFETY: the caller's promise.
        unsafe { activated::<__m256>(values) }
    }

    #[target_feature(enable = "avx512f,fma")]
    unsafe fn activated_avx512(values: &mut [f32]) {
        // SAFETY: the caller's promise.
        unsafe { activated::<__m512>(values) }
    }

    #[test]
    fn vectors_are_activated_as_floats_are() {
        let mut values = vec![f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        values.extend([0.0, -0.0, f32::MIN_POSITIVE / 3.0, f32::MAX, f32::MIN, 1.0]);
        let mut bits = 1u32;
        let half_way = [0x3f80_8000, 0x3f81_8000, 0x3f80_8001, 0x3f80_7fff];
        values.extend(half_way.map(f32::from_bits));
        values.extend((0..4098).map(|_| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(bits)
        }));
        for (kernel, floats) in [(Kernel::Avx2, 8), (Kernel::Avx512, 16)] {
            if !kernel.is_available() {
                continue;
            }
            for values in values.chunks_exact(floats) {
                let mut found = values.to_vec();
                // SAFETY: the machine has the vectors, and as many values are there.
                unsafe {
                    match kernel {
                        Kernel::Avx2 => activated_avx2(&mut found),
                        _ => activated_avx512(&mut found),
                    }
                }
                for (found, value) in found.iter().zip(values) {
                    assert_eq!(*found, Float::cell(value.max(0.0)), "{value} by {kernel}");
                }
            }
        }
    }
}
