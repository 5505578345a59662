//! Larger shapes: the contents of the points around a move up to some distance. Known shapes are
//! those often played in games.
//!
//! Rotations, reflections, and exchanged colors give the same shape. Of several sizes, the largest
//! known shape counts, as in Coulom 2007. Each known shape is stored as 32 bits of its hash.

use std::array;
use std::sync::LazyLock;

use crate::board::Board;
use crate::patterns::windows::{OFFSETS, Windows, distance};
use omnigo_base::color::Color;
use omnigo_base::hash::{FastMap, scatter};
use omnigo_base::vertex::Vertex;

/// Distances at which the shapes end, the smallest first. The eight points around a move are a
/// separate feature.
const ENDS: [i8; 6] = [4, 5, 6, 7, 8, 9];

/// Number of symmetries of a square.
const SYMMETRIES: usize = 8;

/// Number of contents of a point other than empty: a stone of the player to move, another stone, or
/// beyond the edge.
const CONTENTS: usize = 3;

/// Hash number of each content of each point, for each symmetry.
static NUMBERS: LazyLock<Vec<[[u64; SYMMETRIES]; CONTENTS]>> = LazyLock::new(|| {
    let turned = |(east, north): (i8, i8), symmetry: usize| {
        let (x, y) = match symmetry & 3 {
            0 => (east, north),
            1 => (north, -east),
            2 => (-east, -north),
            _ => (-north, east),
        };
        if symmetry < 4 { (x, y) } else { (-x, y) }
    };
    OFFSETS
        .iter()
        .map(|&offset| {
            array::from_fn(|content| {
                array::from_fn(|symmetry| {
                    let image = turned(offset, symmetry);
                    let point = OFFSETS.iter().position(|&o| o == image).unwrap_or(0);
                    scatter((point * CONTENTS + content + 1) as u64)
                })
            })
        })
        .collect()
});

/// Number of points of a window that belong to each size.
static SIZES: LazyLock<[usize; ENDS.len()]> = LazyLock::new(|| {
    ENDS.map(|end| {
        OFFSETS
            .iter()
            .take_while(|&&offset| distance(offset) <= end)
            .count()
    })
});

/// Calls `show` with the keys of the shapes around a placement of `color` on `at`, the smallest
/// first. Stops when `show` returns false.
pub fn keys<B: Board>(
    board: &B,
    windows: &Windows,
    color: Color,
    at: Vertex,
    mut show: impl FnMut(u32) -> bool,
) {
    let window = windows.around(at);
    let mut sums = [0u64; SYMMETRIES];
    let mut from = 0;
    for (size, &to) in SIZES.iter().enumerate() {
        for (&point, numbers) in window[from..to].iter().zip(&NUMBERS[from..to]) {
            let content = if point == Vertex::NONE {
                2
            } else {
                match board.at(point) {
                    None => continue,
                    Some(stone) => usize::from(stone != color),
                }
            };
            for (sum, number) in sums.iter_mut().zip(&numbers[content]) {
                *sum = sum.wrapping_add(*number);
            }
        }
        from = to;
        let least = sums.iter().copied().fold(u64::MAX, u64::min);
        let key = (scatter(least.wrapping_add(size as u64)) >> 32) as u32;
        if !show(key) {
            return;
        }
    }
}

/// Known shapes with their numbers.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    numbers: FastMap<u32, u16>,
}

impl Patterns {
    /// Maximum number of known shapes.
    pub const MOST: usize = 48_000;

    /// Numbers the shapes in the order of `keys`. For equal keys, the first one counts.
    pub fn new(keys: impl IntoIterator<Item = u32>) -> Patterns {
        let mut numbers = FastMap::default();
        for (key, number) in keys.into_iter().zip(0u16..) {
            numbers.entry(key).or_insert(number);
        }
        Patterns { numbers }
    }

    /// Returns the number of the largest known shape around a placement, or `None`. The search
    /// stops at the first unknown size, so a shape counts only if all smaller ones inside it are
    /// known.
    #[inline]
    pub fn find<B: Board>(
        &self,
        board: &B,
        windows: &Windows,
        color: Color,
        at: Vertex,
    ) -> Option<u16> {
        let mut found = None;
        keys(board, windows, color, at, |key| {
            let number = self.numbers.get(&key).copied();
            found = number.or(found);
            number.is_some()
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BareBoard;
    use crate::board::diagram;
    use crate::policy::Terrain;

    /// Returns the keys around every empty point of a position, for Black.
    fn all<B: Board>(board: &B) -> Vec<Vec<u32>> {
        all_for(board, Color::BLACK)
    }

    fn all_for<B: Board>(board: &B, color: Color) -> Vec<Vec<u32>> {
        let terrain = Terrain::of(board);
        let windows = terrain.windows().unwrap();
        let around = |&at: &Vertex| {
            let mut found = Vec::new();
            keys(board, windows, color, at, |key| {
                found.push(key);
                true
            });
            found
        };
        let mut vacant = board.vacant().to_vec();
        vacant.sort_unstable();
        vacant.iter().map(around).collect()
    }

    const ROWS: [&str; 9] = [
        ".........",
        "..X..O...",
        "..XO.....",
        "...XO..X.",
        ".........",
        ".O....XO.",
        "..X.X.O..",
        "....O....",
        ".........",
    ];

    #[test]
    fn a_graph_has_the_shapes_of_its_grid() {
        let (grid, graph) = diagram::both(&ROWS);
        assert_eq!(all(&grid), all(&graph));
    }

    #[test]
    fn shapes_ignore_rotation_and_reflection() {
        let sorted = |rows: &[&str]| {
            let mut keys = all(&diagram::grid(rows));
            keys.sort_unstable();
            keys
        };
        let original = sorted(&ROWS);
        let mirrored: Vec<&str> = ROWS.iter().rev().copied().collect();
        assert_eq!(sorted(&mirrored), original);
        let turned: Vec<String> = (0..9)
            .map(|x| ROWS.iter().map(|row| row.as_bytes()[x] as char).collect())
            .collect();
        let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
        assert_eq!(sorted(&turned), original);
        // An additional stone makes another position. So do exchanged colors for the same player.
        let mut changed = ROWS;
        changed[4] = "....O....";
        assert_ne!(sorted(&changed), original);
        let swap = |stone| match stone {
            'X' => 'O',
            'O' => 'X',
            same => same,
        };
        let swapped: Vec<String> = ROWS.map(|row| row.chars().map(swap).collect()).to_vec();
        let swapped: Vec<&str> = swapped.iter().map(String::as_str).collect();
        assert_ne!(sorted(&swapped), original);
        let mut white = all_for(&diagram::grid(&swapped), Color::WHITE);
        white.sort_unstable();
        assert_eq!(white, original);
    }

    #[test]
    fn every_size_depends_on_the_stones_at_its_edge() {
        // Stones straight ahead at distances 2, 4, 6, and 8, and one that is too far away.
        let base = all(&diagram::graph("torus:13x13", &[None; 169]))[84].clone();
        for (steps, same) in [(1, 0), (2, 0), (3, 2), (4, 4), (5, 6)] {
            let mut stones = vec![None; 169];
            stones[84 + steps] = Some(Color::WHITE);
            let board = diagram::graph("torus:13x13", &stones);
            let found = all(&board)[84].clone();
            let agreeing = base.iter().zip(&found).take_while(|(a, b)| a == b).count();
            assert_eq!(agreeing, same, "{steps}");
        }
    }

    #[test]
    fn all_points_of_borderless_surfaces_have_equal_shapes() {
        for (spec, points) in [("torus:9x9", 81), ("torus:7x12", 84), ("klein:9x9", 81)] {
            let found = all(&diagram::graph(spec, &vec![None; points]));
            assert!(found.iter().all(|keys| *keys == found[0]), "{spec}");
        }
    }

    #[test]
    fn the_largest_known_shape_counts() {
        let board = diagram::grid(&ROWS);
        let terrain = Terrain::of(&board);
        let windows = terrain.windows().unwrap();
        let at = Vertex::at(40);
        let around = all(&board)[board.vacant().iter().filter(|v| **v < at).count()].clone();
        let find = |known: &[u32]| {
            Patterns::new(known.iter().copied()).find(&board, windows, Color::BLACK, at)
        };
        assert_eq!(find(&[]), None);
        assert_eq!(find(&[1, around[0]]), Some(1));
        assert_eq!(find(&[around[1], around[0]]), Some(0));
        // The smaller shape inside is unknown.
        assert_eq!(find(&[around[1]]), None);
    }
}
