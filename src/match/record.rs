//! Record of finished games, one line of JSON each, from which a match can resume.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MatchError;
use super::options::{Scorer, Settings};
use super::side::{PerSide, Side};
use crate::files::lines::Lines;
use crate::system::tell;
use crate::text::{printable, quote};

/// Name and version of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Answer to `name`.
    pub name: String,
    /// Answer to `version`.
    pub version: String,
}

impl About {
    /// Returns name and version as one text.
    pub fn text(&self) -> String {
        format!("{} {}", self.name, self.version).trim().to_owned()
    }
}

/// End of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All players passed.
    Passes,
    /// The player to move had no legal move.
    Stuck,
    /// An engine resigned.
    Resignation,
    /// An engine made an illegal move or no move, and lost.
    Illegal,
    /// An engine refused a legal move, and lost.
    Refused,
    /// An engine's process ended, and it lost.
    Crash,
    /// An engine did not answer within the time limit, and lost.
    Timeout,
    /// An engine exceeded its clock, and lost.
    Time,
    /// The game reached the maximum number of moves and was scored as it stood.
    MoveLimit,
}

impl Ending {
    /// Returns the reason for the end, as it follows "by".
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Passes => "passes",
            Ending::Stuck => "the lack of a legal move",
            Ending::Resignation => "resignation",
            Ending::Illegal => "an illegal move",
            Ending::Refused => "a refused move",
            Ending::Crash => "a crash",
            Ending::Timeout => "a missing answer",
            Ending::Time => "time",
            Ending::MoveLimit => "the limit of moves",
        }
    }
}

/// Finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Number of the game, from 1.
    pub game: u32,
    /// The engines.
    pub engines: PerSide<About>,
    /// True if the engine of `--black` has White.
    pub swapped: bool,
    /// Result by color: `B+3.5`, `W+R` (resignation), `B+T` (time), `W+F` (forfeit), `0`.
    pub result: String,
    /// The engine that won, `null` for a draw.
    pub winner: Option<Side>,
    /// Ending of the game.
    pub ending: Ending,
    /// The engine that lost by its own fault.
    pub fault: Option<Side>,
    /// Description of the fault, or the reason why the scorer's answer was not used.
    pub detail: Option<String>,
    /// Source of the result.
    pub scored_by: Scorer,
    /// Color of the first move.
    pub first: String,
    /// Number of moves in the opening.
    pub opening: usize,
    /// Komi, if each opening has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub komi: Option<f64>,
    /// Moves as aliases or `pass`, with alternating colors.
    pub moves: Vec<String>,
    /// Number of moves requested from each engine.
    pub asked: PerSide<u32>,
    /// Seconds that each engine used for these moves.
    pub seconds: PerSide<f64>,
    /// Number of moves for which each engine exceeded its clock.
    pub late: PerSide<u32>,
    /// Seconds of the whole game.
    pub total_seconds: f64,
    /// Settings of the game.
    pub settings: Settings,
}

/// Parts of a game that are equal in a copy of it: moves, komi, and for a fault the time.
pub type GameContent<'g> = (&'g [String], Option<u64>, Option<u64>);

impl GameLine {
    /// Returns what distinguishes this game from others of the same engines with the same colors.
    /// Every fault counts, even after the same moves. The time of the game distinguishes a new game
    /// from a copy then.
    pub fn content(&self) -> GameContent<'_> {
        let when = self.fault.map(|_| self.total_seconds.to_bits());
        (&self.moves, self.komi.map(f64::to_bits), when)
    }
}

/// End of the record of an earlier match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    /// The last line has a line feed, or there is none.
    Whole,
    /// The last line is a game, but lacks its line feed.
    Unended,
    /// The last line is incomplete.
    Cut,
}

/// File to which games are appended.
#[derive(Debug)]
pub struct Record {
    file: File,
}

impl Record {
    /// Opens or creates a file, and calls `each` with its games, one at a time. Removes an
    /// incomplete last line with a warning, and ends a last game that lacks its line feed. The file
    /// stays locked until the record is dropped, so that games of two matches cannot mix.
    ///
    /// # Errors
    /// If the file cannot be used or another match is using it, a line is not a game, or a game has
    /// other settings.
    pub fn open(
        path: &Path,
        settings: &Settings,
        mut each: impl FnMut(&GameLine),
    ) -> Result<Record, MatchError> {
        let problem = |problem: io::Error| MatchError::File {
            path: path.to_owned(),
            problem,
        };
        // Pipes and devices contain no games, and some never end. Opening a pipe only for writing
        // waits for its reader.
        let holds_games = path.metadata().map_or(true, |there| there.is_file());
        let file = OpenOptions::new()
            .read(holds_games)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(problem)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(MatchError::InUse(path.to_owned())),
            // Some files cannot be locked, such as pipes or files on some servers. They can still
            // be written.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut record = Record { file };
        if holds_games {
            let (whole, tail) = record.read(path, settings, |game| {
                each(game);
                Ok(())
            })?;
            if tail == Tail::Cut {
                tell::warn(format_args!(
                    "the last line of '{}' was cut short and is removed",
                    printable(&path.display().to_string())
                ));
                record.file.set_len(whole).map_err(problem)?;
            }
            record.file.seek(SeekFrom::End(0)).map_err(problem)?;
            if tail == Tail::Unended {
                record.file.write_all(b"\n").map_err(problem)?;
            }
        }
        Ok(record)
    }

    /// Calls `each` with the games. Skips repeated game numbers. Returns the size of the lines with
    /// a line feed in bytes, and the end of the file.
    fn read(
        &mut self,
        path: &Path,
        settings: &Settings,
        mut each: impl FnMut(&GameLine) -> Result<(), MatchError>,
    ) -> Result<(u64, Tail), MatchError> {
        let mut lines = Lines::new(BufReader::new(&self.file));
        let mut numbers = HashSet::new();
        let file = |problem: io::Error| MatchError::File {
            path: path.to_owned(),
            problem,
        };
        let mut take = |line: usize, game: &GameLine| {
            if let Some((key, there, here)) = difference(&game.settings, settings)? {
                return Err(MatchError::Settings {
                    path: path.to_owned(),
                    line,
                    key,
                    there,
                    here,
                });
            }
            match numbers.insert(game.game) {
                true => each(game),
                false => Ok(()),
            }
        };
        let mut last = 0;
        while let Some((line, text)) = lines.next_line().map_err(file)? {
            last = line;
            if text.trim_ascii().is_empty() {
                continue;
            }
            let game: GameLine =
                serde_json::from_slice(text).map_err(|problem| MatchError::Line {
                    path: path.to_owned(),
                    line,
                    problem,
                })?;
            take(line, &game)?;
        }
        let tail = match lines.cut() {
            [] => Tail::Whole,
            cut => match serde_json::from_slice::<GameLine>(cut) {
                Ok(game) => {
                    take(last + 1, &game)?;
                    Tail::Unended
                }
                Err(_) => Tail::Cut,
            },
        };
        Ok((lines.whole(), tail))
    }

    /// Calls `each` with the games of the file again.
    ///
    /// # Errors
    /// As for [`Record::open`], and the first error of `each`.
    pub fn each(
        &mut self,
        path: &Path,
        settings: &Settings,
        each: impl FnMut(&GameLine) -> Result<(), MatchError>,
    ) -> Result<(), MatchError> {
        let problem = |problem: io::Error| MatchError::File {
            path: path.to_owned(),
            problem,
        };
        let end = self.file.stream_position().map_err(problem)?;
        self.file.rewind().map_err(problem)?;
        self.read(path, settings, each)?;
        self.file.seek(SeekFrom::Start(end)).map_err(problem)?;
        Ok(())
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, game: &GameLine, path: &Path) -> Result<(), MatchError> {
        let line = serde_json::to_string(game)? + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|problem| MatchError::File {
            path: path.to_owned(),
            problem,
        })
    }
}

/// Returns the first setting that differs, with both values, or `None`.
fn difference(
    there: &Settings,
    here: &Settings,
) -> Result<Option<(String, String, String)>, MatchError> {
    if there == here {
        return Ok(None);
    }
    let (there, here) = (serde_json::to_value(there)?, serde_json::to_value(here)?);
    let (Value::Object(there), Value::Object(here)) = (there, here) else {
        return Ok(None);
    };
    let text = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => quote(text),
        Some(value) => quote(&value.to_string()),
    };
    // A setting may be missing on either side, because default values are omitted.
    let found = there
        .keys()
        .chain(here.keys())
        .find(|key| here.get(*key) != there.get(*key));
    Ok(found.map(|key| {
        let key_words = key.replace('_', " ");
        (key_words, text(there.get(key)), text(here.get(key)))
    }))
}
