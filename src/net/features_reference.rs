//! Slow reference implementation of the features. It asks the board anew for every fact and reads
//! each ladder on a copy of the board.

use super::*;
use crate::board::reference::Ladders;

/// Feature extractor with its working space.
#[derive(Clone, Debug)]
pub struct Extractor<B: Board> {
    ladders: Ladders<B>,
    /// Number of liberties of each stone's chain, up to [`MOST`].
    liberties: Vec<u8>,
}

/// Maximum number of liberties counted per chain; chains with more are treated the same.
const MOST: usize = 4;

impl<B: Board> Default for Extractor<B> {
    fn default() -> Self {
        Extractor {
            ladders: Ladders::default(),
            liberties: Vec::new(),
        }
    }
}

impl<B: Board> Extractor<B> {
    /// Writes the bits of each point to `planes`, in index order.
    pub fn extract(&mut self, board: &B, situation: Situation<'_>, planes: &mut Vec<u32>) {
        let points = board.points();
        let passed = matches!(situation.recent.first(), Some(None));
        let all = 1 << BOARD | u32::from(passed) << PASSED;
        planes.clear();
        planes.resize(points, all);
        self.liberties.clear();
        self.liberties.resize(points, 0);
        for i in 0..points {
            self.chain_at(board, Vertex::at(i), situation.to_move, planes);
        }
        for &at in board.vacant() {
            planes[at.index()] |= 1 << FORBIDDEN;
        }
        for &at in situation.legal {
            planes[at.index()] &= !(1 << FORBIDDEN);
            planes[at.index()] |= self.after(board, situation.to_move, at);
        }
        for (age, recent) in (0..).zip(situation.recent.iter().take(RECENT_MOVES)) {
            if let Some(at) = recent
                && let Some(bits) = planes.get_mut(at.index())
            {
                *bits |= 1 << (RECENT + age);
            }
        }
    }

    /// Writes the bits that all stones of a chain share, if `point` represents its chain.
    fn chain_at(&mut self, board: &B, point: Vertex, to_move: Color, planes: &mut [u32]) {
        let Some(color) = board.at(point) else { return };
        if board.chain(point) != point {
            return;
        }
        let mut found = [Vertex::NONE; 8];
        let liberties = board.liberties(point, MOST, &mut found);
        let own = color == to_move;
        let mut bits = 1 << if own { OWN } else { OPPONENT };
        match liberties {
            1 => {
                bits |= 1 << LIBERTIES;
                if self.ladders.is_lost(board, point) {
                    bits |= 1 << LADDER;
                }
            }
            2 => {
                bits |= 1 << (LIBERTIES + 1);
                if let Some(start) = self.ladders.capture(board, point) {
                    bits |= 1 << LADDER;
                    if !own {
                        planes[start.index()] |= 1 << LADDER_START;
                    }
                }
            }
            3 => bits |= 1 << (LIBERTIES + 2),
            _ => {}
        }
        let counted = &mut self.liberties;
        board.for_chain(point, |stone| {
            planes[stone.index()] |= bits;
            counted[stone.index()] = liberties as u8;
        });
    }

    /// Returns the bits of an empty point where `color` may play: liberties after the move,
    /// captures, suicide.
    fn after(&self, board: &B, color: Color, at: Vertex) -> u32 {
        let mut liberties = [Vertex::NONE; 2 * MOST];
        let mut count = 0;
        let mut captures = false;
        let mut add = |point: Vertex| {
            if count < liberties.len() && point != at && !liberties[..count].contains(&point) {
                liberties[count] = point;
                count += 1;
            }
        };
        for near in board.around(at) {
            match board.at(near) {
                None => add(near),
                Some(stone) if stone == color => {
                    let mut found = [Vertex::NONE; 8];
                    let most = board.liberties(near, MOST, &mut found);
                    found[..most].iter().copied().for_each(&mut add);
                }
                Some(_) if self.liberties[near.index()] == 1 => {
                    captures = true;
                    add(near);
                }
                Some(_) => {}
            }
        }
        let shape = match count {
            0 => 1 << FORBIDDEN,
            1 => 1 << LIBERTIES_AFTER,
            2 => 1 << (LIBERTIES_AFTER + 1),
            _ => 0,
        };
        shape | u32::from(captures) << CAPTURES
    }
}
