//! Taking dead stones off by play, before the pass that ends the game.
//!
//! Where the board is counted as it stands, a dead stone that stays is a living one. A search sees no difference between
//! moves that all keep everything, so the capturing ones are picked here, each tried by playouts before it is played.

use std::time::Instant;

use super::judge::{self, Status};
use super::ownership::Ownership;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::vertex::{Move, Vertex};

/// Playouts that say what a capturing move keeps.
const SAMPLES: usize = 128;
/// Moves tried at most.
const TRIED: usize = 12;
/// Points that a move may seem to lose, which chance explains.
const SLACK: f64 = 0.5;

/// A move of `color` towards the capture of a dead chain that costs nothing, where one is found by then for which a turn can be
/// spared.
pub(super) fn next<B: Board>(
    game: &Game<B>,
    color: Color,
    by: Instant,
    spares: impl Fn(Move) -> bool,
) -> Option<Move> {
    let board = game.board();
    if !board.has_chains() {
        return None;
    }
    // What is dead has a third of the time, what stays if nothing is taken a sixth, and the moves the rest.
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

/// Legal moves on liberties of the others' dead chains: captures first, then chains with few liberties.
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

/// Points that `color` can expect.
fn total<B: Board>(ownership: &Ownership, board: &B, color: Color) -> f64 {
    (0..board.points())
        .map(|i| ownership.share(Vertex::at(i), color))
        .sum()
}
