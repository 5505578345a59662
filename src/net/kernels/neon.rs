//! The kernel of 64-bit ARM: vectors of 128 bits, two at a time, which every such processor has.

use std::arch::aarch64::*;

use super::float::Finish;
use super::products::Floats;
use super::vector::{Vector, convolution};
use super::winograd::Scratch;
use super::{Job, Kernel};
use crate::net::layer::Convolution;
use crate::net::shape::Shape;

/// Eight floats in two registers: so a block of six rows fills 24 of the 32 with sums, and its weights four.
#[derive(Clone, Copy)]
struct Two(float32x4_t, float32x4_t);

impl Vector for Two {
    const FLOATS: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(vld1q_f32(from), vld1q_f32(from.add(4))) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller's promise.
        let all = unsafe { vdupq_n_f32(value) };
        Two(all, all)
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(vfmaq_f32(self.0, a.0, b.0), vfmaq_f32(self.1, a.1, b.1)) }
    }

    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(vaddq_f32(self.0, other.0), vaddq_f32(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn minus(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(vsubq_f32(self.0, other.0), vsubq_f32(self.1, other.1)) }
    }

    #[inline(always)]
    unsafe fn activate(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(activate(self.0), activate(self.1)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's promise.
        unsafe {
            vst1q_f32(to, self.0);
            vst1q_f32(to.add(4), self.1);
        }
    }

    /// Nothing: stable Rust has no such instruction here, and the weights are read one after the other.
    #[inline(always)]
    unsafe fn call_for<T>(_: *const T) {}
}

/// What is negative or no number becomes zero, the rest is rounded to bf16.
///
/// # Safety
/// The machine has these vectors.
#[inline(always)]
unsafe fn activate(values: float32x4_t) -> float32x4_t {
    // SAFETY: the caller's promise.
    unsafe {
        // What is no number is not above zero either.
        let positive = vcgtq_f32(values, vdupq_n_f32(0.0));
        let bits = vandq_u32(vreinterpretq_u32_f32(values), positive);
        let odd = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
        let half = vaddq_u32(odd, vdupq_n_u32(0x7fff));
        let rounded = vandq_u32(vaddq_u32(bits, half), vdupq_n_u32(!0xffff));
        vreinterpretq_f32_u32(rounded)
    }
}

convolution!(neon, Neon, "neon", Floats<Two>, 6);

/// Whether this machine can run it.
pub(super) fn detect(kernel: Kernel) -> bool {
    kernel == Kernel::Neon
}

/// A convolution on floats by this kernel.
///
/// # Panics
/// For any other.
pub(super) fn convolve(
    kernel: Kernel,
    layer: &Convolution,
    shape: &Shape,
    input: &[f32],
    bias: &[f32],
    scratch: &mut Scratch,
    finish: &mut impl Finish,
) {
    assert!(kernel == Kernel::Neon, "no {kernel}");
    neon(layer, shape, input, bias, scratch, finish);
}

/// Does something with these vectors, as which all code is compiled here.
pub(super) fn widely(_: Kernel, job: impl Job) {
    job.run();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::kernels::vector::twins::check_activation;

    #[test]
    fn vectors_are_activated_as_floats_are() {
        // SAFETY: the machine has the vectors.
        unsafe { check_activation::<Two>() }
    }
}
