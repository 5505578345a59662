//! A game of its own board, rules and komi at once.

use super::Engine;
use super::folding::Folding;
use super::seat::{EngineError, admit, seat};
use crate::graph::goban::Goban;
use crate::rules::{Points, Ruleset};

impl Engine {
    /// Replaces board, rules with their number of colors, and komi; a new game starts.
    ///
    /// # Errors
    /// When the rules cannot be played on that board; then nothing changes.
    pub fn begin(&mut self, goban: Goban, rules: Ruleset, komi: Points) -> Result<(), EngineError> {
        admit(&goban, &rules)?;
        self.folding = Folding::of(&goban, &goban.start);
        self.table = seat(&goban, &self.folding, rules, komi, &self.options);
        self.table.set_exact(self.exact);
        self.goban = goban;
        self.restart_clocks();
        Ok(())
    }
}
