//! Windows: the wider surroundings of each point on boards that look like a square lattice. Such
//! boards are rectangles, cylinders, tori, and equivalent graphs.
//!
//! Distances are those of Go patterns: dx + dy + max(dx, dy). Sources are Coulom 2007, and Stern,
//! Herbrich, and Graepel, *Bayesian Pattern Ranking for Move Prediction in the Game of Go*, 2006.
//! The eight surrounding points come first, and larger distances form growing circles.

use std::sync::LazyLock;

use crate::board::Shapes;
use omnigo_base::vertex::Vertex;

/// Maximum distance of a point in a window.
const FARTHEST: i8 = 9;
/// Number of points in a window, without the middle.
pub(crate) const POINTS: usize = 60;

/// Steps from the middle to the east and to the north.
type Offset = (i8, i8);

/// Returns the distance of an offset from the middle.
pub(crate) fn distance((east, north): Offset) -> i8 {
    let (x, y) = (east.abs(), north.abs());
    x + y + x.max(y)
}

/// The offsets of a window, the nearest first.
pub(crate) static OFFSETS: LazyLock<[Offset; POINTS]> = LazyLock::new(|| {
    let side = -FARTHEST / 2..=FARTHEST / 2;
    let all = side
        .clone()
        .flat_map(|east| side.clone().map(move |north| (east, north)));
    let mut offsets: Vec<Offset> = all
        .filter(|&offset| (1..=FARTHEST).contains(&distance(offset)))
        .collect();
    offsets.sort_by_key(|&offset| (distance(offset), offset));
    std::array::from_fn(|i| offsets[i])
});

/// The eight directions, in the order of a ring.
const AROUND: [Offset; 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The last step to a point of a window: the index of the point before (`None` for the middle) and
/// the direction.
type Way = (Option<usize>, usize);

/// For each point of a window, the last step along the row and the last step along the column.
static WAYS: LazyLock<[[Option<Way>; 2]; POINTS]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let (east, north) = OFFSETS[i];
        [(east.signum(), 0), (0, north.signum())].map(|step| {
            let direction = AROUND.iter().position(|&way| way == step)?;
            let before = (east - step.0, north - step.1);
            Some((OFFSETS.iter().position(|&o| o == before), direction))
        })
    })
});

/// Orientation of the ring of a point: the place of the first direction, and whether the ring runs
/// in the order of [`AROUND`].
#[derive(Clone, Copy)]
struct Orientation {
    at: Vertex,
    first: usize,
    forward: bool,
}

impl Orientation {
    /// Returns the place of a direction in the ring of the point.
    fn place(self, direction: usize) -> usize {
        let turned = if self.forward {
            direction
        } else {
            8 - direction
        };
        (self.first + turned) % 8
    }

    /// Goes one step in a direction along a side. Returns the point there, with its orientation if
    /// it has a ring. Returns `None` beyond an edge.
    fn step<B: Shapes>(self, board: &B, direction: usize) -> Option<(Vertex, Option<Orientation>)> {
        let ring = board.ring(self.at)?;
        let next = ring[self.place(direction)];
        if next == Vertex::NONE {
            return None;
        }
        Some((next, self.carry(board, &ring, direction, next)))
    }

    /// Returns the orientation of `next`, one step from here in a direction. Returns `None` if
    /// `next` has no ring.
    fn carry<B: Shapes>(
        self,
        board: &B,
        ring: &[Vertex; 8],
        direction: usize,
        next: Vertex,
    ) -> Option<Orientation> {
        let beyond = board.ring(next)?;
        let back = beyond.iter().position(|&near| near == self.at)?;
        // A point beside the step also lies beside the step back, on the same side. It shows which
        // way the other ring runs. Every side of a ring has at least one such corner.
        let beside = |turn: usize| ring[self.place((direction + turn) % 8)];
        let side = |turn: usize| beyond[(back + turn) % 8];
        let (left, right) = (beside(7), beside(1));
        let forward = if right != Vertex::NONE {
            side(6) == right
        } else {
            side(2) == left
        };
        let mut orientation = Orientation {
            at: next,
            first: 0,
            forward,
        };
        // `back` is the place of the opposite direction.
        orientation.first = (back + 8 - orientation.place((direction + 4) % 8)) % 8;
        Some(orientation)
    }
}

/// The window of every point.
#[derive(Clone, Debug)]
pub struct Windows {
    /// [`POINTS`] entries per point. [`Vertex::NONE`] stands for points beyond an edge, and for
    /// points that holes make ambiguous.
    points: Vec<Vertex>,
}

impl Windows {
    /// Computes the windows of all points of a board.
    pub fn of<B: Shapes>(board: &B) -> Windows {
        let mut points = Vec::with_capacity(board.points() * POINTS);
        for middle in (0..board.points()).map(Vertex::at) {
            let start = Orientation {
                at: middle,
                first: 0,
                forward: true,
            };
            let mut reached: [(Vertex, Option<Orientation>); POINTS] =
                [(Vertex::NONE, None); POINTS];
            for i in 0..POINTS {
                let from = |before: Option<usize>| before.map_or(Some(start), |i| reached[i].1);
                let arrive = |&(before, direction): &Way| from(before)?.step(board, direction);
                let mut arrivals = WAYS[i].iter().flatten().filter_map(arrive);
                reached[i] = match (arrivals.next(), arrivals.next()) {
                    (None, _) => continue,
                    (Some(one), None) => one,
                    (Some((at, orientation)), Some((other, more))) if at == other => {
                        (at, orientation.or(more))
                    }
                    // Around a hole, the two ways lead to different points, so the entry stays
                    // empty.
                    (Some(_), Some(_)) => continue,
                };
            }
            points.extend(reached.map(|(at, _)| at));
        }
        Windows { points }
    }

    /// Returns the window of a point.
    #[inline]
    pub fn around(&self, at: Vertex) -> &[Vertex] {
        &self.points[at.index() * POINTS..][..POINTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shapes;
    use crate::board::diagram;

    #[test]
    fn windows_of_rectangles_contain_the_surrounding_points() {
        let (grid, graph) = diagram::both(&["..........."; 9]);
        let (grid, graph) = (Windows::of(&grid), Windows::of(&graph));
        for (x, y) in (0..11i8).flat_map(|x| (0..9i8).map(move |y| (x, y))) {
            let middle = Vertex::at(y as usize * 11 + x as usize);
            // A ring may begin anywhere and run either way, so only distances can be compared.
            let mut wanted: Vec<(i8, Vertex)> = Vec::new();
            for &(east, north) in OFFSETS.iter() {
                let inside = (0..11).contains(&(x + east)) && (0..9).contains(&(y + north));
                let point = match inside {
                    true => Vertex::at(((y + north) as usize) * 11 + (x + east) as usize),
                    false => Vertex::NONE,
                };
                wanted.push((distance((east, north)), point));
            }
            wanted.sort_unstable();
            for windows in [&grid, &graph] {
                let distances = OFFSETS.iter().map(|&offset| distance(offset));
                let mut found: Vec<(i8, Vertex)> = distances
                    .zip(windows.around(middle).iter().copied())
                    .collect();
                found.sort_unstable();
                assert_eq!(found, wanted, "{x},{y}");
            }
        }
    }

    #[test]
    fn holes_hide_only_themselves_in_every_direction() {
        // A 9×9 board without its middle point: 76 points have rings.
        let index = |x: i8, y: i8| {
            let at = 9 * y + x;
            usize::from(at.unsigned_abs()) - usize::from(at > 40)
        };
        let inside = |x: i8, y: i8| (0..9).contains(&x) && (0..9).contains(&y) && (x, y) != (4, 4);
        let places = || (0..9i8).flat_map(|y| (0..9i8).map(move |x| (x, y)));
        let mut edges = String::from("edges:");
        for (x, y) in places().filter(|&(x, y)| inside(x, y)) {
            for (x2, y2) in [(x + 1, y), (x, y + 1)] {
                if inside(x2, y2) {
                    edges.push_str(&format!("{}-{},", index(x, y), index(x2, y2)));
                }
            }
        }
        let board = diagram::graph(edges.trim_end_matches(','), &[None; 80]);
        let windows = Windows::of(&board);
        let count = |x: i8, y: i8| {
            let window = windows.around(Vertex::at(index(x, y))).iter();
            window.filter(|&&point| point != Vertex::NONE).count()
        };
        for (x, y) in places().filter(|&(x, y)| inside(x, y)) {
            let ring = board.ring(Vertex::at(index(x, y)));
            for near in ring.into_iter().flatten().filter(|&v| v != Vertex::NONE) {
                let window = windows.around(Vertex::at(index(x, y)));
                assert!(window.contains(&near), "{x},{y}");
            }
            assert_eq!(count(x, y), count(8 - x, y), "{x},{y}");
            assert_eq!(count(x, y), count(y, x), "{x},{y}");
        }
    }

    #[test]
    fn windows_wrap_around_tori_and_stop_at_edges() {
        let torus = Windows::of(&diagram::graph("torus:9x9", &[None; 81]));
        for middle in (0..81).map(Vertex::at) {
            let mut window = torus.around(middle).to_vec();
            window.sort_unstable();
            window.dedup();
            assert_eq!(window.len(), POINTS);
            assert!(!window.contains(&Vertex::NONE) && !window.contains(&middle));
        }
        let corner = Windows::of(&diagram::grid(&["........."; 9]));
        let inside = |at: usize| {
            let window = corner.around(Vertex::at(at)).iter();
            window.filter(|&&point| point != Vertex::NONE).count()
        };
        assert_eq!(inside(40), POINTS);
        // In a corner, a quarter of the window is inside: half a row, half a column, and the points
        // between.
        let quarter = OFFSETS.iter().filter(|(x, y)| *x >= 0 && *y >= 0).count();
        assert_eq!(inside(0), quarter);
    }
}
