//! Kernel for 64-bit ARM, with pairs of 128-bit vectors. Every such processor has these vectors.

use std::arch::aarch64::*;

use super::float::Finish;
use super::matrix::MatrixProduct;
use super::points::point_product;
use super::products::{LayerProduct, Operands};
use super::vector::{Vector, convolution, matrix_product};
use super::{Job, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;
use crate::winograd::{Floats, Scratch};

/// Eight floats in two registers. With blocks of six rows, the sums fill 24 of the 32 registers and
/// the weights 4.
#[derive(Clone, Copy)]
struct Two(float32x4_t, float32x4_t);

impl Vector for Two {
    const FLOATS: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: by the contract of `load`, the machine has NEON and eight floats are at `from`.
        unsafe { Two(vld1q_f32(from), vld1q_f32(from.add(4))) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: by this function's contract, the machine has NEON.
        let all = unsafe { vdupq_n_f32(value) };
        Two(all, all)
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: by this function's contract, the machine has NEON.
        unsafe { Two(vfmaq_f32(self.0, a.0, b.0), vfmaq_f32(self.1, a.1, b.1)) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has NEON.
        unsafe { Two(vaddq_f32(self.0, other.0), vaddq_f32(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: by this function's contract, the machine has NEON.
        unsafe { Two(vsubq_f32(self.0, other.0), vsubq_f32(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: by this function's contract, the machine has NEON.
        unsafe { Two(activate(self.0), activate(self.1)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: by the contract of `store`, the machine has NEON and `to` has room for eight
        // floats.
        unsafe {
            vst1q_f32(to, self.0);
            vst1q_f32(to.add(4), self.1);
        }
    }

    /// Does nothing. Stable Rust has no such instruction here, and the weights are read in order.
    #[inline(always)]
    unsafe fn prefetch<T>(_: *const T) {}
}

/// Replaces negative numbers and NaN by zero and rounds the others to bf16.
///
/// # Safety
/// The machine must have NEON.
#[inline(always)]
unsafe fn activate(values: float32x4_t) -> float32x4_t {
    // SAFETY: by this function's contract, the machine has NEON.
    unsafe {
        // NaN is not above zero either.
        let positive = vcgtq_f32(values, vdupq_n_f32(0.0));
        let bits = vandq_u32(vreinterpretq_u32_f32(values), positive);
        let odd = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
        let half = vaddq_u32(odd, vdupq_n_u32(0x7fff));
        let rounded = vandq_u32(vaddq_u32(bits, half), vdupq_n_u32(!0xffff));
        vreinterpretq_f32_u32(rounded)
    }
}

convolution!(neon, Neon, "neon", Floats<Two>, 6);

/// Returns true if this machine can run the kernel.
pub(super) fn detect(kernel: Kernel) -> bool {
    kernel == Kernel::Neon
}

/// Computes a convolution on floats with the NEON kernel.
///
/// # Panics
/// If `kernel` is another kernel.
pub(super) fn convolve(
    kernel: Kernel,
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[f32],
    bias: &[f32],
    scratch: &mut Scratch,
    finish: &mut impl Finish,
) {
    assert!(kernel == Kernel::Neon, "no {kernel}");
    neon(layer, layout, input, bias, scratch, finish);
}

matrix_product!(product_neon, Neon, "neon", Two, 6);

point_product!(points_neon, Neon, "neon", Floats<Two>, 6);

/// Computes a product of a layer at the points of a board. Returns false if the layer has several
/// taps or the kernel is another one.
pub(super) fn multiply(
    kernel: Kernel,
    product: &mut LayerProduct<'_>,
    operands: &mut Operands,
) -> bool {
    kernel == Kernel::Neon && product.layer.taps == 1 && points_neon(product, operands)
}

/// Computes a product of matrices. Returns false if the kernel is another one.
pub(super) fn product(kernel: Kernel, product: &mut MatrixProduct<'_>) -> bool {
    kernel == Kernel::Neon && product_neon(product)
}

/// Runs a job. All code is compiled for NEON here.
pub(super) fn with_target_features(_: Kernel, job: impl Job) {
    job.run::<true>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::vector::checks::check_activation;

    #[test]
    fn vector_activation_agrees_with_floats() {
        // SAFETY: every 64-bit ARM processor has NEON.
        unsafe { check_activation::<Two>() }
    }
}
