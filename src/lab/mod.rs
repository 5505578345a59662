//! The laboratory: subcommands that answer exactly and then end.

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
use crate::gtp::arguments::read_position;
use crate::rules::{Points, RulesetText};

/// The exit status of wrong arguments, as the parser of the command line has it.
const WRONG_ARGUMENTS: u8 = 2;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The arguments mean nothing, or more than the method can take.
    #[error("{0}")]
    Arguments(String),
    /// The work failed or was not finished.
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

/// What there is to print.
#[derive(Debug)]
struct Report {
    text: String,
    /// Why it is not the whole answer.
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

/// Prints an answer, or why there is none: status 0 with an answer, 1 for unfinished work, 2 for wrong arguments.
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
        // Who reads the first lines only closes the pipe on purpose.
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

/// The board of a spec, its files read so; its warnings go to standard error.
fn board(spec: &Spec, reading: &ReadingArgs) -> Result<Goban, LabError> {
    let spec = spec.clone().reading(reading.reading());
    let goban = spec.build().map_err(LabError::arguments)?;
    for warning in &goban.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(goban)
}

/// A game under these rules from this position, or from the board's own start.
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

/// The colors that play, each with its name.
fn players(engine: &Engine) -> impl Iterator<Item = (Color, String)> + use<> {
    Color::all(engine.rules().colors).map(|color| (color, color.to_string()))
}
