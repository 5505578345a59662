//! Formats in which Winograd tiles are multiplied with weights: floats, or pairs of 16-bit numbers.
//! Pairs give twice as many products per instruction.
//!
//! An operand always has 32 bits. A vector of weights therefore holds operands for as many outputs
//! as it has floats.

use std::marker::PhantomData;

use crate::kernels::vector::Vector;
use crate::layer::{Convolution, Row};

/// A format for products and sums.
pub(crate) trait Products {
    /// Vector of inputs and results.
    type Vector: Vector;
    /// Vector of sums.
    type Sums: Copy;
    /// Conversion factors from inputs to operands.
    type Scale: Copy;
    /// Conversion factors from sums to results.
    type Factor: Copy;
    /// Number format of the factors, with 32 bits: one float or two 16-bit numbers.
    type Operand: Copy + Default;
    /// Vector of operands.
    type Operands: Copy;
    /// Number of inputs per operand.
    const INPUTS: usize;

    /// Returns a layer's weights at all pairs of interpolation points: `[freq][output /
    /// 32][operand][output % 32]`.
    fn weights(layer: &Convolution) -> &[Row<Self::Operand>];

    /// Returns the scale for operands of these inputs. `input` holds the cells before the input
    /// transform; its length is a multiple of 32.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn scale(input: &[f32]) -> Self::Scale;

    /// Writes a vector of transformed inputs at a pair of interpolation points as operands.
    ///
    /// # Safety
    /// The machine must support this format. `to` must have room for the operands of one vector.
    unsafe fn store(inputs: Self::Vector, scale: Self::Scale, freq: usize, to: *mut Self::Operand);

    /// Returns sums of zero.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn zero() -> Self::Sums;

    /// Returns a vector whose operands all equal `operand`.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn splat(operand: Self::Operand) -> Self::Operands;

    /// Reads a vector of operands.
    ///
    /// # Safety
    /// The machine must support this format. At least [`Vector::FLOATS`] operands must be at
    /// `from`.
    unsafe fn load(from: *const Self::Operand) -> Self::Operands;

    /// Returns `sum + a · b`, added over the inputs of an operand.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn add(sum: Self::Sums, a: Self::Operands, b: Self::Operands) -> Self::Sums;

    /// Returns the factors from sums to results at a pair of interpolation points, for one vector
    /// of outputs starting at `output`.
    ///
    /// # Safety
    /// The machine must support this format, and the layer must have these outputs.
    unsafe fn factor(
        layer: &Convolution,
        scale: Self::Scale,
        freq: usize,
        output: usize,
    ) -> Self::Factor;

    /// Converts sums to results.
    ///
    /// # Safety
    /// The machine must support this format.
    unsafe fn results(sums: Self::Sums, factor: Self::Factor) -> Self::Vector;
}

/// Parts of a format whose sums are the results and whose inputs need no scale.
macro_rules! plain {
    ($vector:ty) => {
        type Sums = $vector;
        type Scale = ();
        type Factor = ();

        #[inline(always)]
        unsafe fn scale(_: &[f32]) {}

        #[inline(always)]
        unsafe fn zero() -> $vector {
            // SAFETY: by the contract of `zero`, the machine has these vectors.
            unsafe { <$vector>::splat(0.0) }
        }

        #[inline(always)]
        unsafe fn factor(_: &$crate::layer::Convolution, (): (), _: usize, _: usize) {}

        #[inline(always)]
        unsafe fn results(sums: $vector, (): ()) -> $vector {
            sums
        }
    };
}

pub(crate) use plain;

/// The format of floats in vectors `V`.
pub(crate) struct Floats<V>(PhantomData<V>);

impl<V: Vector> Products for Floats<V> {
    type Vector = V;
    type Operand = f32;
    type Operands = V;
    const INPUTS: usize = 1;
    plain!(V);

    fn weights(layer: &Convolution) -> &[Row<f32>] {
        layer.transformed_weights()
    }

    #[inline(always)]
    unsafe fn store(inputs: V, (): (), _: usize, to: *mut f32) {
        // SAFETY: by the contract of `store`, the machine has the vectors and `to` has room for
        // one.
        unsafe { inputs.store(to) }
    }

    #[inline(always)]
    unsafe fn splat(operand: f32) -> V {
        // SAFETY: by the contract of `splat`, the machine has the vectors.
        unsafe { V::splat(operand) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> V {
        // SAFETY: by the contract of `load`, the machine has the vectors and one is at `from`.
        unsafe { V::load(from) }
    }

    #[inline(always)]
    unsafe fn add(sum: V, a: V, b: V) -> V {
        // SAFETY: by the contract of `add`, the machine has the vectors.
        unsafe { sum.add_product(a, b) }
    }
}
