//! How a search asks its network, and what it makes of the answer.

use super::limits::Budget;
use super::results::Results;
use super::rollout::Worker;
use crate::board::Board;
use crate::color::Color;

impl<B: Board> Worker<'_, B> {
    /// Has the network judge the end of the line, whose legal moves have been found.
    pub(super) fn ask(&mut self, pass: bool) {
        if let Some(guide) = &mut self.guide {
            let path = self.path.iter().rev();
            let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
            guide.judge(&self.line, moves, &self.legal, pass);
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
        let counted = self.margin.unwrap_or(margin);
        let share = percent as i64;
        self.margin = Some((margin * (100 - share) + counted * share) / 100);
        std::array::from_fn(|color| {
            (judged[color] * (100 - percent) + played[color] * percent) / 100
        })
    }
}
