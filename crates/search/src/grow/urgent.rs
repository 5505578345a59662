//! Urgent moves, which a search tries at the root even if a network gives them a low probability.
//!
//! In positions unlike its training data, the network gives vital points and last liberties almost
//! no probability. The search would then never visit them. A bad urgent move costs a few visits.

use omnigo_base::vertex::Vertex;
use omnigo_core::board::region::flood;
use omnigo_core::board::{Board, MAX_LOCAL_DEGREE};

/// Maximum number of points of an empty region in which every move is urgent. Larger regions have
/// room for stones of both players.
const SMALL_REGION: usize = 6;
/// Maximum number of liberties of a chain whose liberties are urgent.
const SHORT: usize = 2;

/// Urgent points of a position. The memory is reused for the next position.
#[derive(Clone, Debug, Default)]
pub(super) struct Urgent {
    marked: Vec<bool>,
    seen: Vec<bool>,
    region: Vec<Vertex>,
}

impl Urgent {
    /// Finds the urgent points: liberties of chains with at most [`SHORT`] liberties, and points of
    /// small regions. There are none if the board has no chains. Chains whose representative has
    /// more than [`MAX_LOCAL_DEGREE`] neighbors are skipped.
    ///
    /// Takes time proportional to points plus edges.
    pub(super) fn find<B: Board>(&mut self, board: &B) {
        for marks in [&mut self.marked, &mut self.seen] {
            marks.clear();
            marks.resize(board.points(), false);
        }
        if !board.has_chains() {
            return;
        }
        let mut found = [Vertex::NONE; 8];
        for point in (0..board.points()).map(Vertex::at) {
            if board.at(point).is_none() {
                self.mark_region(board, point);
            } else if board.chain(point) == point
                && board.degree(point) <= MAX_LOCAL_DEGREE
                && let count @ 1..=SHORT = board.liberties(point, SHORT + 1, &mut found)
            {
                for liberty in &found[..count] {
                    self.marked[liberty.index()] = true;
                }
            }
        }
    }

    /// Marks the empty region of `start` if it is small and was not seen before.
    fn mark_region<B: Board>(&mut self, board: &B, start: Vertex) {
        if self.seen[start.index()] {
            return;
        }
        let Urgent { region, seen, .. } = self;
        let is_empty = |point| board.at(point).is_none();
        flood(board, start, region, seen, is_empty, |_| {});
        if self.region.len() <= SMALL_REGION {
            for point in &self.region {
                self.marked[point.index()] = true;
            }
        }
    }

    /// Returns true if `point` is urgent.
    pub(super) fn has(&self, point: Vertex) -> bool {
        self.marked.get(point.index()).is_some_and(|&marked| marked)
    }
}
