//! Inputs of Leela Zero's networks: 18 planes. Eight show the own stones, now and after each of the
//! seven moves before, and eight those of the opponent. One of the last two is full and tells the
//! color to move. Positions before the start of a game are empty.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};

/// Number of input planes.
pub(super) const PLANES: usize = 18;
/// Number of positions that the inputs show.
const SHOWN: usize = 8;
/// Plane that is full if Black is to move; that of White follows.
const BLACK_TO_MOVE: u32 = 16;

/// Converter of positions, with the history of a game.
#[derive(Clone, Debug)]
pub(super) struct History<B: Board> {
    /// Positions of the game, the present one first.
    earlier: Vec<B>,
    /// Position of a search line.
    board: B,
}

impl<B: Board> History<B> {
    /// Returns a converter for lines of this game.
    pub(super) fn new(game: &Game<B>) -> History<B> {
        let turns = game.moves().count().min(SHOWN - 1);
        History {
            earlier: (0..=turns).map(|age| game.board_before(age)).collect(),
            board: game.board().clone(),
        }
    }

    /// Writes the planes of each point as bits, in index order, for the position at the end of a
    /// line. `path` holds the moves of the line, from the latest back.
    pub(super) fn extract(
        &mut self,
        line: &Line<'_, B>,
        path: &[Option<Vertex>],
        planes: &mut Vec<u32>,
    ) {
        let (game, to_move) = (line.game(), line.to_move());
        planes.clear();
        let side = BLACK_TO_MOVE + u32::from(to_move == Color::WHITE);
        planes.resize(game.board().points(), 1 << side);
        for (board, age) in self.earlier.iter().zip(path.len()..SHOWN) {
            add(board, to_move, age, planes);
        }
        let board = &mut self.board;
        board.clone_from(game.board());
        let mut color = match path.len() % 2 {
            0 => to_move,
            _ => to_move.other(),
        };
        for (age, mv) in path.iter().enumerate().rev() {
            if let Some(at) = mv.filter(|&at| board.has_room(at)) {
                board.place(color, at, |_, _| {});
            }
            color = color.other();
            if age < SHOWN {
                add(board, to_move, age, planes);
            }
        }
    }
}

/// Adds the stones of a position `age` moves ago.
fn add<B: Board>(board: &B, to_move: Color, age: usize, planes: &mut [u32]) {
    for (point, bits) in planes.iter_mut().enumerate() {
        if let Some(color) = board.at(Vertex::at(point)) {
            let first = if color == to_move { 0 } else { SHOWN };
            *bits |= 1 << (first + age);
        }
    }
}
