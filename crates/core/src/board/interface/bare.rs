//! The board alone: its points, the stones on them, and the effect of placements.

use crate::board::region::flood;
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
pub trait BareBoard: Clone + Send + Sync + 'static {
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

    /// Returns true if groups are chains of adjacent one-point stones that live by an empty
    /// neighbor. Then the methods of [`Chains`](super::Chains) have their usual meaning.
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
pub fn flood_census<B: BareBoard>(board: &B) -> Census {
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
        let is_empty = |point| board.at(point).is_none();
        flood(board, start, &mut region, &mut seen, is_empty, |stone| {
            touched |= board.at(stone).map_or(0, |color| 1 << color.index());
        });
        let weight: i64 = region.iter().map(|&point| board.weight(point)).sum();
        match touched.count_ones() {
            0 => census.untouched += weight,
            1 => census.enclosed[touched.trailing_zeros() as usize] += weight,
            _ => {}
        }
    }
    census
}
