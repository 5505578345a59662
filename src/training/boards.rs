//! Rectangles of training games, drawn in proportion to weights.

use std::str::FromStr;

use super::draw;
use crate::board::grid::{Grid, GridBoard};
use crate::graph::names::Names;
use crate::net::layout::BoardLayout;
use crate::notation::move_alias;
use crate::playout::Random;
use crate::points::Points;
use crate::text::quote;
use crate::vertex::Move;

/// Size of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// Rectangles with weights. They are drawn in proportion to the weights.
///
/// ```
/// use omnigo::training::selfplay::Boards;
///
/// let boards: Boards = "9:5,13:2,7x5".parse().unwrap();
/// assert_eq!(boards.to_string(), "9x9:5,13x13:2,7x5:1");
/// assert!("4".parse::<Boards>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards(Vec<(Size, usize)>);

/// Error: the text is not a list of boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid board '{0}', expected sides from 5 to 19 and an optional weight, such as 9:5 or 13x9"
)]
pub struct BoardsError(String);

/// Maximum number of boards in a list.
const MOST: usize = 256;
/// Maximum weight of a board.
const HEAVIEST: usize = 1_000_000;

impl FromStr for Boards {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Boards, BoardsError> {
        let board = |part: &str| {
            let (sides, weight) = part.split_once(':').unwrap_or((part, "1"));
            let (width, height) = sides.split_once('x').unwrap_or((sides, sides));
            let side = |text: &str| {
                text.parse()
                    .ok()
                    .filter(|side| BoardLayout::SIDES.contains(side))
            };
            let size = Size {
                width: side(width)?,
                height: side(height)?,
            };
            let weight = weight.parse().ok();
            Some((size, weight.filter(|w| (1..=HEAVIEST).contains(w))?))
        };
        let mut boards = Vec::new();
        for part in text.split(',') {
            let found = board(part).filter(|_| boards.len() < MOST);
            boards.push(found.ok_or_else(|| BoardsError(quote(part)))?);
        }
        Ok(Boards(boards))
    }
}

impl std::fmt::Display for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, (size, weight)) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{size}:{weight}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Size, BoardsError> {
        match text.parse::<Boards>()?.0.as_slice() {
            [(size, _)] => Ok(*size),
            _ => Err(BoardsError(quote(text))),
        }
    }
}

impl Boards {
    /// Returns true if the list contains this size.
    pub fn include(&self, size: Size) -> bool {
        self.0.iter().any(|&(board, _)| board == size)
    }

    /// Returns the sizes of the list.
    pub fn sizes(&self) -> impl Iterator<Item = Size> {
        self.0.iter().map(|&(size, _)| size)
    }

    /// Draws a size in proportion to the weights.
    pub fn draw(&self, random: &mut Random) -> Size {
        let Some(size) = draw::by_weight(&self.0, random) else {
            unreachable!("a list has boards, and their weights are above 0")
        };
        size
    }
}

impl Size {
    /// Returns the komi with which area scoring is about even between strong players.
    pub fn fair_komi(self) -> Points {
        let points = match (self.width.min(self.height), self.width.max(self.height)) {
            (5, 5) => 25,
            (5, 6) | (6, 6) => 4,
            (7, 7) => 9,
            _ => 7,
        };
        Points::whole(points)
    }

    /// Returns the empty board of this size.
    ///
    /// # Panics
    /// If no [`GridBoard`] has this size. Every size of [`Boards`] has one.
    pub(super) fn board(self, colors: usize) -> GridBoard {
        let board =
            Grid::new(self.width, self.height).and_then(|grid| GridBoard::new(grid, colors));
        let Some(board) = board else {
            unreachable!("boards of 5x5 to 19x19 can be built")
        };
        board
    }

    /// Returns the names of moves on a board of this size.
    pub(super) fn aliases(self, moves: &[Move]) -> Vec<String> {
        let names = Names::coordinates(self.width, self.height);
        moves.iter().map(|&mv| move_alias(&names, mv)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_by_their_weights() {
        let boards: Boards = "9:5,13x9:2,19:1".parse().unwrap();
        let mut random = Random::new(7);
        let drawn: Vec<Size> = (0..8000).map(|_| boards.draw(&mut random)).collect();
        for (size, weight) in boards.0 {
            let share = drawn.iter().filter(|&&other| other == size).count();
            assert!(share.abs_diff(weight * 1000) < 150, "{size}: {share}");
        }
    }

    #[test]
    fn rejects_invalid_boards() {
        for text in ["", "4", "20", "9:0", "9:x", "9x", "9,,13", "9:9999999"] {
            let error = text.parse::<Boards>().unwrap_err().to_string();
            assert!(error.starts_with("invalid board '"), "{error}");
        }
    }
}
