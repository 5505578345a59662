//! `omnigo rows`, `omnigo selfplay`, `omnigo label`, `omnigo accuracy`, and `omnigo fit`: training.

use super::end::{CliError, Report, print_as};
use crate::progress::Task;
use crate::system::tell;
use crate::text::counted;
use crate::training::label::{self, LabelArgs};
use crate::training::selfplay::{self, SelfplayArgs};
use crate::training::{self, AccuracyArgs, FitArgs, RowsArgs};

/// Writes training data from game records.
pub(super) fn rows(arguments: &RowsArgs) -> Result<Report, CliError> {
    let task = Task::of_steps();
    let rows = training::run(arguments, &mut |done, of| task.step(done, of));
    drop(task);
    let rows = rows.map_err(CliError::failed)?;
    tell!("{}", counted(rows as u64, "row"));
    Ok(Report::done())
}

/// Plays games of the engine against itself.
pub(super) fn selfplay(arguments: &SelfplayArgs) -> Result<Report, CliError> {
    let total = selfplay::run(arguments);
    let total = total.map_err(|error| CliError::of(&error, error.is_of_arguments()))?;
    tell!("{total}");
    Ok(Report::done())
}

/// Labels positions with the outputs of a teacher.
pub(super) fn label(arguments: &LabelArgs) -> Result<Report, CliError> {
    let total = label::run(arguments);
    let total = total.map_err(|error| CliError::of(&error, error.is_of_arguments()))?;
    tell!("{total}");
    Ok(Report::done())
}

/// Measures the predictions of a network.
pub(super) fn accuracy(arguments: &AccuracyArgs) -> Result<Report, CliError> {
    print_as(&training::measure(arguments)?, arguments.json)?;
    Ok(Report::done())
}

/// Fits the weights of the move policy.
pub(super) fn fit(arguments: &FitArgs) -> Result<Report, CliError> {
    let task = Task::of_steps();
    let fit = training::fit(arguments, &mut |done, of| task.step(done, of));
    drop(task);
    let fit = fit.map_err(|error| CliError::of(&error, error.is_of_arguments()))?;
    tell!("{fit}");
    Ok(Report::done())
}
