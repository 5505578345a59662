//! Leaf evaluation of a search that a network guides, and corrections of its policy.

use super::limits::Budget;
use super::tree::NodeId;
use super::worker::Worker;
use crate::estimate::results::Results;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::policy;

/// Number of visits after which the move probabilities of a node are corrected. Most nodes have
/// fewer visits. In those, the search does not reach moves of low probability.
const REVIEW_AT: u32 = 64;
/// As [`REVIEW_AT`], but for the root, where every move may matter.
const REVIEW_ROOT_AT: u32 = 2;
/// Minimum probability of an urgent move after the correction.
const URGENT: f32 = 0.02;
/// Minimum probability of a move at the root, as a multiple of its share of the scout's visits. The
/// scout is a short search by playouts alone (`scout.rs`).
const PROPOSED: f32 = 0.25;
/// A move at the root is urgent if its share of the scout's visits is larger than this.
const PROPOSED_OFTEN: f32 = 0.05;
/// Weight, on large boards, of the policy learned from games in the corrected probabilities. It
/// brought no gain on 9x9, a size that the network learned from complete games of its own.
const LEARNED_SHARE: f32 = 0.2;
/// Board sizes in points between which that weight grows linearly from 0 to [`LEARNED_SHARE`].
const SHARE_GROWS: [usize; 2] = [81, 169];

/// Returns the weight of the learned policy on a board of `points` points.
fn learned_share(points: usize) -> f32 {
    let [none, all] = SHARE_GROWS;
    LEARNED_SHARE * (points.clamp(none, all) - none) as f32 / (all - none) as f32
}

impl<B: Board> Worker<'_, B> {
    /// Evaluates the position at the end of the line with the network. `legal` must hold the legal
    /// placements, and `pass` must be true if a pass is legal. Does nothing without a network.
    pub(super) fn run_network(&mut self, pass: bool) {
        if let Some(guide) = &mut self.guide {
            let path = self.path.iter().rev();
            let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
            guide.judge(&self.line, moves, &self.legal, pass, &mut self.random);
        }
    }

    /// Returns true if this node, at the end of the line, has enough visits to correct its move
    /// probabilities. Always false without a network that is corrected, and at a root with noise.
    pub(super) fn is_review_due(&self, id: NodeId) -> bool {
        let (at, noise) = if self.path.is_empty() {
            (REVIEW_ROOT_AT, self.shared.noise)
        } else {
            (REVIEW_AT, None)
        };
        let is_corrected = self.guide.as_ref().is_some_and(|guide| guide.is_corrected);
        is_corrected && noise.is_none() && self.tree.node(id).visits() >= at
    }

    /// Corrects the move probabilities of a node at the end of the line.
    ///
    /// The network learned from few nearly full boards and few fights over the life of chains. In
    /// such positions, it gives captures, rescues, and vital points almost no probability. The
    /// policy learned from games rates captures well everywhere, so the two are mixed. Urgent moves
    /// get a minimum probability.
    pub(super) fn review(&mut self, id: NodeId) {
        let children = self.tree.children(id);
        let placed = children.iter().filter_map(|child| child.mv().vertex());
        let moves: Vec<Vertex> = placed.collect();
        let share = learned_share(self.game.board().points());
        if share > 0.0 {
            let recent = self.recent();
            let learned =
                policy::probabilities(&self.line, recent, &moves, self.terrain, &mut self.scratch);
            // The learned policy covers placements only, so a pass just loses weight.
            let learned = moves.iter().zip(learned);
            if learned.len() > 0 {
                for child in children {
                    child.set_probability((1.0 - share) * child.probability());
                }
            }
            let mut placements = children.iter().filter(|child| child.mv() != Move::Pass);
            for (&at, &probability) in learned {
                if let Some(child) = placements.find(|child| child.mv() == Move::Place(at)) {
                    child.set_probability(child.probability() + share * probability);
                }
            }
        }
        let (board, color) = (self.line.board(), self.line.to_move());
        self.urgent.look(board);
        for child in children {
            let urgent = |at| self.urgent.has(at) && !board.is_eye(color, at);
            if child.mv().vertex().is_some_and(urgent) {
                child.mark_urgent();
                child.set_probability(child.probability().max(URGENT));
            }
        }
    }

    /// Raises the probabilities of the moves that the scout proposes at the root. Does nothing
    /// without a network.
    pub(super) fn raise_proposed_moves(&self) {
        if self.guide.is_none() {
            return;
        }
        let children = self.tree.children(self.tree.root());
        for &(mv, share) in self.shared.proposed {
            let Some(child) = children.iter().find(|child| child.mv() == mv) else {
                continue;
            };
            child.set_probability(child.probability().max(PROPOSED * share));
            if share > PROPOSED_OFTEN {
                child.mark_urgent();
            }
        }
    }

    /// Returns the blended results of the network and of a playout from the end of the line.
    /// Without corrections, the playout only estimates who owns the points.
    pub(super) fn evaluate_leaf(&mut self, budget: &Budget) -> Results {
        if self.guide.as_ref().is_some_and(|guide| !guide.is_fresh()) {
            // `expand` did not run: another thread is expanding the node, or memory is used up.
            let pass = self.find_legal();
            self.run_network(pass);
        }
        let to_move = self.line.to_move();
        let Some(guide) = &self.guide else {
            return [0; Color::MAX];
        };
        let judged = guide.results(to_move, self.game.board().points());
        let margin = if to_move == self.to_move {
            guide.margin()
        } else {
            -guide.margin()
        };
        let percent = match guide.is_blended() {
            true => self.shared.blend.playout_percent(),
            false => 0,
        };
        // Without estimates of the network, playouts alone give score and ownership.
        let share = match guide.knows_score() {
            true => percent,
            false => 100,
        };
        if guide.knows_score() {
            self.ownership.judge(guide.ownership(), to_move, percent);
        }
        let played = self.play_out(true, budget);
        let root = self.to_move.index();
        self.shared.blend.add(judged[root], played[root]);
        if let Some(counted) = &mut self.margin {
            let share = share as i64;
            *counted = (margin * (100 - share) + *counted * share) / 100;
        }
        std::array::from_fn(|color| {
            (judged[color] * (100 - percent) + played[color] * percent) / 100
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learned_weights_have_a_share_only_beyond_nine_by_nine() {
        assert_eq!(learned_share(25), 0.0);
        assert_eq!(learned_share(81), 0.0);
        assert_eq!(learned_share(125), LEARNED_SHARE / 2.0);
        assert_eq!(learned_share(361), LEARNED_SHARE);
    }
}
