//! `omnigo analysis`: JSON queries on standard input.

use std::io::{self, BufReader, IsTerminal};
use std::path::PathBuf;

use clap::Args;

use super::args::{RulesetArgs, board};
use super::end::{CliError, Report};
use crate::analysis::query::Perspective;
use crate::analysis::{Defaults, serve};
use crate::arguments::{ConfigArgs, NetworkArgs, seconds};
use crate::engine::Options;
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::gtp::warning_file::WarningFile;
use crate::system::{cores, tell};

/// Options of `omnigo analysis`.
#[derive(Debug, Args)]
pub struct AnalysisArgs {
    /// Board of queries without graph and board size.
    #[arg(value_name = "SPEC", conflicts_with = "graph")]
    board: Option<Spec>,
    /// Same as SPEC.
    #[arg(long, help_heading = "Board", value_name = "SPEC")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    rules: RulesetArgs,
    /// Number of playouts per position for queries without maxVisits.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = crate::arguments::whole::<u64>(1..))]
    playouts: u64,
    /// Maximum seconds per position.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// View of the reported values: BLACK, WHITE or SIDETOMOVE.
    #[arg(long, value_name = "VIEW", default_value = "BLACK")]
    perspective: Perspective,
    /// Number of positions searched in parallel [default: all cores].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u16>(1..=1024))]
    positions: Option<u16>,
    /// Number of search threads per position.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::whole::<u16>(1..=1024))]
    threads: u16,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::whole::<u64>(..))]
    seed: u64,
    /// Memory of the searches of this process, in MiB. The program and its network come on top.
    #[arg(long, value_name = "MIB", default_value_t = Options::default().memory_mib as u32, value_parser = crate::arguments::whole::<u32>(16..=1_048_576))]
    memory: u32,
    /// Append all queries and answers to this file.
    #[arg(long, help_heading = "Bots and option files", value_name = "FILE")]
    log: Option<PathBuf>,
    /// Size in MiB at which the log begins a new file. The five latest old files remain, as FILE.1
    /// to FILE.5 [default: unlimited].
    #[arg(long, help_heading = "Bots and option files", value_name = "MIB", value_parser = crate::arguments::whole::<u32>(1..=1_048_576))]
    log_size: Option<u32>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Line for a person who starts the program without a client.
const HINT: &str = r#"omnigo analysis reads JSON queries, one per line; try: {"id":"a","boardXSize":9,"boardYSize":9,"moves":[["B","E5"]]}; Ctrl-D ends it"#;

/// Answers JSON queries until the end of standard input.
///
/// # Errors
/// If the network cannot be used, the board cannot be built, or standard input cannot be read.
pub fn run(arguments: AnalysisArgs) -> Result<Report, CliError> {
    let (rules, komi) = arguments.rules.parts();
    let graph = arguments.graph.or(arguments.board);
    if let Some(spec) = &graph {
        // Without this board, each query without a board of its own would fail.
        board(spec, &arguments.reading)?;
    }
    let graph = graph.map(|spec| spec.reading(arguments.reading.reading()));
    let defaults = Defaults {
        graph,
        rules,
        komi,
        playouts: arguments.playouts,
        perspective: arguments.perspective,
        positions: arguments.positions.map_or_else(cores, usize::from),
        options: Options {
            seconds: arguments.time,
            threads: usize::from(arguments.threads),
            seed: arguments.seed,
            memory_mib: arguments.memory as usize,
            guidance: arguments.network.guidance()?,
            ..Options::default()
        },
    };
    if io::stdin().is_terminal() {
        tell!("{HINT}");
    }
    let limit = arguments.log_size.map(|mib| u64::from(mib) << 20);
    let log = arguments
        .log
        .map(|path| WarningFile::new("--log", &path, limit));
    let input = BufReader::new(io::stdin());
    serve(&defaults, input, io::stdout(), log).map_err(CliError::failed)?;
    Ok(Report::done())
}
