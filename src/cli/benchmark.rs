//! `omnigo benchmark`: recommends options for this machine.

use clap::Args;

use super::args::{RulesetArgs, board};
use super::bench::seconds;
use super::end::{CliError, Report, print_as};
use crate::arguments::NetworkArgs;
use crate::bench::machine;
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::system::cores;

/// Arguments of `omnigo benchmark`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  omnigo benchmark
  omnigo benchmark grid:9 --net none
  omnigo benchmark --net b18.bin.gz --time 10")]
pub(super) struct BenchmarkArgs {
    /// Board, for example grid:9 or torus:13x13.
    #[arg(value_name = "SPEC", default_value = "grid:19")]
    board: Spec,
    /// Same as SPEC.
    #[arg(
        long,
        help_heading = "Board",
        value_name = "SPEC",
        conflicts_with = "board"
    )]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    rules: RulesetArgs,
    #[command(flatten)]
    network: NetworkArgs,
    /// Largest number of search threads to try [default: all cores].
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Seconds per measurement, at most 86,400.
    #[arg(long, help_heading = "Search", value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    time: f64,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Measures searches, and recommends threads, kernel, and visits.
pub(super) fn run(arguments: BenchmarkArgs) -> Result<Report, CliError> {
    let spec = arguments.graph.as_ref().unwrap_or(&arguments.board);
    let goban = board(spec, &arguments.reading)?;
    let (rules, _) = arguments.rules.parts();
    let guidance = arguments.network.guidance()?;
    let most = arguments.threads.map_or_else(cores, usize::from);
    let kernel = arguments.network.kernel();
    let report = machine::run(
        &goban,
        &rules,
        guidance.as_ref(),
        kernel,
        most,
        arguments.time,
    );
    print_as(&report.map_err(CliError::failed)?, arguments.json)?;
    Ok(Report::done())
}
