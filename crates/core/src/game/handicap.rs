//! Handicap of a game: set-up stones, Black's moves before White's first, and White's bonus.

use super::Game;
use crate::board::BareBoard;
use crate::rules::{Bonus, Points};
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
        match self.counts_first_moves() {
            true => self.stones_after(self.first_black_moves()),
            false => self.handicap,
        }
    }

    /// Returns the number of handicap stones if Black places this number before White's first, and
    /// these count.
    fn stones_after(&self, moves: u32) -> u32 {
        match moves {
            0 | 1 => self.handicap,
            moves => self.handicap.saturating_add(moves),
        }
    }

    /// Returns White's bonus if Black places this number of stones before White's first, and these
    /// count.
    pub(super) fn bonus_for_moves(&self, moves: u32) -> Points {
        self.rules.handicap_bonus(self.stones_after(moves))
    }

    /// Returns true if Black's moves before White's first count as handicap stones.
    fn counts_first_moves(&self) -> bool {
        let white = |stone: &Option<Color>| stone.is_some_and(|color| color != Color::BLACK);
        self.handicap_moves && self.rules.colors == 2 && !self.start.iter().any(white)
    }

    /// Returns the number of Black's placements before White's first.
    ///
    /// Returns 0 if White answers them by two turns in a row, because then a position is being set
    /// up by moves. A repeated pass is no second turn.
    fn first_black_moves(&self) -> u32 {
        let mut placements = 0u32;
        for (number, turn) in self.turns.iter().enumerate() {
            match (turn.color, turn.mv) {
                (Color::BLACK, Move::Place(_)) => placements = placements.saturating_add(1),
                (Color::BLACK, Move::Pass) => {}
                _ if self.plays_twice(number) => return 0,
                (_, Move::Place(_)) => break,
                (_, Move::Pass) => {}
            }
        }
        placements
    }

    /// Returns true if the same player also made the turn after this one. A repeated pass is no
    /// second turn.
    fn plays_twice(&self, number: usize) -> bool {
        let turn = |number: usize| self.turns.get(number).map(|turn| (turn.color, turn.mv));
        let pair = turn(number).zip(turn(number + 1));
        pair.is_some_and(|(turn, next)| is_second_turn(turn, next))
    }

    /// Returns the number of Black's placements before White's first, if later moves can change
    /// White's bonus for them. `None` if the bonus is settled.
    ///
    /// `next` makes the next move, and the players then alternate.
    pub fn open_handicap(&self, next: Color) -> Option<u32> {
        if self.rules.bonus == Bonus::None || !self.counts_first_moves() {
            return None;
        }
        let mut white =
            (self.turns.iter().enumerate()).filter(|(_, turn)| turn.color != Color::BLACK);
        let settled = white.any(|(number, turn)| {
            let last = number + 1 == self.turns.len();
            self.plays_twice(number) || (turn.mv != Move::Pass && !(last && turn.color == next))
        });
        (!settled).then(|| self.first_black_moves())
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

/// Returns true if `next` is a second turn of the same player. A repeated pass is none.
pub(super) fn is_second_turn(turn: (Color, Move), next: (Color, Move)) -> bool {
    next.0 == turn.0 && (turn.1, next.1) != (Move::Pass, Move::Pass)
}
