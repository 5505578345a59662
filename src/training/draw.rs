//! Random choices of training games, and their results.

use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::playout::Random;
use crate::points::Points;
use crate::vertex::Move;

/// Number of equally likely values of a drawn fraction.
const STEPS: usize = 1 << 24;

/// Returns a random number from 0 to less than 1.
pub fn fraction(random: &mut Random) -> f64 {
    random.below(STEPS) as f64 / STEPS as f64
}

/// Returns true with probability `share`.
pub fn happens(random: &mut Random, share: f64) -> bool {
    fraction(random) < share
}

/// Draws a value in proportion to its weight. `None` if there are none.
pub fn weighted<T: Copy>(values: &[(T, f64)], random: &mut Random) -> Option<T> {
    let all: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mut left = fraction(random) * all;
    for &(value, weight) in values {
        if left < weight {
            return Some(value);
        }
        left -= weight;
    }
    values.last().map(|&(value, _)| value)
}

/// Returns a random legal placement, or `None` if there is none.
pub fn random_move<B: Board>(game: &Game<B>, color: Color, random: &mut Random) -> Option<Move> {
    let mut moves = game.legal_moves(color);
    moves.retain(|&mv| mv != Move::Pass);
    moves.get(random.below(moves.len())).copied()
}

/// Returns Black's score lead in the current position, or `None` without a score for two players.
pub fn margin<B: Board>(game: &Game<B>) -> Option<Points> {
    match game.scores(&[]).ok()?.as_slice() {
        &[black, white] => Some(black - white),
        _ => None,
    }
}

/// Returns a result as text, such as `B+3.5`: `R` without a margin, `0` after a draw.
pub fn result(winner: Option<Color>, margin: Option<Points>) -> String {
    let winner = match winner {
        None => return "0".to_owned(),
        Some(Color::BLACK) => "B",
        Some(_) => "W",
    };
    match margin {
        None => format!("{winner}+R"),
        Some(margin) if margin < Points::ZERO => format!("{winner}+{}", -margin),
        Some(margin) => format!("{winner}+{margin}"),
    }
}

/// Returns the winner by Black's score lead.
pub fn winner(margin: Points) -> Option<Color> {
    match margin.cmp(&Points::ZERO) {
        std::cmp::Ordering::Greater => Some(Color::BLACK),
        std::cmp::Ordering::Less => Some(Color::WHITE),
        std::cmp::Ordering::Equal => None,
    }
}
