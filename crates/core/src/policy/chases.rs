//! Ladders for the evaluation of moves: moves that capture, moves that run in vain, and moves that
//! prevent a capture.

use crate::board::{Board, MAX_LOCAL_DEGREE};
use crate::tactics::ladder::Ladders;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Role of a move in a ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Chase {
    /// No role.
    #[default]
    None,
    /// The move extends a chain in atari that is captured anyway.
    Runs,
    /// The move begins a ladder that captures.
    Captures,
    /// The move is a liberty of an own chain that the opponent would capture in a ladder.
    Saves,
}

/// Reads every ladder on a board.
#[derive(Clone, Debug)]
pub(super) struct Chases<B: Board> {
    ladders: Ladders<B>,
    moves: Vec<Chase>,
}

impl<B: Board> Default for Chases<B> {
    fn default() -> Self {
        Chases {
            ladders: Ladders::default(),
            moves: Vec::new(),
        }
    }
}

impl<B: Board> Chases<B> {
    /// Reads all ladders for the player to move, `color`.
    pub(super) fn read(&mut self, board: &B, color: Color) {
        self.clear();
        self.moves.resize(board.placements(), Chase::None);
        self.ladders.set_board(board);
        for point in (0..board.points()).map(Vertex::at) {
            let Some(owner) = board.at(point) else {
                continue;
            };
            if board.chain(point) != point || board.degree(point) > MAX_LOCAL_DEGREE {
                continue;
            }
            let mut found = [Vertex::NONE; 8];
            match (board.liberties(point, 3, &mut found), owner == color) {
                (1, true) if self.ladders.is_lost(point) => {
                    self.note(found[0], Chase::Runs);
                }
                (2, true) if self.ladders.capture(point).is_some() => {
                    self.note(found[0], Chase::Saves);
                    self.note(found[1], Chase::Saves);
                }
                (2, false) => {
                    if let Some(at) = self.ladders.capture(point) {
                        self.note(at, Chase::Captures);
                    }
                }
                _ => {}
            }
        }
    }

    /// Clears the results.
    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }

    fn note(&mut self, at: Vertex, chase: Chase) {
        if let Some(noted) = self.moves.get_mut(at.index()) {
            *noted = chase;
        }
    }

    /// Returns the role of the placement on `at`.
    pub(super) fn of(&self, at: Vertex) -> Chase {
        self.moves.get(at.index()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::grid;

    /// Returns the moves of `color` with this role on a 7×7 board, top row first.
    fn moves(rows: [&str; 7], color: Color, kind: Chase) -> Vec<Vertex> {
        let board = grid(&rows);
        let mut chases = Chases::default();
        chases.read(&board, color);
        (0..49)
            .map(Vertex::at)
            .filter(|&at| chases.of(at) == kind)
            .collect()
    }

    /// D4 (index 24), where the lone stone on C4 would extend.
    const EAST: usize = 24;
    const SOUTH: usize = 16;

    const IN_ATARI: [&str; 7] = [
        ".......", ".......", "..XX...", ".XO....", "..X....", ".......", ".......",
    ];
    const FREE_ENOUGH: [&str; 7] = [
        ".......", "..XX...", ".XO....", "..X....", ".......", "....O..", ".......",
    ];
    const TWO_LIBERTIES: [&str; 7] = [
        ".......", ".......", "..XX...", ".XO....", ".......", ".......", ".......",
    ];

    #[test]
    fn distinguishes_useless_from_useful_extensions() {
        let runs = |rows| moves(rows, Color::WHITE, Chase::Runs);
        assert_eq!(runs(IN_ATARI), [Vertex::at(EAST)]);
        assert_eq!(runs(FREE_ENOUGH), []);
        assert_eq!(moves(IN_ATARI, Color::BLACK, Chase::Runs), []);
    }

    #[test]
    fn finds_moves_that_start_and_prevent_a_ladder() {
        let captures = moves(TWO_LIBERTIES, Color::BLACK, Chase::Captures);
        assert_eq!(captures.len(), 1);
        let saves = moves(TWO_LIBERTIES, Color::WHITE, Chase::Saves);
        assert_eq!(saves, [Vertex::at(SOUTH), Vertex::at(EAST)]);
        assert!(saves.contains(&captures[0]));
    }
}
