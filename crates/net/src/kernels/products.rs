//! Products of the activations of a board with a layer.

use crate::layer::Convolution;
use crate::layout::BoardLayout;

/// Product of the activations of a board with a layer. The layer has no bias.
pub(crate) struct LayerProduct<'a> {
    pub(crate) layer: &'a Convolution,
    pub(crate) layout: &'a BoardLayout,
    /// Activations: `[cell][input]` for all cells of the layout. Those off the board are zero.
    pub(crate) input: &'a [f32],
    /// The products: `[computed cell][output]`. Cells off the board get any numbers.
    pub(crate) output: &'a mut [f32],
    /// True to add the products to `output` instead of replacing it.
    pub(crate) adds: bool,
}

/// Working space for the activations in the formats of the kernels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operands {
    /// Floats: `[point][input]`, with a gap after each point.
    pub(super) floats: Vec<f32>,
    /// Pairs of 16-bit integers, the first input in the lower half: `[point][input / 2]`, with a
    /// gap after each point.
    pub(super) pairs: Vec<u32>,
    /// Activation that the integer 1 represents, per point.
    pub(super) units: Vec<f32>,
    /// Number of the first output of each point.
    pub(super) starts: Vec<usize>,
    /// Activations in bf16: `[cell][input]` for all cells.
    pub(super) rounded: Vec<u16>,
}

/// Numbers and limits for tests of the kernels.
#[cfg(test)]
pub(crate) mod checks {
    use crate::kernels::Kernel;

    /// Returns a generator of random numbers from -1 to 1, always the same ones.
    pub(crate) fn random_numbers() -> impl FnMut() -> f32 {
        let mut bits = 1u32;
        move || {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    /// Returns the allowed gap of an output from the reference pass. For outputs above 1, it is
    /// relative.
    pub(crate) fn tolerance(kernel: Kernel) -> f32 {
        match kernel {
            Kernel::Amx => 8e-2,
            Kernel::Avx2Int16 | Kernel::Avx2Vnni | Kernel::Avx512Int16 | Kernel::Avx512Bf16 => 1e-2,
            Kernel::Portable | Kernel::Neon | Kernel::Avx2 | Kernel::Avx512 => 2e-4,
        }
    }
}
