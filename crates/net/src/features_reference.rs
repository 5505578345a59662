//! Slow reference implementation of the features, point by point as they are defined. Liberties are
//! sets of points, and each ladder is read on a copy of the board.

use std::collections::BTreeSet;

use super::board_reference::Ladders;
use super::*;

/// Feature extractor with its working space.
#[derive(Clone, Debug)]
pub struct Extractor<B: Board> {
    ladders: Ladders<B>,
}

impl<B: Board> Default for Extractor<B> {
    fn default() -> Self {
        Extractor {
            ladders: Ladders::default(),
        }
    }
}

impl<B: Board> Extractor<B> {
    /// Writes the bits of each point to `planes`, in index order.
    pub fn extract(&mut self, board: &B, situation: Situation<'_>, planes: &mut Vec<u32>) {
        planes.clear();
        for i in 0..board.points() {
            let at = Vertex::at(i);
            let own = match board.at(at) {
                Some(color) => stone_bits(board, at, color == situation.to_move),
                None if situation.legal.contains(&at) => {
                    placement_bits(board, situation.to_move, at)
                }
                None => 1 << FORBIDDEN,
            };
            planes.push(1 << BOARD | own | history_bits(situation.recent, at));
        }
        self.mark_ladders(board, situation.to_move, planes);
    }

    /// Writes the chains that ladders capture, and the moves that start those ladders.
    fn mark_ladders(&mut self, board: &B, to_move: Color, planes: &mut [u32]) {
        for i in 0..board.points() {
            let at = Vertex::at(i);
            let Some(color) = board.at(at) else { continue };
            if board.chain(at) != at {
                continue;
            }
            let start = self.ladders.capture(board, at);
            if start.is_some() || self.ladders.is_lost(board, at) {
                board.for_chain(at, |stone| planes[stone.index()] |= 1 << LADDER);
            }
            if let Some(start) = start.filter(|_| color != to_move) {
                planes[start.index()] |= 1 << LADDER_START;
            }
        }
    }
}

/// Returns the bits of the latest moves at a point.
fn history_bits(recent: &[Option<Vertex>], at: Vertex) -> u32 {
    let mut bits = 0;
    for age in 0..RECENT_MOVES {
        if recent.get(age) == Some(&Some(at)) {
            bits |= 1 << (RECENT + age as u32);
        }
    }
    if recent.first() == Some(&None) {
        bits |= 1 << PASSED;
    }
    bits
}

/// Returns the liberties of the chain of the stone on `at`.
fn liberties<B: Board>(board: &B, at: Vertex) -> BTreeSet<Vertex> {
    let mut found = BTreeSet::new();
    board.for_chain(at, |stone| {
        found.extend(board.around(stone).filter(|&u| board.at(u).is_none()));
    });
    found
}

/// Returns the bits of a stone's color and liberties.
fn stone_bits<B: Board>(board: &B, at: Vertex, own: bool) -> u32 {
    let color = 1 << if own { OWN } else { OPPONENT };
    match liberties(board, at).len() {
        1 => color | 1 << LIBERTIES,
        2 => color | 1 << (LIBERTIES + 1),
        3 => color | 1 << (LIBERTIES + 2),
        _ => color,
    }
}

/// Returns the bits of an empty point where `color` may play. Of a captured chain, only stones
/// next to the point become liberties.
fn placement_bits<B: Board>(board: &B, color: Color, at: Vertex) -> u32 {
    let mut after = BTreeSet::new();
    let mut bits = 0;
    for near in board.around(at) {
        match board.at(near) {
            None => {
                after.insert(near);
            }
            Some(stone) if stone == color => after.extend(liberties(board, near)),
            Some(_) if liberties(board, near).len() == 1 => {
                bits |= 1 << CAPTURES;
                after.insert(near);
            }
            Some(_) => {}
        }
    }
    after.remove(&at);
    match after.len() {
        0 => bits | 1 << FORBIDDEN,
        1 => bits | 1 << LIBERTIES_AFTER,
        2 => bits | 1 << (LIBERTIES_AFTER + 1),
        _ => bits,
    }
}
