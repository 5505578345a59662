//! How Winograd's tiles are multiplied with weights: as floats, or as pairs of bf16 (of integers in `shorts`), twice as
//! many at once.
//!
//! An operand has 32 bits in any case, so a vector of weights has one for as many outputs as it has floats.

use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::mem::transmute;

use super::vector::Vector;
use crate::net::layer::{BLOCK, Convolution};

/// A way to multiply and add up.
pub(super) trait Products {
    /// What inputs and results are.
    type Vector: Vector;
    /// What sums are kept in.
    type Sums: Copy;
    /// How inputs become operands.
    type Scale: Copy;
    /// How sums become results.
    type Factor: Copy;
    /// What is multiplied at once, 32 bits.
    type Operand: Copy;
    /// A vector of operands.
    type Operands: Copy;
    /// How many inputs are in an operand.
    const INPUTS: usize;

    /// A layer's weights at all pairs of points: `[pair][output / 32][operand][output % 32]`.
    fn weights(layer: &Convolution) -> &[[Self::Operand; BLOCK]];

    /// The scale for operands of these inputs, cells before they are seen at the points, a multiple of 32 of them.
    ///
    /// # Safety
    /// The machine can do this.
    unsafe fn scale(input: &[f32]) -> Self::Scale;

    /// Writes a vector of inputs at a pair of points as operands.
    ///
    /// # Safety
    /// The machine can do this, and there is room for all.
    unsafe fn store(inputs: Self::Vector, scale: Self::Scale, pair: usize, to: *mut Self::Operand);

    /// No sum yet.
    ///
    /// # Safety
    /// The machine can do this.
    unsafe fn zero() -> Self::Sums;

    /// # Safety
    /// The machine can do this.
    unsafe fn splat(operand: Self::Operand) -> Self::Operands;

    /// # Safety
    /// The machine can do this, and as many operands as a vector has floats are at `from`.
    unsafe fn load(from: *const Self::Operand) -> Self::Operands;

    /// `sum + a · b`, of every input.
    ///
    /// # Safety
    /// The machine can do this.
    unsafe fn add(sum: Self::Sums, a: Self::Operands, b: Self::Operands) -> Self::Sums;

    /// What becomes of the sums of a vector of outputs from `output` on, at a pair of points.
    ///
    /// # Safety
    /// The machine can do this; the layer has so many outputs.
    unsafe fn factor(
        layer: &Convolution,
        scale: Self::Scale,
        pair: usize,
        output: usize,
    ) -> Self::Factor;

    /// The sums as results.
    ///
    /// # Safety
    /// The machine can do this.
    unsafe fn results(sums: Self::Sums, factor: Self::Factor) -> Self::Vector;
}

/// Sums that are results as they are, of inputs that need nothing.
macro_rules! plain {
    ($vector:ty) => {
        type Sums = $vector;
        type Scale = ();
        type Factor = ();

        #[inline(always)]
        unsafe fn scale(_: &[f32]) {}

        #[inline(always)]
        unsafe fn zero() -> $vector {
            // SAFETY: the caller's promise.
            unsafe { <$vector>::splat(0.0) }
        }

        #[inline(always)]
        unsafe fn factor(_: &Convolution, (): (), _: usize, _: usize) {}

        #[inline(always)]
        unsafe fn results(sums: $vector, (): ()) -> $vector {
            sums
        }
    };
}

/// Floats in vectors `V`.
pub(super) struct Floats<V>(PhantomData<V>);

impl<V: Vector> Products for Floats<V> {
    type Vector = V;
    type Operand = f32;
    type Operands = V;
    const INPUTS: usize = 1;
    plain!(V);

    fn weights(layer: &Convolution) -> &[[f32; BLOCK]] {
        layer.at_points()
    }

    #[inline(always)]
    unsafe fn store(inputs: V, (): (), _: usize, to: *mut f32) {
        // SAFETY: the caller's promise.
        unsafe { inputs.store(to) }
    }

    #[inline(always)]
    unsafe fn splat(operand: f32) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::splat(operand) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::load(from) }
    }

    #[inline(always)]
    unsafe fn add(sum: V, a: V, b: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { sum.add_product(a, b) }
    }
}

/// Pairs of bf16 in 512-bit vectors, added up in floats; the earlier input has the lower half.
pub(super) struct Pairs;

impl Products for Pairs {
    type Vector = __m512;
    type Operand = u32;
    type Operands = __m512bh;
    const INPUTS: usize = 2;
    plain!(__m512);

    fn weights(layer: &Convolution) -> &[[u32; BLOCK]] {
        layer.pairs_at_points()
    }

    #[inline(always)]
    unsafe fn store(inputs: __m512, (): (), _: usize, to: *mut u32) {
        // SAFETY: the caller's promise; both types are 256 bits of anything.
        unsafe {
            let rounded: __m256i = transmute(_mm512_cvtneps_pbh(inputs));
            _mm256_storeu_si256(to.cast(), rounded);
        }
    }

    #[inline(always)]
    unsafe fn splat(operand: u32) -> __m512bh {
        // SAFETY: the caller's promise; both types are 512 bits of anything.
        let operands: __m512bh = unsafe { transmute(_mm512_set1_epi32(operand.cast_signed())) };
        operands
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512bh {
        // SAFETY: the caller's promise; both types are 512 bits of anything.
        let operands: __m512bh = unsafe { transmute(_mm512_loadu_si512(from.cast())) };
        operands
    }

    #[inline(always)]
    unsafe fn add(sum: __m512, a: __m512bh, b: __m512bh) -> __m512 {
        // SAFETY: the caller's promise.
        unsafe { _mm512_dpbf16_ps(sum, a, b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::bf16;
    use crate::net::kernels::Kernel;

    /// Sums of sixteen inputs by weights, a row of sixteen pairs for every two inputs.
    #[target_feature(enable = "avx512f,avx512bf16,fma")]
    unsafe fn sums(inputs: &[f32; 16], weights: &[[u32; 16]; 8]) -> [f32; 16] {
        let (mut operands, mut found) = ([0; 8], [0.0; 16]);
        // SAFETY: the machine has the vectors, and each array as much room as is used.
        unsafe {
            Pairs::store(__m512::load(inputs.as_ptr()), (), 0, operands.as_mut_ptr());
            let mut sum = __m512::splat(0.0);
            for (&operand, row) in operands.iter().zip(weights) {
                sum = Pairs::add(sum, Pairs::splat(operand), Pairs::load(row.as_ptr()));
            }
            sum.store(found.as_mut_ptr());
        }
        found
    }

    #[test]
    fn pairs_are_rounded_multiplied_and_added_up() {
        if !Kernel::Avx512Bf16.is_available() {
            return;
        }
        let mut bits = 1u32;
        let mut number = || {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
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
            // SAFETY: the machine has the vectors.
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
