//! `omnigo bench`: measures speed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::end::{CliError, Report, print_as};
use super::output::{check, write};
use crate::arguments::check_kernel;
use crate::bench;
use crate::net::Weights;
use crate::net::kernels::Kernel;
use crate::rules::presets;
use crate::system::cores;

/// Other measurements of `omnigo bench`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BenchOf {
    /// The network, with every kernel of this machine.
    Net,
    /// Memory and time of a search on boards of 25 to 2,500 vertices.
    Cost,
}

/// Arguments of `omnigo bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Measure the network (net), or memory and time of a search on boards of 25 to 2,500 vertices
    /// (cost), instead of boards, playouts and searches.
    #[arg(value_enum)]
    what: Option<BenchOf>,
    /// Network to measure; requires net [default: the built-in one].
    #[arg(long, value_name = "FILE", requires = "what")]
    net: Option<PathBuf>,
    /// Kernels to measure, separated by commas; requires net [default: all of this machine].
    #[arg(long, value_name = "KERNELS", value_delimiter = ',', requires = "what")]
    net_kernel: Vec<Kernel>,
    /// Plot the measurements into this SVG file; requires cost.
    #[arg(
        long,
        visible_alias = "output",
        value_name = "FILE.svg",
        requires = "what"
    )]
    out: Option<PathBuf>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Seconds per figure, at most 86,400.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: f64,
}

/// Parses the seconds of a measurement.
///
/// # Errors
/// If the text is not a number above 0, at most [`bench::MOST_SECONDS`].
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|&seconds| seconds > 0.0 && seconds <= bench::MOST_SECONDS)
        .ok_or_else(|| format!("expected seconds above 0, at most {}", bench::MOST_SECONDS))
}

/// Runs the benchmarks.
pub(super) fn run(arguments: &BenchArgs) -> Result<Report, CliError> {
    let rules = presets::find("tromp-taylor")
        .map(|p| p.rules.clone())
        .ok_or("no such ruleset".to_owned())?;
    if arguments.out.is_some() && !matches!(arguments.what, Some(BenchOf::Cost)) {
        return Err(CliError::arguments(
            "--out needs 'bench cost', the only benchmark with a plot",
        ));
    }
    if arguments.net.is_some() && !matches!(arguments.what, Some(BenchOf::Net)) {
        return Err(CliError::arguments(
            "--net needs 'bench net', the only benchmark of a network",
        ));
    }
    if !arguments.net_kernel.is_empty() && !matches!(arguments.what, Some(BenchOf::Net)) {
        return Err(CliError::arguments(
            "--net-kernel needs 'bench net', the only benchmark of kernels",
        ));
    }
    for &kernel in &arguments.net_kernel {
        check_kernel(kernel)?;
    }
    check(arguments.out.as_deref())?;
    match arguments.what {
        Some(BenchOf::Cost) => {
            let costs = bench::cost::run(&rules, arguments.time).map_err(|e| e.to_string())?;
            if let Some(path) = &arguments.out {
                write(Some(path), costs.svg())?;
            }
            print_as(&costs, arguments.json)?;
        }
        Some(BenchOf::Net) => {
            let weights = match &arguments.net {
                Some(path) => Weights::read(path).map_err(|e| e.to_string())?,
                None => Weights::built_in().ok_or_else(|| {
                    CliError::failed("this build has no built-in network, expected --net FILE")
                })?,
            };
            let kernels = match arguments.net_kernel.as_slice() {
                [] => Kernel::available().collect(),
                chosen => chosen.to_vec(),
            };
            let report = bench::net::run(&weights, &rules, &kernels, arguments.time);
            print_as(&report, arguments.json)?;
        }
        None => {
            let report = bench::run(&rules, cores(), arguments.time).map_err(|e| e.to_string())?;
            print_as(&report, arguments.json)?;
        }
    }
    Ok(Report::done())
}
