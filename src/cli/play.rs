//! `omnigo play`: the board in the browser.

use clap::Args;

use super::args::{RulesetArgs, board};
use super::end::{CliError, Report};
use crate::arguments::{NetworkArgs, level, seconds, seed};
use crate::engine::Options;
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::play::{First, Settings, is_link, serve};
use crate::system::cores;

/// Arguments of `omnigo play`.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// Board, for example petersen, torus:7x7 or file:PATH; or the link of a game.
    #[arg(value_name = "SPEC|LINK", default_value = "grid:9")]
    board: String,
    /// Same as SPEC.
    #[arg(
        long,
        help_heading = "Board",
        value_name = "SPEC|LINK",
        conflicts_with = "board"
    )]
    graph: Option<String>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    rules: RulesetArgs,
    /// Port to listen on; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Address to listen on. Others than this machine can then play through links.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: String,
    /// Print the address without opening a browser.
    #[arg(long)]
    no_open: bool,
    /// Level of the engine, from 1 (weakest) to 10 (full strength). The levels are not calibrated.
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<usize>,
    /// Maximum number of playouts per move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Maximum seconds per move [default: 2, unless playouts or a clock set a limit].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<f64>,
    /// Number of search threads of each game [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of all random choices; random uses a different seed at each start.
    #[arg(long, value_name = "N|random", default_value = "1", value_parser = seed)]
    seed: u64,
    /// Memory of the search trees of all games together, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = Options::default().memory_mib as u32, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    network: NetworkArgs,
}

/// Serves the board until the page ends it.
///
/// # Errors
/// If the board cannot be built, or the address cannot be used.
pub(super) fn run(arguments: PageArgs) -> Result<Report, CliError> {
    let (rules, komi) = arguments.rules.into_parts();
    let wanted = arguments.graph.unwrap_or(arguments.board);
    let first = match is_link(&wanted) {
        true => First::Link(wanted),
        false => {
            let spec: Spec = wanted.parse().map_err(CliError::arguments)?;
            First::Board {
                goban: Box::new(board(&spec, &arguments.reading)?),
                rules: Box::new(rules),
                komi,
            }
        }
    };
    let options = Options {
        playouts: arguments.playouts,
        seconds: arguments.time,
        threads: arguments.threads.map_or_else(cores, usize::from),
        seed: arguments.seed,
        memory_mib: arguments.memory as usize,
        guidance: arguments.network.guidance()?,
        ..Options::default()
    };
    let settings = Settings {
        first,
        options,
        level: arguments.level,
        host: arguments.host,
        port: arguments.port,
        opens: !arguments.no_open,
    };
    serve(settings).map_err(CliError::failed)?;
    Ok(Report::done())
}
