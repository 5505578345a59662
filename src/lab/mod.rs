//! Subcommands that compute exact answers and then exit.

pub mod atlas;
pub mod count;
pub mod life;
pub mod perfect;
mod plots;
pub mod solve;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::color::Color;
use crate::engine::{Engine, EngineError, Options};
use crate::files::ReadingArgs;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::read_position;
use crate::rules::{Points, RulesetText};

/// Exit status for invalid arguments, the same as clap uses.
const WRONG_ARGUMENTS: u8 = 2;

/// Reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The arguments are invalid, or beyond the limits of the method.
    #[error("{0}")]
    Arguments(String),
    /// The computation failed or was not finished.
    #[error("{0}")]
    Unfinished(String),
}

impl LabError {
    fn arguments(problem: impl fmt::Display) -> LabError {
        LabError::Arguments(problem.to_string())
    }

    fn unfinished(problem: impl fmt::Display) -> LabError {
        LabError::Unfinished(problem.to_string())
    }
}

/// Result to print.
#[derive(Debug)]
struct Report {
    text: String,
    /// Reason why the result is incomplete, if it is.
    unfinished: Option<String>,
}

impl From<String> for Report {
    fn from(text: String) -> Report {
        Report {
            text,
            unfinished: None,
        }
    }
}

/// Prints an answer or an error. Returns status 0 for an answer, 1 for unfinished work, and 2 for
/// invalid arguments.
fn conclude(answer: Result<Report, LabError>) -> ExitCode {
    let report = match answer {
        Ok(report) => report,
        Err(LabError::Arguments(problem)) => {
            eprintln!("error: {problem}");
            return ExitCode::from(WRONG_ARGUMENTS);
        }
        Err(LabError::Unfinished(problem)) => {
            eprintln!("omnigo: {problem}");
            return ExitCode::FAILURE;
        }
    };
    if !report.text.is_empty()
        && let Err(error) = writeln!(io::stdout(), "{}", report.text)
    {
        // A closed pipe is intentional, for example with `head`. Do not report it.
        if error.kind() != io::ErrorKind::BrokenPipe {
            eprintln!("omnigo: {error}");
        }
        return ExitCode::FAILURE;
    }
    match report.unfinished {
        None => ExitCode::SUCCESS,
        Some(why) => {
            eprintln!("omnigo: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the board of a spec with these options for files. Prints its warnings to standard error.
fn board(spec: &Spec, reading: &ReadingArgs) -> Result<Goban, LabError> {
    let spec = spec.clone().reading(reading.reading());
    let goban = spec.build().map_err(LabError::arguments)?;
    for warning in &goban.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(goban)
}

/// Creates a game under these rules from `position`, or from the board's own start.
fn game(
    mut goban: Goban,
    ruleset: RulesetText,
    position: Option<&str>,
) -> Result<Engine, LabError> {
    for warning in &ruleset.warnings {
        eprintln!("warning: {warning}");
    }
    if let Some(text) = position {
        goban.start = read_position(&goban, ruleset.rules.colors, text)
            .map_err(|problem| LabError::Arguments(format!("--position: {problem}")))?;
    }
    let komi = ruleset.komi.unwrap_or(Points::ZERO);
    Engine::new(goban, ruleset.rules, komi, Options::default())
        .map_err(|problem: EngineError| LabError::arguments(problem))
}

/// Returns the colors that play, with their names.
fn players(engine: &Engine) -> impl Iterator<Item = (Color, String)> + use<> {
    Color::all(engine.rules().colors).map(|color| (color, color.to_string()))
}
