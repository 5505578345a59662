//! `omnigo rows`, `omnigo selfplay`, `omnigo accuracy`, and `omnigo fit`: training.

use super::end::{CliError, Report, print_as};
use crate::training::selfplay::{self, SelfplayArgs};
use crate::training::{self, AccuracyArgs, FitArgs, RowsArgs};

/// Writes training data from game records.
pub(super) fn rows(arguments: &RowsArgs) -> Result<Report, CliError> {
    let rows = training::run(arguments).map_err(CliError::failed)?;
    eprintln!("{rows} rows");
    Ok(Report::done())
}

/// Plays games of the engine against itself.
pub(super) fn selfplay(arguments: &SelfplayArgs) -> Result<Report, CliError> {
    let total = selfplay::run(arguments).map_err(CliError::failed)?;
    eprintln!("{} games, {} rows", total.games, total.rows);
    Ok(Report::done())
}

/// Measures the predictions of a network.
pub(super) fn accuracy(arguments: &AccuracyArgs) -> Result<Report, CliError> {
    print_as(&training::measure(arguments)?, arguments.json)?;
    Ok(Report::done())
}

/// Fits the weights of the move policy.
pub(super) fn fit(arguments: &FitArgs) -> Result<Report, CliError> {
    let fit = training::fit(arguments).map_err(CliError::failed)?;
    eprintln!("{fit}");
    Ok(Report::done())
}
