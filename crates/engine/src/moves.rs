//! Moves of the game: playing, undoing, and questions about them.

use super::Engine;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::game::IllegalMove;

impl Engine {
    /// Plays a move as the `play` command does. The ruleset determines which illegal moves are
    /// accepted.
    ///
    /// # Errors
    /// If the move is refused. Nothing changes then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(color, mv)
    }

    /// Checks whether the rules allow the move, as a strict referee would.
    ///
    /// # Errors
    /// The reason why the move is illegal.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.check(color, mv)
    }

    /// Plays these moves, either all or none.
    ///
    /// # Errors
    /// The number of the first illegal move, counted from 0, and the reason. Nothing changes then.
    pub fn play_all(&mut self, moves: &[(Color, Move)]) -> Result<(), (usize, IllegalMove)> {
        for (number, &(color, mv)) in moves.iter().enumerate() {
            if let Err(reason) = self.game.play(color, mv) {
                self.game.take_back(number);
                return Err((number, reason));
            }
        }
        Ok(())
    }

    /// Undoes the latest move. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        self.game.take_back(1)
    }

    /// Undoes the latest `count` moves. Returns false and changes nothing if there are fewer.
    pub fn undo_moves(&mut self, count: usize) -> bool {
        self.game.take_back(count)
    }

    /// Returns the player to move.
    pub fn to_move(&self) -> Color {
        self.game.to_move()
    }

    /// Returns the number of moves since the start or the latest set-up position.
    pub fn turns(&self) -> usize {
        self.game.turns()
    }

    /// Returns the latest move since the start or the latest set-up position, or `None`.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.game.last_move()
    }

    /// Returns the moves since the start or the latest set-up position.
    pub fn moves(&self) -> Vec<(Color, Move)> {
        self.game.moves()
    }

    /// Returns the legal placements in index order, then the pass if it is allowed.
    pub fn legal_moves(&self, color: Color) -> Vec<Move> {
        self.game.legal_moves(color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::rules::{Points, presets};
    use omnigo_graph::spec::Spec;

    #[test]
    fn a_refused_sequence_keeps_the_resignation() {
        let goban = "grid:3".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let mut engine = Engine::new(goban, rules, Points::ZERO, Options::default()).unwrap();
        engine.resign(Color::WHITE).unwrap();
        let stone = (Color::BLACK, Move::Place(Vertex::at(0)));
        let refused = engine.play_all(&[stone, stone]);
        assert_eq!(refused, Err((1, IllegalMove::Occupied)));
        assert_eq!(engine.turns(), 0);
        assert_eq!(engine.resigned(), Some(Color::WHITE));
    }
}
