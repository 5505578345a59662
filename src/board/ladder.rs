//! Ladders: whether a chain short of liberties can be kept in atari until it is captured.
//!
//! The attacker only ever answers with atari, the defender extends at its last liberty or captures a stone of the chase
//! that is itself in atari. That is what the field calls a ladder; every board has them, grids or not. Ko is left aside.
//! Cost: a copy of the board for each stone of the ladder, at most [`Ladders::NODES`] of them.

use super::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// A ladder reader with its working boards.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::grid::{Grid, GridBoard};

    /// A board from rows, top first.
    fn board(rows: &[&str]) -> GridBoard {
        let (width, height) = (rows[0].len(), rows.len());
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let position: Vec<Option<Color>> = rows
            .iter()
            .rev()
            .flat_map(|row| row.chars().map(Color::from_symbol))
            .collect();
        board.set_position(&position);
        board
    }

    fn prey(rows: &[&str]) -> Vertex {
        let (y, x) = rows
            .iter()
            .enumerate()
            .find_map(|(y, row)| row.find('O').map(|x| (y, x)))
            .unwrap();
        Vertex::at((rows.len() - 1 - y) * rows[0].len() + x)
    }

    #[test]
    fn a_ladder_runs_to_the_edge() {
        let rows = [
            ".......", //
            ".......", //
            "..X....", //
            ".XO....", //
            "..X....", //
            ".......", //
            ".......",
        ];
        // One liberty only: no ladder is needed, and none saves it? The stone extends to the east and is chased.
        let mut ladders = Ladders::default();
        assert!(!ladders.is_lost(&board(&rows), prey(&rows)));
        let rows = [
            ".......", //
            ".......", //
            "..XX...", //
            ".XO....", //
            "..X....", //
            ".......", //
            ".......",
        ];
        assert!(ladders.is_lost(&board(&rows), prey(&rows)));
    }

    #[test]
    fn a_breaker_saves_the_prey() {
        let rows = [
            ".......", //
            "..XX...", //
            ".XO....", //
            "..X....", //
            ".......", //
            "....O..", //
            ".......",
        ];
        assert!(!Ladders::default().is_lost(&board(&rows), prey(&rows)));
    }

    #[test]
    fn two_liberties_and_the_atari_that_works() {
        let rows = [
            ".......", //
            ".......", //
            "..XX...", //
            ".XO....", //
            ".......", //
            ".......", //
            ".......",
        ];
        let found = Ladders::default().capture(&board(&rows), prey(&rows));
        assert!(found.is_some());
    }
}
