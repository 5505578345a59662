//! Finished games, a line of JSON each, from which a match goes on where it stopped.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MatchError;
use super::options::{Scorer, Settings};
use super::side::{PerSide, Side};
use crate::text::quote;

/// What an engine calls itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Answer to `name`.
    pub name: String,
    /// Answer to `version`.
    pub version: String,
}

impl About {
    /// Name and version in one.
    pub fn text(&self) -> String {
        format!("{} {}", self.name, self.version).trim().to_owned()
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All players passed.
    Passes,
    /// The player to move could not go on.
    Stuck,
    /// An engine gave up.
    Resignation,
    /// An engine made no move, or one that the referee's rules forbid, and lost.
    Illegal,
    /// An engine refused a move that the referee's rules allow, and lost.
    Refused,
    /// An engine's process ended, and it lost.
    Crash,
    /// An engine gave no answer for so long that it lost.
    Timeout,
    /// An engine's clock ran out, and it lost.
    Time,
    /// The game was too long and was scored as it stood.
    MoveLimit,
}

impl Ending {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Passes => "passes",
            Ending::Stuck => "stuck",
            Ending::Resignation => "resignation",
            Ending::Illegal => "illegal",
            Ending::Refused => "refused",
            Ending::Crash => "crash",
            Ending::Timeout => "timeout",
            Ending::Time => "time",
            Ending::MoveLimit => "move-limit",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Number of the game, from 1.
    pub game: u32,
    /// The engines.
    pub engines: PerSide<About>,
    /// Whether the engine of `--black` has White.
    pub swapped: bool,
    /// The result by color: `B+3.5`, `W+R` (resignation), `B+T` (time), `W+F` (forfeit), `0`.
    pub result: String,
    /// The engine that won, `null` for a draw.
    pub winner: Option<Side>,
    /// How the game ended.
    pub ending: Ending,
    /// The engine that lost by a fault of its own.
    pub fault: Option<Side>,
    /// What the fault was, or why the scorer was not heard.
    pub detail: Option<String>,
    /// Who said what the result is.
    pub scored_by: Scorer,
    /// The color of the first move.
    pub first: String,
    /// How many of the moves were the opening.
    pub opening: usize,
    /// Komi, where each opening has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub komi: Option<f64>,
    /// The moves, colors in turn, by alias or `pass`.
    pub moves: Vec<String>,
    /// Moves that each engine was asked for.
    pub asked: PerSide<u32>,
    /// Seconds that each engine took for them.
    pub seconds: PerSide<f64>,
    /// Moves for which each engine took more than its clock had.
    pub late: PerSide<u32>,
    /// Seconds of the whole game.
    pub total_seconds: f64,
    /// What the game was played under.
    pub settings: Settings,
}

/// A file to which games are appended.
#[derive(Debug)]
pub struct Record {
    file: File,
}

impl Record {
    /// Opens or creates a file and reads the games in it. A last line that was cut short is taken off. The file is locked
    /// until the record is dropped: games of two matches would mix.
    ///
    /// # Errors
    /// When the file cannot be used or another match is using it, a line is no game, or a game was played under other settings.
    pub fn open(path: &Path, settings: &Settings) -> Result<(Record, Vec<GameLine>), MatchError> {
        let problem = |problem: io::Error| MatchError::File {
            path: path.to_owned(),
            problem,
        };
        // Pipes and devices hold no games, and some never end; opened for writing alone, a pipe waits for its reader.
        let holds_games = path.metadata().map_or(true, |there| there.is_file());
        let mut file = OpenOptions::new()
            .read(holds_games)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(problem)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(MatchError::InUse(path.to_owned())),
            // Not every file can be locked, a pipe or one on some server; that is no reason not to write it.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if !holds_games {
            return Ok((Record { file }, Vec::new()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(problem)?;
        let whole = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let games = read(bytes.get(..whole).unwrap_or_default(), path, settings)?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(problem)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(problem)?;
        Ok((Record { file }, games))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &GameLine, path: &Path) -> Result<(), MatchError> {
        let line = serde_json::to_string(game)? + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|problem| MatchError::File {
            path: path.to_owned(),
            problem,
        })
    }
}

/// The games in whole lines.
fn read(bytes: &[u8], path: &Path, settings: &Settings) -> Result<Vec<GameLine>, MatchError> {
    let mut games: Vec<GameLine> = Vec::new();
    let mut numbers = HashSet::new();
    for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let game: GameLine = serde_json::from_slice(line).map_err(|problem| MatchError::Line {
            path: path.to_owned(),
            line: number + 1,
            problem,
        })?;
        if let Some((key, there, here)) = difference(&game.settings, settings)? {
            return Err(MatchError::Settings {
                path: path.to_owned(),
                line: number + 1,
                key,
                there,
                here,
            });
        }
        if numbers.insert(game.game) {
            games.push(game);
        }
    }
    Ok(games)
}

/// The first setting that differs, and its two values.
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
    // A setting may be missing on either side: what is as usual is not recorded.
    let found = there
        .keys()
        .chain(here.keys())
        .find(|key| here.get(*key) != there.get(*key));
    Ok(found.map(|key| {
        let key_words = key.replace('_', " ");
        (key_words, text(there.get(key)), text(here.get(key)))
    }))
}
