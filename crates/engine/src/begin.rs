//! Starting games: with a new board, new rules, or a new number of players, and again from the
//! start.

use super::Engine;
use super::build::{EngineError, build_game, check_rules};
use super::point_map::PointMap;
use omnigo_base::color::Color;
use omnigo_core::rules::{Points, Ruleset};
use omnigo_graph::goban::Goban;

impl Engine {
    /// Replaces the board, the rules with their number of colors, and the komi. Starts a new game.
    ///
    /// # Errors
    /// If the rules cannot be played on that board. Nothing changes then.
    pub fn begin(&mut self, goban: Goban, rules: Ruleset, komi: Points) -> Result<(), EngineError> {
        check_rules(&goban, &rules)?;
        let point_map = PointMap::of(&goban, &goban.start);
        self.goban = goban;
        self.rebuild(point_map, rules, komi);
        self.recorded = None;
        self.restart_clocks();
        Ok(())
    }

    /// Replaces the board. Starts a new game with the current ruleset and komi.
    ///
    /// # Errors
    /// If the current rules cannot be played on it. Nothing changes then.
    pub fn set_goban(&mut self, goban: Goban) -> Result<(), EngineError> {
        let (rules, komi) = (self.game.rules().clone(), self.game.komi());
        self.begin(goban, rules, komi)
    }

    /// Sets the number of colors. Starts a new game with the current board, ruleset, and komi.
    ///
    /// # Errors
    /// If the ruleset cannot be played with that number of colors. Nothing changes then.
    pub fn set_players(&mut self, players: usize) -> Result<(), EngineError> {
        let rules = Ruleset {
            colors: players,
            ..self.game.rules().clone()
        };
        self.begin(self.goban.clone(), rules, self.game.komi())
    }

    /// Returns to the goban's starting stones, and resets the clocks.
    pub fn clear_board(&mut self) {
        let start = self.goban.start.clone();
        self.restart(&start, None);
        self.restart_clocks();
        self.games += 1;
    }

    /// Starts a game from this position of the goban, on the matching type of board. Without
    /// `first`, the board may define the first player for its starting stones. Otherwise the
    /// ruleset does, also after a change of the rules.
    pub(super) fn restart(&mut self, position: &[Option<Color>], first: Option<Color>) {
        self.recorded = None;
        let point_map = PointMap::of(&self.goban, position);
        if !point_map.is_like(&self.point_map) {
            let (rules, komi) = (self.game.rules().clone(), self.game.komi());
            self.rebuild(point_map, rules, komi);
        }
        let chosen = first.or_else(|| self.goban.first(position));
        let first = chosen.unwrap_or(self.game.rules().first);
        self.game.restart(&self.point_map.to_game(position), first);
        if chosen.is_some() {
            self.game.keep_first();
        }
    }

    /// Replaces the game by one from the goban's starting stones, on the matching type of board.
    fn rebuild(&mut self, point_map: PointMap, rules: Ruleset, komi: Points) {
        self.game = build_game(&self.goban, &point_map, rules, komi, &self.options);
        self.game.set_exact(self.exact);
        self.point_map = point_map;
    }
}
