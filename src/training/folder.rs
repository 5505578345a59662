//! Folder of training games: one JSON line per game, and one file of rows per board size.
//!
//! A game's rows are written before its line. If the writer is stopped, the next run removes rows
//! without a line and plays their game again.
//!
//! Training may read a folder that is being written, through memory maps. It uses only the rows of
//! games with a whole line. No writer ever cuts these off, because reading them then would end the
//! training by SIGBUS.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};

use super::boards::{Boards, Size};
use super::format::{HEADER, Header, Kind, Row};
use super::problems::ProblemLine;
use crate::files::lines::Lines;

/// A game's line in the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Number of the game, from 1.
    pub game: u32,
    /// The board, such as `9x9`.
    pub board: String,
    /// Komi at the end; only labeled games can change it.
    pub komi: String,
    /// `B+3.5`, `W+R` after a resignation, `0` for a draw, `?` for a game that was cut off.
    pub result: String,
    /// Number of moves at the start that come from a record.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub begun: usize,
    /// Generated position in which the game starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemLine>,
    /// Number of random moves after those.
    pub random: usize,
    /// The moves, Black first unless `problem` says otherwise.
    pub moves: Vec<String>,
    /// Number of the game's rows.
    pub rows: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// An open folder, ready for more games.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    kind: Kind,
    lines: File,
    rows: HashMap<Size, File>,
    /// Numbers of the games in the folder.
    pub done: HashSet<u32>,
    /// Number of rows in the folder.
    pub count: u64,
}

/// Name of the file of games.
const GAMES: &str = "games.jsonl";

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Reason why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use '{path}': {problem}")]
pub struct FolderError {
    /// The file.
    path: PathBuf,
    /// The problem.
    problem: Problem,
}

/// Problem with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Error of the system.
    #[error("{0}")]
    System(io::Error),
    /// Another process is writing the file.
    #[error("it is in use, expected a different folder for each process")]
    InUse,
    /// The file was written with other settings.
    #[error(
        "it was started with other settings or another network, expected the same ones or another folder"
    )]
    Settings,
    /// A line is not a game.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
    /// The file ends within its first line, which no run with these settings began.
    #[error("it is cut within its first line, expected the settings of this run or another folder")]
    Cut,
    /// The file has rows, but the folder has no settings.
    #[error("it has rows, but games.jsonl has no settings, expected another folder")]
    Unsettled,
    /// The file holds something else than rows of this kind.
    #[error("it has no rows of this folder's games, expected another folder")]
    Foreign,
    /// The file lacks rows of games in the folder.
    #[error("it lacks some of the {0} rows listed in games.jsonl")]
    Missing(u64),
}

/// Refuses a folder with rows. They cannot be those of a stopped writer, which writes its settings
/// first.
fn refuse_rows(folder: &Path) -> Result<(), FolderError> {
    let of = |path: &Path, error| FolderError::of(path, Problem::System(error));
    for entry in fs::read_dir(folder).map_err(|error| of(folder, error))? {
        let path = entry.map_err(|error| of(folder, error))?.path();
        let are_rows = path
            .extension()
            .is_some_and(|extension| extension == "rows");
        let length = match are_rows {
            true => fs::metadata(&path).map_err(|error| of(&path, error))?.len(),
            false => 0,
        };
        if length > HEADER as u64 {
            return Err(FolderError::of(&path, Problem::Unsettled));
        }
    }
    Ok(())
}

impl FolderError {
    fn of(path: &Path, problem: Problem) -> FolderError {
        FolderError {
            path: path.to_owned(),
            problem,
        }
    }
}

impl Folder {
    /// Opens or creates a folder with rows of this kind. The first line of the file of games holds
    /// the settings.
    ///
    /// A stopped writer may have left a cut last line, and rows of a game without a line. They are
    /// removed. A cut first line is removed only if it is the beginning of these settings.
    ///
    /// # Errors
    /// If a file cannot be used, if another process is writing it, or if it has other settings.
    /// Also if there are rows without whole settings, because no run has left these.
    pub fn open<S: Serialize + DeserializeOwned + PartialEq>(
        path: &Path,
        kind: Kind,
        settings: &S,
    ) -> Result<Folder, FolderError> {
        let games = path.join(GAMES);
        let of = |error| FolderError::of(&games, Problem::System(error));
        fs::create_dir_all(path).map_err(of)?;
        let mut lines = open(&games).map_err(of)?;
        match lines.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::of(&games, Problem::InUse));
            }
            // Some files cannot be locked. Write them anyway.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let first = serde_json::to_string(settings).map_err(|error| of(error.into()))? + "\n";
        let (mut done, mut count) = (HashSet::new(), 0u64);
        let mut is_other = false;
        let mut counts: HashMap<Size, u64> = HashMap::new();
        let mut input = Lines::new(BufReader::new(&lines));
        while let Some((number, line)) = input.next_line().map_err(of)? {
            let flaw = |error| FolderError::of(&games, Problem::Line(number, error));
            if number == 1 {
                let there: S = serde_json::from_slice(line).map_err(flaw)?;
                is_other = there != *settings;
            } else if !line.is_empty() && is_other {
                return Err(FolderError::of(&games, Problem::Settings));
            } else if !line.is_empty() {
                let game: GameLine = serde_json::from_slice(line).map_err(flaw)?;
                let size = game.board.parse().map_err(serde_json::Error::custom);
                if done.insert(game.game) {
                    let sum = counts.entry(size.map_err(flaw)?).or_default();
                    *sum = sum.saturating_add(game.rows);
                    count = count.saturating_add(game.rows);
                }
            }
        }
        if input.whole() == 0 {
            if !first.as_bytes().starts_with(input.cut()) {
                return Err(FolderError::of(&games, Problem::Cut));
            }
            refuse_rows(path)?;
        }
        // A run that ended before its first game leaves only its settings.
        let whole = match is_other {
            true => 0,
            false => input.whole(),
        };
        lines.set_len(whole).map_err(of)?;
        lines.seek(SeekFrom::Start(whole)).map_err(of)?;
        if whole == 0 {
            lines.write_all(first.as_bytes()).map_err(of)?;
        }
        let mut folder = Folder {
            path: path.to_owned(),
            kind,
            lines,
            rows: HashMap::new(),
            done,
            count,
        };
        for (size, count) in counts {
            folder.resume(size, count)?;
        }
        Ok(folder)
    }

    fn header(&self, size: Size) -> Header {
        Header {
            kind: self.kind,
            width: size.width,
            height: size.height,
        }
    }

    fn rows_path(&self, size: Size) -> PathBuf {
        self.path.join(format!("{size}.rows"))
    }

    /// Opens the rows of a board, `count` of which belong to games in the folder.
    fn resume(&mut self, size: Size, count: u64) -> Result<(), FolderError> {
        let path = self.rows_path(size);
        let of = |problem| FolderError::of(&path, problem);
        let system = |error| of(Problem::System(error));
        let header = self.header(size);
        let mut file = open(&path).map_err(system)?;
        let length = count.saturating_mul(header.row_size() as u64);
        let length = length.saturating_add(HEADER as u64);
        let there = file.metadata().map_err(system)?.len();
        let mut found = Vec::new();
        let beginning = Read::take(&mut file, HEADER as u64).read_to_end(&mut found);
        beginning.map_err(system)?;
        // A stopped writer may have left a part of the header.
        if !header.bytes().starts_with(&found) {
            return Err(of(Problem::Foreign));
        }
        if count == 0 {
            file.rewind().map_err(system)?;
            file.write_all(&header.bytes()).map_err(system)?;
        } else if there < length {
            return Err(of(Problem::Missing(count)));
        }
        file.set_len(length).map_err(system)?;
        file.seek(SeekFrom::End(0)).map_err(system)?;
        self.rows.insert(size, file);
        Ok(())
    }

    /// Opens the files of rows that exist for these boards, so that an unusable one is found before
    /// the first game.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn open_rows(&mut self, boards: &Boards) -> Result<(), FolderError> {
        for size in boards.sizes() {
            // A path that cannot be examined is opened too, for its error.
            let exists = self.rows_path(size).try_exists().unwrap_or(true);
            if exists && !self.rows.contains_key(&size) {
                self.resume(size, 0)?;
            }
        }
        Ok(())
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, line: &GameLine, size: Size, rows: &[Row]) -> Result<(), FolderError> {
        let path = self.rows_path(size);
        let mut bytes = Vec::new();
        let of = |error| FolderError::of(&path, Problem::System(error));
        let header = self.header(size);
        for row in rows {
            row.write(&header, &mut bytes).map_err(of)?;
        }
        if !self.rows.contains_key(&size) {
            self.resume(size, 0)?;
        }
        if let Some(file) = self.rows.get_mut(&size) {
            file.write_all(&bytes).map_err(of)?;
        }
        let games = self.path.join(GAMES);
        let of = |error| FolderError::of(&games, Problem::System(error));
        let text = serde_json::to_string(line).map_err(|error| of(error.into()))? + "\n";
        self.lines.write_all(text.as_bytes()).map_err(of)?;
        self.done.insert(line.game);
        self.count += rows.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(folder: &Path) -> String {
        let opened = Folder::open(folder, Kind::Labeled, &"settings".to_owned());
        opened.err().unwrap().to_string()
    }

    #[test]
    fn a_foreign_file_without_a_line_feed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let games = folder.join(GAMES);
        for foreign in ["{\"game\": 1}", "\"sett\"", "\"settings\" ", "x"] {
            fs::write(&games, foreign).unwrap();
            assert!(problem(folder).contains("cut within its first line"));
            assert_eq!(fs::read_to_string(&games).unwrap(), foreign);
        }
    }

    #[test]
    fn a_cut_line_of_settings_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let games = folder.join(GAMES);
        for cut in ["", "\"sett", "\"settings\""] {
            fs::write(&games, cut).unwrap();
            Folder::open(folder, Kind::Labeled, &"settings".to_owned()).unwrap();
            assert_eq!(fs::read_to_string(&games).unwrap(), "\"settings\"\n");
        }
    }

    #[test]
    fn rows_without_settings_stay() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let rows = folder.join("9x9.rows");
        fs::write(&rows, [0; HEADER + 1]).unwrap();
        // The refusals leave no settings, so the second one is like the first.
        for _ in 0..2 {
            assert!(problem(folder).contains("games.jsonl has no settings"));
            assert_eq!(fs::metadata(&rows).unwrap().len(), HEADER as u64 + 1);
        }
    }
}
