//! From what a search found to the move that is played: passing and resigning.

use super::clearing;
use super::ownership::Ownership;
use super::thrift;
use super::verdict::{Candidate, SAME, VISITS, Verdict};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::rules::{DeadStones, End, Scoring};
use crate::vertex::{Move, Vertex};

/// What to do in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This move.
    Move(Move),
    /// Give the game up.
    Resign,
}

/// A point belongs to a color that owns it in so large a share of the playouts.
const SETTLED: f64 = 0.95;
/// Fewer samples of ownership settle nothing.
const SAMPLES: u32 = 16;
/// Nobody resigns on fewer playouts.
const RESIGN_VISITS: u32 = 100;
/// A game of more moves than so many for each placement, and than so many at all, goes in circles …
const CIRCLES: f64 = 3.0;
const SHORT: f64 = 24.0;
/// … and each further move for each placement lets a pass cost so much more of the chance to win, up to a limit.
const IMPATIENCE: f64 = 0.2;
const MOST_IMPATIENT: f64 = 0.3;

/// Decides for `color`; `resign_below` is the chance to win under which it gives up, 0 for never.
pub fn decide<B: Board>(
    game: &Game<B>,
    color: Color,
    verdict: &Verdict,
    resign_below: f64,
) -> Choice {
    let Some(best) = verdict.best() else {
        // Nothing can be done: that loses where being stuck decides, and is a pass elsewhere.
        return match game.rules().end {
            End::Stuck => Choice::Resign,
            End::Passes => Choice::Move(Move::Pass),
        };
    };
    match game.rules().end {
        End::Stuck => Choice::Move(best.mv),
        End::Passes => {
            let Some(placement) = verdict.best_placement() else {
                return Choice::Move(Move::Pass);
            };
            let can_pass = game.can_pass(color);
            let (placement, passes) = match game.rules().scoring {
                Scoring::Territory if verdict.ownership.samples() >= SAMPLES && can_pass => {
                    let useful = thrift::placement(game.board(), verdict, SETTLED);
                    let wins = game.pass_would_end(color) && wins_by_passing(game, color, verdict);
                    (useful.unwrap_or(placement), wins || useful.is_none())
                }
                Scoring::Area | Scoring::Stones | Scoring::Territory | Scoring::None => (
                    placement,
                    can_pass && should_pass(game, color, verdict, best, placement),
                ),
            };
            let passes = passes || (can_pass && is_weary(game, verdict, placement));
            let spares = |mv| can_spare(game, color, verdict, placement, mv);
            if (passes || is_settled(game, verdict))
                && let Some(mv) = clearing_move(game, color, spares)
            {
                return Choice::Move(mv);
            }
            if passes {
                return Choice::Move(Move::Pass);
            }
            let hopeless = best.mean.max(placement.mean) < resign_below;
            if hopeless && verdict.visits >= RESIGN_VISITS {
                return Choice::Resign;
            }
            Choice::Move(placement.mv)
        }
    }
}

/// Whether passing wins at once, or nothing useful is left to do.
fn should_pass<B: Board>(
    game: &Game<B>,
    color: Color,
    verdict: &Verdict,
    best: Candidate,
    placement: Candidate,
) -> bool {
    if game.pass_would_end(color) && wins_by_passing(game, color, verdict) {
        return true;
    }
    if verdict.ownership.samples() < SAMPLES {
        return best.mv == Move::Pass;
    }
    let Some(pass) = verdict.pass().filter(|pass| pass.visits >= VISITS) else {
        return false;
    };
    if is_settled(game, verdict) {
        let clean = match game.rules().dead {
            DeadStones::Agreed => true,
            // What is dead has to be taken off by playing, unless it does not matter.
            DeadStones::None => {
                surely_dead(game.board(), &verdict.ownership).is_empty() || wins(game, color, &[])
            }
        };
        return clean && pass.mean > placement.mean - SAME;
    }
    // Something is open. Passing must be clearly better than the best move, as in a seki.
    best.mv == Move::Pass && best.mean > placement.mean + 0.01
}

/// Whether the game has gone in circles for so long that a pass is worth its price.
///
/// A search never repeats a position, but there are boards, such as cycles, where nothing ever lives for good: stones are taken
/// and taken back through thousands of positions, while both players see even chances. The longer that lasts, the sooner a pass
/// will do. Games in which something gets settled are over long before.
fn is_weary<B: Board>(game: &Game<B>, verdict: &Verdict, placement: Candidate) -> bool {
    let placements = game.board().placements().max(1) as f64;
    let beyond = game.moves().count() as f64 - SHORT.max(CIRCLES * placements);
    let price = (beyond / placements * IMPATIENCE).min(MOST_IMPATIENT);
    price > 0.0
        && verdict
            .pass()
            .is_some_and(|pass| pass.visits >= VISITS && pass.mean + price >= placement.mean)
}

/// Whether playouts leave no point open.
fn is_settled<B: Board>(game: &Game<B>, verdict: &Verdict) -> bool {
    let settled = |i: usize| verdict.ownership.owner(Vertex::at(i), SETTLED).is_some();
    verdict.ownership.samples() >= SAMPLES && (0..game.board().points()).all(settled)
}

/// A move that takes dead stones off and can be spared, where the ruleset leaves that to the players.
fn clearing_move<B: Board>(
    game: &Game<B>,
    color: Color,
    spares: impl Fn(Move) -> bool,
) -> Option<Move> {
    match game.rules().dead {
        DeadStones::None => clearing::next(game, color, spares),
        DeadStones::Agreed => None,
    }
}

/// Whether a turn can be spared for this move in place of the best placement.
///
/// That everything is settled says what the best moves lead to: it can be so only because the search expects a threat to be
/// answered now, and then the turn is not free. What tells is the move itself, where the search has tried it, or else a pass that
/// does not end the game, or any other move.
fn can_spare<B: Board>(
    game: &Game<B>,
    color: Color,
    verdict: &Verdict,
    placement: Candidate,
    mv: Move,
) -> bool {
    let keeps = |candidate: &Candidate| candidate.mean > placement.mean - SAME;
    let tried = || verdict.candidates.iter().filter(|c| c.visits >= VISITS);
    let one = |mv: Move| tried().find(|c| c.mv == mv);
    let pass = || one(Move::Pass).filter(|_| !game.pass_would_end(color));
    match one(mv).or_else(pass) {
        Some(candidate) => keeps(candidate),
        None => tried().any(|c| c.mv != placement.mv && keeps(c)),
    }
}

/// Whether `color` wins when the game ends here, giving it only what is certain.
fn wins_by_passing<B: Board>(game: &Game<B>, color: Color, verdict: &Verdict) -> bool {
    match game.rules().dead {
        DeadStones::None => wins(game, color, &[]),
        DeadStones::Agreed => {
            if verdict.ownership.samples() < SAMPLES {
                return false;
            }
            // Own stones that are not surely alive count as dead, the others' unless surely dead as alive.
            let mut dead = Vec::new();
            for i in 0..game.board().points() {
                let point = Vertex::at(i);
                let Some(stone) = game.board().at(point) else {
                    continue;
                };
                let own = verdict.ownership.share(game.board().chain(point), color);
                if (stone == color && own < SETTLED) || (stone != color && own >= SETTLED) {
                    dead.push(point);
                }
            }
            wins(game, color, &dead)
        }
    }
}

fn wins<B: Board>(game: &Game<B>, color: Color, dead: &[Vertex]) -> bool {
    game.outcome(dead)
        .is_ok_and(|outcome| outcome.winner() == Some(color))
}

/// Stones on points that surely belong to another color.
pub(super) fn surely_dead<B: Board>(board: &B, ownership: &Ownership) -> Vec<(Vertex, Color)> {
    (0..board.points())
        .map(Vertex::at)
        .filter_map(|point| board.at(point).map(|stone| (point, stone)))
        .filter(|&(point, stone)| {
            ownership
                .owner(point, SETTLED)
                .is_some_and(|owner| owner != stone)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Proof;
    use super::*;
    use crate::board::grid::{Grid, GridBoard};
    use crate::rules::{Points, presets};

    /// A game in which White has just threatened the corner; Black answers at A8 or loses it. White's stone on D6 is dead.
    const THREAT: &str = "C9 G7 F4 H4 C4 G4 F3 G2 F6 F7 E7 E8 D7 F2 E2 E1 G6 H6 H7 H8 D2 G5 F5 D8 C8 C7 C6 B7 B6 B8 B9
        D6 E6 D1 C1 G3 F1 G1 A7 J7 E1 D9";
    /// How that ends when Black answers, from the top row down.
    const ANSWERED: &str = "
        .XXOOOOO.
        XXXOOOOOO
        XXXXXOOOO
        XXXXXXXOO
        XXXXXXOOO
        XXXXXXOOO
        XXXXXXOOO
        XXXXXXOOO
        .XXXXXOO.";

    fn empty() -> GridBoard {
        GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap()
    }

    fn vertex(name: &str) -> Vertex {
        let (column, row) = name.split_at(1);
        let x = "ABCDEFGHJ".find(column).unwrap();
        Vertex::at(9 * (row.parse::<usize>().unwrap() - 1) + x)
    }

    fn candidate(mv: Move, visits: u32, mean: f64) -> Candidate {
        Candidate {
            mv,
            visits,
            mean,
            proof: Proof::Open,
            prior: 0.1,
            lead: None,
        }
    }

    #[test]
    fn a_threat_is_answered_before_dead_stones_are_taken() {
        let rules = presets::find("cgos").unwrap().rules.clone();
        let mut game = Game::new(empty(), rules, Points::from_halves(14), Color::BLACK);
        for (name, color) in THREAT
            .split_whitespace()
            .zip([Color::BLACK, Color::WHITE].into_iter().cycle())
        {
            game.play(color, Move::Place(vertex(name))).unwrap();
        }
        let [answer, capture] = ["A8", "D5"].map(|name| Move::Place(vertex(name)));
        let rows: Vec<&str> = ANSWERED.split_whitespace().collect();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
        let mut answered = empty();
        answered.set_position(&position);
        let mut ownership = Ownership::new(81, 2);
        (0..20).for_each(|_| ownership.add(&answered));
        let decided = |others: &[Candidate]| {
            let mut candidates = vec![candidate(answer, 7747, 0.97)];
            candidates.extend(others);
            let verdict = Verdict {
                candidates,
                visits: 8000,
                mean: 0.97,
                lead: None,
                variations: Vec::new(),
                ownership: ownership.clone(),
            };
            decide(&game, Color::BLACK, &verdict, 0.0)
        };
        let pass = |mean| candidate(Move::Pass, 250, mean);
        let taken = |visits, mean| candidate(capture, visits, mean);
        for urgent in [
            vec![pass(0.02)],
            vec![pass(0.02), taken(3, 0.96)],
            vec![pass(0.96), taken(30, 0.02)],
            vec![],
        ] {
            assert_eq!(decided(&urgent), Choice::Move(answer), "{urgent:?}");
        }
        let other = candidate(Move::Place(vertex("J1")), 30, 0.96);
        for free in [
            vec![pass(0.02), taken(30, 0.96)],
            vec![pass(0.96), taken(3, 0.02)],
            vec![other, taken(3, 0.02)],
        ] {
            assert_eq!(decided(&free), Choice::Move(capture), "{free:?}");
        }
    }
}
