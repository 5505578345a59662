//! The wider surroundings of each point where a board looks like a square lattice: on a rectangle, a cylinder, a torus, or a
//! graph that is one.
//!
//! Distances are those of go players' patterns, dx + dy + max(dx, dy) (Coulom 2007; Stern, Herbrich and Graepel, *Bayesian
//! Pattern Ranking for Move Prediction in the Game of Go*, 2006): the eight points around come first, circles grow from there.

use std::sync::LazyLock;

use crate::board::Board;
use crate::vertex::Vertex;

/// The greatest distance of a point that belongs to a window.
const FARTHEST: i8 = 9;
/// Points of a window, the middle not among them.
pub(super) const POINTS: usize = 60;

/// Steps from the middle, east and north.
type Offset = (i8, i8);

/// The distance of an offset from the middle.
pub(super) fn distance((east, north): Offset) -> i8 {
    let (x, y) = (east.abs(), north.abs());
    x + y + x.max(y)
}

/// The offsets of a window, the nearest first.
pub(super) static OFFSETS: LazyLock<[Offset; POINTS]> = LazyLock::new(|| {
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

/// A step to a point of a window: from which (`None` the middle), and in which direction.
type Way = (Option<usize>, usize);

/// For each point of a window the last steps to it, along the row and along the column.
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

/// How the ring of a point lies: the place of the first direction, and whether it runs the same way round.
#[derive(Clone, Copy)]
struct Frame {
    at: Vertex,
    first: usize,
    forward: bool,
}

impl Frame {
    /// The place of a direction in the ring of the point.
    fn place(self, direction: usize) -> usize {
        let turned = if self.forward {
            direction
        } else {
            8 - direction
        };
        (self.first + turned) % 8
    }

    /// One step in a direction along a side: the point there, and its frame where it has a ring to go on from; `None` over an edge.
    fn step<B: Board>(self, board: &B, direction: usize) -> Option<(Vertex, Option<Frame>)> {
        let ring = board.ring(self.at)?;
        let next = ring[self.place(direction)];
        if next == Vertex::NONE {
            return None;
        }
        Some((next, self.carry(board, &ring, direction, next)))
    }

    /// The frame of `next`, one step from here in a direction.
    fn carry<B: Board>(
        self,
        board: &B,
        ring: &[Vertex; 8],
        direction: usize,
        next: Vertex,
    ) -> Option<Frame> {
        let beyond = board.ring(next)?;
        let back = beyond.iter().position(|&near| near == self.at)?;
        // What lies to one side of the step lies to the same side of the way back; every side of a ring has a corner.
        let beside = |turn: usize| ring[self.place((direction + turn) % 8)];
        let side = |turn: usize| beyond[(back + turn) % 8];
        let (left, right) = (beside(7), beside(1));
        let forward = if right != Vertex::NONE {
            side(6) == right
        } else {
            side(2) == left
        };
        let mut frame = Frame {
            at: next,
            first: 0,
            forward,
        };
        // `back` is the place of the opposite direction.
        frame.first = (back + 8 - frame.place((direction + 4) % 8)) % 8;
        Some(frame)
    }
}

/// The window of every point.
#[derive(Clone, Debug)]
pub struct Windows {
    /// [`POINTS`] for each point; [`Vertex::NONE`] beyond an edge, and where holes leave open what lies there.
    points: Vec<Vertex>,
}

impl Windows {
    /// Walks over the board.
    pub fn of<B: Board>(board: &B) -> Windows {
        let mut points = Vec::with_capacity(board.points() * POINTS);
        for middle in (0..board.points()).map(Vertex::at) {
            let start = Frame {
                at: middle,
                first: 0,
                forward: true,
            };
            let mut reached: [(Vertex, Option<Frame>); POINTS] = [(Vertex::NONE, None); POINTS];
            for i in 0..POINTS {
                let from = |before: Option<usize>| before.map_or(Some(start), |i| reached[i].1);
                let arrive = |&(before, direction): &Way| from(before)?.step(board, direction);
                let mut arrivals = WAYS[i].iter().flatten().filter_map(arrive);
                reached[i] = match (arrivals.next(), arrivals.next()) {
                    (None, _) => continue,
                    (Some(one), None) => one,
                    (Some((at, frame)), Some((other, more))) if at == other => (at, frame.or(more)),
                    // Around a hole, nobody can say what lies there.
                    (Some(_), Some(_)) => continue,
                };
            }
            points.extend(reached.map(|(at, _)| at));
        }
        Windows { points }
    }

    /// The window of a point.
    #[inline]
    pub fn around(&self, at: Vertex) -> &[Vertex] {
        &self.points[at.index() * POINTS..][..POINTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram;

    #[test]
    fn windows_of_a_rectangle_are_its_points_around() {
        let (grid, graph) = diagram::both(&["..........."; 9]);
        let (grid, graph) = (Windows::of(&grid), Windows::of(&graph));
        for (x, y) in (0..11i8).flat_map(|x| (0..9i8).map(move |y| (x, y))) {
            let middle = Vertex::at(y as usize * 11 + x as usize);
            // A ring may begin anywhere and run either way: distances are what remains.
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
    fn holes_hide_no_more_than_themselves_and_no_direction_counts() {
        // Nine by nine without its middle: 76 points have rings.
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
    fn windows_go_around_tori_and_stop_at_edges() {
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
        // In a corner a quarter is inside: half a row either way, and what lies between.
        let quarter = OFFSETS.iter().filter(|(x, y)| *x >= 0 && *y >= 0).count();
        assert_eq!(inside(0), quarter);
    }
}
