//! The points at which Winograd's filtering sees rows of cells and of taps as polynomials: 0, ±2/3, ±3/2 and ∞.
//!
//! The two pairs of points are each other's inverse, so that at neither are numbers much greater than at the other.

/// How many; with all of them a row has four results, without ∞ three.
pub const POINTS: usize = 6;
/// Pairs of points: one from row to row, one along them.
pub const PAIRS: usize = POINTS * POINTS;

/// The lesser and the greater of the points beside 0 and ∞.
pub const LESS: f32 = 2.0 / 3.0;
pub const MORE: f32 = 3.0 / 2.0;
/// Their squares, and the sum of these.
pub const LESS_2: f32 = 4.0 / 9.0;
pub const MORE_2: f32 = 9.0 / 4.0;
pub const BOTH_2: f32 = 97.0 / 36.0;

/// What a point makes of the three taps of a row, divided by what the interpolation from there needs, and at the points beside 0
/// and ∞ multiplied such that from there to results there is nothing but sums and added products.
pub const TAPS: [[f32; 3]; POINTS] = {
    // By a / 2a² (a² − b²) at the lesser points, and by b² / 2b² (b² − a²) at the greater ones.
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

/// The place of a pair of points among all: those without ∞ first, so that the weights which all tiles need lie together.
pub const fn pair(up: usize, along: usize) -> usize {
    const LAST: usize = POINTS - 1;
    match (up < LAST, along < LAST) {
        (true, true) => up * LAST + along,
        (false, true) => LAST * LAST + along,
        (true, false) => LAST * POINTS + up,
        (false, false) => PAIRS - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_place_and_those_without_the_last_point_come_first() {
        let places = (0..PAIRS).map(|i| (pair(i / POINTS, i % POINTS), i));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        let last = POINTS - 1;
        for (number, (place, i)) in places.into_iter().enumerate() {
            assert_eq!(place, number);
            let all = i / POINTS < last && i % POINTS < last;
            assert_eq!(all, place < last * last);
        }
    }
}
