//! Dynamic komi for handicap games (Baudiš 2011).
//!
//! A player far behind loses nearly all playouts, so a search that maximizes wins cannot rank the
//! moves. A player far ahead plays safe and gives points away. Early in a handicap game, each
//! search therefore gives White extra points. At first they let White win half of the playouts.
//! They shrink linearly with each move, to zero when the number of moves played reaches half the
//! number of possible placements. The value of a handicap stone need not be known.

use super::judge::play_out;
use super::ownership::owner;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::{Points, Scoring};

/// Number of playouts that estimate the value of the handicap.
const SAMPLES: usize = 96;
/// Dynamic komi reaches zero after `placements / HORIZON` moves.
const HORIZON: usize = 2;

/// Returns the points White gets in addition to komi, zero or more, for a search of this position.
///
/// Zero with fewer than two handicap stones, without a score, with other than two colors, or after
/// the horizon. Sampling stops early once `should_stop` returns true.
pub(crate) fn dynamic_komi<B: Board>(game: &Game<B>, should_stop: impl Fn() -> bool) -> Points {
    let (turns, horizon) = (game.moves().len(), game.board().placements() / HORIZON);
    let has_score = match game.rules().scoring {
        Scoring::Area | Scoring::Territory | Scoring::Stones => true,
        Scoring::None => false,
    };
    if game.handicap_stones() < 2 || game.rules().colors != 2 || !has_score || turns >= horizon {
        return Points::ZERO;
    }
    let komi = game.komi() + game.handicap_bonus();
    let behind = Points::whole(lead(game, should_stop)) - komi;
    let left = (horizon - turns) as f64 / horizon as f64;
    Points::from_halves((behind.halves().max(0) as f64 * left) as i64)
}

/// Returns Black's median lead on the final boards of the playouts, in points before komi.
///
/// No lead exceeds the board size, so a mean over lopsided playouts is too small.
fn lead<B: Board>(game: &Game<B>, should_stop: impl Fn() -> bool) -> i64 {
    let mut leads = Vec::with_capacity(SAMPLES);
    play_out(
        game.board(),
        game.rules().colors,
        SAMPLES,
        should_stop,
        |end| {
            let points = (0..end.points()).map(Vertex::at);
            let worth = |point| match owner(end, point) {
                Some(Color::BLACK) => 1,
                Some(_) => -1,
                None => 0,
            };
            leads.push(points.map(worth).sum::<i64>());
        },
    );
    leads.sort_unstable();
    leads.get(leads.len() / 2).copied().unwrap_or(0)
}
