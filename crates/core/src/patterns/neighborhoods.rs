//! Weights of answers next to the latest stone, by the code of their surroundings. They replace
//! shapes on boards that do not look like a square lattice.
//!
//! In the model, each position of a game is a contest (Bradley and Terry 1952). The contestants are
//! the empty points around the latest stone and the rest of the board. A point has the weight of
//! its code, the rest of the board the weight [`ELSEWHERE`]. The weights are in a file that `omnigo
//! fit --matches … --answers` writes.

use std::sync::LazyLock;

use omnigo_base::random::Random;
use omnigo_base::vertex::Vertex;

/// Weight of the rest of the board in games.
pub const ELSEWHERE: u16 = 1000;

/// Weight of the rest of the board in playouts. It is smaller than in games: a player has a reason
/// to play elsewhere, a playout plays there at random.
const ANYWHERE: usize = 300;

/// Weight of each code.
static WEIGHTS: LazyLock<Box<[u16]>> = LazyLock::new(|| read(include_str!("neighborhoods.txt")));

/// Returns the numbers in `text`, separated by white space. Empty if anything else is there.
fn read(text: &str) -> Box<[u16]> {
    let numbers: Result<_, _> = text.split_whitespace().map(str::parse).collect();
    numbers.unwrap_or_default()
}

/// Formats weights for the file. Each line holds the codes that differ only in joined stones and
/// short chains.
pub fn write(weights: &[u16]) -> String {
    let line = |line: &[u16]| line.iter().map(|weight| format!(" {weight}")).collect();
    let lines: Vec<String> = weights.chunks(12).map(line).collect();
    lines
        .iter()
        .map(|line| format!("{}\n", &line[1..]))
        .collect()
}

/// Draws one of the points with probability proportional to the weight of its code. Returns `None`
/// for the rest of the board.
#[inline]
pub(crate) fn draw(codes: &[(Vertex, u16)], random: &mut Random) -> Option<Vertex> {
    let weights = &**WEIGHTS;
    let weight = |code: u16| {
        weights
            .get(usize::from(code))
            .map_or(0, |&w| usize::from(w))
    };
    let sum: usize = codes.iter().map(|&(_, code)| weight(code)).sum();
    let mut left = random.below(sum + ANYWHERE);
    for &(at, code) in codes {
        let weight = weight(code);
        if left < weight {
            return Some(at);
        }
        left -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::NEIGHBORHOOD_CODES;

    #[test]
    fn every_code_has_a_weight_and_the_file_round_trips() {
        assert_eq!(WEIGHTS.len(), NEIGHBORHOOD_CODES);
        assert_eq!(write(&WEIGHTS), include_str!("neighborhoods.txt"));
    }

    #[test]
    fn points_are_drawn_by_weight() {
        let of = |code: usize| usize::from(WEIGHTS[code]);
        let best = (0..NEIGHBORHOOD_CODES)
            .max_by_key(|&code| of(code))
            .unwrap();
        let least = (0..NEIGHBORHOOD_CODES)
            .min_by_key(|&code| of(code))
            .unwrap();
        let codes = [(Vertex::at(7), best as u16), (Vertex::at(9), least as u16)];
        let mut random = Random::new(1);
        let mut counts = [0.0; 3];
        for _ in 0..10_000 {
            match draw(&codes, &mut random).map(Vertex::index) {
                Some(7) => counts[0] += 1.0,
                Some(9) => counts[1] += 1.0,
                _ => counts[2] += 1.0,
            }
        }
        let sum = (of(best) + of(least) + ANYWHERE) as f64;
        for (count, weight) in counts.into_iter().zip([of(best), of(least), ANYWHERE]) {
            let expected = 10_000.0 * weight as f64 / sum;
            assert!(
                (count - expected).abs() < 4.0 * expected.sqrt() + 1.0,
                "{counts:?}"
            );
        }
        assert_eq!(draw(&[], &mut random), None);
    }
}
