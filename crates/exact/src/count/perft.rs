//! Perft: counting move sequences of a given length, a thorough test of a move generator.

use std::sync::atomic::{AtomicU64, Ordering};

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

/// Approximate bytes that a move takes in a game and its history.
const TURN: usize = 256;

/// Counts sequences with an explicit stack of untried moves. Sequences can be too long for
/// recursion.
fn count<B: BareBoard>(
    game: &mut Game<B>,
    depth: u32,
    budget: &Budget<'_>,
    nodes: &AtomicU64,
) -> Counted {
    let mut total = 0u128;
    // For each move played so far, its alternatives that are still untried.
    let mut open: Vec<std::vec::IntoIter<Move>> = Vec::new();
    let turn = TURN + size_of::<Move>() * (game.board().placements() + 1);
    let most = budget.memory / rayon::current_num_threads() / turn;
    loop {
        let left = depth - open.len() as u32;
        if open.len() > most
            || (nodes.fetch_add(1, Ordering::Relaxed).is_multiple_of(64) && budget.is_over())
        {
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
