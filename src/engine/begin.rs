//! Starting a game with a new board, new rules, and a new komi in one step.

use super::Engine;
use super::folding::Folding;
use super::seat::{EngineError, admit, seat};
use crate::graph::goban::Goban;
use crate::rules::{Points, Ruleset};

impl Engine {
    /// Replaces the board, the rules with their number of colors, and the komi. Starts a new game.
    ///
    /// # Errors
    /// If the rules cannot be played on that board. Nothing changes then.
    pub fn begin(&mut self, goban: Goban, rules: Ruleset, komi: Points) -> Result<(), EngineError> {
        admit(&goban, &rules)?;
        self.folding = Folding::of(&goban, &goban.start);
        self.table = seat(&goban, &self.folding, rules, komi, &self.options);
        self.table.set_exact(self.exact);
        self.goban = goban;
        self.recorded = None;
        self.restart_clocks();
        Ok(())
    }
}
