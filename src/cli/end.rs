//! End of a command: text to print, message, and exit status.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::system::tell;
use crate::system::tell::output;

/// Exit status for invalid arguments, the same as clap uses.
const WRONG_ARGUMENTS: u8 = 2;

/// Reason why a command has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The arguments are invalid, or beyond the limits of the method. Status 2.
    #[error("{0}")]
    Arguments(String),
    /// The command failed or was not finished. Status 1.
    #[error("{0}")]
    Failed(String),
}

impl CliError {
    pub(super) fn arguments(problem: impl fmt::Display) -> CliError {
        CliError::Arguments(problem.to_string())
    }

    pub(super) fn failed(problem: impl fmt::Display) -> CliError {
        CliError::Failed(problem.to_string())
    }

    /// Returns the error of a front end. `wrong_arguments` chooses its exit status.
    pub(super) fn of(problem: impl fmt::Display, wrong_arguments: bool) -> CliError {
        match wrong_arguments {
            true => CliError::arguments(problem),
            false => CliError::failed(problem),
        }
    }
}

impl From<String> for CliError {
    fn from(problem: String) -> CliError {
        CliError::Failed(problem)
    }
}

/// Result of a command.
#[derive(Debug)]
pub(super) struct Report {
    /// Text to print on standard output, without the last line break. Empty text is not printed.
    pub(super) text: String,
    pub(super) status: Status,
}

/// Kind of a result, which determines the exit status.
#[derive(Debug)]
pub(super) enum Status {
    /// The result is complete. Status 0.
    Complete,
    /// The result is a bound, as its text tells. Status 1.
    Bounds,
    /// The answer is no. Status 1.
    Negative,
    /// The result is incomplete for this reason, which goes to standard error. Status 1.
    Unfinished(String),
}

impl Report {
    /// Returns a complete result whose text, if any, the command has printed.
    pub(super) fn done() -> Report {
        Report::from(String::new())
    }
}

impl From<String> for Report {
    fn from(text: String) -> Report {
        Report {
            text,
            status: Status::Complete,
        }
    }
}

/// Prints the end of a command and returns its exit status: 0 for a complete result, 1 for an
/// incomplete or negative result or a failure, and 2 for invalid arguments.
pub(super) fn exit(ended: Result<Report, CliError>) -> ExitCode {
    let report = match ended {
        Ok(report) => report,
        Err(CliError::Arguments(problem)) => {
            tell::error(problem);
            return ExitCode::from(WRONG_ARGUMENTS);
        }
        Err(CliError::Failed(problem)) => {
            tell::error(problem);
            return ExitCode::FAILURE;
        }
    };
    if !report.text.is_empty()
        && let Err(error) = output(format!("{}\n", report.text).as_bytes())
    {
        tell::error(error);
        return ExitCode::FAILURE;
    }
    match report.status {
        Status::Complete => ExitCode::SUCCESS,
        Status::Bounds | Status::Negative => ExitCode::FAILURE,
        Status::Unfinished(why) => {
            tell::error(why);
            ExitCode::FAILURE
        }
    }
}

/// Prints help, or the message about a command line, and returns the exit status.
pub(super) fn told(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        // A reader that has left, such as `head`, is no error.
        Err(problem) if !error.use_stderr() && problem.kind() != io::ErrorKind::BrokenPipe => {
            exit(Err(CliError::failed(problem)))
        }
        _ if error.use_stderr() => ExitCode::from(WRONG_ARGUMENTS),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints one text on standard output.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    output(format!("{}\n", text.trim_end()).as_bytes()).map_err(CliError::failed)
}

/// Converts an object to JSON text.
pub(super) fn json_text(json: &impl serde::Serialize) -> Result<String, CliError> {
    serde_json::to_string(json).map_err(CliError::failed)
}

/// Prints a value as JSON or as text.
pub(super) fn print_as<T: serde::Serialize + fmt::Display>(
    value: &T,
    json: bool,
) -> Result<(), CliError> {
    if json {
        print(&serde_json::to_string_pretty(value).map_err(CliError::failed)?)
    } else {
        print(&value.to_string())
    }
}
