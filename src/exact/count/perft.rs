//! Perft: the number of sequences of moves of a given length, which checks a move generator like nothing else.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::budget::Budget;
use crate::board::Board;
use crate::game::Game;

/// The sequences counted before the end of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at least {0} sequences, not finished in time")]
pub struct Unfinished(pub u128);

/// The number of sequences of exactly `depth` turns that the rules allow from here, colors in turn, passes included; no
/// turn follows the end of the game.
///
/// # Errors
/// When the budget is spent.
pub fn perft<B: Board>(
    game: &Game<B>,
    depth: u32,
    budget: &Budget<'_>,
) -> Result<u128, Unfinished> {
    // The last two turns are a loop over moves each: only what lies above is worth a thread of its own.
    let nodes = AtomicU64::new(0);
    let done = if depth < 3 {
        count(&mut game.clone(), depth, budget, &nodes)
    } else {
        let color = game.to_move();
        let moves = game.legal_moves(color);
        let parts = moves.into_par_iter().map(|mv| {
            let mut game = game.clone();
            match game.play(color, mv) {
                Ok(()) => count(&mut game, depth - 1, budget, &nodes),
                Err(_) => Ok(0),
            }
        });
        // Each part tells what it has counted even where another is not finished.
        parts.reduce(|| Ok(0), add)
    };
    done.map_err(Unfinished)
}

/// Sequences counted: all there are, or those seen before the end of the budget.
type Counted = Result<u128, u128>;

fn add(a: Counted, b: Counted) -> Counted {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(a.saturating_add(b)),
        (Ok(a) | Err(a), Ok(b) | Err(b)) => Err(a.saturating_add(b)),
    }
}

fn count<B: Board>(
    game: &mut Game<B>,
    depth: u32,
    budget: &Budget<'_>,
    nodes: &AtomicU64,
) -> Counted {
    if depth == 0 {
        return Ok(1);
    }
    if nodes.fetch_add(1, Ordering::Relaxed).is_multiple_of(64) && budget.is_over() {
        return Err(0);
    }
    let color = game.to_move();
    let moves = game.legal_moves(color);
    if depth == 1 {
        return Ok(moves.len() as u128);
    }
    let mut total = Ok(0);
    for mv in moves {
        if game.play(color, mv).is_err() {
            continue;
        }
        let below = count(game, depth - 1, budget, nodes);
        game.undo();
        total = add(total, below);
        if total.is_err() {
            break;
        }
    }
    total
}
