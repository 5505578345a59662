//! Test helpers: a reference implementation of ladders that copies boards, and random numbers for
//! random games.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Board;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// A ladder reader that copies the board for each stone.
#[derive(Clone, Debug)]
pub struct Ladders<B: Board> {
    boards: Vec<B>,
    nodes: usize,
    gave_up: bool,
}

impl<B: Board> Default for Ladders<B> {
    fn default() -> Self {
        Ladders {
            boards: Vec::new(),
            nodes: 0,
            gave_up: false,
        }
    }
}

impl<B: Board> Ladders<B> {
    /// Maximum number of stones placed per query. A ladder that needs more counts as failed.
    pub const NODES: usize = 96;

    /// Returns true if the chain of the stone on `prey`, in atari, is captured even though its
    /// owner moves first.
    pub fn is_lost(&mut self, board: &B, prey: Vertex) -> bool {
        (self.nodes, self.gave_up) = (Self::NODES, false);
        board.at(prey).is_some_and(|color| {
            board.sole_liberty(prey).is_some() && !self.escapes(board, prey, color)
        })
    }

    /// Returns the opponent's move that captures the chain of the stone on `prey`, which must have
    /// two liberties, in a ladder.
    pub fn capture(&mut self, board: &B, prey: Vertex) -> Option<Vertex> {
        (self.nodes, self.gave_up) = (Self::NODES, false);
        let color = board.at(prey)?;
        self.chase(board, prey, color)
    }

    /// Returns true if the latest query exceeded its limits. Its answer may then depend on the
    /// order of moves.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Returns the atari after which the chain of `color` on `prey`, which must have two liberties,
    /// does not escape.
    fn chase(&mut self, board: &B, prey: Vertex, color: Color) -> Option<Vertex> {
        let mut found = [Vertex::NONE; 8];
        if board.liberties(prey, 3, &mut found) != 2 {
            return None;
        }
        let attacker = color.other();
        // Try first the liberty where extending would gain the chain more. After an atari from the
        // other side, it could extend there.
        let mut ways = [found[0], found[1]];
        let empty_neighbors =
            |at: Vertex| board.around(at).filter(|&u| board.at(u).is_none()).count();
        if empty_neighbors(ways[1]) > empty_neighbors(ways[0]) {
            ways.swap(0, 1);
        }
        ways.into_iter().find(|&at| {
            let Some(next) = self.after(board, attacker, at) else {
                return false;
            };
            let held = next.sole_liberty(prey).is_some() && !self.escapes(&next, prey, color);
            self.boards.push(next);
            held
        })
    }

    /// Returns true if the chain of `color` on `prey`, in atari, escapes when its owner moves.
    fn escapes(&mut self, board: &B, prey: Vertex, color: Color) -> bool {
        let Some(liberty) = board.sole_liberty(prey) else {
            return true;
        };
        let mut replies = [liberty; 4];
        let mut count = 1;
        board.for_chain(prey, |stone| {
            for near in board.around(stone) {
                if board.at(near).is_some_and(|other| other != color)
                    && let Some(take) = board.sole_liberty(near)
                    && !replies[..count].contains(&take)
                {
                    match replies.get_mut(count) {
                        Some(reply) => {
                            *reply = take;
                            count += 1;
                        }
                        None => self.gave_up = true,
                    }
                }
            }
        });
        replies[..count].iter().rev().any(|&at| {
            if self.nodes == 0 {
                self.gave_up = true;
                return true;
            }
            let Some(next) = self.after(board, color, at) else {
                return false;
            };
            let mut found = [Vertex::NONE; 8];
            let free = match next.liberties(prey, 3, &mut found) {
                0 | 1 => false,
                2 => self.chase(&next, prey, color).is_none(),
                _ => true,
            };
            self.boards.push(next);
            free
        })
    }

    /// Returns the board after a move, or `None` if the move is suicide or the work limit is
    /// reached.
    fn after(&mut self, board: &B, color: Color, at: Vertex) -> Option<B> {
        self.gave_up |= self.nodes == 0;
        if self.nodes == 0 || board.preview(color, at).suicide {
            return None;
        }
        self.nodes -= 1;
        let mut next = match self.boards.pop() {
            Some(mut next) => {
                next.clone_from(board);
                next
            }
            None => board.clone(),
        };
        next.place(color, at, |_, _| {});
        Some(next)
    }
}

/// Seeded random numbers.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a number below `most`, which must not be 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.0.next_u64() % most as u64) as usize
    }
}
