//! Playout weights of rooted-neighborhood codes, fitted to matches on graphs. A code describes the
//! surroundings of an empty point next to the latest stone.

use super::matches::{Match, Matches};
use super::reader::walk;
use crate::board::graph::GraphBoard;
use crate::board::{
    BareBoard, Chains, MAX_LOCAL_DEGREE, NEIGHBORHOOD_CODES, Playouts, Shapes, neighborhood_parts,
};
use crate::color::Color;
use crate::game::Game;
use crate::patterns::neighborhoods::ELSEWHERE;
use crate::tactics::has_two_liberties_after;
use crate::vertex::Vertex;

/// Number of iterations of the fit.
const ROUNDS: usize = 100;
/// Fraction of Newton's step that is taken. It is below 1 because three parts of a code change the
/// same weight.
const STEP: f64 = 0.3;
/// Maximum change of a part per iteration.
const FARTHEST: f64 = 0.5;
/// Strength of the regularization toward 0, which matters for rare parts.
const CALM: f64 = 0.6;
/// Maximum weight of a code.
const MOST: f64 = 20_000.0;

/// Choice between the empty points around the latest stone: their codes, and the number of the one
/// played (`None` for a move elsewhere).
pub(super) struct Contest {
    codes: Vec<u16>,
    played: Option<usize>,
}

/// Returns the contests of all games. Skips positions in which playouts follow other rules: the
/// latest stone, or an adjacent chain of the player to move, is in atari.
pub(super) fn contests(all: &[Matches]) -> Vec<Contest> {
    let mut contests = Vec::new();
    for matches in all {
        for game in &matches.games {
            go_through(matches.reader.start(), game, &mut contests);
        }
    }
    contests
}

fn go_through(start: &Game<GraphBoard>, game: &Match, contests: &mut Vec<Contest>) {
    walk(start, &game.moves, |number, line, [last, _], at| {
        if let Some(last) = last.filter(|_| number >= game.opening) {
            contests.extend(contest(line.board(), line.to_move(), last, at));
        }
    });
}

fn contest(board: &GraphBoard, color: Color, last: Vertex, at: Vertex) -> Option<Contest> {
    board.at(last)?;
    let own = |&stone: &Vertex| board.at(stone) == Some(color);
    let mut near = board.around(last).filter(own).chain([last]);
    if near.any(|stone| board.sole_liberty(stone).is_some()) {
        return None;
    }
    let mut found = [(Vertex::NONE, 0); MAX_LOCAL_DEGREE];
    let count = board.neighborhood_codes(color, last, &mut found)?;
    // Playouts reject such a move if its chain would have fewer than two liberties.
    let open = |at| {
        board.ko_point() != Some(at)
            && board.playable(color, at)
            && has_two_liberties_after(board, color, at)
    };
    let found: Vec<_> = found[..count].iter().filter(|f| open(f.0)).collect();
    (!found.is_empty()).then(|| Contest {
        played: found.iter().position(|f| f.0 == at),
        codes: found.iter().map(|f| f.1).collect(),
    })
}

/// Number of parts. A code is a sum of three parts: its empty points, its joining stones, and its
/// short chains. Each part also depends on the owners of its chains. Single codes would be too
/// rare.
const PARTS: usize = 6 * (4 + 3 + 4);

fn parts(code: u16) -> [usize; 3] {
    let [sides, vacant, joined, short] = neighborhood_parts(code);
    [
        4 * sides + vacant,
        24 + 3 * sides + joined,
        42 + 4 * sides + short,
    ]
}

/// Returns the weights of all codes that maximize the likelihood of the moves. A weight is the
/// exponential of the sum of a code's parts.
pub(super) fn fit(contests: &[Contest]) -> Vec<u16> {
    let mut weights = [-1.0 / 3.0; PARTS];
    let weigh = |weights: &[f64; PARTS], code: u16| -> f64 {
        parts(code)
            .iter()
            .map(|&part| weights[part])
            .sum::<f64>()
            .exp()
    };
    let mut chances: Vec<f64> = Vec::new();
    for _ in 0..ROUNDS {
        let (mut slope, mut bend) = ([0.0; PARTS], [CALM; PARTS]);
        for contest in contests {
            chances.clear();
            chances.extend(contest.codes.iter().map(|&code| weigh(&weights, code)));
            // The rest of the board has the weight 1.
            let all = 1.0 + chances.iter().sum::<f64>();
            for (number, (&code, weight)) in contest.codes.iter().zip(&chances).enumerate() {
                let chance = weight / all;
                let pull = f64::from(u8::from(contest.played == Some(number))) - chance;
                for part in parts(code) {
                    slope[part] += pull;
                    bend[part] += chance * (1.0 - chance);
                }
            }
        }
        for ((weight, slope), bend) in weights.iter_mut().zip(slope).zip(bend) {
            let step = STEP * (slope - CALM * *weight) / bend;
            *weight += step.clamp(-FARTHEST, FARTHEST);
        }
    }
    let whole = |code: usize| {
        let weight = weigh(&weights, code as u16) * f64::from(ELSEWHERE);
        weight.round().min(MOST) as u16
    };
    (0..NEIGHBORHOOD_CODES).map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_is_played_more_often_gets_a_larger_weight() {
        // The code of two own chains wins three of four contests against the rest of the board. The
        // other code never wins.
        let (good, bad) = (4 * 48, 0);
        let contests: Vec<Contest> = (0..4000)
            .map(|number| Contest {
                codes: vec![bad, good],
                played: (number % 4 != 0).then_some(1),
            })
            .collect();
        let weights = fit(&contests);
        let weight = |code: u16| i32::from(weights[usize::from(code)]);
        let elsewhere = i32::from(ELSEWHERE);
        assert!(
            (weight(good) - 3 * elsewhere).abs() < elsewhere / 10,
            "{weights:?}"
        );
        assert!(weight(bad) < elsewhere / 20, "{weights:?}");
        // A code that never occurred has the same weight as the rest.
        assert_eq!(weight(2 * 48), elsewhere);
    }
}
