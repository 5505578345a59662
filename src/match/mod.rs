//! Matches between any two engines that speak GTP, refereed by our own rules.
//!
//! Reading order: [`options`] (what a user asks for), [`schedule`] (who has which color in which game, and the openings),
//! `process` and `player` (an engine behind pipes), `referee` (one game), [`runner`] (games side by side), `halt` (what ends
//! them early), [`record`] (a line of JSON for every game, from which a match resumes), [`statistics`] and [`report`] (what it
//! all amounts to), [`rating`] (what many matches together say of every engine).
//!
//! The two engines are named after the options that give their commands: the engine [`Side::Black`] has Black in game 1,
//! White in game 2 and so on, and every count of wins is its count.

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
pub mod command_line;
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

/// Why a match cannot be played, or not to its end. One line each.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The board cannot be built.
    #[error(transparent)]
    Board(#[from] SpecError),
    /// The referee cannot use the rules.
    #[error(transparent)]
    Rules(#[from] EngineError),
    /// Options that do not go together.
    #[error("{0}")]
    Options(&'static str),
    /// An engine's program cannot be run.
    #[error("cannot start the {side} engine '{command}': {problem}")]
    Start {
        /// Which engine.
        side: Side,
        /// Its command.
        command: String,
        /// What the system says.
        problem: io::Error,
    },
    /// An engine fails before its first move.
    #[error("the {side} engine '{command}' {problem}")]
    Setup {
        /// Which engine.
        side: Side,
        /// Its command.
        command: String,
        /// What it did, a verb first.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("cannot use '{path}': {problem}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// Another match is writing the file.
    #[error("'{0}' is in use by another match, expected a file of its own for each")]
    InUse(PathBuf),
    /// A line of a record is no game.
    #[error("'{path}' line {line}: {problem}, expected a game of an earlier match")]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: serde_json::Error,
    },
    /// A record holds games of another match.
    #[error(
        "'{path}' line {line}: {key} was {there} and is {here} now, expected the same settings or another file"
    )]
    Settings {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The setting.
        key: String,
        /// Its value in the file.
        there: String,
        /// Its value now.
        here: String,
    },
    /// Ctrl-C came before the last game.
    #[error("interrupted after {played} games of {planned}")]
    Interrupted {
        /// Games that were played.
        played: u64,
        /// Games that were asked for.
        planned: u32,
    },
    /// A game cannot be written as SGF.
    #[error("cannot write SGF: {0}")]
    Sgf(#[from] SgfError),
    /// A game or a summary cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The system refuses a thread or the standard output.
    #[error("{0}")]
    System(#[from] io::Error),
}
