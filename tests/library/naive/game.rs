//! Naive rules of turns: every situation is stored and compared.

use omnigo::color::Color;
use omnigo::rules::{End, Ko, KomiUse, Passing, Points, Ruleset, Scoring, Stuck, Suicide};
use omnigo::vertex::{Move, Vertex};

use super::{Coloring, Naive};

/// A game between two colors. It has no undo; tests keep copies of earlier states.
#[derive(Clone, Debug)]
pub struct NaiveGame {
    pub board: Naive,
    pub rules: Ruleset,
    pub komi: Points,
    /// Every position so far with the player to move, the current one last.
    pub situations: Vec<(Coloring, Color)>,
    pub latest: Option<(Color, Move)>,
    /// Number of consecutive passes at the end of the game so far.
    passes_in_a_row: usize,
    /// Stones captured, and passes made, per color.
    pub won: [i64; 2],
    pub passes: [i64; 2],
}

impl NaiveGame {
    pub fn new(board: Naive, rules: Ruleset, komi: Points, first: Color) -> NaiveGame {
        NaiveGame {
            situations: vec![(board.cells.clone(), first)],
            board,
            rules,
            komi,
            latest: None,
            passes_in_a_row: 0,
            won: [0; 2],
            passes: [0; 2],
        }
    }

    pub fn to_move(&self) -> Color {
        self.situations[self.situations.len() - 1].1
    }

    pub fn ended_by_passes(&self) -> bool {
        self.rules.end == End::Passes && self.passes_in_a_row >= 2
    }

    /// Returns the passes left if passes are paid, in halves.
    pub fn counter(&self, color: Color) -> i64 {
        let i = color.index();
        let own = [self.rules.black_passes, self.rules.white_passes][i].halves();
        let share = match self.rules.komi_use {
            KomiUse::Passes => [-self.komi.halves(), self.komi.halves()][i].max(0),
            KomiUse::Score | KomiUse::Ignored => 0,
        };
        match self.rules.passing {
            Passing::Prisoners => own + share + 2 * (self.won[i] - self.passes[i]),
            Passing::Free | Passing::Never => 2 * self.won[i],
        }
    }

    pub fn may_pass(&self, color: Color) -> bool {
        let affordable = match self.rules.passing {
            Passing::Free => true,
            Passing::Never => false,
            Passing::Prisoners => self.counter(color) > 0,
        };
        let stuck = self.rules.stuck == Stuck::MoveOnly && self.placements(color).is_empty();
        affordable && !stuck && !self.ended_by_passes()
    }

    /// Returns true if a stone of `color` may be placed, regardless of the end of the game.
    pub fn may_place(&self, color: Color, at: usize) -> bool {
        if self.board.cells[at].is_some() {
            return false;
        }
        let mut after = self.board.clone();
        after.place(color, at);
        let n = self.situations.len();
        if after.cells == self.board.cells {
            return false;
        }
        if self.rules.suicide == Suicide::Forbidden && after.cells[at].is_none() {
            return false;
        }
        match self.rules.ko {
            Ko::Simple => n < 2 || self.situations[n - 2].0 != after.cells,
            Ko::Positional => self.situations.iter().all(|(seen, _)| *seen != after.cells),
            Ko::Situational => !self.situations.contains(&(after.cells, color.other())),
        }
    }

    /// Returns the points where a stone of `color` may be placed, regardless of the end of the
    /// game.
    pub fn placements(&self, color: Color) -> Vec<usize> {
        (0..self.board.cells.len())
            .filter(|&v| self.may_place(color, v))
            .collect()
    }

    pub fn legal_moves(&self, color: Color) -> Vec<Move> {
        if self.ended_by_passes() {
            return Vec::new();
        }
        let places = self.placements(color).into_iter();
        let mut moves: Vec<Move> = places.map(|v| Move::Place(Vertex::at(v))).collect();
        if self.may_pass(color) {
            moves.push(Move::Pass);
        }
        moves
    }

    /// Plays a move. A second pass in a row by one color has no effect.
    pub fn play(&mut self, color: Color, mv: Move) {
        match mv {
            Move::Pass if self.latest == Some((color, Move::Pass)) => return,
            Move::Pass => {
                self.passes_in_a_row += 1;
                self.passes[color.index()] += 1;
            }
            Move::Place(at) => {
                self.passes_in_a_row = 0;
                for (_, stone) in self.board.place(color, at.index()) {
                    self.won[stone.other().index()] += 1;
                }
            }
        }
        self.latest = Some((color, mv));
        self.situations
            .push((self.board.cells.clone(), color.other()));
    }

    /// Returns Black's score minus White's, in half points.
    pub fn margin(&self) -> i64 {
        let census = self.board.census();
        let area = |i: usize| match self.rules.scoring {
            Scoring::Area => census.stones[i] + census.enclosed[i],
            Scoring::Stones => census.stones[i],
            Scoring::Territory | Scoring::None => panic!("not counted here"),
        };
        let komi = match self.rules.komi_use {
            KomiUse::Score => self.komi.halves(),
            KomiUse::Passes | KomiUse::Ignored => 0,
        };
        2 * (area(0) - area(1)) - komi
    }
}
