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

/// Draws a value in proportion to its whole weight, the same one on every machine. `None` if there
/// are none.
pub fn by_weight<T: Copy>(values: &[(T, usize)], random: &mut Random) -> Option<T> {
    let all: usize = values.iter().map(|(_, weight)| weight).sum();
    let mut left = random.below(all);
    for &(value, weight) in values {
        if left < weight {
            return Some(value);
        }
        left -= weight;
    }
    None
}

/// Returns weights proportional to share^(1/temperature) for values with these finite shares, which
/// need not sum to 1. The largest weight is 1, so a low temperature does not turn all of them into
/// zero. Without positive shares, all values are equally likely.
pub fn sharpened<T: Copy>(shares: &[(T, f32)], temperature: f64) -> Vec<(T, f64)> {
    let most = shares.iter().map(|&(_, share)| share).fold(0.0, f32::max);
    let relative = |share: f32| match most > 0.0 {
        true => f64::from(share) / f64::from(most),
        false => 1.0,
    };
    let weight = |share| relative(share).powf(1.0 / temperature);
    let weighted = shares.iter().map(|&(value, share)| (value, weight(share)));
    weighted.collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_temperature_keeps_the_largest_shares() {
        let weights = |shares: &[(char, f32)], temperature| {
            let weighted = sharpened(shares, temperature).into_iter();
            weighted.map(|(_, weight)| weight).collect::<Vec<_>>()
        };
        let shares = [('a', 0.25), ('b', 0.5), ('c', 0.125)];
        assert_eq!(weights(&shares, 1.0), [0.5, 1.0, 0.25]);
        assert_eq!(weights(&shares, 0.5), [0.25, 1.0, 0.0625]);
        assert_eq!(weights(&shares, 1e-300), [0.0, 1.0, 0.0]);
        assert_eq!(weights(&[('a', 3.0), ('b', 900.0)], 1e-300), [0.0, 1.0]);
        assert_eq!(weights(&[('a', 0.0), ('b', 0.0)], 1e-300), [1.0, 1.0]);
        assert!(sharpened::<char>(&[], 1.0).is_empty());
    }
}
