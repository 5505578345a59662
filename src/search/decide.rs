//! From what a search found to the move that is played: passing and resigning.

use super::clearing;
use super::ownership::Ownership;
use super::thrift;
use super::verdict::{Candidate, Verdict};
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
/// A pass is judged on no fewer visits.
const PASS_VISITS: u32 = 8;
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
            if (passes || is_settled(game, verdict))
                && let Some(mv) = clearing_move(game, color)
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
    let Some(pass) = verdict.pass().filter(|pass| pass.visits >= PASS_VISITS) else {
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
        return clean && pass.mean > placement.mean - 0.03;
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
            .is_some_and(|pass| pass.visits >= PASS_VISITS && pass.mean + price >= placement.mean)
}

/// Whether playouts leave no point open.
fn is_settled<B: Board>(game: &Game<B>, verdict: &Verdict) -> bool {
    let settled = |i: usize| verdict.ownership.owner(Vertex::at(i), SETTLED).is_some();
    verdict.ownership.samples() >= SAMPLES && (0..game.board().points()).all(settled)
}

/// A move that takes dead stones off, where the ruleset leaves that to the players.
fn clearing_move<B: Board>(game: &Game<B>, color: Color) -> Option<Move> {
    match game.rules().dead {
        DeadStones::None => clearing::next(game, color),
        DeadStones::Agreed => None,
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
