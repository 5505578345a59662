//! What an engine proves about its game.

use std::sync::Arc;
use std::time::Duration;

use super::folding::Folding;
use super::{Engine, NotOrdinary};
use crate::color::Color;
use crate::exact::count::{Budget, Unfinished};
use crate::exact::{Answer, KomiParameter, Limits, Report, Unsolvable, Wish};
use crate::game::{LifeError, Outcome};
use crate::graph::Graph;
use crate::text::quote;
use crate::vertex::{Move, Vertex};

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

    /// The chains of `color` that cannot be captured even if it always passes, each a list of stones.
    ///
    /// # Errors
    /// Where stones do not live by adjacent empty vertices, or one has none.
    pub fn unconditional_life(&self, color: Color) -> Result<Vec<Vec<Vertex>>, LifeError> {
        Ok(self.table.unconditional_life(color)?.chains)
    }

    /// The number of sequences of exactly `depth` turns that the rules allow from here.
    ///
    /// # Errors
    /// When the budget is spent before.
    pub fn perft(&self, depth: u32, budget: &Budget<'_>) -> Result<u128, Unfinished> {
        self.table.perft(depth, budget)
    }

    /// The graph whose ordinary Go this board is, if any: stones on single vertices that live by adjacent empty ones.
    ///
    /// # Errors
    /// Says that it is another board.
    pub fn ordinary_graph(&self) -> Result<&Arc<Graph>, NotOrdinary> {
        self.goban
            .ordinary_graph()
            .ok_or_else(|| NotOrdinary::new(&self.goban))
    }

    /// Why unconditional life means nothing here, in one line with this board's words.
    pub fn life_problem(&self, error: LifeError) -> String {
        match error {
            LifeError::NoLiberties => {
                let board = quote(&self.goban.spec.to_string());
                format!("{error}, not {board}")
            }
            LifeError::DeadStone(stone) => {
                format!("at {} stands {error}", self.goban.names.alias(stone))
            }
        }
    }
}
