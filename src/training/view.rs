//! Input planes of a game's current position.

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::features::{Extractor, RECENT_MOVES, Situation};
use crate::vertex::Vertex;

/// Feature extractor for games.
pub struct View<B: Board> {
    extractor: Extractor<B>,
}

impl<B: Board> View<B> {
    /// Returns a view with empty working space.
    pub fn new() -> View<B> {
        View {
            extractor: Extractor::default(),
        }
    }

    /// Returns the bits of each point, in index order, with `to_move` to move.
    pub fn of(&mut self, game: &Game<B>, to_move: Color) -> Vec<u32> {
        let line = Line::new(game, to_move);
        let legal: Vec<Vertex> = line.placements().collect();
        let moves = game.moves().rev().map(|(_, mv)| mv.vertex());
        let recent: Vec<Option<Vertex>> = moves.take(RECENT_MOVES).collect();
        let situation = Situation {
            to_move,
            recent: &recent,
            legal: &legal,
        };
        let mut planes = Vec::new();
        self.extractor.extract(game.board(), situation, &mut planes);
        planes
    }
}
