//! Starting a game with a new board, new rules, and a new komi in one step.

use super::Engine;
use super::build::{EngineError, build_game, check_rules};
use super::point_map::PointMap;
use omnigo_core::rules::{Points, Ruleset};
use omnigo_graph::goban::Goban;

impl Engine {
    /// Replaces the board, the rules with their number of colors, and the komi. Starts a new game.
    ///
    /// # Errors
    /// If the rules cannot be played on that board. Nothing changes then.
    pub fn begin(&mut self, goban: Goban, rules: Ruleset, komi: Points) -> Result<(), EngineError> {
        check_rules(&goban, &rules)?;
        self.point_map = PointMap::of(&goban, &goban.start);
        self.game = build_game(&goban, &self.point_map, rules, komi, &self.options);
        self.game.set_exact(self.exact);
        self.goban = goban;
        self.recorded = None;
        self.restart_clocks();
        Ok(())
    }
}
