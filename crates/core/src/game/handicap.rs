//! Handicap of a game: set-up stones, Black's moves before White's first, and White's bonus.

use super::Game;
use crate::board::BareBoard;
use crate::rules::Points;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;

impl<B: BareBoard> Game<B> {
    /// Sets the number of Black's handicap stones in the start. A new start has none.
    pub fn set_handicap(&mut self, stones: u32) {
        self.handicap = stones;
    }

    /// Returns the number of Black's handicap stones in the start.
    pub fn handicap(&self) -> u32 {
        self.handicap
    }

    /// Sets whether two or more moves of Black before White's first count as handicap stones.
    pub fn set_handicap_moves(&mut self, count: bool) {
        self.handicap_moves = count;
    }

    /// Returns the number of Black's handicap stones: those of the start, and Black's moves before
    /// White's first.
    ///
    /// Servers, bridges, and game records place handicap stones with `play`. A single move of Black
    /// is the first move of an even game. A start with white stones has no handicap moves.
    pub fn handicap_stones(&self) -> u32 {
        let moves = self.first_black_moves();
        let counts = self.handicap_moves && self.rules.colors == 2 && moves > 1;
        let white = |stone: &Option<Color>| stone.is_some_and(|color| color != Color::BLACK);
        if !counts || self.start.iter().any(white) {
            return self.handicap;
        }
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        self.handicap.saturating_add(moves)
    }

    /// Returns the number of Black's placements before White's first.
    ///
    /// Returns 0 if White answers them by two turns in a row, because then a position is being set
    /// up by moves. A repeated pass is no second turn.
    fn first_black_moves(&self) -> usize {
        let mut placements = 0;
        for (number, turn) in self.turns.iter().enumerate() {
            match (turn.color, turn.mv) {
                (Color::BLACK, Move::Place(_)) => placements += 1,
                (Color::BLACK, Move::Pass) => {}
                (color, mv) => {
                    let next = self.turns.get(number + 1);
                    let again = next.is_some_and(|next| {
                        next.color == color && (mv, next.mv) != (Move::Pass, Move::Pass)
                    });
                    if again {
                        return 0;
                    }
                    if mv != Move::Pass {
                        break;
                    }
                }
            }
        }
        placements
    }

    /// Returns the points that White gets for Black's handicap. None with more than two colors,
    /// because the other opponents would get nothing.
    pub fn handicap_bonus(&self) -> Points {
        match self.rules.colors {
            2 => self.rules.handicap_bonus(self.handicap_stones()),
            _ => Points::ZERO,
        }
    }
}
