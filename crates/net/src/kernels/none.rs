//! Placeholder for processors without kernels of their own.

use super::float::Finish;
use super::matrix::MatrixProduct;
use super::products::{LayerProduct, Operands};
use super::{Job, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;
use crate::winograd::Scratch;

/// Returns true if this machine can run the kernel: never.
pub(super) fn detect(_: Kernel) -> bool {
    false
}

/// Always panics, because no kernel exists for this processor.
///
/// # Panics
/// Always.
pub(super) fn convolve(
    kernel: Kernel,
    _: &Convolution,
    _: &BoardLayout,
    _: &[f32],
    _: &[f32],
    _: &mut Scratch,
    _: &mut impl Finish,
) {
    panic!("no {kernel}");
}

/// Runs a job without special vectors.
pub(super) fn with_target_features(_: Kernel, job: impl Job) {
    job.run::<false>();
}

/// Computes no product at the points of a board: returns false.
pub(super) fn multiply(_: Kernel, _: &mut LayerProduct<'_>, _: &mut Operands) -> bool {
    false
}

/// Computes no product of matrices: returns false.
pub(super) fn product(_: Kernel, _: &mut MatrixProduct<'_>) -> bool {
    false
}
