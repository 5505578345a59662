//! How a search asks its network, and what it makes of the answer.

use super::limits::Budget;
use super::results::Results;
use super::rollout::Worker;
use super::tree::NodeId;
use crate::board::Board;
use crate::color::Color;
use crate::policy;
use crate::vertex::{Move, Vertex};

/// Visits at which the chances of a node's moves are looked at again. Nearly all nodes have fewer, and there moves of small
/// chances are not tried anyway.
const REVIEW_AT: u32 = 64;
/// How much of a chance is then that of the weights learned from games, on large boards. On 9×9 nothing was gained by it: there the
/// network has played itself, to the end.
const LEARNED_SHARE: f32 = 0.2;
/// Up to so many points the weights have no share, from so many on all of it.
const SHARE_GROWS: [usize; 2] = [81, 169];

/// How much of a chance the weights have on a board of so many points.
fn learned_share(points: usize) -> f32 {
    let [none, all] = SHARE_GROWS;
    LEARNED_SHARE * (points.clamp(none, all) - none) as f32 / (all - none) as f32
}

impl<B: Board> Worker<'_, B> {
    /// Has the network judge the end of the line, whose legal moves have been found.
    pub(super) fn ask(&mut self, pass: bool) {
        if let Some(guide) = &mut self.guide {
            let path = self.path.iter().rev();
            let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
            guide.judge(&self.line, moves, &self.legal, pass);
        }
    }

    /// Whether the chances of the moves of this node, at the end of the line, are to be looked at again. Those with noise in them
    /// stay as they are.
    pub(super) fn is_review_due(&self, id: NodeId) -> bool {
        let noisy = self.path.is_empty() && self.shared.noise.is_some();
        let heard = learned_share(self.game.board().points()) > 0.0;
        self.guide.is_some() && heard && !noisy && self.tree.node(id).visits() >= REVIEW_AT
    }

    /// Mixes what the weights learned from games say into the chances of a node's moves. The network has hardly seen boards
    /// that are nearly full, and gives captures and rescues there no chance at all; the weights know what a capture is anywhere.
    /// They speak of placements only: a pass just gives up its share.
    pub(super) fn review(&mut self, id: NodeId) {
        let children = self.tree.children(id);
        let placed = children.iter().filter_map(|child| child.mv().vertex());
        let moves: Vec<Vertex> = placed.collect();
        let recent = self.recent();
        let chances = policy::chances(&self.line, recent, &moves, self.terrain, &mut self.scratch);
        if chances.is_empty() {
            return;
        }
        let mut chances = chances.iter().copied();
        let share = learned_share(self.game.board().points());
        for child in children {
            let learned = match child.mv() {
                Move::Place(_) => chances.next().unwrap_or(0.0),
                Move::Pass => 0.0,
            };
            child.set_chance((1.0 - share) * child.chance() + share * learned);
        }
    }

    /// What the network says about the end of the line and what a playout from there says, each by its share.
    pub(super) fn consult(&mut self, budget: &Budget) -> Results {
        if self.guide.as_ref().is_some_and(|guide| !guide.is_fresh()) {
            // Another thread is at it, or memory is used up.
            let pass = self.find_legal();
            self.ask(pass);
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
        let percent = self.shared.dissent.playout_percent();
        self.ownership.judge(guide.ownership(), to_move, percent);
        let played = self.play_out(true, budget);
        let root = self.to_move.index();
        self.shared.dissent.add(judged[root], played[root]);
        if let Some(counted) = &mut self.margin {
            let share = percent as i64;
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
