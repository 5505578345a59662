//! Input features of the network: for each point a set of bits, one per input plane, and the komi.
//!
//! The training data and the search use this one implementation. All features are relative to the
//! player to move and describe chains. Swapping the colors or turning the board therefore keeps
//! their meaning.

use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::tactics::ladder::Ladders;

/// Number of input planes. The last one holds the komi; planes without a name are zero.
pub const PLANES: usize = 32;

/// Plane: the point is on the board.
pub const BOARD: u32 = 0;
/// Plane: a stone of the player to move.
pub const OWN: u32 = 1;
/// Plane: a stone of the opponent.
pub const OPPONENT: u32 = 2;
/// Plane: a stone of a chain with 1 liberty. The next two planes: 2 and 3 liberties.
pub const LIBERTIES: u32 = 3;
/// Plane: an empty point where the player to move may not play, or only as suicide.
pub const FORBIDDEN: u32 = 6;
/// Plane: the point of the latest move. The next four planes: the four moves before it.
pub const RECENT: u32 = 7;
/// Number of recent moves that have a plane.
pub const RECENT_MOVES: usize = 5;
/// Plane: a stone of a chain that a ladder captures. A chain in atari is captured although its
/// owner moves first. A chain with two liberties is captured if the opponent moves first.
pub const LADDER: u32 = 12;
/// Plane: an empty point where the player to move would have 1 liberty after the move. The next
/// plane: 2 liberties. Of captured stones, only those next to the point count as liberties.
pub const LIBERTIES_AFTER: u32 = 13;
/// Plane: an empty point where the player to move captures.
pub const CAPTURES: u32 = 15;
/// Plane: an empty point where the player to move starts a ladder that captures.
pub const LADDER_START: u32 = 16;
/// Plane: every point, if the latest move was a pass.
pub const PASSED: u32 = 17;
/// Plane: the komi as returned by [`komi_input`].
pub const KOMI: u32 = 31;

/// Input of the features in addition to the board.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Player to move.
    pub to_move: Color,
    /// Recent moves, the latest first; `None` is a pass.
    pub recent: &'a [Option<Vertex>],
    /// Legal placements of the player to move.
    pub legal: &'a [Vertex],
}

/// Feature extractor with its working space.
#[derive(Clone, Debug)]
pub struct Extractor<B: Board> {
    ladders: Ladders<B>,
    /// True if `ladders` holds a copy of the current position.
    ladders_ready: bool,
    /// Number of liberties of each stone's chain, up to [`MAX_LIBERTIES`].
    liberties: Vec<u8>,
    /// Up to [`MAX_LIBERTIES`] liberties of each chain, stored at the point that represents the
    /// chain.
    found: Vec<[Vertex; MAX_LIBERTIES]>,
}

/// Maximum number of liberties counted per chain; chains with more are treated the same.
const MAX_LIBERTIES: usize = 4;

impl<B: Board> Default for Extractor<B> {
    fn default() -> Self {
        Extractor {
            ladders: Ladders::default(),
            ladders_ready: false,
            liberties: Vec::new(),
            found: Vec::new(),
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
        self.found.resize(points, [Vertex::NONE; MAX_LIBERTIES]);
        self.ladders_ready = false;
        for i in 0..points {
            self.chain_at(board, Vertex::at(i), situation.to_move, planes);
        }
        for &at in board.vacant() {
            planes[at.index()] |= 1 << FORBIDDEN;
        }
        for &at in situation.legal {
            planes[at.index()] &= !(1 << FORBIDDEN);
            planes[at.index()] |= self.placement_bits(board, situation.to_move, at);
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
        let liberties = board.liberties(point, MAX_LIBERTIES, &mut found);
        if let Some(first) = found.first_chunk() {
            self.found[point.index()] = *first;
        }
        if liberties <= 2 && !self.ladders_ready {
            self.ladders.set_board(board);
            self.ladders_ready = true;
        }
        let own = color == to_move;
        let mut bits = 1 << if own { OWN } else { OPPONENT };
        match liberties {
            1 => {
                bits |= 1 << LIBERTIES;
                if self.ladders.is_lost(point) {
                    bits |= 1 << LADDER;
                }
            }
            2 => {
                bits |= 1 << (LIBERTIES + 1);
                if let Some(start) = self.ladders.capture(point) {
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
    fn placement_bits(&self, board: &B, color: Color, at: Vertex) -> u32 {
        // The bits distinguish counts up to 2, so it is enough to count a few more.
        let mut liberties = [Vertex::NONE; 2 * MAX_LIBERTIES];
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
                    let count = usize::from(self.liberties[near.index()]);
                    let found = &self.found[board.chain(near).index()];
                    found[..count].iter().copied().for_each(&mut add);
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

/// Returns the value of the komi plane: the komi for the player to move, in units of 16 points,
/// clamped to ±4.
pub fn komi_input(komi: Points, to_move: Color) -> f32 {
    let halves = komi.halves().clamp(-128, 128) as f32;
    let seen = if to_move == Color::WHITE {
        halves
    } else {
        -halves
    };
    seen / 32.0
}

#[cfg(test)]
#[path = "../../core/src/board/reference.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
pub(crate) mod board_reference;

#[cfg(test)]
#[path = "features_reference.rs"]
mod reference;

#[cfg(test)]
mod tests {
    use super::board_reference::Random;
    use super::*;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::board::{BareBoard, Playouts};

    #[test]
    fn planes_agree_with_the_reference_implementation() {
        let (mut extractor, mut slow) = (Extractor::default(), reference::Extractor::default());
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let mut seen = 0;
        for seed in 1..30 {
            let side = 5 + seed as usize % 9;
            let mut board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
            let mut random = Random::new(seed);
            let mut to_move = Color::BLACK;
            let mut recent = Vec::new();
            for turn in 0..2 * side * side {
                let at = board.vacant()[random.below(board.vacant().len())];
                let plays = board.playable(to_move, at);
                if plays {
                    board.place(to_move, at, |_, _| {});
                }
                recent.insert(0, plays.then_some(at));
                to_move = to_move.other();
                if turn % 5 != 0 {
                    continue;
                }
                // Include suicides, and exclude some moves at random.
                let mut legal = board.vacant().to_vec();
                legal.retain(|_| random.below(8) > 0);
                let situation = Situation {
                    to_move,
                    recent: &recent,
                    legal: &legal,
                };
                extractor.extract(&board, situation, &mut found);
                slow.extract(&board, situation, &mut expected);
                assert_eq!(found, expected, "seed {seed}, turn {turn}");
                seen |= found.iter().fold(0, |seen, bits| seen | bits);
            }
        }
        assert_eq!(seen, (1 << (PASSED + 1)) - 1, "every plane was seen");
    }
}
