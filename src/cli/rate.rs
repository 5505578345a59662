//! `omnigo rate`: ratings of the engines in match records.

use super::end::{CliError, Report, print};
use crate::r#match::rating::{self, RateArgs};

/// Rates the engines in recorded games.
pub(super) fn run(arguments: &RateArgs) -> Result<Report, CliError> {
    print(&rating::run(arguments).map_err(CliError::failed)?)?;
    Ok(Report::done())
}
