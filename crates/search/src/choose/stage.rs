//! Stage of a game, by the stones on its board.

use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::Game;

/// Fraction of the points, 0…1, that stones must fill beyond the handicap to end the opening.
const OPENING: f64 = 0.2;

/// Returns the number of points that hold stones.
pub(super) fn stones<B: Board>(game: &Game<B>) -> u32 {
    let points = (0..game.board().points()).map(Vertex::at);
    points.filter(|&at| game.board().at(at).is_some()).count() as u32
}

/// Returns true if the board is less than half full, and the stones beyond the handicap fill less
/// than a fifth of the points.
pub(super) fn is_opening<B: Board>(game: &Game<B>) -> bool {
    let (stones, points) = (stones(game), game.board().points() as f64);
    let played = stones.saturating_sub(game.handicap_stones());
    f64::from(stones) < points / 2.0 && f64::from(played) < OPENING * points
}
