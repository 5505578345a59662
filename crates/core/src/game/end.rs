//! End of a game, and continuation after it.

use super::{Game, IllegalMove};
use crate::board::BareBoard;
use crate::rules::Referee;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;

impl<B: BareBoard> Game<B> {
    /// Returns true if the game is over: by resignation, by passes, or because the player to move
    /// is stuck. Under `end=passes`, a player can be stuck only if passes are paid, or are allowed
    /// only beside a legal placement.
    pub fn is_over(&self) -> bool {
        self.resigned.is_some() || self.ended_by_passes() || self.is_stuck(self.to_move())
    }

    /// Resigns for `color`, which ends the game with a loss. Undo cancels the resignation. So does
    /// a later move that the referee accepts.
    pub fn resign(&mut self, color: Color) -> Result<(), IllegalMove> {
        if color.index() >= self.rules.colors {
            return Err(IllegalMove::NoPlayer);
        }
        if self.rules.colors != 2 {
            return Err(IllegalMove::NoResignation);
        }
        if self.resigned.is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.resigned = Some(color);
        Ok(())
    }

    /// Returns the color that has resigned, or `None`.
    pub fn resigned(&self) -> Option<Color> {
        self.resigned
    }

    /// Returns a copy of a finished game that can continue. `None` if neither passes nor a
    /// resignation ended the game, or if the referee is strict.
    ///
    /// The copy has no resignation. If passes ended the game, only the last one counts in it.
    /// Clients ask for moves after the end of a game because players disagree about dead stones.
    /// Others load the record of a finished game as a problem to solve.
    pub fn reopened(&self) -> Option<Game<B>> {
        let passed = self.ended_by_passes();
        let ended = self.resigned.is_some() || passed;
        if !ended || self.rules.referee != Referee::Tolerant {
            return None;
        }
        let mut game = self.clone();
        game.resigned = None;
        if passed {
            let last = self.turns.last().filter(|turn| turn.mv == Move::Pass);
            game.tally.passed = last.map_or(0, |turn| 1 << turn.color.index());
        }
        Some(game)
    }

    /// Returns a copy of the game without resignation and in which earlier passes do not count
    /// toward its end.
    pub fn before_passes(&self) -> Game<B> {
        let mut game = self.clone();
        game.resigned = None;
        game.tally.passed = 0;
        game
    }

    /// Lets the game continue after passes have ended it, for example because players disagree
    /// about dead stones. Does nothing otherwise.
    pub fn resume(&mut self) {
        if self.ended_by_passes() {
            self.tally.passed = 0;
        }
    }
}
