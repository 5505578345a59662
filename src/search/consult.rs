//! How a search asks its network, and what it makes of the answer.

use super::limits::Budget;
use super::results::Results;
use super::rollout::Worker;
use crate::board::Board;
use crate::color::Color;

/// With a network, every so many evaluations are followed by a playout, which tells who owns what and has so many hundredths of
/// the result: a network trained on little judges positions less well than it chooses moves.
const PLAYOUT_EVERY: u64 = 1;
pub(super) const PLAYOUT_PERCENT: u64 = 20;

impl<B: Board> Worker<'_, B> {
    /// Has the network judge the end of the line, whose legal moves have been found.
    pub(super) fn ask(&mut self, pass: bool) {
        if let Some(guide) = &mut self.guide {
            let path = self.path.iter().rev();
            let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
            guide.judge(&self.line, moves, &self.legal, pass);
        }
    }

    /// What the network says about the end of the line, and now and then a playout, which tells who owns what.
    pub(super) fn consult(&mut self, number: u64, budget: &Budget) -> Results {
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
        let halves = guide.margin();
        self.ownership.judge(guide.ownership(), to_move);
        let played = number
            .is_multiple_of(PLAYOUT_EVERY)
            .then(|| self.play_out(true, budget));
        self.margin = Some(if to_move == self.to_move {
            halves
        } else {
            -halves
        });
        match played {
            Some(played) => std::array::from_fn(|color| {
                let judged = judged[color] * (100 - PLAYOUT_PERCENT);
                (judged + played[color] * PLAYOUT_PERCENT) / 100
            }),
            None => judged,
        }
    }
}
