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

/// For each point of a window how to get there: the point of the window one step nearer (`None` the middle), and the
/// direction of the step.
static WAYS: LazyLock<[(Option<usize>, usize); POINTS]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let (east, north) = OFFSETS[i];
        let step = if east.abs() >= north.abs() {
            (east.signum(), 0)
        } else {
            (0, north.signum())
        };
        let before = (east - step.0, north - step.1);
        let direction = AROUND.iter().position(|&way| way == step).unwrap_or(0);
        (OFFSETS.iter().position(|&o| o == before), direction)
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
            8 - direction % 8
        };
        (self.first + turned) % 8
    }

    /// One step in a direction along a side, keeping the bearings; `None` over an edge.
    fn step<B: Board>(self, board: &B, direction: usize) -> Option<Frame> {
        let ring = board.ring(self.at)?;
        let next = ring[self.place(direction)];
        if next == Vertex::NONE {
            return None;
        }
        let beyond = board.ring(next)?;
        let back = beyond.iter().position(|&near| near == self.at)?;
        // What lies to one side of the step lies to the same side of the way back.
        let beside = |turn: usize| ring[self.place((direction + turn) % 8)];
        let side = |turn: usize| beyond[(back + turn) % 8];
        let (left, right) = (beside(7), beside(1));
        let known = |corner: Vertex| corner != Vertex::NONE;
        let forward = if known(right) {
            side(6) == right
        } else if known(left) {
            side(2) == left
        } else {
            true
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
    /// [`POINTS`] for each point; [`Vertex::NONE`] beyond an edge.
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
            let mut frames = [None; POINTS];
            for i in 0..POINTS {
                let (before, direction) = WAYS[i];
                let from = match before {
                    Some(before) => frames[before],
                    None => Some(start),
                };
                frames[i] = from.and_then(|frame: Frame| frame.step(board, direction));
            }
            points.extend(frames.map(|frame| frame.map_or(Vertex::NONE, |frame| frame.at)));
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
