//! Memory layout of a board for the network: rows of points, each followed by one empty column,
//! with empty rows before and after.
//!
//! Every neighbor is therefore a fixed number of cells away, and one empty column serves both
//! edges. A convolution becomes one shifted matrix product per tap over consecutive cells.

use super::winograd::Tiles;

/// The number of computed cells is a multiple of this: six AMX tiles of 16 cells.
pub const GROUP: usize = 96;

/// Memory layout of a rectangle, or of several equal ones. These lie one below the other, with one
/// empty row between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLayout {
    width: usize,
    height: usize,
    boards: usize,
    /// For each cell of [`BoardLayout::cells`], true if it is a point of the board.
    inside: Box<[bool]>,
    tiles: Tiles,
}

impl BoardLayout {
    /// Sides of boards that the network supports.
    pub const SIDES: std::ops::RangeInclusive<usize> = 5..=19;

    /// Returns true if both sides of a rectangle are in [`BoardLayout::SIDES`].
    pub fn supports(width: usize, height: usize) -> bool {
        Self::SIDES.contains(&width) && Self::SIDES.contains(&height)
    }

    /// Returns the layout of a rectangle, or `None` if a side is outside [`BoardLayout::SIDES`].
    pub fn new(width: usize, height: usize) -> Option<BoardLayout> {
        Self::supports(width, height).then(|| BoardLayout::any(width, height))
    }

    /// Returns the layout of any rectangle.
    pub(super) fn any(width: usize, height: usize) -> BoardLayout {
        BoardLayout::stack(width, height, 1)
    }

    /// Returns the layout of several rectangles of these sides, at least one.
    pub(super) fn stack(width: usize, height: usize, boards: usize) -> BoardLayout {
        let (stride, span) = (width + 1, height + 1);
        let cells = (boards * span - 1) * stride;
        let is_inside = |cell: usize| {
            let (row, column) = (cell / stride, cell % stride);
            cell < cells && row % span < height && column < width
        };
        let computed = cells.next_multiple_of(GROUP);
        BoardLayout {
            width,
            height,
            boards,
            inside: (0..computed).map(is_inside).collect(),
            tiles: Tiles::new([width, height], boards, stride, width + 2),
        }
    }

    /// Returns the tiles of all boards for Winograd filtering.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Returns the number of boards.
    pub(super) fn boards(&self) -> usize {
        self.boards
    }

    /// Returns the number of points of all boards.
    pub fn points(&self) -> usize {
        self.boards * self.board_points()
    }

    /// Returns the number of points of a board.
    pub(super) fn board_points(&self) -> usize {
        self.width * self.height
    }

    /// Returns the number of cells from a board to the next.
    pub(super) fn board_cells(&self) -> usize {
        (self.height + 1) * self.stride()
    }

    /// Returns the number of rows of a board.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of points per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of cells from one row to the next.
    pub fn stride(&self) -> usize {
        self.width + 1
    }

    /// Returns the number of cells before the first point: one row and one more cell.
    pub fn margin(&self) -> usize {
        self.stride() + 1
    }

    /// Returns the number of cells that layers compute, starting at the first point; a multiple of
    /// [`GROUP`].
    pub fn cells(&self) -> usize {
        self.inside.len()
    }

    /// Returns the number of all cells: the computed ones and a margin before and after them.
    pub fn all_cells(&self) -> usize {
        self.cells() + 2 * self.margin()
    }

    /// For each computed cell, true if it is a point of the board.
    pub fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// Returns the computed cell of a point. Points are counted board by board.
    pub fn cell(&self, point: usize) -> usize {
        let (row, column) = (point / self.width, point % self.width);
        // One empty row follows each board.
        (row + row / self.height) * self.stride() + column
    }

    /// Returns the offset of a tap of a 3x3 convolution (taps counted row by row), or of the single
    /// tap of a 1x1 convolution. For the computed cell `cell`, the tap reads number `tap(…) + cell`
    /// of all cells.
    pub fn tap(&self, tap: usize, taps: usize) -> usize {
        if taps == 1 {
            return self.margin();
        }
        tap / 3 * self.stride() + tap % 3
    }

    /// Calls `each` with each tap of a filter around `point` and the point that it reads. Leaves
    /// out taps beyond the edges. Taps are counted row by row.
    #[inline(always)]
    pub(super) fn each_tap(
        &self,
        [height, width]: [usize; 2],
        point: usize,
        mut each: impl FnMut(usize, usize),
    ) {
        let (x, line) = (point % self.width, point / self.width);
        let y = line % self.height;
        // Rows and columns of the filter whose points are on the board.
        let inside = |at: usize, size: usize, side: usize| {
            (size / 2).saturating_sub(at)..size.min(side + size / 2 - at)
        };
        for row in inside(y, height, self.height) {
            let first = (line + row - height / 2) * self.width;
            for column in inside(x, width, self.width) {
                each(row * width + column, first + x + column - width / 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taps_read_the_points_around() {
        let layout = BoardLayout::stack(5, 3, 2);
        for filter in [[1, 1], [3, 3], [5, 5], [3, 7], [7, 1]] {
            for point in 0..30 {
                let mut found = Vec::new();
                layout.each_tap(filter, point, |tap, other| found.push((tap, other)));
                let first = point / 15 * 15;
                let point = point % 15;
                let reads = |tap: usize| {
                    let row = (point / 5 + tap / filter[1]).checked_sub(filter[0] / 2)?;
                    let column = (point % 5 + tap % filter[1]).checked_sub(filter[1] / 2)?;
                    (row < 3 && column < 5).then_some((tap, first + row * 5 + column))
                };
                let expected: Vec<_> = (0..filter[0] * filter[1]).filter_map(reads).collect();
                assert_eq!(found, expected, "{filter:?} {point}");
            }
        }
    }

    #[test]
    fn boards_lie_below_each_other() {
        let layout = BoardLayout::stack(4, 3, 3);
        assert_eq!((layout.points(), layout.board_points()), (36, 12));
        let cells: Vec<usize> = (0..36).map(|point| layout.cell(point)).collect();
        let inside = layout.inside().iter().enumerate();
        let points: Vec<usize> = inside
            .filter(|(_, is)| **is)
            .map(|(cell, _)| cell)
            .collect();
        assert_eq!(cells, points);
        for point in 12..36 {
            assert_eq!(cells[point], cells[point - 12] + layout.board_cells());
        }
    }

    #[test]
    fn boards_fill_whole_groups_with_little_waste() {
        for (side, cells) in [(9, 96), (13, 192), (19, 384)] {
            assert_eq!(BoardLayout::new(side, side).unwrap().cells(), cells);
        }
        assert_eq!(BoardLayout::new(4, 9), None);
        assert_eq!(BoardLayout::new(9, 20), None);
    }

    #[test]
    fn the_middle_tap_is_the_cell_and_edge_taps_are_empty() {
        let layout = BoardLayout::new(7, 5).unwrap();
        assert_eq!(layout.tap(4, 9), layout.tap(0, 1));
        let last = layout.cell(6);
        // The empty column lies to the right of the last column.
        let right = layout.tap(5, 9) + last - layout.margin();
        assert!(!layout.inside()[right]);
        // The empty column of the previous row lies to the left of the first column.
        let left = layout.tap(3, 9) + layout.cell(7) - layout.margin();
        assert!(!layout.inside()[left]);
    }
}
