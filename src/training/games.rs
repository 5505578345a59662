//! Game records on 19x19, one per line.

use std::str::FromStr;

use crate::color::Color;
use crate::points::Points;
use crate::vertex::{Move, Vertex};

/// Side of the board of all records.
pub const SIDE: usize = 19;

/// A game between two players on 19x19.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The winner; `None` after a loss on time, which does not depend on the position.
    pub winner: Option<Color>,
    /// Black's final score lead, komi included; `None` if the game was not counted.
    pub margin: Option<Points>,
    /// The moves in order, Black first.
    pub moves: Vec<Move>,
}

/// Error: a line is not a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The line has no tab.
    #[error("'{0}' has no tab, expected a result, a tab and the moves")]
    NoTab(String),
    /// The result is invalid.
    #[error("invalid result '{0}', expected a result such as B+R, W+T or B+3.50")]
    Result(String),
    /// A move is invalid.
    #[error("invalid move '{0}', expected two letters a to s, or tt")]
    Move(String),
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(line: &str) -> Result<Record, RecordError> {
        let (result, moves) = line
            .split_once('\t')
            .ok_or_else(|| RecordError::NoTab(crate::text::quote(line)))?;
        let flaw = || RecordError::Result(crate::text::quote(result));
        let (color, how) = result.split_once('+').ok_or_else(flaw)?;
        let winner = match color {
            "B" => Color::BLACK,
            "W" => Color::WHITE,
            _ => return Err(flaw()),
        };
        let (winner, margin) = match how {
            "T" => (None, None),
            "R" => (Some(winner), None),
            points => {
                let points: Points = points.parse().map_err(|_| flaw())?;
                let black = if winner == Color::BLACK {
                    points
                } else {
                    -points
                };
                (Some(winner), Some(black))
            }
        };
        let moves = moves
            .as_bytes()
            .chunks(2)
            .map(|letters| {
                read_move(letters).ok_or_else(|| {
                    RecordError::Move(crate::text::quote(&String::from_utf8_lossy(letters)))
                })
            })
            .collect::<Result<Vec<Move>, RecordError>>()?;
        Ok(Record {
            winner,
            margin,
            moves,
        })
    }
}

fn read_move(letters: &[u8]) -> Option<Move> {
    let &[column, row] = letters else { return None };
    if (column, row) == (b't', b't') {
        return Some(Move::Pass);
    }
    let place = |letter: u8| {
        letter
            .checked_sub(b'a')
            .map(usize::from)
            .filter(|&i| i < SIDE)
    };
    let (column, row) = (place(column)?, place(row)?);
    Some(Move::Place(Vertex::at((SIDE - 1 - row) * SIDE + column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_game_line() {
        let record: Record = "W+2.50\taasstt".parse().unwrap();
        assert_eq!(record.winner, Some(Color::WHITE));
        assert_eq!(record.margin, Some(Points::from_halves(-5)));
        let places = [
            Move::Place(Vertex::at(18 * 19)),
            Move::Place(Vertex::at(18)),
        ];
        assert_eq!(record.moves, [places[0], places[1], Move::Pass]);
        assert_eq!("B+T\tdd".parse::<Record>().unwrap().winner, None);
    }

    #[test]
    fn rejects_malformed_games_with_a_reason() {
        for (line, flaw) in [
            (
                "B+R dd",
                "'B+R dd' has no tab, expected a result, a tab and the moves",
            ),
            (
                "X+R\tdd",
                "invalid result 'X+R', expected a result such as B+R, W+T or B+3.50",
            ),
            (
                "B+R\tdz",
                "invalid move 'dz', expected two letters a to s, or tt",
            ),
            (
                "B+R\t\u{1b}d",
                "invalid move '\u{fffd}d', expected two letters a to s, or tt",
            ),
            (
                "B+R\td",
                "invalid move 'd', expected two letters a to s, or tt",
            ),
        ] {
            assert_eq!(line.parse::<Record>().unwrap_err().to_string(), flaw);
        }
    }
}
