//! Initial positions of training games, taken from game records.
//!
//! Strong players resign before dead stones are captured, so a network trained on their games takes
//! such stones for alive. Self-play games from late positions of records continue until every dead
//! stone is captured. Their results show which stones are dead.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::boards::{Boards, Size};
use super::games::{Record, SIDE};
use super::parallel::RunArgs;
use super::{RowsError, games_text, read_games};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::hash::fnv1a;
use crate::playout::Random;
use crate::points::Points;
use crate::rules::Ruleset;
use crate::vertex::Move;

/// Board of the records.
const BOARD: Size = Size {
    width: SIDE,
    height: SIDE,
};

/// Records, and the part of them after which games start.
#[derive(Clone, Debug)]
pub struct Starts {
    records: Vec<Record>,
    description: Description,
}

/// Description of the records in the settings of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Hash of the file of records (FNV-1a).
    pub records: String,
    /// Minimum fraction of a record's moves that are played.
    pub after: f64,
}

impl Starts {
    /// Reads the records that the options name. `None` if they name none.
    ///
    /// # Errors
    /// As [`Starts::read`].
    pub fn of(options: &RunArgs, after: f64) -> Result<Option<Starts>, StartsError> {
        let records = options.from_records.as_deref();
        records
            .map(|path| Starts::read(path, after, &options.boards))
            .transpose()
    }

    /// Reads records for games on these boards. Held-out games are not used.
    ///
    /// # Errors
    /// If `boards` lacks the records' board, the file cannot be read, or a line is not a game. Also
    /// if no game is left whose first move is a placement.
    pub fn read(path: &Path, after: f64, boards: &Boards) -> Result<Starts, StartsError> {
        if !boards.include(BOARD) {
            return Err(StartsError::Board(boards.to_string()));
        }
        let text = games_text(path)?;
        let (records, _) = read_games(path, &text)?;
        let is_empty = |record: &Record| matches!(record.moves.first(), None | Some(Move::Pass));
        if records.iter().all(is_empty) {
            return Err(StartsError::Empty(path.to_owned()));
        }
        let description = Description {
            records: format!("{:016x}", fnv1a(text.as_bytes())),
            after,
        };
        Ok(Starts {
            records,
            description,
        })
    }

    /// Returns the description that distinguishes these records from others.
    pub fn description(&self) -> Description {
        self.description.clone()
    }

    /// Draws the first moves of a game on a board of this size, taken from a record. Empty on
    /// boards other than that of the records.
    ///
    /// The moves end before a record's first pass, because its players then agreed on the dead
    /// stones.
    pub fn draw(&self, size: Size, random: &mut Random) -> &[Move] {
        if size != BOARD {
            return &[];
        }
        let moves = &self.records[random.below(self.records.len())].moves;
        let placements = moves.iter().take_while(|&&mv| mv != Move::Pass).count();
        let least = (placements as f64 * self.description.after) as usize;
        &moves[..least + random.below(placements - least + 1)]
    }
}

/// Returns a game that begins with the moves `given`, up to the first illegal one, and the number
/// of these moves.
pub(super) fn begin<B: Board>(
    board: B,
    rules: &Ruleset,
    komi: Points,
    given: &[Move],
) -> (Game<B>, usize) {
    let mut game = Game::new(board, rules.clone(), komi, Color::BLACK);
    let allowed = |&&mv: &&Move| game.play(game.to_move(), mv).is_ok();
    let begun = given.iter().take_while(allowed).count();
    (game, begun)
}

/// Reason why games cannot start from records, as a message of one line.
#[derive(Debug, thiserror::Error)]
pub enum StartsError {
    /// The file cannot be read, or a line is not a game.
    #[error("{0}")]
    Records(#[from] RowsError),
    /// The board of the records is not among the boards of the games.
    #[error("records are of 19x19, which is not among the boards {0}, expected 19 in --boards")]
    Board(String),
    /// The file has no games with moves, or all of them are held out.
    #[error("'{0}' has no games to start from")]
    Empty(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(after: f64) -> Starts {
        let lines = ["B+R\taabbccdd", "W+1.50\teeffttgg"];
        Starts {
            records: lines.map(|line| line.parse().unwrap()).into(),
            description: Description {
                records: String::new(),
                after,
            },
        }
    }

    #[test]
    fn starts_are_late_in_recorded_games_and_before_passes() {
        let starts = starts(0.5);
        let mut random = Random::new(3);
        let mut seen = [[0; 5]; 2];
        for _ in 0..600 {
            let moves = starts.draw(BOARD, &mut random);
            let of = usize::from(moves[0] == starts.records[1].moves[0]);
            assert_eq!(moves, &starts.records[of].moves[..moves.len()]);
            seen[of][moves.len()] += 1;
        }
        let never = |counts: &[i32]| counts.iter().all(|&n| n == 0);
        let even = |counts: &[i32]| counts.iter().all(|&n| n > 70);
        assert!(
            never(&seen[0][..2]) && even(&seen[0][2..]),
            "4 moves: {seen:?}"
        );
        assert!(
            never(&seen[1][..1]) && even(&seen[1][1..3]) && never(&seen[1][3..]),
            "2 moves and a pass: {seen:?}"
        );
    }

    #[test]
    fn other_boards_start_empty() {
        let (width, height) = (SIDE, 13);
        let starts = starts(0.5);
        assert!(
            starts
                .draw(Size { width, height }, &mut Random::new(1))
                .is_empty()
        );
    }
}
