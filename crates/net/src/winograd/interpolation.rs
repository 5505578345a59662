//! Interpolation points of the Winograd transforms: 0, ±2/3, ±3/2 and ∞.
//!
//! Winograd filtering evaluates rows of cells and of taps as polynomials at these points. The
//! numbers 2/3 and 3/2 are inverses, so values at ±3/2 are not much larger than at ±2/3.

/// Number of interpolation points, and input cells along a side of a long tile. A row has four
/// outputs with all of them, and three without ∞.
pub const TILE: usize = 6;
/// Number of freqs. A *freq* is the index of a pair of interpolation points: one for the vertical
/// direction, one for the horizontal.
pub const FREQS: usize = TILE * TILE;

/// The smaller one (in absolute value) of the interpolation points other than 0 and ∞.
pub const LESS: f32 = 2.0 / 3.0;
/// The larger one.
pub const MORE: f32 = 3.0 / 2.0;
/// Square of [`LESS`].
pub const LESS_2: f32 = 4.0 / 9.0;
/// Square of [`MORE`].
pub const MORE_2: f32 = 9.0 / 4.0;
/// Sum of the two squares.
pub const BOTH_2: f32 = 97.0 / 36.0;

/// Filter transform: the coefficients of a row's three taps at each interpolation point.
///
/// Each row is divided by the interpolation's divisor at its point. Rows other than 0 and ∞ have a
/// further factor, which reduces the output transform to sums and multiply-adds.
pub const FILTER_TRANSFORM: [[f32; 3]; TILE] = {
    // With a = `LESS` and b = `MORE`: the rows ±a have the factor a / (2a² (a² − b²)), and the rows
    // ±b have b² / (2b² (b² − a²)).
    const L: f32 = 0.5 * MORE / (LESS_2 - MORE_2);
    const M: f32 = 0.5 / (MORE_2 - LESS_2);
    [
        [1.0, 0.0, 0.0],
        [L, L * LESS, L * LESS_2],
        [L, L * -LESS, L * LESS_2],
        [M, M * MORE, M * MORE_2],
        [M, M * -MORE, M * MORE_2],
        [0.0, 0.0, 1.0],
    ]
};

/// Returns the index of a pair of interpolation points. Pairs without ∞ come first, so that the
/// weights that all tiles need are adjacent.
pub const fn freq(up: usize, along: usize) -> usize {
    const LAST: usize = TILE - 1;
    match (up < LAST, along < LAST) {
        (true, true) => up * LAST + along,
        (false, true) => LAST * LAST + along,
        (true, false) => LAST * TILE + up,
        (false, false) => FREQS - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_with_those_of_the_last_point_at_the_end() {
        let places = (0..FREQS).map(|i| (freq(i / TILE, i % TILE), i));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        let last = TILE - 1;
        for (number, (place, i)) in places.into_iter().enumerate() {
            assert_eq!(place, number);
            let all = i / TILE < last && i % TILE < last;
            assert_eq!(all, place < last * last);
        }
    }
}
