//! Symmetries of a rectangle.

/// Number of symmetries of a square.
pub const SYMMETRIES: usize = 8;
/// Bit of a symmetry that reverses the rows.
pub const ROWS: usize = 1;
/// Bit of a symmetry that reverses the columns.
pub const COLUMNS: usize = 2;
/// Bit of a symmetry that exchanges rows and columns, after the other two. Only a square keeps its
/// shape.
pub const AXES: usize = 4;

/// Returns the place of column `x` and row `y` in the turned rectangle, counted row by row.
/// `symmetry` is a sum of [`ROWS`], [`COLUMNS`], and [`AXES`].
pub fn turned([x, y]: [usize; 2], [width, height]: [usize; 2], symmetry: usize) -> usize {
    let x = if symmetry & COLUMNS != 0 {
        width - 1 - x
    } else {
        x
    };
    let y = if symmetry & ROWS != 0 {
        height - 1 - y
    } else {
        y
    };
    match symmetry & AXES {
        0 => y * width + x,
        _ => x * height + y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symmetry_permutes_the_places() {
        for sides in [[3, 3], [4, 2], [1, 5]] {
            let [width, height] = sides;
            for symmetry in 0..SYMMETRIES {
                let places = (0..width * height).map(|i| [i % width, i / width]);
                let mut turned: Vec<usize> =
                    places.map(|place| turned(place, sides, symmetry)).collect();
                turned.sort_unstable();
                assert!(turned.into_iter().eq(0..width * height));
            }
        }
        // The lower left corner of 3 columns and 2 rows.
        let corner = |symmetry| turned([0, 0], [3, 2], symmetry);
        assert_eq!([0, ROWS, COLUMNS, AXES].map(corner), [0, 3, 2, 0]);
        assert_eq!(turned([1, 0], [3, 2], AXES), 2);
    }
}
