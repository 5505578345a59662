//! Matches between two GTP engines, with omnigo's own rules as referee.
//!
//! Reading order:
//!
//! - [`options`]: the command-line options.
//! - [`schedule`]: colors and openings of the games.
//! - `process` and `player`: an engine behind pipes.
//! - `referee`: one game.
//! - [`runner`]: parallel games.
//! - `halt`: early end of a match.
//! - [`record`]: one line of JSON per game, from which a match can resume.
//! - [`statistics`] and [`report`]: the result of a match.
//! - [`rating`]: ratings of all engines from several matches.
//!
//! The two engines are named after the options with their commands. The engine [`Side::Black`] has
//! Black in game 1, White in game 2, and so on. All counts of wins are its wins.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod answer;
pub mod clock;
mod halt;
pub mod komi;
pub mod options;
mod player;
mod process;
pub mod rating;
pub mod record;
mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
mod sgf;
pub mod side;
pub mod statistics;

pub use options::MatchArgs;
pub use runner::run;
pub use side::{PerSide, Side};

use std::io;
use std::path::PathBuf;

use crate::engine::EngineError;
use crate::graph::spec::SpecError;
use crate::record::sgf::SgfError;
use crate::text::quote;

/// Error that prevents or ends a match. Each message is one line.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The board cannot be built.
    #[error(transparent)]
    Board(#[from] SpecError),
    /// The referee cannot use the rules.
    #[error(transparent)]
    Rules(#[from] EngineError),
    /// Options contradict each other.
    #[error("{0}")]
    Options(&'static str),
    /// An engine's program cannot be started.
    #[error("cannot start the {side} engine '{command}': {problem}")]
    Start {
        /// The engine.
        side: Side,
        /// Command of the engine.
        command: String,
        /// Error from the system.
        problem: io::Error,
    },
    /// An engine fails before its first move.
    #[error("the {side} engine '{command}' {problem}")]
    Setup {
        /// The engine.
        side: Side,
        /// Command of the engine.
        command: String,
        /// Problem, starting with a verb.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("cannot use '{path}': {problem}")]
    File {
        /// The file.
        path: PathBuf,
        /// Error from the system.
        problem: io::Error,
    },
    /// Another match is writing to the file.
    #[error("'{0}' is in use by another match, expected a different file for each match")]
    InUse(PathBuf),
    /// A line of a record is not a game.
    #[error(
        "'{path}' line {line} is not a game of an earlier match: {}",
        without_place(problem)
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Problem with the line.
        problem: serde_json::Error,
    },
    /// A record contains games of another match.
    #[error(
        "'{path}' line {line}: {key} was {there} and is {here} now, expected the same settings or another file"
    )]
    Settings {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Name of the setting.
        key: String,
        /// Value of the setting in the file.
        there: String,
        /// Current value of the setting.
        here: String,
    },
    /// Ctrl-C was pressed before the last game.
    #[error("interrupted after {played} games of {planned}")]
    Interrupted {
        /// Number of games played.
        played: u64,
        /// Number of games requested.
        planned: u32,
    },
    /// A game cannot be written as SGF.
    #[error("cannot write SGF: {0}")]
    Sgf(#[from] SgfError),
    /// A game or a summary cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The system cannot start a thread or write to standard output.
    #[error("{0}")]
    System(#[from] io::Error),
}

impl MatchError {
    /// Returns true if the arguments are wrong, whatever the files contain.
    pub fn is_of_arguments(&self) -> bool {
        match self {
            MatchError::Board(_) | MatchError::Rules(_) | MatchError::Options(_) => true,
            MatchError::Start { .. }
            | MatchError::Setup { .. }
            | MatchError::File { .. }
            | MatchError::InUse(_)
            | MatchError::Line { .. }
            | MatchError::Settings { .. }
            | MatchError::Interrupted { .. }
            | MatchError::Sgf(_)
            | MatchError::Json(_)
            | MatchError::System(_) => false,
        }
    }
}

/// Returns the message of the library without its location, which counts from the start of the
/// line of the record.
fn without_place(problem: &serde_json::Error) -> String {
    let message = problem.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    quote(message.get(..end).unwrap_or_default())
}
