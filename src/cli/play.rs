//! `omnigo play`: the board in the browser.

use clap::Args;

use super::args::{RulesetArgs, SearchArgs, board};
use super::end::{CliError, Report};
use crate::arguments::ConfigArgs;
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::play::{First, Settings, is_link, serve};

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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = crate::arguments::whole::<u16>(..=65535))]
    port: u16,
    /// Address to listen on. Players on other machines can then join through links.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: String,
    /// Print the address without opening a browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Serves the board until the page ends it.
///
/// # Errors
/// If the board cannot be built, or the address cannot be used.
pub(super) fn run(arguments: PageArgs) -> Result<Report, CliError> {
    let (rules, komi) = arguments.rules.parts();
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
    let level = arguments.search.level;
    let options = arguments.search.options()?;
    let settings = Settings {
        first,
        options,
        level,
        host: arguments.host,
        port: arguments.port,
        opens: !arguments.no_open,
    };
    serve(settings).map_err(CliError::failed)?;
    Ok(Report::done())
}
