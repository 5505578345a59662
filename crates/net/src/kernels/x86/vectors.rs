//! Vectors of 512 and of 256 bits.

use std::arch::x86_64::*;

use crate::kernels::vector::Vector;

impl Vector for __m512 {
    const FLOATS: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: by the contract of `load`, the machine has AVX-512F, and sixteen floats are at
        // `from`.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_sub_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe {
            // If an input is NaN, or if both are zero, the maximum is the second operand.
            let bits = _mm512_castps_si512(_mm512_max_ps(self, _mm512_setzero_ps()));
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
            let rounded = _mm512_add_epi32(bits, half);
            _mm512_castsi512_ps(_mm512_and_si512(rounded, _mm512_set1_epi32(!0xffff)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: by the contract of `store`, the machine has AVX-512F, and `to` has room for
        // sixteen floats.
        unsafe { _mm512_storeu_ps(to, self) }
    }

    #[inline(always)]
    unsafe fn prefetch<T>(from: *const T) {
        // SAFETY: every x86-64 processor has this instruction, and nothing is read.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) }
    }
}

impl Vector for __m256 {
    const FLOATS: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: by the contract of `load`, the machine has AVX, and eight floats are at `from`.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: by this function's contract, the machine has AVX.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: by this function's contract, the machine has FMA.
        unsafe { _mm256_fmadd_ps(a, b, self) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX.
        unsafe { _mm256_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX.
        unsafe { _mm256_sub_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: by this function's contract, the machine has AVX2.
        unsafe {
            // If an input is NaN, or if both are zero, the maximum is the second operand.
            let bits = _mm256_castps_si256(_mm256_max_ps(self, _mm256_setzero_ps()));
            let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
            let rounded = _mm256_add_epi32(bits, half);
            _mm256_castsi256_ps(_mm256_and_si256(rounded, _mm256_set1_epi32(!0xffff)))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: by the contract of `store`, the machine has AVX, and `to` has room for eight
        // floats.
        unsafe { _mm256_storeu_ps(to, self) }
    }

    #[inline(always)]
    unsafe fn prefetch<T>(from: *const T) {
        // SAFETY: every x86-64 processor has this instruction, and nothing is read.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Kernel;
    use crate::kernels::vector::checks::check_activation;

    #[target_feature(enable = "avx2,fma")]
    unsafe fn check_avx2() {
        // SAFETY: the target features are enabled.
        unsafe { check_activation::<__m256>() }
    }

    #[target_feature(enable = "avx512f,fma")]
    unsafe fn check_avx512() {
        // SAFETY: the target features are enabled.
        unsafe { check_activation::<__m512>() }
    }

    #[test]
    fn vector_activation_agrees_with_floats() {
        if Kernel::Avx2.is_available() {
            // SAFETY: the kernel is available.
            unsafe { check_avx2() }
        }
        if Kernel::Avx512.is_available() {
            // SAFETY: the kernel is available.
            unsafe { check_avx512() }
        }
    }
}
