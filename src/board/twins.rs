//! What tests compare with: ladders read on copies of the board; and dice for random games.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Board;
use crate::color::Color;
use crate::vertex::Vertex;

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
    /// Stones laid out at most for one question; a ladder that takes more is taken to fail.
    pub const NODES: usize = 96;

    /// Whether the chain of the stone on `prey`, in atari, is captured although its owner moves first.
    pub fn is_lost(&mut self, board: &B, prey: Vertex) -> bool {
        (self.nodes, self.gave_up) = (Self::NODES, false);
        board.at(prey).is_some_and(|color| {
            board.sole_liberty(prey).is_some() && !self.escapes(board, prey, color)
        })
    }

    /// The move with which the opponent captures the chain of the stone on `prey`, of two liberties, in a ladder.
    pub fn capture(&mut self, board: &B, prey: Vertex) -> Option<Vertex> {
        (self.nodes, self.gave_up) = (Self::NODES, false);
        let color = board.at(prey)?;
        self.chase(board, prey, color)
    }

    /// Whether the latest question was too long to be read out; its answer may then depend on the order of moves.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The atari after which the chain of `color` on `prey`, of two liberties, does not escape.
    fn chase(&mut self, board: &B, prey: Vertex, color: Color) -> Option<Vertex> {
        let mut found = [Vertex::NONE; 8];
        if board.liberties(prey, 3, &mut found) != 2 {
            return None;
        }
        let attacker = color.other();
        // First where the prey would gain more by extending: the other way round it runs away.
        let mut ways = [found[0], found[1]];
        let airs = |at: Vertex| board.around(at).filter(|&u| board.at(u).is_none()).count();
        if airs(ways[1]) > airs(ways[0]) {
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

    /// Whether the chain of `color` on `prey`, in atari, gets away when its owner moves.
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

    /// The board after a move that is no suicide, while the account lasts.
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

/// Seeded numbers.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.0.next_u64() % most as u64) as usize
    }
}
