//! Kernels for x86-64.

mod amx;
mod bf16_pairs;
mod int16_pairs;
mod tile_unit;
mod vectors;

use std::arch::is_x86_feature_detected as has;
use std::arch::x86_64::{__m256, __m512};

use self::bf16_pairs::Bf16Pairs;
use self::int16_pairs::{Int16Pairs, WideInt16Pairs};
use super::float::Finish;
use super::matrix::MatrixProduct;
use super::points::point_product;
use super::products::{LayerProduct, Operands};
use super::vector::{convolution, matrix_product};
use super::{Job, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;
use crate::winograd::{Floats, Scratch};

pub use amx::Amx;

/// Returns true if this machine can run the kernel.
pub(super) fn detect(kernel: Kernel) -> bool {
    match kernel {
        Kernel::Avx2 | Kernel::Avx2Int16 => has!("avx2") && has!("fma"),
        Kernel::Avx2Vnni => detect(Kernel::Avx2Int16) && has!("avxvnni"),
        Kernel::Avx512 => has!("avx512f") && has!("fma"),
        Kernel::Avx512Int16 => detect(Kernel::Avx512) && has!("avx512bw") && has!("avx512vnni"),
        Kernel::Avx512Bf16 => has!("avx512f") && has!("avx512bf16") && has!("fma"),
        Kernel::Amx => {
            let vectors = detect(Kernel::Avx512Bf16) && has!("avx512bw") && has!("avx512vl");
            vectors && tile_unit::is_permitted()
        }
        _ => false,
    }
}

convolution!(avx2, Avx2, "avx2,fma", Floats<__m256>, 6);
convolution!(avx2int16, Avx2Int16, "avx2,fma", Int16Pairs<false>, 6);
convolution!(avx2vnni, Avx2Vnni, "avx2,avxvnni,fma", Int16Pairs<true>, 6);
convolution!(avx512, Avx512, "avx512f,fma", Floats<__m512>, 12);
convolution!(
    avx512int16,
    Avx512Int16,
    "avx512f,avx512bw,avx512vnni,fma",
    WideInt16Pairs,
    12
);
convolution!(
    avx512bf16,
    Avx512Bf16,
    "avx512f,avx512bf16,fma",
    Bf16Pairs,
    12
);

/// Computes a convolution on floats with one of these kernels. [`Kernel::Amx`] has no float format
/// and uses `avx512bf16` here.
///
/// # Panics
/// If the machine cannot run the kernel.
pub(super) fn convolve(
    kernel: Kernel,
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[f32],
    bias: &[f32],
    scratch: &mut Scratch,
    finish: &mut impl Finish,
) {
    match kernel {
        Kernel::Avx2 => avx2(layer, layout, input, bias, scratch, finish),
        Kernel::Avx2Int16 => avx2int16(layer, layout, input, bias, scratch, finish),
        Kernel::Avx2Vnni => avx2vnni(layer, layout, input, bias, scratch, finish),
        Kernel::Avx512 => avx512(layer, layout, input, bias, scratch, finish),
        Kernel::Avx512Int16 => avx512int16(layer, layout, input, bias, scratch, finish),
        Kernel::Avx512Bf16 | Kernel::Amx => avx512bf16(layer, layout, input, bias, scratch, finish),
        _ => panic!("no {kernel}"),
    }
}

matrix_product!(product_avx2, Avx2, "avx2,fma", __m256, 6);
matrix_product!(product_avx512, Avx512, "avx512f,fma", __m512, 12);

/// Computes a product of matrices with the vectors of a kernel. Returns false if the machine lacks
/// them.
pub(super) fn product(kernel: Kernel, product: &mut MatrixProduct<'_>) -> bool {
    match kernel {
        Kernel::Avx512 | Kernel::Avx512Int16 | Kernel::Avx512Bf16 | Kernel::Amx => {
            product_avx512(product)
        }
        Kernel::Avx2 | Kernel::Avx2Int16 | Kernel::Avx2Vnni => product_avx2(product),
        Kernel::Portable | Kernel::Neon => false,
    }
}

point_product!(points_avx2, Avx2, "avx2,fma", Floats<__m256>, 6);
point_product!(
    points_avx2int16,
    Avx2Int16,
    "avx2,fma",
    Int16Pairs<false>,
    6
);
point_product!(
    points_avx2vnni,
    Avx2Vnni,
    "avx2,avxvnni,fma",
    Int16Pairs<true>,
    6
);
point_product!(points_avx512, Avx512, "avx512f,fma", Floats<__m512>, 12);
point_product!(
    points_avx512int16,
    Avx512Int16,
    "avx512f,avx512bw,avx512vnni,fma",
    WideInt16Pairs,
    12
);

/// Computes a product of a layer at least at the points of a board. Returns false if the kernel has
/// no such product for this layer.
pub(super) fn multiply(
    kernel: Kernel,
    product: &mut LayerProduct<'_>,
    operands: &mut Operands,
) -> bool {
    match kernel {
        Kernel::Amx => amx::multiply(product, operands),
        _ if product.layer.taps != 1 => false,
        Kernel::Avx2 => points_avx2(product, operands),
        Kernel::Avx2Int16 => points_avx2int16(product, operands),
        Kernel::Avx2Vnni => points_avx2vnni(product, operands),
        Kernel::Avx512 => points_avx512(product, operands),
        Kernel::Avx512Int16 => points_avx512int16(product, operands),
        Kernel::Portable | Kernel::Neon | Kernel::Avx512Bf16 => false,
    }
}

/// # Safety
/// The machine must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn run_avx2(job: impl Job) {
    job.run::<true>();
}

/// # Safety
/// The machine must have AVX-512F and FMA.
#[target_feature(enable = "avx512f,fma")]
unsafe fn run_avx512(job: impl Job) {
    job.run::<true>();
}

/// Runs a job with the vectors of a kernel, or without vectors if the machine lacks them.
pub(super) fn with_target_features(kernel: Kernel, job: impl Job) {
    match kernel {
        Kernel::Avx512 | Kernel::Avx512Int16 | Kernel::Avx512Bf16 | Kernel::Amx
            if Kernel::Avx512.is_available() =>
        {
            // SAFETY: the features were just checked.
            unsafe { run_avx512(job) }
        }
        Kernel::Avx2 | Kernel::Avx2Int16 | Kernel::Avx2Vnni if Kernel::Avx2.is_available() => {
            // SAFETY: the features were just checked.
            unsafe { run_avx2(job) }
        }
        _ => job.run::<false>(),
    }
}
