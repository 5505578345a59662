//! Boards: adjacency of points, liberties, and the effect of placements. A board does not track
//! turns, passes, or scores.
//!
//! [`Board`] is the common interface:
//! - [`grid::GridBoard`] plays on rectangles and uses bit sets.
//! - [`graph::GraphBoard`] plays on any graph and uses compressed adjacency. Both update chains
//!   incrementally with the same code, [`chains`].
//! - [`mango::MangoBoard`] has weighted points. The life of a stone depends on sums of weights.
//! - [`space::SpaceBoard`] plays on go-spaces.

pub mod bits;
pub mod chains;
#[cfg(test)]
pub(crate) mod diagram;
pub mod eyes;
pub mod graph;
pub mod grid;
pub mod life;
pub mod mango;
#[cfg(test)]
pub(crate) mod reference;
mod shapes;
pub mod space;

pub use chains::{NEIGHBORHOOD_CODES, neighborhood_parts};
pub use shapes::CLASSES as SHAPE_CLASSES;

/// Maximum degree, in neighbors, for local analysis. At denser points, inspecting all neighbors for
/// shapes, captures, or priors would cost more than it gains.
pub const MAX_LOCAL_DEGREE: usize = 32;

use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;

/// Effect of a placement, computed without playing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Hash of the resulting position.
    pub hash: u64,
    /// Number of captured stones of other colors.
    pub captured: usize,
    /// Number of removed stones of the player's own color, including the placed stone.
    pub lost: usize,
    /// True if the placed stone is removed. On go-spaces, true if any own stone is removed: there,
    /// a placement may take the last liberty of stones that it does not touch.
    pub suicide: bool,
}

/// Counts of stones and empty points in a position, the basis of every score. On boards with
/// weights, each point counts its weight instead of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Number of stones of each color.
    pub stones: [i64; Color::MAX],
    /// Per color: number of points in empty regions that border stones of this color only.
    pub enclosed: [i64; Color::MAX],
    /// Number of points in empty regions that border no stone.
    pub untouched: i64,
}

/// A position on some board, and the effect of placements.
///
/// A placement puts a stone on the board. Then it removes every group of another color without
/// liberties, and then every own group without liberties. Afterward every group on the board has a
/// liberty. Positions set from outside may contain groups without liberties; the first placement
/// removes all of them, anywhere on the board.
///
/// A [`Vertex`] is the index of a point or of a placement. They differ where a stone covers several
/// points.
pub trait Board: Clone + Send + Sync + 'static {
    /// Returns the number of points.
    fn points(&self) -> usize;

    /// Returns the number of possible placements. On boards where a stone covers one point, this is
    /// the number of points.
    fn placements(&self) -> usize {
        self.points()
    }

    /// Returns true if all points that the placement `at` needs are empty.
    fn has_room(&self, at: Vertex) -> bool {
        self.at(at).is_none()
    }

    /// Calls `visit` for each point that the placement `at` colors.
    fn covered(&self, at: Vertex, mut visit: impl FnMut(Vertex)) {
        visit(at);
    }

    /// Returns the weight of `point` in a [`Census`], in units. It is 1 on boards without weights.
    fn weight(&self, _point: Vertex) -> i64 {
        1
    }

    /// Returns the score of one unit of a [`Census`]. It is 1 on boards without weights.
    fn unit(&self) -> Points {
        Points::whole(1)
    }

    /// Estimates the work of a playout from the empty board, as a number of points and neighbors
    /// visited. The default counts each once, which fits boards where a placement inspects only its
    /// surroundings.
    fn playout_work(&self) -> usize {
        (0..self.points())
            .map(|i| 1 + self.degree(Vertex::at(i)))
            .sum()
    }

    /// Returns true if groups are chains of adjacent one-point stones that live by an empty
    /// neighbor. Then the methods about chains and liberties have their usual meaning.
    ///
    /// On other boards, [`Board::ko_point`], [`Board::sole_liberty`],
    /// [`Board::neighborhood_codes`], [`Board::ring`], and [`Board::shape`] return `None`.
    /// [`Board::suggested`] returns 0, and [`Board::has_shape`] returns false. For
    /// [`Board::chain_size`], [`Board::chain`], [`Board::for_chain`], and [`Board::liberties`], a
    /// chain is a set of connected stones, or each stone is a chain without liberties.
    fn has_chains(&self) -> bool {
        true
    }

    /// Returns width and height if the board is a rectangle numbered row by row, otherwise `None`.
    /// Code that works only on rectangles uses this, such as the network.
    fn rectangle(&self) -> Option<(usize, usize)> {
        None
    }

    /// Returns the number of colors in play.
    fn colors(&self) -> usize;

    /// Returns the color of the stone on a point, or `None` if the point is empty.
    ///
    /// # Panics
    /// If the board has no such point.
    fn at(&self, point: Vertex) -> Option<Color>;

    /// Returns the Zobrist hash of the position.
    fn hash(&self) -> u64;

    /// Returns the vertices where a stone fits. The order depends on the moves made before.
    fn vacant(&self) -> &[Vertex];

    /// Returns the effect of `color` playing on the vacant vertex `at`.
    fn preview(&self, color: Color, at: Vertex) -> Preview;

    /// Places `color` on the vacant vertex `at`. Calls `removed` for every stone that leaves the
    /// board.
    fn place(&mut self, color: Color, at: Vertex, removed: impl FnMut(Vertex, Color));

    /// Plays `color` on the vacant vertex `at` as a trial move, calls `then` on the resulting
    /// board, and undoes the move. Returns the result of `then`, or `None` if the move would be
    /// suicide.
    fn with_trial_move<R>(
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

    /// Replaces the position by `position`, given in index order. Groups without liberties stay
    /// until the next placement.
    fn set_position(&mut self, position: &[Option<Color>]);

    /// Returns the neighbors of `point`.
    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_;

    /// Returns the number of neighbors of `point`.
    fn degree(&self, point: Vertex) -> usize {
        self.around(point).count()
    }

    /// Returns true if a playout may place `color` on the vacant vertex `at`: the move is not
    /// suicide and does not fill an own eye. Ignores repetition.
    fn playable(&self, color: Color, at: Vertex) -> bool;

    /// Returns true if the vacant vertex `at` is an eye of `color` that `color` should not fill
    /// (see [`eyes`]). On boards without chains: true if no stone of another color would survive
    /// there and `color` would capture nothing there.
    fn is_eye(&self, color: Color, at: Vertex) -> bool;

    /// Returns the ko point: there the latest placement captured a single stone, and recapturing it
    /// at once would capture a single stone too.
    fn ko_point(&self) -> Option<Vertex>;

    /// Returns the only liberty of the chain of the stone on `point`, or `None` if the chain is not
    /// in atari.
    fn sole_liberty(&self, point: Vertex) -> Option<Vertex>;

    /// Returns the number of stones in the chain of the stone on `point`.
    fn chain_size(&self, point: Vertex) -> usize;

    /// Returns the representative point of the chain of the stone on `point`. It is the same for
    /// all stones of the chain.
    fn chain(&self, point: Vertex) -> Vertex;

    /// Calls `visit` for each stone of the chain of the stone on `point`.
    fn for_chain(&self, point: Vertex, visit: impl FnMut(Vertex));

    /// Counts the distinct liberties of the chain of the stone on `point` and writes them to
    /// `found`. Stops at `limit` or 8.
    fn liberties(&self, point: Vertex, limit: usize, found: &mut [Vertex; 8]) -> usize;

    /// Writes to `found` the empty points around the stone at `last` where the local shape suggests
    /// a move to either player. Returns their number. It is 0 on boards without chains and where
    /// the board does not look like a square lattice.
    fn suggested(&self, _last: Vertex, _found: &mut [Vertex; 8]) -> usize {
        0
    }

    /// Writes to `found` the empty neighbors of the stone at `last`, with codes of their
    /// surroundings as seen by `color`. The codes are below [`NEIGHBORHOOD_CODES`]. Returns the
    /// number of neighbors written, or `None` if the board has no codes there: on square lattices
    /// and by default.
    fn neighborhood_codes(
        &self,
        _color: Color,
        _last: Vertex,
        _found: &mut [(Vertex, u16); MAX_LOCAL_DEGREE],
    ) -> Option<usize> {
        None
    }

    /// Returns true if the local shape around this empty point suggests a move there to either
    /// player. Always false on boards without chains.
    fn has_shape(&self, _point: Vertex) -> bool {
        false
    }

    /// Returns the eight points around `point` as a ring, or `None` if the board does not look like
    /// a square lattice there. Sides and corners alternate, in either direction. [`Vertex::NONE`]
    /// stands for points beyond an edge.
    fn ring(&self, _point: Vertex) -> Option<[Vertex; 8]> {
        None
    }

    /// Returns the number of the local shape around this empty point as seen by `color`, below
    /// [`SHAPE_CLASSES`]. Returns `None` if the point has no ring of eight points as on a square
    /// lattice. Rotations, reflections, and exchanged colors have the same number.
    fn shape(&self, _color: Color, _point: Vertex) -> Option<u16> {
        None
    }

    /// Counts stones and empty points.
    fn census(&self) -> Census {
        flood_census(self)
    }

    /// Returns the position in index order.
    fn position(&self) -> Vec<Option<Color>> {
        (0..self.points()).map(|i| self.at(Vertex::at(i))).collect()
    }
}

/// Computes the census by flood-filling empty regions. This works on every board and is the
/// reference implementation for faster versions.
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
