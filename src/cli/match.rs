//! `omnigo match`: a match between two GTP engines.

use super::end::{CliError, Report};
use crate::r#match::{self, MatchArgs};

/// Plays a match, which prints its own report.
pub(super) fn run(arguments: &MatchArgs) -> Result<Report, CliError> {
    r#match::run(arguments).map_err(|error| CliError::of(&error, error.is_of_arguments()))?;
    Ok(Report::done())
}
