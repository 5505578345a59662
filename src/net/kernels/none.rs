//! No kernels: the processor is none of those that have some.

use super::float::Finish;
use super::winograd::Scratch;
use super::{Job, Kernel};
use crate::net::layer::Convolution;
use crate::net::shape::Shape;

/// Whether this machine can run it.
pub(super) fn detect(_: Kernel) -> bool {
    false
}

/// A convolution by one of no kernels.
///
/// # Panics
/// Always.
pub(super) fn convolve(
    kernel: Kernel,
    _: &Convolution,
    _: &Shape,
    _: &[f32],
    _: &[f32],
    _: &mut Scratch,
    _: &mut impl Finish,
) {
    panic!("no {kernel}");
}

/// Does something with what every machine has.
pub(super) fn widely(_: Kernel, job: impl Job) {
    job.run();
}
