//! What an engine proves about its game.

use std::time::Duration;

use super::Engine;
use super::folding::Folding;
use crate::color::Color;
use crate::exact::{Answer, KomiParameter, Limits, Report, Unsolvable, Wish};
use crate::game::Outcome;
use crate::vertex::Move;

impl Engine {
    /// The value of the present position, history included, with the moves that `wish` asks for; `time` and memory bound
    /// the search, and `report` is told what has been proved.
    ///
    /// # Errors
    /// Where the position has no value that could be computed.
    pub fn solve(
        &self,
        time: Option<Duration>,
        wish: Wish,
        report: Option<Report<'_>>,
    ) -> Result<Answer, Unsolvable> {
        let limits = self.exact_limits(time, report);
        self.table.solve(self.table.to_move(), &limits, wish)
    }

    /// The moves of `color` that keep the value of the present position, and that value, where a search of so many situations
    /// proves it.
    ///
    /// # Errors
    /// Where the position has no value that could be computed.
    pub fn keepers(
        &self,
        color: Color,
        nodes: u64,
    ) -> Result<Option<(Outcome, Vec<Move>)>, Unsolvable> {
        let limits = Limits {
            nodes: Some(nodes),
            ..self.exact_limits(None, None)
        };
        self.table.keepers(color, &limits)
    }

    /// Whether proven values overrule the search on small boards, as they do at first; a new board or ruleset keeps this.
    pub fn set_exact(&mut self, exact: bool) {
        self.exact = exact;
        self.table.set_exact(exact);
    }

    /// The komi parameter of the board, whatever is in force and stands on it.
    ///
    /// # Errors
    /// Where the famine rules cannot be played on it, or it is too large.
    pub fn komi_parameter(&self, time: Option<Duration>) -> Result<KomiParameter, Unsolvable> {
        if let (Some(_), Folding::Same) = (self.goban.space(), &self.folding) {
            return Err(Unsolvable::Rules(
                "the komi parameter is one of graphs, not of go-spaces: passes are paid there",
            ));
        }
        self.table.komi_parameter(&self.exact_limits(time, None))
    }

    fn exact_limits<'a>(
        &'a self,
        time: Option<Duration>,
        report: Option<Report<'a>>,
    ) -> Limits<'a> {
        Limits {
            time,
            nodes: None,
            memory: self.options.memory_mib.saturating_mul(1 << 20),
            stop: &self.stop,
            report,
        }
    }
}
