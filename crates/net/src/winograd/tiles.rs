//! Division of a board into tiles for Winograd filtering, and the tiles that each pair of
//! interpolation points needs.
//!
//! A side of a tile has three or four outputs. Both lengths use all interpolation points but ∞ and
//! share the weights there; only four outputs need ∞. A side therefore costs five or six products,
//! and almost no tile extends past an edge.

use std::ops::Range;

use super::interpolation::{FREQS, TILE};

/// Outputs along a long side of a tile; its input has one cell per interpolation point. A short
/// side has one output less and skips ∞.
pub const LONG: usize = TILE - 2;
/// Entry of [`Tile::output`] for a cell off the board or outside the tile.
pub const NOWHERE: u16 = u16::MAX;

/// A rectangle of outputs, and the inputs of its 3x3 convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Input cells as indices into all cells, row by row, six per row. Cells off the board are 0,
    /// an empty cell of the margin.
    pub input: [u16; FREQS],
    /// Output points as computed cells, four per row; [`NOWHERE`] if off the board or outside the
    /// tile.
    pub output: [u16; LONG * LONG],
}

/// All tiles of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    all: Box<[Tile]>,
    /// End of each kind in `all`: high, high and wide, wide, neither. High tiles have four rows of
    /// outputs, wide ones four columns.
    ends: [usize; 4],
}

impl Tiles {
    /// Returns the tiles of a number of equal rectangles, of this width and height. Their rows are
    /// `stride` cells apart and follow a margin of `margin` cells. One empty row is between two
    /// rectangles.
    pub fn new([width, height]: [usize; 2], boards: usize, stride: usize, margin: usize) -> Tiles {
        debug_assert!(boards * (height + 1) * stride + margin < usize::from(NOWHERE));
        let place = |board: usize, x: usize, y: usize| {
            let row = || board * (height + 1) + y;
            (x < width && y < height).then(|| row() * stride + x)
        };
        let tile = |board: usize, low: &Range<usize>, left: &Range<usize>| Tile {
            // `wrapping_sub` maps -1 to `usize::MAX`, which `cell` rejects as off the board.
            input: std::array::from_fn(|i| {
                let x = (left.start + i % TILE).wrapping_sub(1);
                let y = (low.start + i / TILE).wrapping_sub(1);
                place(board, x, y).map_or(0, |cell| (margin + cell) as u16)
            }),
            output: std::array::from_fn(|i| {
                let (x, y) = (left.start + i % LONG, low.start + i / LONG);
                let within = left.contains(&x) && low.contains(&y);
                let found = place(board, x, y).filter(|_| within);
                found.map_or(NOWHERE, |cell| cell as u16)
            }),
        };
        let (rows, columns) = (cut(height), cut(width));
        let mut all = Vec::new();
        let is_long = |side: &Range<usize>| side.len() == LONG;
        let ends = [(true, false), (true, true), (false, true), (false, false)].map(|kind| {
            for (board, low) in
                (0..boards).flat_map(|board| rows.iter().map(move |low| (board, low)))
            {
                let columns = columns.iter();
                let columns = columns.filter(|left| (is_long(low), is_long(left)) == kind);
                all.extend(columns.map(|left| tile(board, low, left)));
            }
            all.len()
        });
        Tiles {
            all: all.into(),
            ends,
        }
    }

    /// Returns all tiles, kind by kind.
    pub fn all(&self) -> &[Tile] {
        &self.all
    }

    /// Returns the range of each kind: high, high and wide, wide, neither.
    pub fn kinds(&self) -> [Range<usize>; 4] {
        let [high, both, wide, neither] = self.ends;
        [0..high, high..both, both..wide, wide..neither]
    }

    /// Returns the range of the tiles that need a pair of interpolation points. It is contiguous,
    /// because the high and the wide tiles overlap in the order of kinds.
    pub fn at(&self, freq: usize) -> Range<usize> {
        const LAST: usize = TILE - 1;
        let [high, both, wide, all] = self.ends;
        match freq / LAST {
            0..LAST => 0..all,
            LAST => 0..both,
            TILE => high..wide,
            _ => high..both,
        }
    }
}

/// Divides a side into tiles with the fewest products, long tiles first. The last tile may extend
/// past the edge.
fn cut(side: usize) -> Vec<Range<usize>> {
    let short = LONG - 1;
    let cost = |&(longs, shorts): &(usize, usize)| longs * TILE + shorts * (TILE - 1);
    let cuts = (0..=side.div_ceil(LONG)).map(|longs| {
        let rest = side.saturating_sub(longs * LONG);
        (longs, rest.div_ceil(short))
    });
    let (longs, shorts) = cuts.min_by_key(cost).unwrap_or_default();
    let lengths = std::iter::repeat_n(LONG, longs).chain(std::iter::repeat_n(short, shorts));
    lengths
        .scan(0, |start, length| {
            let tile = *start..*start + length;
            *start = tile.end;
            Some(tile)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::BoardLayout;
    use crate::winograd::interpolation::freq;

    #[test]
    fn sides_are_cut_without_waste() {
        let lengths = |side| cut(side).iter().map(Range::len).collect::<Vec<_>>();
        assert_eq!(lengths(9), [3, 3, 3]);
        assert_eq!(lengths(13), [4, 3, 3, 3]);
        assert_eq!(lengths(19), [4, 4, 4, 4, 3]);
        for side in BoardLayout::SIDES {
            let sum: usize = lengths(side).into_iter().sum();
            // 5 is not a sum of threes and fours.
            assert_eq!(sum, side.max(6), "{side}");
        }
    }

    #[test]
    fn every_point_is_in_one_tile_that_reads_its_neighbors() {
        for width in BoardLayout::SIDES {
            for height in BoardLayout::SIDES {
                let layout = BoardLayout::stack(width, height, 1 + width % 3);
                let mut found = vec![0; layout.cells()];
                for tile in layout.tiles().all() {
                    for (i, &cell) in tile.output.iter().enumerate() {
                        if cell == NOWHERE {
                            continue;
                        }
                        let cell = usize::from(cell);
                        found[cell] += 1;
                        for tap in 0..9 {
                            let (x, y) = (i % LONG + tap % 3, i / LONG + tap / 3);
                            let seen = usize::from(tile.input[y * TILE + x]);
                            let expected = layout.tap(tap, 9) + cell;
                            let inside = expected.checked_sub(layout.margin());
                            let inside = inside
                                .and_then(|cell| layout.inside().get(cell))
                                .is_some_and(|&inside| inside);
                            assert_eq!(seen, if inside { expected } else { 0 });
                        }
                    }
                }
                for (found, &inside) in found.into_iter().zip(layout.inside()) {
                    assert_eq!(found, i32::from(inside), "{width}x{height}");
                }
            }
        }
    }

    #[test]
    fn tiles_are_multiplied_only_at_needed_points() {
        let mut numbers: Vec<_> = (0..FREQS).map(|i| freq(i / TILE, i % TILE)).collect();
        for (width, height) in [(5, 5), (5, 7), (7, 5), (9, 9), (13, 13), (19, 19)] {
            let tiles = BoardLayout::new(width, height).unwrap().tiles().clone();
            for (number, tile) in tiles.all().iter().enumerate() {
                let outside = |i: usize| tile.output[i] == NOWHERE;
                let (high, wide) = (!outside((LONG - 1) * LONG), !outside(LONG - 1));
                for (i, &at) in numbers.iter().enumerate() {
                    let last = TILE - 1;
                    let needed = (high || i / TILE < last) && (wide || i % TILE < last);
                    assert_eq!(tiles.at(at).contains(&number), needed, "{number} {i}");
                }
                let kind = tiles.kinds().iter().position(|k| k.contains(&number));
                let kinds = [(true, false), (true, true), (false, true), (false, false)];
                assert_eq!(kinds[kind.unwrap()], (high, wide));
            }
        }
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..FREQS));
    }

    #[test]
    fn products_per_board_are_as_documented() {
        for (side, products) in [(9, 225), (13, 441), (19, 841)] {
            let tiles = BoardLayout::new(side, side).unwrap().tiles().clone();
            let found: usize = (0..FREQS).map(|freq| tiles.at(freq).len()).sum();
            assert_eq!(found, products);
        }
    }
}
