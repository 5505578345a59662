//! Komi that makes up for a handicap, and falls to nothing in the course of the game (Baudiš 2011).
//!
//! Behind by a handicap, nearly all playouts are lost whatever is played, and a search that goes by wins cannot tell one move
//! from another; ahead by one it plays safe and gives points away. So while a search for a move goes on early in a handicap
//! game, White has points besides komi: at first as many as playouts say that White is behind by, then fewer and fewer until
//! half of the board is filled. How much a stone is worth on this board need not be known.

use super::judge::sample;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::rules::{Points, Scoring};
use crate::vertex::Vertex;

/// Playouts that tell what the handicap is worth.
const SAMPLES: usize = 96;
/// Moves until nothing is made up for any more, as a part of the placements: one in so many.
const HORIZON: usize = 2;

/// What White has besides komi in a search of this position; nothing where there is no handicap.
pub(super) fn compensation<B: Board>(game: &Game<B>) -> Points {
    let (turns, horizon) = (game.moves().len(), game.board().placements() / HORIZON);
    let counts = match game.rules().scoring {
        Scoring::Area | Scoring::Territory | Scoring::Stones => true,
        Scoring::None => false,
    };
    if game.handicap() < 2 || game.rules().colors != 2 || !counts || turns >= horizon {
        return Points::ZERO;
    }
    let komi = game.komi() + game.handicap_bonus();
    let behind = lead(game) - komi.halves() as f64 / 2.0;
    let left = (horizon - turns) as f64 / horizon as f64;
    Points::from_halves((2.0 * behind.max(0.0) * left) as i64)
}

/// Black's area less White's as playouts end, the same ones that judge stones: light ones would have White behind by less.
fn lead<B: Board>(game: &Game<B>) -> f64 {
    let ownership = sample(game, SAMPLES);
    let share = |color| -> f64 {
        let points = (0..game.board().points()).map(Vertex::at);
        points.map(|point| ownership.share(point, color)).sum()
    };
    share(Color::BLACK) - share(Color::WHITE)
}
