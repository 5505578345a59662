//! Products of pairs of bf16 in 512-bit vectors: twice as many per instruction as with floats.

use std::arch::x86_64::*;
use std::mem::transmute;

use crate::kernels::vector::Vector;
use crate::layer::{Convolution, Row};
use crate::winograd::{Products, plain};

/// The format of bf16 pairs in 512-bit vectors, added up in floats. The first input of a pair is in
/// the lower half.
pub(super) struct Bf16Pairs;

impl Products for Bf16Pairs {
    type Vector = __m512;
    type Operand = u32;
    type Operands = __m512bh;
    const INPUTS: usize = 2;
    plain!(__m512);

    fn weights(layer: &Convolution) -> &[Row<u32>] {
        layer.transformed_bf16()
    }

    #[inline(always)]
    unsafe fn store(inputs: __m512, (): (), _: usize, to: *mut u32) {
        // SAFETY: by the contract of `store`, the machine has these instructions, and `to` has
        // room. Both types are 256 bits, and every bit pattern is valid.
        unsafe {
            let rounded: __m256i = transmute(_mm512_cvtneps_pbh(inputs));
            _mm256_storeu_si256(to.cast(), rounded);
        }
    }

    #[inline(always)]
    unsafe fn splat(operand: u32) -> __m512bh {
        // SAFETY: by this function's contract, the machine has these instructions. Both types are
        // 512 bits, and every bit pattern is valid.
        let operands: __m512bh = unsafe { transmute(_mm512_set1_epi32(operand.cast_signed())) };
        operands
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512bh {
        // SAFETY: by the contract of `load`, the machine has these instructions, and 16 operands
        // are at `from`. Both types are 512 bits, and every bit pattern is valid.
        let operands: __m512bh = unsafe { transmute(_mm512_loadu_si512(from.cast())) };
        operands
    }

    #[inline(always)]
    unsafe fn add(sum: __m512, a: __m512bh, b: __m512bh) -> __m512 {
        // SAFETY: by this function's contract, the machine has this instruction.
        unsafe { _mm512_dpbf16_ps(sum, a, b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bf16;
    use crate::kernels::Kernel;
    use crate::kernels::products::checks::random_numbers;

    /// Returns the sums of sixteen inputs times weights. `weights` has a row of sixteen pairs for
    /// every two inputs.
    #[target_feature(enable = "avx512f,avx512bf16,fma")]
    unsafe fn sums(inputs: &[f32; 16], weights: &[[u32; 16]; 8]) -> [f32; 16] {
        let (mut operands, mut found) = ([0; 8], [0.0; 16]);
        // SAFETY: the target features are enabled, and each array has as much room as is used.
        unsafe {
            Bf16Pairs::store(__m512::load(inputs.as_ptr()), (), 0, operands.as_mut_ptr());
            let mut sum = __m512::splat(0.0);
            for (&operand, row) in operands.iter().zip(weights) {
                sum = Bf16Pairs::add(
                    sum,
                    Bf16Pairs::splat(operand),
                    Bf16Pairs::load(row.as_ptr()),
                );
            }
            sum.store(found.as_mut_ptr());
        }
        found
    }

    #[test]
    fn bf16_pairs_are_rounded_multiplied_and_summed() {
        if !Kernel::Avx512Bf16.is_available() {
            return;
        }
        let mut number = random_numbers();
        for _ in 0..100 {
            let inputs: [f32; 16] = std::array::from_fn(|_| number());
            let weights: [[u16; 16]; 16] =
                std::array::from_fn(|_| std::array::from_fn(|_| bf16::round(number())));
            let pairs = std::array::from_fn(|pair| {
                std::array::from_fn(|lane| {
                    u32::from(weights[2 * pair + 1][lane]) << 16
                        | u32::from(weights[2 * pair][lane])
                })
            });
            // SAFETY: the kernel is available.
            let found = unsafe { sums(&inputs, &pairs) };
            for lane in 0..16 {
                let product =
                    |i: usize| bf16::widen(bf16::round(inputs[i])) * bf16::widen(weights[i][lane]);
                let expected: f32 = (0..16).map(product).sum();
                assert!(
                    (found[lane] - expected).abs() < 1e-5,
                    "{} {expected}",
                    found[lane]
                );
            }
        }
    }
}
