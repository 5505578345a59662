//! Weights of the codes of rooted neighbourhoods, for playouts, from matches on graphs.

use super::matches::{Match, Matches};
use super::reader::walk;
use crate::board::graph::GraphBoard;
use crate::board::{Board, DENSE, ROOT_CODES, breathes, root_parts};
use crate::color::Color;
use crate::game::Game;
use crate::playout::roots::ELSEWHERE;
use crate::vertex::Vertex;

/// Rounds of the fit.
const ROUNDS: usize = 100;
/// So much of Newton's step is taken, for the three parts of a code pull on the same weight …
const STEP: f64 = 0.3;
/// … and no further than this.
const FARTHEST: f64 = 0.5;
/// How strongly parts that are seldom seen are held at 0.
const CALM: f64 = 0.6;
/// The most that a weight may be.
const MOST: f64 = 20_000.0;

/// The codes of the empty points around the latest stone, and which was played.
pub(super) struct Contest {
    codes: Vec<u16>,
    played: Option<usize>,
}

/// The contests of all games, those not counted that playouts decide otherwise: where the latest stone or a chain next to it
/// is in atari.
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
    let mut found = [(Vertex::NONE, 0); DENSE];
    let count = board.rooted(color, last, &mut found)?;
    // Playouts give up what is drawn and does not breathe.
    let open = |at| {
        board.ko_point() != Some(at) && board.playable(color, at) && breathes(board, color, at)
    };
    let found: Vec<_> = found[..count].iter().filter(|f| open(f.0)).collect();
    (!found.is_empty()).then(|| Contest {
        played: found.iter().position(|f| f.0 == at),
        codes: found.iter().map(|f| f.1).collect(),
    })
}

/// A code is a sum of three parts: with whose chains there are go the empty points, the stones that join, and short chains.
/// By itself each code would be seen too seldom.
const PARTS: usize = 6 * (4 + 3 + 4);

fn parts(code: u16) -> [usize; 3] {
    let [sides, vacant, joined, short] = root_parts(code);
    [
        4 * sides + vacant,
        24 + 3 * sides + joined,
        42 + 4 * sides + short,
    ]
}

/// The weights that make what was played likeliest, each code's the exponential of the sum of its parts.
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
            // The rest of the board counts 1.
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
    (0..ROOT_CODES).map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_is_played_more_often_weighs_more() {
        // The code of two own chains wins three of four contests against the rest; the other beside it never wins.
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
        // What was never seen is as good as the rest.
        assert_eq!(weight(2 * 48), elsewhere);
    }
}
