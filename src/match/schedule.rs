//! Colors and openings of the games of a match.
//!
//! Colors alternate. Games 1 and 2, 3 and 4, and so on are pairs that share an opening, so that an
//! uneven opening favors neither engine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::side::Side;
use crate::color::Color;
use crate::engine::Engine;
use crate::vertex::{Move, Vertex};

/// Odd number near 2^64 divided by the golden ratio. Its multiples are spread over all 64 bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns true if colors are exchanged in this game, counted from 1.
pub fn swapped(game: u32) -> bool {
    game.is_multiple_of(2)
}

/// Returns the engine with this color in this game, counted from 1.
pub fn side_of(color: Color, game: u32) -> Side {
    if (color == Color::BLACK) != swapped(game) {
        Side::Black
    } else {
        Side::White
    }
}

/// Returns the color of this engine in this game, counted from 1.
pub fn color_of(side: Side, game: u32) -> Color {
    if (side == Side::Black) != swapped(game) {
        Color::BLACK
    } else {
        Color::WHITE
    }
}

/// Plays the opening of this game on the referee's board, which is at its start.
///
/// The opening has at most `count` random legal placements. Each is adjacent to an empty placement,
/// so that none is suicide, and none captures.
pub fn play_opening(referee: &mut Engine, game: u32, count: u32, seed: u64) {
    let pair = u64::from(game.saturating_sub(1) / 2);
    // The lower halves of seed and pair share a number. The upper half of the seed changes all of
    // it.
    let low = (seed << 32).wrapping_add(pair);
    let high = (seed >> 32).wrapping_mul(SPREAD);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(low ^ high);
    for _ in 0..count {
        if !play_random(referee, &mut rng) {
            return;
        }
    }
}

/// Plays a random move of an opening. Returns false if there is none.
fn play_random(referee: &mut Engine, rng: &mut Xoshiro256PlusPlus) -> bool {
    let color = referee.to_move();
    let before = referee.position();
    let goban = referee.goban();
    let is_empty = |point: &Vertex| matches!(before.get(point.index()), Some(None));
    let vacant = |v: &Vertex| goban.covered(*v).iter().all(is_empty);
    let open = |v: Vertex| goban.graph.neighbors(v).iter().any(vacant);
    let moves = referee.legal_moves(color).into_iter();
    let mut choices: Vec<Move> = moves.filter(|mv| mv.vertex().is_some_and(open)).collect();
    while !choices.is_empty() {
        let pick = rng.next_u64() % choices.len() as u64;
        let mv = choices.swap_remove(pick as usize);
        if referee.play(color, mv).is_err() {
            return false;
        }
        let mut without_captures = before.clone();
        if let Some(at) = mv.vertex() {
            referee.goban().put(&mut without_captures, at, color);
        }
        if referee.position() == without_captures {
            return true;
        }
        referee.undo();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::graph::spec::Spec;
    use crate::rules::{Points, presets};

    fn opening(spec: &str, game: u32, count: u32, seed: u64) -> Vec<(Color, Move)> {
        let goban = spec.parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let mut referee = Engine::new(goban, rules, Points::ZERO, Options::default()).unwrap();
        play_opening(&mut referee, game, count, seed);
        referee.moves()
    }

    #[test]
    fn colors_alternate() {
        assert_eq!(side_of(Color::BLACK, 1), Side::Black);
        assert_eq!(side_of(Color::BLACK, 2), Side::White);
        assert_eq!(side_of(Color::WHITE, 2), Side::Black);
        for game in 1..5 {
            for side in Side::ALL {
                assert_eq!(side_of(color_of(side, game), game), side);
            }
        }
    }

    #[test]
    fn pairs_share_their_opening() {
        for spec in ["grid:5x5", "torus:4x4"] {
            let first = opening(spec, 1, 4, 7);
            assert_eq!(first.len(), 4);
            assert_eq!(first, opening(spec, 2, 4, 7));
            assert_ne!(first, opening(spec, 3, 4, 7));
            assert_ne!(first, opening(spec, 1, 4, 8));
            assert_ne!(first, opening(spec, 1, 4, 7 + (1 << 32)), "all bits count");
        }
    }

    #[test]
    fn openings_capture_nothing() {
        for spec in ["grid:3x3", "space:(path:4),edges"] {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            let mut full = 0;
            for seed in 0..200 {
                let moves = opening(spec, 1, 9, seed);
                let mut position = vec![None; goban.points()];
                for &(color, mv) in &moves {
                    let covered = goban.covered(mv.vertex().unwrap());
                    assert!(
                        covered
                            .iter()
                            .all(|point| position[point.index()].is_none())
                    );
                    goban.put(&mut position, mv.vertex().unwrap(), color);
                }
                full = full.max(moves.len());
            }
            assert!(full >= 3, "{spec}: {full}");
        }
    }

    #[test]
    fn openings_are_short_on_small_boards() {
        assert!(opening("path:3", 1, 100, 1).len() < 3);
        assert!(opening("path:1", 1, 3, 1).is_empty());
    }
}
