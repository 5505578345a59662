//! How a board lies in memory: rows of points with one empty column after each, and empty rows before and after.
//!
//! With that a neighbor is always a fixed number of cells away, one empty column serves both edges, and a convolution is as
//! many shifted matrix products as it has taps, over consecutive cells.

use super::tiles::Tiles;

/// Cells that kernels work through at a time: six tiles of sixteen.
pub const GROUP: usize = 96;

/// The layout of a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    width: usize,
    height: usize,
    /// Per cell of [`Shape::cells`], whether it is a point of the board.
    inside: Box<[bool]>,
    tiles: Tiles,
}

impl Shape {
    /// The smallest and the largest side of boards that a network sees.
    pub const SIDES: std::ops::RangeInclusive<usize> = 5..=19;

    /// The layout of this rectangle, `None` where a side is out of [`Shape::SIDES`].
    pub fn new(width: usize, height: usize) -> Option<Shape> {
        if !Self::SIDES.contains(&width) || !Self::SIDES.contains(&height) {
            return None;
        }
        let cells = (height * (width + 1)).next_multiple_of(GROUP);
        let inside = (0..cells)
            .map(|cell| cell < height * (width + 1) && cell % (width + 1) < width)
            .collect();
        Some(Shape {
            width,
            height,
            inside,
            tiles: Tiles::new(width, height, width + 1, width + 2),
        })
    }

    /// The board in tiles for Winograd's filtering.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Points of the board.
    pub fn points(&self) -> usize {
        self.width * self.height
    }

    /// Cells from one row to the next.
    pub fn stride(&self) -> usize {
        self.width + 1
    }

    /// Cells before the first point: a row, and one to the left of it.
    pub fn margin(&self) -> usize {
        self.stride() + 1
    }

    /// Cells that layers compute, a multiple of [`GROUP`], from the first point on.
    pub fn cells(&self) -> usize {
        self.inside.len()
    }

    /// Cells in all: the computed ones and a margin on both sides.
    pub fn all_cells(&self) -> usize {
        self.cells() + 2 * self.margin()
    }

    /// Whether each computed cell is a point of the board.
    pub fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// The computed cell of a point.
    pub fn cell(&self, point: usize) -> usize {
        point / self.width * self.stride() + point % self.width
    }

    /// How far the taps of a convolution of 3x3 reach, row by row, from the margin's cell before a cell on: a tap reads the
    /// cell at `tap_offset + cell` of all cells.
    pub fn tap(&self, tap: usize, taps: usize) -> usize {
        if taps == 1 {
            return self.margin();
        }
        tap / 3 * self.stride() + tap % 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_fill_whole_groups_with_little_waste() {
        for (side, cells) in [(9, 96), (13, 192), (19, 384)] {
            assert_eq!(Shape::new(side, side).unwrap().cells(), cells);
        }
        assert_eq!(Shape::new(4, 9), None);
        assert_eq!(Shape::new(9, 20), None);
    }

    #[test]
    fn the_middle_tap_is_the_cell_itself_and_edges_see_nothing() {
        let shape = Shape::new(7, 5).unwrap();
        assert_eq!(shape.tap(4, 9), shape.tap(0, 1));
        let last = shape.cell(6);
        // To the right of the last column lies the empty column.
        let right = shape.tap(5, 9) + last - shape.margin();
        assert!(!shape.inside()[right]);
        // To the left of the first column, the empty column of the row before.
        let left = shape.tap(3, 9) + shape.cell(7) - shape.margin();
        assert!(!shape.inside()[left]);
    }
}
