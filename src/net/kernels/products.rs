//! How Winograd's tiles are multiplied with weights: as floats, or as pairs of shorter numbers, twice as many at once.
//!
//! An operand has 32 bits in any case, so a vector of weights has one for as many outputs as it has floats.

use std::marker::PhantomData;

use super::vector::Vector;
use crate::net::layer::{Convolution, Row};

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
    fn weights(layer: &Convolution) -> &[Row<Self::Operand>];

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
        unsafe fn factor(_: &$crate::net::layer::Convolution, (): (), _: usize, _: usize) {}

        #[inline(always)]
        unsafe fn results(sums: $vector, (): ()) -> $vector {
            sums
        }
    };
}

pub(super) use plain;

/// Floats in vectors `V`.
pub(super) struct Floats<V>(PhantomData<V>);

impl<V: Vector> Products for Floats<V> {
    type Vector = V;
    type Operand = f32;
    type Operands = V;
    const INPUTS: usize = 1;
    plain!(V);

    fn weights(layer: &Convolution) -> &[Row<f32>] {
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
