//! Removal of dead stones by play, before the pass that ends the game.
//!
//! If all stones count as they stand, a dead stone that stays on the board counts as alive. A
//! search does not distinguish between moves that keep all points. This module therefore picks
//! moves that capture dead stones, and tests each by playouts before it is played.

use std::time::Instant;

use crate::estimate::judge::{self, Status};
use crate::estimate::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::Game;

/// Number of playouts that estimate the points kept after a move.
const SAMPLES: usize = 128;
/// Maximum number of moves tested.
const TRIED: usize = 12;
/// Loss in expected points up to which a tested move counts as free. Playouts vary by this much.
const SLACK: f64 = 0.5;

/// Returns a move of `color` toward the capture of a dead chain that costs no points.
///
/// Only moves for which `spares` returns true are tested. Returns `None` if no such move is found
/// by the time `by`, or if the board has no chains.
pub(crate) fn next<B: Board>(
    game: &Game<B>,
    color: Color,
    by: Instant,
    spares: impl Fn(Move) -> bool,
) -> Option<Move> {
    let board = game.board();
    if !board.has_chains() {
        return None;
    }
    // Time split: 1/3 to find dead stones, 1/6 to sample the position without a move, and 1/2 to
    // test the moves.
    let now = Instant::now();
    let left = by.saturating_duration_since(now);
    if left.is_zero() {
        return None;
    }
    let mut moves = attacks(game, color, now + left / 3);
    moves.retain(|&at| spares(Move::Place(at)));
    if moves.is_empty() {
        return None;
    }
    moves.truncate(TRIED);
    let colors = game.rules().colors;
    let sample = |board: &B, by| judge::sample_by(board, colors, SAMPLES, by);
    let kept = total(&sample(board, now + left / 2), board, color);
    moves
        .into_iter()
        .take_while(|_| Instant::now() < by)
        .find(|&at| {
            let mut after = board.clone();
            after.place(color, at, |_, _| {});
            let owned = sample(&after, by);
            Instant::now() < by && total(&owned, board, color) + SLACK >= kept
        })
        .map(Move::Place)
}

/// Returns the legal moves on liberties of the opponents' dead chains. Captures come first. The
/// rest are ordered by the number of liberties of the chain.
fn attacks<B: Board>(game: &Game<B>, color: Color, by: Instant) -> Vec<Vertex> {
    let board = game.board();
    let mut moves: Vec<(usize, Vertex)> = Vec::new();
    for (status, stones) in judge::judge_by(game, by) {
        let owner = stones.first().and_then(|&stone| board.at(stone));
        if status != Status::Dead || owner == Some(color) {
            continue;
        }
        let mut liberties: Vec<Vertex> = stones
            .iter()
            .flat_map(|&stone| board.around(stone))
            .filter(|&near| board.at(near).is_none())
            .collect();
        liberties.sort_unstable();
        liberties.dedup();
        let count = liberties.len();
        let legal = liberties
            .into_iter()
            .filter(|&at| game.check(color, Move::Place(at)).is_ok());
        moves.extend(legal.map(|at| (count, at)));
    }
    moves.sort_unstable();
    let mut seen = vec![false; board.points()];
    moves.retain(|&(_, at)| !std::mem::replace(&mut seen[at.index()], true));
    moves.into_iter().map(|(_, at)| at).collect()
}

/// Returns the expected number of points of `color`.
fn total<B: Board>(ownership: &Ownership, board: &B, color: Color) -> f64 {
    (0..board.points())
        .map(|i| ownership.share(Vertex::at(i), color))
        .sum()
}
