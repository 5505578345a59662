//! The value of a position with its history, under any ruleset with two colors.
//!
//! Several methods narrow the bounds of the value in turn:
//!
//! - On boards of more than 10 points: forward proofs ([`super::dfpn`]), then retrograde analysis
//!   ([`super::retrograde`]).
//! - Fixed points without histories ([`super::bounds`]), by bisection over the possible scores.
//! - On boards of at most 10 points: retrograde analysis.
//! - The search with histories ([`super::history`]), which decides the goals between the bounds.
//!
//! Under simple ko, [`super::cycles`] replaces all of these except forward proofs.

use std::panic::resume_unwind;
use std::thread;
use std::time::Instant;

use super::admit::admit;
use super::answer::{Answer, Bounds, Unsolvable};
use super::handicap::{bonus_change, with_settled_line};
use super::limits::{Limits, Stopped};
use super::solver::Solver;
use super::solver_rules::ScoredPosition;
use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::BareBoard;
use omnigo_core::game::{Game, Outcome};
use omnigo_core::rules::{DeadStones, Referee, Ruleset};

/// Results to compute in addition to the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Compute a principal variation.
    pub pv: bool,
    /// Compute the value of every move.
    pub moves: bool,
}

/// Stack size of the search in bytes. Under superko, a line can be as long as the number of
/// positions.
const STACK: usize = 1 << 28;
/// Solves the current position of `game` with `color` to move, including its history.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use omnigo_core::board::grid::{Grid, GridBoard};
/// use omnigo_base::color::Color;
/// use omnigo_exact::{Limits, Wish, solve};
/// use omnigo_core::game::Game;
/// use omnigo_core::rules::{Points, presets};
///
/// let board = GridBoard::new(Grid::new(3, 1).unwrap(), 2).unwrap();
/// let rules = presets::find("tromp-taylor").unwrap().rules.clone();
/// let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
/// let stop = AtomicBool::new(false);
/// let answer = solve(&game, Color::BLACK, &Limits::new(&stop), Wish::default()).unwrap();
/// assert_eq!(answer.bounds.value().unwrap().to_string(), "B+3");
/// ```
///
/// # Errors
/// The rules do not determine a value, or the board has too many points for the solver.
pub fn solve<B: BareBoard>(
    game: &Game<B>,
    color: Color,
    limits: &Limits<'_>,
    wish: Wish,
) -> Result<Answer, Unsolvable> {
    admit(game)?;
    let game = &strictly(game);
    let begun = Instant::now();
    let answer = in_deep_thread(|| match game.rules().dead {
        DeadStones::None => {
            Solver::new(game, limits, ScoredPosition::Stands).answer(game, color, wish)
        }
        DeadStones::Agreed => {
            let worst = ScoredPosition::Worst(Color::BLACK);
            let lower = Solver::new(game, limits, worst).answer(game, color, wish);
            let rest = Limits {
                time: limits.time.map(|time| time.saturating_sub(begun.elapsed())),
                ..*limits
            };
            let worst = ScoredPosition::Worst(Color::WHITE);
            let upper = Solver::new(game, &rest, worst).answer(game, color, wish);
            between(lower, &upper)
        }
    })?;
    Ok(match bonus_change(game, color) {
        None => with_settled_line(game, color, answer),
        Some(change) => change.widen(answer),
    })
}

/// Returns the value of the current position and all moves of `color` that keep it. `None` if the
/// value is not proved within the limits, or if a move could not be judged.
///
/// # Errors
/// The same as for [`solve`].
pub fn keepers<B: BareBoard>(
    game: &Game<B>,
    color: Color,
    limits: &Limits<'_>,
) -> Result<Option<(Outcome, Vec<Move>)>, Unsolvable> {
    admit(game)?;
    if bonus_change(game, color).is_some() {
        return Ok(None);
    }
    let game = &strictly(game);
    in_deep_thread(|| match game.rules().dead {
        DeadStones::None => Solver::new(game, limits, ScoredPosition::Stands).keepers(game, color),
        DeadStones::Agreed => {
            // If both scored positions give the same value, a move that keeps it in the worst case
            // keeps it in all.
            let kept =
                Solver::new(game, limits, ScoredPosition::Worst(color)).keepers(game, color)?;
            let best = ScoredPosition::Worst(color.other());
            let (bounds, _) = Solver::new(game, limits, best).bounded(game, color);
            (bounds.value() == Some(kept.0)).then_some(kept)
        }
    })
}

/// Returns the same game with a strict referee. Moves that a tolerant referee would let through are
/// illegal all the same, so they do not affect the value.
fn strictly<B: BareBoard>(game: &Game<B>) -> Game<B> {
    let mut game = game.clone();
    let rules = Ruleset {
        referee: Referee::Strict,
        ..game.rules().clone()
    };
    game.set_rules(rules);
    game
}

/// Combines the worst case for Black and the worst case for White into bounds that hold for every
/// agreement on dead stones.
fn between(lower: Answer, upper: &Answer) -> Answer {
    let both = |a: Bounds, b: Bounds| Bounds {
        lower: a.lower,
        upper: b.upper,
    };
    let bounds = both(lower.bounds, upper.bounds);
    let open = bounds.value().is_none().then_some(Stopped::Agreement);
    let moves = lower.moves.iter().zip(&upper.moves);
    Answer {
        bounds,
        moves: moves.map(|((mv, a), (_, b))| (*mv, both(*a, *b))).collect(),
        nodes: lower.nodes + upper.nodes,
        stopped: lower.stopped.or(upper.stopped).or(open),
        pv: bounds.value().map_or(Vec::new(), |_| lower.pv),
        pv_ends: lower.pv_ends,
        theorem: lower.theorem.or(upper.theorem),
    }
}

/// Runs a search on a thread with a large stack, because lines can be as long as the number of
/// positions.
///
/// # Errors
/// The operating system did not start a thread.
pub(super) fn in_deep_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Unsolvable> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name("solver".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|_| Unsolvable::Thread)?;
        Ok(worker.join().unwrap_or_else(|fault| resume_unwind(fault)))
    })
}
