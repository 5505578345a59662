//! Komi that makes up for a handicap, and falls to nothing in the course of the game (Baudiš 2011).
//!
//! Behind by a handicap, nearly all playouts are lost whatever is played, and a search that goes by wins cannot tell one move
//! from another; ahead by one it plays safe and gives points away. So while a search for a move goes on early in a handicap
//! game, White has points besides komi: at first as many as make half of the playouts White's, then fewer and fewer until
//! half of the board is filled. How much a stone is worth on this board need not be known.

use super::judge::play_out;
use super::ownership::owner;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::rules::{Points, Scoring};
use crate::vertex::Vertex;

/// Playouts that tell what the handicap is worth.
const SAMPLES: usize = 96;
/// Moves until nothing is made up for any more, as a part of the placements: one in so many.
const HORIZON: usize = 2;

/// What White has besides komi in a search of this position, as far as is known when `enough` says so; nothing where there is no
/// handicap.
pub(super) fn compensation<B: Board>(game: &Game<B>, enough: impl Fn() -> bool) -> Points {
    let (turns, horizon) = (game.moves().len(), game.board().placements() / HORIZON);
    let counts = match game.rules().scoring {
        Scoring::Area | Scoring::Territory | Scoring::Stones => true,
        Scoring::None => false,
    };
    if game.handicap_stones() < 2 || game.rules().colors != 2 || !counts || turns >= horizon {
        return Points::ZERO;
    }
    let komi = game.komi() + game.handicap_bonus();
    let behind = Points::whole(lead(game, enough)) - komi;
    let left = (horizon - turns) as f64 / horizon as f64;
    Points::from_halves((behind.halves().max(0) as f64 * left) as i64)
}

/// By how much Black leads at the end of half of the playouts. What Black leads by on average is less, since no lead is larger
/// than the board, and would leave White losing most of them.
fn lead<B: Board>(game: &Game<B>, enough: impl Fn() -> bool) -> i64 {
    let mut leads = Vec::with_capacity(SAMPLES);
    play_out(game.board(), game.rules().colors, SAMPLES, enough, |end| {
        let points = (0..end.points()).map(Vertex::at);
        let worth = |point| match owner(end, point) {
            Some(Color::BLACK) => 1,
            Some(_) => -1,
            None => 0,
        };
        leads.push(points.map(worth).sum::<i64>());
    });
    leads.sort_unstable();
    leads.get(leads.len() / 2).copied().unwrap_or(0)
}
