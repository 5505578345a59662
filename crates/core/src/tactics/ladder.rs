//! Ladders: reading whether a chain with few liberties can be kept in atari until it is captured.
//!
//! The attacker only plays ataris. The defender extends at its last liberty or captures a chasing
//! chain that is itself in atari. This is the usual definition of a ladder, and it works on every
//! board. Ko is ignored. Cost: one trial move per stone of the ladder, at most [`Ladders::NODES`].

use crate::board::Chains;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// A ladder reader with its working board.
#[derive(Clone, Debug)]
pub struct Ladders<B: Chains> {
    board: Option<B>,
    reader: Reader,
}

/// Work counter of one query.
#[derive(Clone, Debug, Default)]
struct Reader {
    nodes: usize,
    gave_up: bool,
}

impl<B: Chains> Default for Ladders<B> {
    fn default() -> Self {
        Ladders {
            board: None,
            reader: Reader::default(),
        }
    }
}

impl<B: Chains> Ladders<B> {
    /// Maximum number of trial moves per query. A ladder that needs more counts as failed.
    pub const NODES: usize = 96;

    /// Sets the board for the following queries.
    pub fn set_board(&mut self, board: &B) {
        match &mut self.board {
            Some(copy) => copy.clone_from(board),
            None => self.board = Some(board.clone()),
        }
    }

    /// Returns true if the chain of the stone on `prey`, in atari, is captured even though its
    /// owner moves first. Uses the board of `set_board`.
    pub fn is_lost(&mut self, prey: Vertex) -> bool {
        self.reader = Reader::new(Self::NODES);
        self.board.as_mut().is_some_and(|board| {
            board.at(prey).is_some_and(|color| {
                board.sole_liberty(prey).is_some() && !self.reader.escapes(board, prey, color)
            })
        })
    }

    /// Returns the opponent's move that captures the chain of the stone on `prey`, which must have
    /// two liberties, in a ladder. Returns `None` if there is no such move. Uses the board of
    /// `set_board`.
    pub fn capture(&mut self, prey: Vertex) -> Option<Vertex> {
        self.reader = Reader::new(Self::NODES);
        let board = self.board.as_mut()?;
        let color = board.at(prey)?;
        self.reader.chase(board, prey, color)
    }

    /// Returns true if the latest query exceeded its limits. Its answer may then depend on the
    /// order of moves.
    pub fn gave_up(&self) -> bool {
        self.reader.gave_up
    }
}

impl Reader {
    fn new(nodes: usize) -> Reader {
        Reader {
            nodes,
            gave_up: false,
        }
    }

    /// Returns the atari after which the chain of `color` on `prey`, which must have two liberties,
    /// does not escape.
    fn chase<B: Chains>(&mut self, board: &mut B, prey: Vertex, color: Color) -> Option<Vertex> {
        let mut found = [Vertex::NONE; 8];
        if board.liberties(prey, 3, &mut found) != 2 {
            return None;
        }
        // Try first the liberty where extending would gain the chain more. After an atari from the
        // other side, it could extend there.
        let mut ways = [found[0], found[1]];
        let empty_neighbors =
            |at: Vertex| board.around(at).filter(|&u| board.at(u).is_none()).count();
        if empty_neighbors(ways[1]) > empty_neighbors(ways[0]) {
            ways.swap(0, 1);
        }
        ways.into_iter().find(|&at| {
            let held = self.after(board, color.other(), at, |reader, next| {
                next.sole_liberty(prey).is_some() && !reader.escapes(next, prey, color)
            });
            held == Some(true)
        })
    }

    /// Returns true if the chain of `color` on `prey`, in atari, escapes when its owner moves.
    fn escapes<B: Chains>(&mut self, board: &mut B, prey: Vertex, color: Color) -> bool {
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
            let free = self.after(board, color, at, |reader, next| {
                let mut found = [Vertex::NONE; 8];
                match next.liberties(prey, 3, &mut found) {
                    0 | 1 => false,
                    2 => reader.chase(next, prey, color).is_none(),
                    _ => true,
                }
            });
            free == Some(true)
        })
    }

    /// Returns the result of `then` after a trial move, or `None` if the move is suicide or the
    /// work limit is reached.
    fn after<B: Chains, R>(
        &mut self,
        board: &mut B,
        color: Color,
        at: Vertex,
        then: impl FnOnce(&mut Self, &mut B) -> R,
    ) -> Option<R> {
        if self.nodes == 0 {
            self.gave_up = true;
            return None;
        }
        board.with_trial_move(color, at, |next| {
            self.nodes -= 1;
            then(self, next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::grid::{Grid, GridBoard};
    use crate::board::reference::{self, Random};
    use crate::board::{BareBoard, Playouts};

    /// Returns a board from rows, top row first.
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

    /// Returns the ladders on the board of these rows.
    fn ladders(rows: &[&str]) -> Ladders<GridBoard> {
        let mut ladders = Ladders::default();
        ladders.set_board(&board(rows));
        ladders
    }

    #[test]
    fn a_ladder_to_the_edge_captures() {
        let rows = [
            ".......", //
            ".......", //
            "..X....", //
            ".XO....", //
            "..X....", //
            ".......", //
            ".......",
        ];
        // The stone has one liberty, extends to the east, and escapes with three liberties.
        assert!(!ladders(&rows).is_lost(prey(&rows)));
        let rows = [
            ".......", //
            ".......", //
            "..XX...", //
            ".XO....", //
            "..X....", //
            ".......", //
            ".......",
        ];
        assert!(ladders(&rows).is_lost(prey(&rows)));
    }

    #[test]
    fn a_ladder_breaker_saves_the_chain() {
        let rows = [
            ".......", //
            "..XX...", //
            ".XO....", //
            "..X....", //
            ".......", //
            "....O..", //
            ".......",
        ];
        assert!(!ladders(&rows).is_lost(prey(&rows)));
    }

    #[test]
    fn finds_the_atari_that_captures_a_chain_of_two_liberties() {
        let rows = [
            ".......", //
            ".......", //
            "..XX...", //
            ".XO....", //
            ".......", //
            ".......", //
            ".......",
        ];
        assert!(ladders(&rows).capture(prey(&rows)).is_some());
    }

    #[test]
    fn ladders_agree_with_the_reference_implementation() {
        let (mut read, mut given_up) = (0, 0);
        for seed in 1..40 {
            let side = 4 + seed as usize % 8;
            let mut board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
            let mut random = Random::new(seed);
            let mut color = Color::BLACK;
            let (mut ladders, mut reference) = (Ladders::default(), reference::Ladders::default());
            for turn in 0..side * side {
                let at = board.vacant()[random.below(board.vacant().len())];
                if board.playable(color, at) {
                    board.place(color, at, |_, _| {});
                }
                color = color.other();
                if turn % 4 != 0 {
                    continue;
                }
                ladders.set_board(&board);
                for prey in (0..board.points()).map(Vertex::at) {
                    let found = ladders.is_lost(prey);
                    assert_eq!(found, reference.is_lost(&board, prey));
                    assert_eq!(ladders.gave_up(), reference.gave_up());
                    let captured = ladders.capture(prey);
                    assert_eq!(captured, reference.capture(&board, prey));
                    assert_eq!(ladders.gave_up(), reference.gave_up());
                    read += usize::from(found) + usize::from(captured.is_some());
                    given_up += usize::from(ladders.gave_up());
                }
            }
        }
        assert!(read > 1000 && given_up > 0, "{read} {given_up}");
    }
}
