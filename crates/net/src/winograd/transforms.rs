//! Winograd transforms of one row. The input transform maps six cells to values at the
//! interpolation points 0, ±2/3, ±3/2 and ∞. The output transform maps the products at these points
//! to four outputs.
//!
//! Without the last cell and ∞, the same transforms map five cells to three outputs. The sixth cell
//! affects only the value at ∞, and that value affects only the fourth output.

use super::interpolation::{BOTH_2, LESS, LESS_2, MORE, MORE_2, TILE};
use super::tiles::LONG;
use crate::kernels::vector::Vector;

/// Per interpolation point: the sum of the positive and of the negative input-transform
/// coefficients. Bounds the transformed values of inputs of one sign.
pub(crate) const REACH: [[f32; 2]; TILE] = [
    [2.0, BOTH_2],
    [1.0 + LESS, MORE_2 + MORE],
    [1.0 + MORE, MORE_2 + LESS],
    [1.0 + MORE, LESS_2 + LESS],
    [1.0 + LESS, LESS_2 + MORE],
    [2.0, BOTH_2],
];

/// Array of the values of an expression for the constants 0, 1, …, written out. Constant indices
/// let the compiler keep the array in registers.
macro_rules! each {
    (4, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2 3) };
    (6, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2 3 4 5) };
    (@ $i:ident, $value:expr, $($number:literal)*) => {
        [$({ const $i: usize = $number; $value }),*]
    };
}
pub(super) use each;

/// Input transform of one row: six cells to the values at the six interpolation points. The sixth
/// cell affects only the sixth value, so a row of five cells may leave it arbitrary.
///
/// # Safety
/// The machine must have the vectors `V`.
#[inline(always)]
pub(crate) unsafe fn input_transform_row<V: Vector>(d: [V; TILE]) -> [V; TILE] {
    // SAFETY: by this function's contract, the machine has the vectors `V`.
    unsafe {
        let both = V::splat(-BOTH_2);
        let (less, more) = (V::splat(-LESS_2), V::splat(-MORE_2));
        let (even_less, odd_less) = (d[4].add_product(d[2], more), d[3].add_product(d[1], more));
        let (even_more, odd_more) = (d[4].add_product(d[2], less), d[3].add_product(d[1], less));
        [
            d[4].plus(d[0]).add_product(d[2], both),
            even_less.add_product(odd_less, V::splat(LESS)),
            even_less.add_product(odd_less, V::splat(-LESS)),
            even_more.add_product(odd_more, V::splat(MORE)),
            even_more.add_product(odd_more, V::splat(-MORE)),
            d[5].plus(d[1]).add_product(d[3], both),
        ]
    }
}

/// Output transform of one row: the values at the six interpolation points to four outputs. The
/// sixth value affects only the fourth output, so a row of three outputs may leave it arbitrary.
///
/// # Safety
/// The machine must have the vectors `V`.
#[inline(always)]
pub(super) unsafe fn output_transform_row<V: Vector>(m: [V; TILE]) -> [V; LONG] {
    // SAFETY: by this function's contract, the machine has the vectors `V`.
    unsafe {
        let (even_less, odd_less) = (m[1].plus(m[2]), m[1].minus(m[2]));
        let (even_more, odd_more) = (m[3].plus(m[4]), m[3].minus(m[4]));
        let (less, more) = (V::splat(LESS), V::splat(MORE));
        let less_2 = V::splat(LESS_2);
        [
            m[0].add_product(even_less, more)
                .add_product(even_more, less_2),
            odd_less.add_product(odd_more, less),
            even_more.add_product(even_less, less),
            m[5].add_product(odd_less, less_2)
                .add_product(odd_more, more),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::winograd::interpolation::FILTER_TRANSFORM;

    /// A float as a vector of one number.
    impl Vector for f32 {
        const FLOATS: usize = 1;

        unsafe fn load(from: *const f32) -> f32 {
            // SAFETY: by the contract of `load`, a float is at `from`.
            unsafe { *from }
        }

        unsafe fn splat(value: f32) -> f32 {
            value
        }

        unsafe fn add_product(self, a: f32, b: f32) -> f32 {
            self + a * b
        }

        unsafe fn plus(self, other: f32) -> f32 {
            self + other
        }

        unsafe fn minus(self, other: f32) -> f32 {
            self - other
        }

        unsafe fn activate(self) -> f32 {
            unreachable!("transforms do not activate")
        }

        unsafe fn store(self, to: *mut f32) {
            // SAFETY: by the contract of `store`, `to` has room for a float.
            unsafe { *to = self }
        }

        unsafe fn prefetch<T>(_: *const T) {}
    }

    fn numbers<const N: usize>(bits: &mut u32) -> [f32; N] {
        std::array::from_fn(|_| {
            *bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*bits >> 8) as f32 / (1 << 23) as f32 - 1.0
        })
    }

    #[test]
    fn transformed_rows_equal_direct_convolutions() {
        let mut bits = 1;
        for results in [LONG, LONG - 1] {
            for _ in 0..100 {
                let (cells, taps) = (numbers::<TILE>(&mut bits), numbers::<3>(&mut bits));
                // SAFETY: operations on single floats work on every machine.
                let mut products = unsafe { input_transform_row(cells) };
                for (product, weights) in products.iter_mut().zip(FILTER_TRANSFORM) {
                    *product *= (0..3).map(|tap| weights[tap] * taps[tap]).sum::<f32>();
                }
                if results < LONG {
                    // A row of three outputs must ignore the value at ∞.
                    products[TILE - 1] = 100.0;
                }
                // SAFETY: as above.
                let found = unsafe { output_transform_row(products) };
                for (i, found) in found[..results].iter().enumerate() {
                    let expected: f32 = (0..3).map(|tap| cells[i + tap] * taps[tap]).sum();
                    assert!((found - expected).abs() < 1e-5, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_last_cell_affects_only_infinity() {
        let mut cells = [0.0; TILE];
        cells[TILE - 1] = 1.0;
        // SAFETY: operations on single floats work on every machine.
        let transformed = unsafe { input_transform_row(cells) };
        assert_eq!(transformed, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn reach_equals_the_sums_of_transform_coefficients() {
        let mut found = [[0.0; 2]; TILE];
        for cell in 0..TILE {
            let mut cells = [0.0; TILE];
            cells[cell] = 1.0;
            // SAFETY: operations on single floats work on every machine.
            let transformed = unsafe { input_transform_row(cells) };
            for (found, value) in found.iter_mut().zip(transformed) {
                found[usize::from(value < 0.0)] += value.abs();
            }
        }
        for (found, expected) in found.iter().flatten().zip(REACH.as_flattened()) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
