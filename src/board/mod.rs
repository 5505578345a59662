//! Boards: what a stone touches, what keeps it alive, what a placement does. A board knows no turns, passes or scores.
//!
//! [`Board`] is the one interface. [`grid::GridBoard`] plays rectangles on bit sets, [`graph::GraphBoard`] any graph on
//! compressed adjacency; both keep chains incrementally with the same code, [`chains`].
//! [`mango::MangoBoard`] has weights, and life by their sums. [`space::SpaceBoard`] plays go-spaces.

pub mod bits;
mod breath;
pub mod chains;
#[cfg(test)]
pub(crate) mod diagram;
pub mod eyes;
pub mod graph;
pub mod grid;
pub mod ladder;
pub mod life;
pub mod mango;
mod nakade;
mod shapes;
pub mod space;
#[cfg(test)]
pub(crate) mod twins;

pub(crate) use breath::breathes;
pub use chains::{ROOT_CODES, root_parts};
pub(crate) use nakade::{fills_an_eye, vital_point};
pub use shapes::CLASSES as SHAPE_CLASSES;

/// Points of more neighbours are dense: to look at all of them for shapes, captures or priors would cost more than it tells.
pub const DENSE: usize = 32;

use crate::color::Color;
use crate::points::Points;
use crate::vertex::Vertex;

/// What a placement would do, told without doing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Hash of the colouring afterwards.
    pub hash: u64,
    /// Stones of other colours that it removes.
    pub captured: usize,
    /// Stones of its own colour that it removes, the placed one included.
    pub lost: usize,
    /// Whether the placed stone is among them; on go-spaces, where a placement may cost stones that it does not touch by
    /// taking their last liberty, whether any stone is.
    pub suicide: bool,
}

/// A count of the points of a colouring, from which every way of scoring is a sum. Where points have weights, their weights
/// are added up in place of ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Stones of each colour.
    pub stones: [i64; Color::MAX],
    /// Empty points from which stones of this colour, and of no other, can be reached through empty points.
    pub enclosed: [i64; Color::MAX],
    /// Empty points from which no stone can be reached.
    pub untouched: i64,
}

/// A position on some board, and what placing a stone does to it.
///
/// A placement is: put the stone, remove every group of the other colours that has no liberty, then every own group that
/// has none. After a placement every group on the board has a liberty; positions from outside may hold dead groups, which
/// the first placement clears wherever they lie.
pub trait Board: Clone + Send + Sync + 'static {
    /// Number of points.
    fn points(&self) -> usize;

    /// Number of placements: the points, on boards where a stone covers one point.
    fn placements(&self) -> usize {
        self.points()
    }

    /// Whether there is room for the placement `at`.
    fn has_room(&self, at: Vertex) -> bool {
        self.at(at).is_none()
    }

    /// Calls `visit` for each point that the placement `at` colors.
    fn covered(&self, at: Vertex, mut visit: impl FnMut(Vertex)) {
        visit(at);
    }

    /// What `point` counts in a [`Census`], in units: one, on boards without weights.
    fn weight(&self, _point: Vertex) -> i64 {
        1
    }

    /// What one unit of a [`Census`] is worth: a point, on boards without weights.
    fn unit(&self) -> Points {
        Points::whole(1)
    }

    /// Points and neighbours that a playout from the empty board goes through, more or less: each once, where a placement
    /// looks only around itself.
    fn playout_work(&self) -> usize {
        (0..self.points())
            .map(|i| 1 + self.degree(Vertex::at(i)))
            .sum()
    }

    /// Whether groups are chains of adjacent stones, one point each, that live by an empty neighbour: then the questions
    /// about chains and liberties have their usual meaning. Elsewhere their answers are neutral.
    fn has_chains(&self) -> bool {
        true
    }

    /// Width and height, where the board is a rectangle numbered row by row: what kernels for rectangles ask.
    fn rectangle(&self) -> Option<(usize, usize)> {
        None
    }

    /// Number of colours that this board tells apart.
    fn colors(&self) -> usize;

    /// The stone on a point.
    ///
    /// # Panics
    /// When the board has no such point.
    fn at(&self, point: Vertex) -> Option<Color>;

    /// Zobrist hash of the colouring.
    fn hash(&self) -> u64;

    /// Where a stone can be placed, as far as room goes; in an order that depends on the moves made so far.
    fn vacant(&self) -> &[Vertex];

    /// What `color` on the vacant vertex `at` would do.
    fn preview(&self, color: Color, at: Vertex) -> Preview;

    /// Places `color` on the vacant vertex `at` and calls `removed` for every stone that leaves the board.
    fn place(&mut self, color: Color, at: Vertex, removed: impl FnMut(Vertex, Color));

    /// What `then` finds on the board with `color` placed on the vacant vertex `at`, a placement that is taken back; `None` where
    /// it would be suicide.
    fn attempt<R>(
        &mut self,
        color: Color,
        at: Vertex,
        then: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        if self.preview(color, at).suicide {
            return None;
        }
        let mut next = self.clone();
        next.place(color, at, |_, _| {});
        Some(then(&mut next))
    }

    /// Replaces the colouring, given in index order. Groups without liberties stay until the next placement.
    fn set_position(&mut self, position: &[Option<Color>]);

    /// The points next to `point`.
    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_;

    /// Number of points next to `point`.
    fn degree(&self, point: Vertex) -> usize {
        self.around(point).count()
    }

    /// Whether a playout may place `color` on the vacant vertex `at`: no suicide, no own eye. Repetition aside.
    fn playable(&self, color: Color, at: Vertex) -> bool;

    /// Whether `at`, vacant, is an eye of `color` that its owner should not fill. See [`eyes`]; where groups are no chains, a
    /// place where nobody else's stone would stay and nothing is to be taken.
    fn is_eye(&self, color: Color, at: Vertex) -> bool;

    /// The point on which the latest placement captured a single stone that could be recaptured alone at once.
    fn ko_point(&self) -> Option<Vertex>;

    /// The only liberty of the chain of the stone on `point`, when it has just one.
    fn sole_liberty(&self, point: Vertex) -> Option<Vertex>;

    /// Number of stones in the chain of the stone on `point`.
    fn chain_size(&self, point: Vertex) -> usize;

    /// A point that stands for the chain of the stone on `point`, the same for all its stones.
    fn chain(&self, point: Vertex) -> Vertex;

    /// Calls `visit` for each stone of the chain of the stone on `point`.
    fn for_chain(&self, point: Vertex, visit: impl FnMut(Vertex));

    /// Liberties of the chain of the stone on `point`, counted up to `most`, at most 8; the distinct ones found are
    /// written to `found`.
    fn liberties(&self, point: Vertex, most: usize, found: &mut [Vertex; 8]) -> usize;

    /// Empty points around the stone at `last` where the local shape suggests a move to either player: written to `found`,
    /// their number returned. None where the board does not look like a lattice, and on boards without chains.
    fn suggested(&self, _last: Vertex, _found: &mut [Vertex; 8]) -> usize {
        0
    }

    /// Where the board does not look like a lattice around the stone at `last`: empty neighbors of it with the codes, below
    /// [`ROOT_CODES`], of what lies around them, as it looks to `color`. Written to `found`, their number returned.
    fn rooted(
        &self,
        _color: Color,
        _last: Vertex,
        _found: &mut [(Vertex, u16); DENSE],
    ) -> Option<usize> {
        None
    }

    /// Whether the local shape around this empty point suggests a move there to either player. Never on boards without chains.
    fn has_shape(&self, _point: Vertex) -> bool {
        false
    }

    /// The eight points around this one in a ring, where the board looks like a square lattice there: sides and corners in turn,
    /// clockwise or not, [`Vertex::NONE`] for those beyond an edge.
    fn ring(&self, _point: Vertex) -> Option<[Vertex; 8]> {
        None
    }

    /// The number of the local shape around this empty point as it looks to `color`, below [`SHAPE_CLASSES`], where eight points
    /// lie around as on a square lattice: the same number for rotations, reflections and exchanged colors.
    fn shape(&self, _color: Color, _point: Vertex) -> Option<u16> {
        None
    }

    /// Counts stones and empty regions.
    fn census(&self) -> Census {
        flood_census(self)
    }

    /// The colouring in index order.
    fn position(&self) -> Vec<Option<Color>> {
        (0..self.points()).map(|i| self.at(Vertex::at(i))).collect()
    }
}

/// The census by flood filling empty regions: works on every board, and is what faster ones are checked against.
pub fn flood_census<B: Board>(board: &B) -> Census {
    let mut census = Census::default();
    let mut seen = vec![false; board.points()];
    let mut region = Vec::new();
    for i in 0..board.points() {
        let start = Vertex::at(i);
        if let Some(color) = board.at(start) {
            census.stones[color.index()] += board.weight(start);
            continue;
        }
        if seen[i] {
            continue;
        }
        let mut touched = 0u32;
        seen[i] = true;
        region.clear();
        region.push(start);
        let mut next = 0;
        while let Some(&point) = region.get(next) {
            next += 1;
            for other in board.around(point) {
                match board.at(other) {
                    Some(color) => touched |= 1 << color.index(),
                    None if !seen[other.index()] => {
                        seen[other.index()] = true;
                        region.push(other);
                    }
                    None => {}
                }
            }
        }
        let weight: i64 = region.iter().map(|&point| board.weight(point)).sum();
        match touched.count_ones() {
            0 => census.untouched += weight,
            1 => census.enclosed[touched.trailing_zeros() as usize] += weight,
            _ => {}
        }
    }
    census
}
