//! Convolutions, several times: on matrix tiles, on vectors, on plain arithmetic. Which of them a machine can run is found
//! out when the program runs, so that one build serves all.
//!
//! All of them round activations to bf16, and those that round nothing else agree but for the last bits. Two round inputs and
//! weights at the points of Winograd's filtering too, to bf16 or to 16-bit integers. Tests compare each with the portable one.
//!
//! Why own kernels: by the usual way, general libraries take two to five times as long as those here of the same width, since
//! their products are three times as many and their weights are arranged anew in each pass (figures in `docs/network.md`).

#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod blocks;
mod float;
#[cfg_attr(target_arch = "x86_64", path = "x86/mod.rs")]
#[cfg_attr(target_arch = "aarch64", path = "neon.rs")]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "none.rs"
)]
mod native;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod products;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod transforms;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod vector;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod winograd;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::layer::Convolution;
use super::shape::Shape;

/// A way to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// Plain Rust.
    Portable,
    /// Pairs of 128-bit vectors on 64-bit ARM.
    Neon,
    /// 256-bit vectors with fused multiply-add.
    Avx2,
    /// 256-bit vectors and products of pairs of 16-bit integers.
    Avx2Int16,
    /// 512-bit vectors.
    Avx512,
    /// 512-bit vectors and products of pairs of bf16.
    Avx512Bf16,
    /// Matrix tiles of bf16.
    Amx,
}

impl Kernel {
    /// All, the slowest first where they have been measured; but there are processors, with tiles, on which `avx512bf16` is behind
    /// `avx512`.
    pub const ALL: [Kernel; 7] = [
        Kernel::Portable,
        Kernel::Neon,
        Kernel::Avx2,
        Kernel::Avx2Int16,
        Kernel::Avx512,
        Kernel::Avx512Bf16,
        Kernel::Amx,
    ];

    /// Whether this machine can run it.
    pub fn is_available(self) -> bool {
        static AVAILABLE: OnceLock<[bool; 7]> = OnceLock::new();
        let found = AVAILABLE.get_or_init(|| Kernel::ALL.map(detect));
        Kernel::ALL
            .iter()
            .zip(found)
            .any(|(&kernel, &available)| kernel == self && available)
    }

    /// Those that this machine can run, the slowest first.
    pub fn available() -> impl Iterator<Item = Kernel> {
        Kernel::ALL.into_iter().filter(|k| k.is_available())
    }

    /// Whether a network computed so, or by a slower kernel, has shown in matches to be worth its time, which might have gone into
    /// playouts. That is so of `avx2` where it took twice as long; `neon`, never timed, does the same products in vectors of half
    /// the width, on processors whose playouts are no faster.
    pub fn is_quick(self) -> bool {
        match self {
            Kernel::Portable => false,
            Kernel::Neon
            | Kernel::Avx2
            | Kernel::Avx2Int16
            | Kernel::Avx512
            | Kernel::Avx512Bf16
            | Kernel::Amx => true,
        }
    }

    /// The fastest that this machine can run.
    pub fn best() -> Kernel {
        Kernel::available().last().unwrap_or(Kernel::Portable)
    }
}

fn detect(kernel: Kernel) -> bool {
    kernel == Kernel::Portable || native::detect(kernel)
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Portable => "portable",
            Kernel::Neon => "neon",
            Kernel::Avx2 => "avx2",
            Kernel::Avx2Int16 => "avx2int16",
            Kernel::Avx512 => "avx512",
            Kernel::Avx512Bf16 => "avx512bf16",
            Kernel::Amx => "amx",
        })
    }
}

/// The text names no kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid kernel '{0}', expected portable, neon, avx2, avx2int16, avx512, avx512bf16 or amx"
)]
pub struct ParseKernelError(String);

impl FromStr for Kernel {
    type Err = ParseKernelError;

    fn from_str(text: &str) -> Result<Kernel, ParseKernelError> {
        Kernel::ALL
            .into_iter()
            .find(|kernel| kernel.to_string() == text)
            .ok_or_else(|| ParseKernelError(crate::text::quote(text)))
    }
}

/// Something to compute in plain Rust, compiled once for each kind of vectors: a closure would not be sure to be inlined.
pub trait Job {
    /// Does it; always inlined, and so is what it calls.
    fn run(self);
}

/// Arithmetic on activations: `[cell][channel]` over all cells of a shape, margins and empty columns zero.
pub trait Arithmetic {
    /// An activation.
    type Cell: Copy + Default + Send;

    /// The activation nearest to a value.
    fn cell(value: f32) -> Self::Cell;

    /// A pass has come to its end.
    fn end(&mut self) {}

    /// Does something with the widest vectors of this machine.
    fn widely(&self, job: impl Job) {
        job.run();
    }

    /// Writes to `output` the convolution of `input` plus `bias` plus `residual`, what is negative cut off.
    fn convolve(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        input: &[Self::Cell],
        bias: &[f32],
        residual: Option<&[Self::Cell]>,
        output: &mut [Self::Cell],
    );

    /// Writes the convolution of `input` plus the layer's bias as it is: `[computed cell][output]`.
    fn convolve_raw(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        input: &[Self::Cell],
        output: &mut [f32],
    );

    /// Writes the mean of each channel over the points of the board, then the maximum of each; nothing is negative.
    fn pool(&mut self, shape: &Shape, channels: usize, input: &[Self::Cell], output: &mut [f32]);
}

pub use float::Float;
#[cfg(target_arch = "x86_64")]
pub use native::Amx;
