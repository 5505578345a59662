//! Local shapes on square lattices: empty points where the eight surrounding points suggest a move.
//!
//! On other boards, points where two chains of a color meet replace the shapes
//! (`is_cutting_point`). In playouts there, the surroundings of the points next to the latest stone
//! replace them (`chains::neighborhoods`).
//!
//! The shapes are those of Gelly, Wang, Munos, and Teytaud (*Modification of UCT with Patterns in
//! Monte-Carlo Go*, 2006): hane, cut, and edge moves. Each is three rows of three points with the
//! move in the middle. Each also stands for its rotations, its reflections, and the same shape with
//! exchanged colors.

use std::sync::LazyLock;

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Content that a shape allows on a point around the move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Point {
    /// A stone of one player.
    One,
    /// A stone of the other player.
    Other,
    /// Anything except the first player's stone, including a point beyond the edge.
    NotOne,
    /// Anything except the other player's stone, including a point beyond the edge.
    NotOther,
    Empty,
    Any,
    Outside,
}

/// Two-bit encoding of a point around the move in a [`code`].
mod digit {
    pub const EMPTY: u16 = 0;
    pub const BLACK: u16 = 1;
    pub const WHITE: u16 = 2;
    pub const OUTSIDE: u16 = 3;
}

/// Rows from the top. `X` and `O` are stones, `x` and `o` anything except that stone, `.` is empty,
/// `#` beyond the edge, `?` anything, `*` the move.
const SHAPES: [[&str; 3]; 13] = [
    // Hane around a stone, and into the gap between two stones.
    ["XOX", ".*.", "???"],
    ["XO.", ".*.", "?.?"],
    ["XO?", "X*.", "x.?"],
    [".O.", "X*.", "..."],
    // Cuts.
    ["XO?", "O*o", "?o?"],
    ["XO?", "O*X", "???"],
    ["?X?", "O*O", "ooo"],
    ["OX?", "o*O", "???"],
    // On the edge: chase, cut off, block.
    ["X.?", "O*?", "###"],
    ["OX?", "X*O", "###"],
    ["?X?", "x*O", "###"],
    ["?XO", "x*x", "###"],
    ["?OX", "X*O", "###"],
];

/// The ring around the middle of three rows, clockwise from the top.
const RING: [(usize, usize); 8] = [
    (0, 1),
    (0, 2),
    (1, 2),
    (2, 2),
    (2, 1),
    (2, 0),
    (1, 0),
    (0, 0),
];

impl Point {
    fn read(symbol: u8) -> Point {
        match symbol {
            b'X' => Point::One,
            b'O' => Point::Other,
            b'x' => Point::NotOne,
            b'o' => Point::NotOther,
            b'.' => Point::Empty,
            b'#' => Point::Outside,
            _ => Point::Any,
        }
    }

    /// Returns true if the shape allows the content `held` on this point when `one` is the digit of
    /// the first player's stones.
    fn allows(self, held: u16, one: u16) -> bool {
        let other = digit::BLACK + digit::WHITE - one;
        match self {
            Point::One => held == one,
            Point::Other => held == other,
            Point::NotOne => held != one,
            Point::NotOther => held != other,
            Point::Empty => held == digit::EMPTY,
            Point::Any => true,
            Point::Outside => held == digit::OUTSIDE,
        }
    }
}

/// One bit per code: set if some shape fits.
static TABLE: LazyLock<Box<[u64; 1024]>> = LazyLock::new(|| {
    let mut table = Box::new([0u64; 1024]);
    for rows in SHAPES {
        let ring = RING.map(|(row, column)| Point::read(rows[row].as_bytes()[column]));
        let mut turned = ring;
        for _ in 0..4 {
            let mirrored: [Point; 8] = std::array::from_fn(|i| turned[(8 - i) % 8]);
            for ring in [turned, mirrored] {
                for one in [digit::BLACK, digit::WHITE] {
                    mark(&mut table, &ring, one, 0, 0);
                }
            }
            turned.rotate_right(2);
        }
    }
    table
});

/// Marks every code that begins with `code` in the first `place` points and fits the rest of the
/// ring.
fn mark(table: &mut [u64; 1024], ring: &[Point; 8], one: u16, place: usize, code: u16) {
    let Some(point) = ring.get(place) else {
        table[usize::from(code >> 6)] |= 1 << (code & 63);
        return;
    };
    for held in [digit::EMPTY, digit::BLACK, digit::WHITE, digit::OUTSIDE] {
        if point.allows(held, one) {
            mark(table, ring, one, place + 1, code | held << (2 * place));
        }
    }
}

/// Returns the code of a ring of cells. A cell holds a color index, 8 if it is empty, or 9 beyond
/// the edge. All colors except the first count as White.
#[inline(always)]
pub(super) fn code(cells: [u8; 8]) -> u16 {
    use digit::{BLACK, EMPTY, OUTSIDE, WHITE};
    const DIGITS: [u16; 16] = [
        BLACK, WHITE, WHITE, WHITE, WHITE, WHITE, WHITE, WHITE, EMPTY, OUTSIDE, EMPTY, EMPTY,
        EMPTY, EMPTY, EMPTY, EMPTY,
    ];
    let mut code = 0;
    for (place, cell) in cells.into_iter().enumerate() {
        code |= DIGITS[usize::from(cell & 15)] << (2 * place);
    }
    code
}

/// Number of shape classes. Rotations and reflections of a shape share one class.
pub const CLASSES: usize = 8740;

/// Class number of each code, below [`CLASSES`]. Rotations and reflections have the same number.
static NUMBERS: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut numbers = vec![u16::MAX; 1 << 16].into_boxed_slice();
    let mut next = 0;
    for code in 0..=u16::MAX {
        if numbers[usize::from(code)] != u16::MAX {
            continue;
        }
        let mut turned = code;
        for _ in 0..4 {
            turned = turned.rotate_left(4);
            numbers[usize::from(turned)] = next;
            numbers[usize::from(mirrored(turned))] = next;
        }
        next += 1;
    }
    numbers
});

/// Returns the reflected ring.
fn mirrored(code: u16) -> u16 {
    (0..8).fold(0, |mirrored, place| {
        mirrored | (code >> (2 * ((8 - place) % 8)) & 3) << (2 * place)
    })
}

/// Returns the class number of a shape as seen by `color`, whose stones take the role of Black's.
pub(super) fn class(code: u16, color: Color) -> u16 {
    let seen = if color == Color::BLACK {
        code
    } else {
        // Exchange digits 1 and 2: swap the two bits of each digit.
        (code & 0x5555) << 1 | (code & 0xaaaa) >> 1
    };
    NUMBERS[usize::from(seen)]
}

/// Returns the ring of eight points around a vertex, or `None` if the graph does not look like a
/// square lattice there.
///
/// The vertex must have two to four neighbors. Consecutive neighbors share exactly one corner,
/// other pairs share none. Four neighbors form a circle; fewer form a row, as at an edge. `corners`
/// lists pairs of neighbors with their common corner.
pub(super) fn ring(
    graph: &Graph,
    at: Vertex,
    corners: &[(Vertex, Vertex, Vertex)],
) -> Option<[Vertex; 8]> {
    let sides = graph.neighbors(at);
    let outside = Vertex::at(graph.vertices());
    let joints = match sides.len() {
        2 => 1,
        3 => 2,
        4 => 4,
        _ => return None,
    };
    let lattice = corners.len() == joints && corners.iter().all(|(_, _, x)| !sides.contains(x));
    if !lattice {
        return None;
    }
    let joined = |side: Vertex| {
        corners
            .iter()
            .filter(move |(u, w, _)| *u == side || *w == side)
    };
    // A row begins at one of its ends, a circle anywhere.
    let mut side = *sides.iter().min_by_key(|&&side| joined(side).count())?;
    let mut ring = [outside; 8];
    let mut used = [Vertex::NONE; 4];
    for step in 0..sides.len() {
        if ring.contains(&side) {
            return None;
        }
        ring[2 * step] = side;
        let Some(&(u, w, corner)) = joined(side).find(|(_, _, corner)| !used.contains(corner))
        else {
            // The end of a row.
            return (step + 1 == sides.len() && sides.len() < 4).then_some(ring);
        };
        used[step] = corner;
        ring[2 * step + 1] = corner;
        side = if u == side { w } else { u };
    }
    (sides.len() == 4 && side == ring[0]).then_some(ring)
}

/// Returns true if some shape fits the code: two bits per surrounding point, clockwise from the one
/// above.
#[inline(always)]
pub(super) fn fits(code: u16) -> bool {
    TABLE[usize::from(code >> 6)] >> (code & 63) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(rows: [&str; 3]) -> u16 {
        RING.iter()
            .enumerate()
            .fold(0, |code, (i, &(row, column))| {
                let held = match rows[row].as_bytes()[column] {
                    b'X' => digit::BLACK,
                    b'O' => digit::WHITE,
                    b'#' => digit::OUTSIDE,
                    _ => digit::EMPTY,
                };
                code | held << (2 * i)
            })
    }

    #[test]
    fn matches_the_documented_shapes() {
        // A hane, rotated, reflected, and with exchanged colors.
        for rows in [
            ["XO.", ".*.", "..."],
            [".OX", ".*.", "..."],
            ["OX.", ".*.", "..."],
            ["..X", ".*O", "..."],
            ["...", "O*.", "X.."],
        ] {
            assert!(fits(code(rows)), "{rows:?}");
        }
        // A stone that touches nothing is not a shape.
        assert!(!fits(code(["X..", ".*.", "..."])));
        // An open cut is a shape, a protected one is not.
        assert!(fits(code(["XO.", "O*.", "..."])));
        assert!(!fits(code(["XO.", "O*O", "..."])));
        assert!(!fits(code(["...", ".*.", "..."])));
        assert!(fits(code(["X..", "O*.", "###"])));
    }

    #[test]
    fn matching_ignores_rotation_and_color() {
        for code in 0..=u16::MAX {
            let turned = code.rotate_left(4);
            let swapped = (0..8).fold(0, |swapped, i| {
                let held = match code >> (2 * i) & 3 {
                    digit::BLACK => digit::WHITE,
                    digit::WHITE => digit::BLACK,
                    same => same,
                };
                swapped | held << (2 * i)
            });
            assert_eq!(fits(code), fits(turned));
            assert_eq!(fits(code), fits(swapped));
        }
    }

    #[test]
    fn classes_ignore_rotation_but_distinguish_own_stones() {
        for code in 0..=u16::MAX {
            let number = class(code, Color::BLACK);
            assert!(usize::from(number) < CLASSES);
            assert_eq!(number, class(code.rotate_left(4), Color::BLACK));
            assert_eq!(number, class(mirrored(code), Color::BLACK));
        }
        assert_eq!(
            NUMBERS.iter().max().map(|&most| usize::from(most) + 1),
            Some(CLASSES)
        );
        let (own, other) = (["XO.", "...", "..."], ["OX.", "...", "..."]);
        assert_eq!(
            class(code(own), Color::BLACK),
            class(code(other), Color::WHITE)
        );
        assert_ne!(
            class(code(own), Color::BLACK),
            class(code(other), Color::BLACK)
        );
    }

    #[test]
    fn without_a_lattice_two_adjacent_chains_are_a_shape() {
        use crate::board::graph::{Adjacency, GraphBoard};
        use crate::board::{BareBoard, Shapes};
        use std::sync::Arc;

        // A hub, vertex 5, inside a ring of five.
        let edges: Vec<(u16, u16)> = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, 5)]).collect();
        let (graph, _) = Graph::from_edges(6, &edges);
        let mut board = GraphBoard::new(Adjacency::new(Arc::new(graph)), 2).unwrap();
        let mut is_shape = |stones: &str| {
            let position: Vec<Option<Color>> = stones.chars().map(Color::from_symbol).collect();
            board.set_position(&position);
            board.has_shape(Vertex::at(5))
        };
        // True: two chains with space for a cut, or with the cutting stone present. False: one
        // chain, or one of each color.
        assert!(is_shape("X.X..."));
        assert!(is_shape("XOX..."));
        assert!(!is_shape("XX...."));
        assert!(!is_shape("XXXX.."));
        assert!(!is_shape("XO...."));
    }

    #[test]
    fn graph_boards_and_grid_boards_match_the_same_shapes() {
        use crate::board::graph::{Adjacency, GraphBoard};
        use crate::board::grid::{Grid, GridBoard};
        use crate::board::{BareBoard, Shapes};
        use omnigo_base::color::Color;
        use omnigo_graph::spec::Spec;
        use std::sync::Arc;

        // Knuth's multiplier; any random numbers would do.
        let mut state = 1u64;
        let mut below = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % bound) as usize
        };
        for (width, height) in [(2, 2), (3, 2), (3, 3), (5, 4), (9, 9)] {
            let graph = Spec::grid(width, height).unwrap().build().unwrap().graph;
            let mut graph = GraphBoard::new(Adjacency::new(Arc::clone(&graph)), 2).unwrap();
            let mut grid = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
            let mut shapes = 0;
            for _ in 0..200 {
                let position: Vec<Option<Color>> = (0..width * height)
                    .map(|_| Color::from_index(below(3)).filter(|c| c.index() < 2))
                    .collect();
                graph.set_position(&position);
                grid.set_position(&position);
                for i in 0..width * height {
                    let mut found = [[Vertex::NONE; 8]; 2];
                    let counts = [
                        graph.suggested(Vertex::at(i), &mut found[0]),
                        grid.suggested(Vertex::at(i), &mut found[1]),
                    ];
                    assert_eq!(counts[0], counts[1]);
                    shapes += counts[0];
                    found.iter_mut().for_each(|found| found.sort_unstable());
                    assert_eq!(found[0], found[1], "{width}x{height} at {i}");
                }
            }
            assert!(shapes > 0);
        }
    }
}
