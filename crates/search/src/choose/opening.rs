//! Random variation of the first moves of a game, and moves of a network that imitates players.
//!
//! A program that meets the same opponents repeatedly should not always play the same opening.
//! Early in a game, this module can draw one of the moves that are about as good as the best. The
//! probability of a move is proportional to its visits, raised to the power of 1/temperature.
//!
//! A temperature of 0 disables sampling. A fixed seed gives the same draws on every machine: powers
//! are computed by multiplications and square roots, which all machines round alike.

use super::decide::Choice;
use super::search_result::{Candidate, SearchResult};
use crate::grow::tree::Proof;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::playout::Random;

/// Settings for the variation of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variety {
    /// Temperature. A move is drawn with probability proportional to visits^(1/temperature). A
    /// temperature of 0 always takes the best move.
    pub temperature: f64,
    /// Number of first moves, of all players together, that are drawn. `None` means 1/10 of the
    /// placements, rounded up.
    pub moves: Option<u32>,
    /// Maximum difference in mean result between the best move and a move that may be drawn.
    pub slack: f64,
    /// Probability, 0…1, that a placement is drawn by the probabilities that the network gave
    /// before the search. It holds for the whole game, and suits networks that imitate players.
    pub imitation: f64,
}

impl Default for Variety {
    /// Draws no moves. The difference is small enough that a drawn move costs little.
    fn default() -> Self {
        Variety {
            temperature: 0.0,
            moves: None,
            slack: 0.02,
            imitation: 0.0,
        }
    }
}

impl Variety {
    /// Maximum temperature.
    pub const HOTTEST: f64 = 10.0;

    /// Returns true if the move after `turns` moves is drawn, on a board with this number of
    /// placements.
    fn holds(&self, turns: usize, placements: usize) -> bool {
        let moves = self.moves.map_or(placements.div_ceil(10), |n| n as usize);
        self.temperature > 0.0 && turns < moves
    }
}

/// A move may be drawn only if it has at least 1/16 of the chosen move's visits.
const VISIT_RATIO: u32 = 16;
/// Maximum exponent 1/temperature. It almost always draws the most visited move.
const STEEPEST: f64 = 1000.0;

/// Returns `choice`, or another placement: one that is about as good, early in a game, or one that
/// the network proposes. `seed` determines the draw.
pub fn vary<B: Board>(
    game: &Game<B>,
    color: Color,
    result: &SearchResult,
    choice: Choice,
    variety: Variety,
    seed: u64,
) -> Choice {
    let turns = game.moves().len();
    let Choice::Move(Move::Place(_)) = choice else {
        return choice;
    };
    let mut random = Random::new(seed ^ (turns as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let is_legal = |candidate: &Candidate| game.check(color, candidate.mv).is_ok();
    if variety.imitation > 0.0 && chance(&mut random) < variety.imitation {
        let candidates = result.candidates.iter().copied();
        let placements = candidates.filter(|candidate| candidate.mv != Move::Pass);
        let placements: Vec<Candidate> = placements.filter(is_legal).collect();
        return draw_by_prior(&placements, &mut random).map_or(choice, Choice::Move);
    }
    if !variety.holds(turns, game.board().placements()) {
        return choice;
    }
    let near: Vec<Candidate> = near(&result.candidates, choice, variety.slack)
        .filter(is_legal)
        .collect();
    draw(&near, variety.temperature, &mut random).map_or(choice, Choice::Move)
}

/// Returns the placements whose mean result is at most `slack` below that of the chosen one,
/// including it.
fn near(candidates: &[Candidate], choice: Choice, slack: f64) -> impl Iterator<Item = Candidate> {
    let candidates = || candidates.iter().copied();
    let chosen = candidates().find(|candidate| choice == Choice::Move(candidate.mv));
    candidates().filter(move |candidate| {
        chosen.is_some_and(|chosen| {
            candidate.mv == chosen.mv
                || candidate.mv != Move::Pass
                    && candidate.proof == Proof::Open
                    && chosen.proof == Proof::Open
                    && candidate.visits >= chosen.visits.div_ceil(VISIT_RATIO).max(1)
                    && candidate.value + slack >= chosen.value
        })
    })
}

/// Draws one of the candidates with probability proportional to visits^(1/temperature). Returns
/// `None` without candidates.
fn draw(candidates: &[Candidate], temperature: f64, random: &mut Random) -> Option<Move> {
    let most = candidates.iter().map(|candidate| candidate.visits).max()?;
    let weights: Vec<f64> = candidates
        .iter()
        .map(|candidate| {
            let share = f64::from(candidate.visits) / f64::from(most.max(1));
            power(share, (1.0 / temperature).min(STEEPEST))
        })
        .collect();
    draw_by(candidates, &weights, random)
}

/// Draws one of the candidates with probability proportional to their priors. Returns `None`
/// without candidates.
fn draw_by_prior(candidates: &[Candidate], random: &mut Random) -> Option<Move> {
    let weights = candidates.iter().map(|candidate| candidate.prior);
    draw_by(candidates, &weights.collect::<Vec<_>>(), random)
}

/// Returns a random number, 0…1 without 1.
fn chance(random: &mut Random) -> f64 {
    // An `f64` holds 53 bits.
    (random.word() >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws one of the candidates with probability proportional to these weights. Returns `None`
/// without candidates.
fn draw_by(candidates: &[Candidate], weights: &[f64], random: &mut Random) -> Option<Move> {
    let total: f64 = weights.iter().sum();
    let mut at = chance(random) * total;
    let drawn = candidates.iter().zip(weights).find(|(_, weight)| {
        at -= **weight;
        at < 0.0
    });
    drawn
        .or(candidates.iter().zip(weights).next_back())
        .map(|(candidate, _)| candidate.mv)
}

/// Returns `base` to the power of `exponent`, for a base of 0…1 and an exponent of at most
/// [`STEEPEST`]. The exponent is truncated to 16 binary places.
fn power(base: f64, exponent: f64) -> f64 {
    let mut result = 1.0;
    for _ in 0..exponent as u32 {
        result *= base;
    }
    let (mut root, mut rest) = (base, exponent.fract());
    for _ in 0..16 {
        root = root.sqrt();
        rest *= 2.0;
        if rest >= 1.0 {
            result *= root;
            rest -= 1.0;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::Vertex;

    fn candidate(at: usize, visits: u32) -> Candidate {
        Candidate {
            mv: Move::Place(Vertex::at(at)),
            visits,
            value: 0.5,
            winrate: 0.5,
            proof: Proof::Open,
            prior: 0.0,
            lead: None,
        }
    }

    #[test]
    fn powers_agree_with_the_library() {
        for base in [0.0, 0.01, 0.3, 0.99, 1.0] {
            for exponent in [0.1, 0.5, 1.0, 2.0, 3.75, 100.0] {
                let (ours, theirs) = (power(base, exponent), f64::powf(base, exponent));
                assert!((ours - theirs).abs() < 1e-3, "{base}^{exponent}: {ours}");
            }
        }
    }

    #[test]
    fn moves_are_drawn_in_proportion_to_powers_of_visits() {
        let candidates = [candidate(0, 400), candidate(1, 100), candidate(2, 0)];
        let share = |temperature: f64| {
            let mut random = Random::new(1);
            let mut counts = [0u32; 3];
            for _ in 0..4000 {
                let drawn = draw(&candidates, temperature, &mut random).unwrap();
                counts[drawn.vertex().unwrap().index()] += 1;
            }
            assert_eq!(counts[2], 0, "a move without visits is never drawn");
            f64::from(counts[0]) / 4000.0
        };
        assert!((share(1.0) - 0.8).abs() < 0.03);
        assert!((share(0.5) - 16.0 / 17.0).abs() < 0.02);
        assert!(share(10.0) < 0.6);
        assert_eq!(share(0.001), 1.0);
    }

    #[test]
    fn the_slack_admits_worse_moves() {
        let mut worse = candidate(1, 100);
        worse.value = 0.25;
        let candidates = [candidate(0, 400), worse];
        let choice = Choice::Move(Move::Place(Vertex::at(0)));
        let count = |slack| near(&candidates, choice, slack).count();
        assert_eq!((count(0.02), count(0.2), count(0.3)), (1, 1, 2));
    }

    #[test]
    fn imitated_moves_are_drawn_in_proportion_to_priors() {
        let mut candidates = [candidate(0, 400), candidate(1, 0), candidate(2, 3)];
        candidates[0].prior = 0.1;
        candidates[1].prior = 0.3;
        let mut random = Random::new(1);
        let mut counts = [0u32; 3];
        for _ in 0..4000 {
            let drawn = draw_by_prior(&candidates, &mut random).unwrap();
            counts[drawn.vertex().unwrap().index()] += 1;
        }
        assert_eq!(counts[2], 0);
        assert!((f64::from(counts[1]) / 4000.0 - 0.75).abs() < 0.03);
        assert_eq!(draw_by_prior(&[], &mut random), None);
    }

    #[test]
    fn only_the_first_moves_vary() {
        let variety = Variety {
            temperature: 1.0,
            ..Variety::default()
        };
        assert!(variety.holds(8, 81) && !variety.holds(9, 81));
        let variety = Variety {
            moves: Some(4),
            ..variety
        };
        assert!(variety.holds(3, 81) && !variety.holds(4, 81));
        assert!(!Variety::default().holds(0, 81));
    }
}
