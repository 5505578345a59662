//! Perft: counting move sequences of a given length, a thorough test of a move generator.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::budget::Budget;
use omnigo_base::vertex::Move;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;

/// Number of sequences counted before the budget was exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at least {0} sequences, not finished within time and memory")]
pub struct Unfinished(pub u128);

/// Counts the sequences of exactly `depth` moves that the rules allow from here. Colors alternate,
/// and passes count as moves. No move follows the end of the game.
///
/// # Errors
/// The budget is exhausted.
pub fn perft<B: BareBoard>(
    game: &Game<B>,
    depth: u32,
    budget: &Budget<'_>,
) -> Result<u128, Unfinished> {
    // The last two moves are simple loops. Only the moves before them are worth a thread.
    let watch = Watch::new(budget, game.board().placements());
    let done = if depth < 3 {
        count(&mut game.clone(), depth, &watch)
    } else {
        let color = game.to_move();
        let moves = game.legal_moves(color);
        let parts = moves.into_par_iter().map(|mv| {
            if watch.is_over() {
                return Err(0);
            }
            let mut game = game.clone();
            match game.play(color, mv) {
                Ok(()) => count(&mut game, depth - 1, &watch),
                Err(_) => Ok(0),
            }
        });
        // Add up the parts even if some are unfinished, so that the error contains a full lower
        // bound.
        parts.reduce(|| Ok(0), add)
    };
    done.map_err(Unfinished)
}

/// Number of sequences: `Ok` if complete, `Err` if the budget was exhausted.
type Counted = Result<u128, u128>;

fn add(a: Counted, b: Counted) -> Counted {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(a.saturating_add(b)),
        (Ok(a) | Err(a), Ok(b) | Err(b)) => Err(a.saturating_add(b)),
    }
}

/// Watch over the budget, shared by all threads. Once the budget is exhausted, every part ends at
/// its next node.
struct Watch<'a> {
    budget: &'a Budget<'a>,
    nodes: AtomicU64,
    over: AtomicBool,
    /// Number of nodes per look at the clock.
    period: u64,
}

impl Watch<'_> {
    /// Maximum number of placements that are tried between two looks at the clock.
    const TRIALS: usize = 4096;

    /// Returns a watch over counts on boards of this size.
    fn new<'a>(budget: &'a Budget<'a>, placements: usize) -> Watch<'a> {
        Watch {
            budget,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            period: (Watch::TRIALS / placements.max(1)).clamp(1, 64) as u64,
        }
    }

    /// Counts a node. Returns true if the budget is exhausted.
    fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) {
            return true;
        }
        let nodes = self.nodes.fetch_add(1, Ordering::Relaxed);
        let over = nodes.is_multiple_of(self.period) && self.budget.is_over();
        if over {
            self.over.store(true, Ordering::Relaxed);
        }
        over
    }
}

/// Approximate bytes that a move takes in a game and its history.
const TURN: usize = 256;

/// Counts sequences with an explicit stack of untried moves. Sequences can be too long for
/// recursion.
fn count<B: BareBoard>(game: &mut Game<B>, depth: u32, watch: &Watch<'_>) -> Counted {
    let mut total = 0u128;
    // For each move played so far, its alternatives that are still untried.
    let mut open: Vec<std::vec::IntoIter<Move>> = Vec::new();
    let turn = TURN + size_of::<Move>() * (game.board().placements() + 1);
    let most = watch.budget.memory / rayon::current_num_threads() / turn;
    loop {
        let left = depth - open.len() as u32;
        if open.len() > most || watch.is_over() {
            return Err(total);
        }
        match left {
            0 => total = total.saturating_add(1),
            1 => total = total.saturating_add(game.legal_moves(game.to_move()).len() as u128),
            _ => {
                open.push(game.legal_moves(game.to_move()).into_iter());
                if advance(game, &mut open) {
                    continue;
                }
                return Ok(total);
            }
        }
        if open.is_empty() {
            return Ok(total);
        }
        game.undo();
        if !advance(game, &mut open) {
            return Ok(total);
        }
    }
}

/// Plays the next untried move, deepest first. Returns false if none is left.
fn advance<B: BareBoard>(game: &mut Game<B>, open: &mut Vec<std::vec::IntoIter<Move>>) -> bool {
    while let Some(moves) = open.last_mut() {
        let color = game.to_move();
        if moves.any(|mv| game.play(color, mv).is_ok()) {
            return true;
        }
        open.pop();
        if !open.is_empty() {
            game.undo();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_budget_reaches_all_threads_at_their_next_node() {
        let stop = AtomicBool::new(false);
        let budget = Budget {
            memory: 1 << 20,
            stop: &stop,
            deadline: None,
            progress: None,
        };
        for (placements, period) in [(0, 64), (25, 64), (361, 11), (3000, 1), (100_000, 1)] {
            stop.store(false, Ordering::Relaxed);
            let watch = Watch::new(&budget, placements);
            assert_eq!(watch.period, period, "{placements}");
            assert!(!watch.is_over());
            stop.store(true, Ordering::Relaxed);
            let rest = (0..period).filter(|_| watch.is_over()).count();
            assert_eq!(rest, 1, "the clock is looked at once in {period} nodes");
            assert!((0..period).all(|_| watch.is_over()));
        }
    }
}
