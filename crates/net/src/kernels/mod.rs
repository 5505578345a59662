//! Kernels: implementations of the convolutions on matrix tiles, on vectors, and in plain Rust. The
//! program detects at run time which of them the machine supports, so one build serves all
//! machines.
//!
//! With the program's own networks, all kernels round activations to bf16. Kernels that round
//! nothing else agree up to the last bits. Some kernels also round the transformed inputs and
//! weights of Winograd filtering, to bf16 or to 16-bit integers. Tests compare each kernel with the
//! portable one.
//!
//! The program has its own kernels because general libraries take two to five times as long for the
//! built-in network at the same vector width. They compute three times as many products, and
//! rearrange their weights in each pass (figures in `docs/experiments.md`, General libraries).

pub(crate) mod ahead;
pub(crate) mod even_blocks;
pub(crate) mod float;
pub(crate) mod matrix;
#[cfg_attr(target_arch = "x86_64", path = "x86/mod.rs")]
#[cfg_attr(target_arch = "aarch64", path = "neon.rs")]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    path = "none.rs"
)]
mod native;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
mod points;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) mod products;
#[cfg_attr(not(target_arch = "x86_64"), allow(unused))]
pub(crate) mod vector;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::layer::Convolution;
use super::layout::BoardLayout;

/// A kernel: one implementation of the convolutions.
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
    /// The same with products and sums in one instruction (AVX-VNNI).
    Avx2Vnni,
    /// 512-bit vectors.
    Avx512,
    /// 512-bit vectors and products of pairs of bf16.
    Avx512Bf16,
    /// 512-bit vectors and products of pairs of 16-bit integers.
    Avx512Int16,
    /// Matrix tiles of bf16.
    Amx,
}

impl Kernel {
    /// All kernels, slowest first as far as they were measured. On Intel Xeons, `avx512bf16` has
    /// half the speed of `avx512int16`.
    pub const ALL: [Kernel; 9] = [
        Kernel::Portable,
        Kernel::Neon,
        Kernel::Avx2,
        Kernel::Avx2Int16,
        Kernel::Avx2Vnni,
        Kernel::Avx512,
        Kernel::Avx512Bf16,
        Kernel::Avx512Int16,
        Kernel::Amx,
    ];

    /// Returns true if this machine can run the kernel.
    pub fn is_available(self) -> bool {
        static AVAILABLE: OnceLock<[bool; 9]> = OnceLock::new();
        let found = AVAILABLE.get_or_init(|| Kernel::ALL.map(detect));
        Kernel::ALL
            .iter()
            .zip(found)
            .any(|(&kernel, &available)| kernel == self && available)
    }

    /// Returns the kernels that this machine can run, slowest first.
    pub fn available() -> impl Iterator<Item = Kernel> {
        Kernel::ALL.into_iter().filter(|k| k.is_available())
    }

    /// Returns true if the built-in network is worth its time with this kernel. (The time could be
    /// spent on playouts instead.) Matches, or a comparison with a slower kernel, justify it.
    ///
    /// Matches showed a gain for `avx2` when it was half as fast as now. `neon` was never timed. It
    /// computes the same products in vectors of half the width, on processors whose playouts are no
    /// faster.
    pub fn is_quick(self) -> bool {
        match self {
            Kernel::Portable => false,
            Kernel::Neon
            | Kernel::Avx2
            | Kernel::Avx2Int16
            | Kernel::Avx2Vnni
            | Kernel::Avx512
            | Kernel::Avx512Int16
            | Kernel::Avx512Bf16
            | Kernel::Amx => true,
        }
    }

    /// Returns true if the kernel computes convolutions in single precision throughout. The others
    /// round the operands of the products.
    pub fn is_precise(self) -> bool {
        match self {
            Kernel::Portable | Kernel::Neon | Kernel::Avx2 | Kernel::Avx512 => true,
            Kernel::Avx2Int16
            | Kernel::Avx2Vnni
            | Kernel::Avx512Int16
            | Kernel::Avx512Bf16
            | Kernel::Amx => false,
        }
    }

    /// Returns the kernel that computes networks whose activations are floats, such as those of
    /// KataGo. There, `avx512int16` is as fast as `avx512bf16` and rounds less.
    pub(super) fn for_floats(self) -> Kernel {
        match self {
            Kernel::Avx512Bf16 if Kernel::Avx512Int16.is_available() => Kernel::Avx512Int16,
            Kernel::Avx512Bf16 => Kernel::Avx512,
            _ => self,
        }
    }

    /// Returns the names of all kernels as a choice: `a, b or c`.
    pub fn names() -> String {
        omnigo_base::text::one_of(Kernel::ALL.map(|kernel| kernel.to_string()))
    }

    /// Returns the last kernel of [`Kernel::ALL`] that this machine can run.
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
            Kernel::Avx2Vnni => "avx2vnni",
            Kernel::Avx512 => "avx512",
            Kernel::Avx512Int16 => "avx512int16",
            Kernel::Avx512Bf16 => "avx512bf16",
            Kernel::Amx => "amx",
        })
    }
}

/// Error: the text is not the name of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid kernel '{0}', expected {names}", names = Kernel::names())]
pub struct ParseKernelError(String);

impl FromStr for Kernel {
    type Err = ParseKernelError;

    fn from_str(text: &str) -> Result<Kernel, ParseKernelError> {
        Kernel::ALL
            .into_iter()
            .find(|kernel| kernel.to_string() == text)
            .ok_or_else(|| ParseKernelError(omnigo_base::text::quote(text)))
    }
}

/// A computation in plain Rust, compiled once for each kind of vectors. (A closure might not be
/// inlined.)
pub trait Job {
    /// Does the computation. `FUSED` is true if the vectors have an instruction for `a · b + c`.
    /// Implementations and everything they call must be inlined.
    fn run<const FUSED: bool>(self);
}

/// Operations of a kernel on activations. Activations are stored as `[cell][channel]` over all
/// cells of a layout; margins and empty columns are zero.
pub trait Arithmetic {
    /// An activation.
    type Cell: Copy + Default + Send;

    /// Returns the activation nearest to a value.
    fn cell(value: f32) -> Self::Cell;

    /// Ends a pass.
    fn end(&mut self) {}

    /// Runs a job with the widest vectors of this machine.
    fn with_target_features(&self, job: impl Job) {
        job.run::<false>();
    }

    /// Writes `max(0, convolution of input + bias + residual)` to `output`.
    fn convolve(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[Self::Cell],
        bias: &[f32],
        residual: Option<&[Self::Cell]>,
        output: &mut [Self::Cell],
    );

    /// Writes the convolution of `input` plus the layer's bias, without ReLU: `[computed
    /// cell][output]`.
    fn convolve_raw(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[Self::Cell],
        output: &mut [f32],
    );

    /// Writes the mean of each channel over the board's points, then the maximum of each channel.
    /// The input must not be negative.
    fn pool(
        &mut self,
        layout: &BoardLayout,
        channels: usize,
        input: &[Self::Cell],
        output: &mut [f32],
    );
}

pub use float::Float;
#[cfg(target_arch = "x86_64")]
pub use native::Amx;
