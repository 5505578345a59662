//! Winograd's transforms of a row: six cells to what they are at the points 0, ±2/3, ±3/2 and ∞, and from there to four results.
//!
//! Without the last cell and the last point they are the transforms of five cells to three results: what is ∞ for six cells is no
//! part of the other points.

use super::vector::Vector;
use crate::net::interpolation::{BOTH_2, LESS, LESS_2, MORE, MORE_2, POINTS};
use crate::net::tiles::LONG;

/// Of greatest cells of one sign, what a point makes of those that it adds, and of those that it takes away.
pub(super) const REACH: [[f32; 2]; POINTS] = [
    [2.0, BOTH_2],
    [1.0 + LESS, MORE_2 + MORE],
    [1.0 + MORE, MORE_2 + LESS],
    [1.0 + MORE, LESS_2 + LESS],
    [1.0 + LESS, LESS_2 + MORE],
    [2.0, BOTH_2],
];

/// An array of what an expression is for each number from 0 on, all written out: with constants for indices, nothing has to lie in
/// memory for their sake.
macro_rules! each {
    (4, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2 3) };
    (6, $i:ident, $value:expr) => { each!(@ $i, $value, 0 1 2 3 4 5) };
    (@ $i:ident, $value:expr, $($number:literal)*) => {
        [$({ const $i: usize = $number; $value }),*]
    };
}
pub(super) use each;

/// Six cells in a row to the values at the points; of five, whatever the last one is, all but the last value.
///
/// # Safety
/// The machine has these vectors.
#[inline(always)]
pub(super) unsafe fn to_points<V: Vector>(d: [V; POINTS]) -> [V; POINTS] {
    // SAFETY: the caller's promise.
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

/// The values at the points to four results in a row; of five values, whatever the last one is, all but the last result.
///
/// # Safety
/// The machine has these vectors.
#[inline(always)]
pub(super) unsafe fn from_points<V: Vector>(m: [V; POINTS]) -> [V; LONG] {
    // SAFETY: the caller's promise.
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
    use crate::net::interpolation::TAPS;

    /// A float as a vector of one.
    impl Vector for f32 {
        const FLOATS: usize = 1;

        unsafe fn load(from: *const f32) -> f32 {
            // SAFETY: the caller's promise.
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
            // SAFETY: the caller's promise.
            unsafe { *to = self }
        }

        unsafe fn call_for<T>(_: *const T) {}
    }

    fn numbers<const N: usize>(bits: &mut u32) -> [f32; N] {
        std::array::from_fn(|_| {
            *bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*bits >> 8) as f32 / (1 << 23) as f32 - 1.0
        })
    }

    #[test]
    fn rows_by_the_points_are_plain_convolutions() {
        let mut bits = 1;
        for results in [LONG, LONG - 1] {
            for _ in 0..100 {
                let (cells, taps) = (numbers::<POINTS>(&mut bits), numbers::<3>(&mut bits));
                // SAFETY: floats need nothing of the machine.
                let mut products = unsafe { to_points(cells) };
                for (product, weights) in products.iter_mut().zip(TAPS) {
                    *product *= (0..3).map(|tap| weights[tap] * taps[tap]).sum::<f32>();
                }
                if results < LONG {
                    // What the shorter side does not see.
                    products[POINTS - 1] = 100.0;
                }
                // SAFETY: as above.
                let found = unsafe { from_points(products) };
                for (i, found) in found[..results].iter().enumerate() {
                    let expected: f32 = (0..3).map(|tap| cells[i + tap] * taps[tap]).sum();
                    assert!((found - expected).abs() < 1e-5, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_last_cell_is_seen_at_the_last_point_alone() {
        let mut cells = [0.0; POINTS];
        cells[POINTS - 1] = 1.0;
        // SAFETY: floats need nothing of the machine.
        let points = unsafe { to_points(cells) };
        assert_eq!(points, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn cells_of_one_sign_reach_so_far() {
        let mut found = [[0.0; 2]; POINTS];
        for cell in 0..POINTS {
            let mut cells = [0.0; POINTS];
            cells[cell] = 1.0;
            // SAFETY: floats need nothing of the machine.
            let points = unsafe { to_points(cells) };
            for (found, point) in found.iter_mut().zip(points) {
                found[usize::from(point < 0.0)] += point.abs();
            }
        }
        for (found, expected) in found.iter().flatten().zip(REACH.as_flattened()) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
