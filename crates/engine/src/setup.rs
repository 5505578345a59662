//! Set-up positions, handicap stones, resignations, and results.

use super::Engine;
use omnigo_base::color::Color;
use omnigo_core::game::IllegalMove;
use omnigo_graph::handicap;

impl Engine {
    /// Ends the game: `color` loses.
    ///
    /// # Errors
    /// If the color does not play here, or the game has been resigned. Nothing changes then.
    pub fn resign(&mut self, color: Color) -> Result<(), IllegalMove> {
        self.game.resign(color)
    }

    /// Returns the color that has resigned, or `None`.
    pub fn resigned(&self) -> Option<Color> {
        self.game.resigned()
    }

    /// Ends the game if the result of a record is a resignation, such as `B+R` or `W+Resign`. Any
    /// other result, such as `B+T`, is kept until the game goes on.
    pub fn end_by_result(&mut self, result: Option<&str>) {
        /// Maximum length of a result in bytes; longer texts are no results.
        const LONGEST: usize = 100;
        let text = result.unwrap_or_default();
        let loser = match text.get(..3) {
            Some("B+R" | "b+r" | "B+r") => Color::WHITE,
            Some("W+R" | "w+r" | "W+r") => Color::BLACK,
            _ => {
                let known = !matches!(text.trim(), "" | "?") && text.len() <= LONGEST;
                self.recorded = known.then(|| (text.trim().to_string(), self.moves()));
                return;
            }
        };
        if self.rules().colors == 2 && self.resigned().is_none() {
            // This cannot fail: the color plays here, and the game has not been resigned.
            let _ = self.resign(loser);
        }
    }

    /// Returns the result in the notation of records: `B+R` after a resignation, the result in the
    /// record that was loaded, or that of a finished game. `None` if the game continues or has no
    /// result.
    pub fn result(&self) -> Option<String> {
        if self.resigned().is_none()
            && let Some((result, moves)) = &self.recorded
            && *moves == self.moves()
        {
            return Some(result.clone());
        }
        match self.resigned() {
            Some(Color::BLACK) if self.rules().colors == 2 => Some("W+R".to_string()),
            Some(_) if self.rules().colors == 2 => Some("B+R".to_string()),
            Some(_) => None,
            None if self.is_over() => self.outcome().ok().map(|outcome| outcome.to_string()),
            None => None,
        }
    }

    /// Replaces the position, and starts a new history. Without `to_move`, the board or the ruleset
    /// determines who moves first.
    ///
    /// A position of two or more stones, all black, is a handicap unless `to_move` is Black.
    pub fn set_position(&mut self, position: &[Option<Color>], to_move: Option<Color>) {
        self.restart(position, to_move);
        if to_move != Some(Color::BLACK) {
            self.game.set_handicap(self.set_up_handicap(position));
        }
    }

    /// Returns the number of handicap stones of a set-up position: its stones if all are black.
    fn set_up_handicap(&self, position: &[Option<Color>]) -> u32 {
        if self.goban.space().is_none() && position != self.goban.start {
            handicap::counted(position)
        } else {
            0
        }
    }

    /// Replaces the position by one with `stones` handicap stones. White moves next.
    pub fn set_handicap(&mut self, position: &[Option<Color>], stones: u32) {
        self.set_start(position, Some(Color::WHITE), stones);
    }

    /// Replaces the position by the start of a game in which `handicap` of Black's stones are
    /// handicap stones.
    pub fn set_start(&mut self, position: &[Option<Color>], to_move: Option<Color>, handicap: u32) {
        self.set_position(position, to_move);
        self.game.set_handicap(handicap);
    }

    /// Returns the number of Black's handicap stones, including those placed by moves.
    pub fn handicap_stones(&self) -> u32 {
        self.game.handicap_stones()
    }

    /// Returns the number of Black's handicap stones in the start position.
    pub fn handicap(&self) -> u32 {
        self.game.handicap()
    }
}
