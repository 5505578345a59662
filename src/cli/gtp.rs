//! `omnigo gtp`, the default: serves GTP on standard input and output.

use std::io::{self, BufReader, Write};

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory};

use super::Cli;
use super::args::{RulesetArgs, SearchArgs};
use super::bot::BotArgs;
use super::end::{CliError, Report};
use crate::arguments::{ConfigArgs, lag, probability, temperature, yes_or_no};
use crate::engine::{Engine, Level, Options, Style, Variety};
use crate::files::ReadingArgs;
use crate::graph::spec::Spec;
use crate::gtp::{self, Ending};
use crate::notation::read_position;
use crate::system::signals;

/// Arguments of `omnigo gtp`, which is the default subcommand.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Board to play on, for example grid:9, torus:13x13, edges:a-b,b-c. Fixes the board: boardsize
    /// cannot change it.
    #[arg(long, value_name = "SPEC", conflicts_with = "size")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Side length of the square grid at the start.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=52))]
    size: Option<u16>,
    /// Stones at the start, one character per point in index order: X black, O white, . empty
    /// [default: the starting stones of the board]. The ruleset determines who moves first.
    #[arg(long, value_name = "XO.")]
    position: Option<String>,
    #[command(flatten)]
    rules: RulesetArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Opening temperature: choose among nearly equal moves with probability proportional to
    /// visits^(1/T); 0 always plays the best move. KataGo calls it chosenMoveTemperatureEarly.
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value = "0", value_parser = temperature)]
    opening_temperature: f64,
    /// Number of opening moves (both sides together) that use the temperature [default: vertices /
    /// 10].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    opening_moves: Option<u32>,
    /// Move choice in playouts: tactical, or light for random moves that fill no eye.
    #[arg(long, value_name = "light|tactical", default_value_t = Style::Tactical)]
    style: Style,
    /// Count two or more Black moves before White's first move as handicap stones.
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes_or_no, action = ArgAction::Set)]
    handicap_moves: bool,
    /// Dynamic komi: compensate White for a handicap, fading to zero by mid-game.
    #[arg(long, value_name = "yes|no", default_value = "no", value_parser = yes_or_no, action = ArgAction::Set)]
    dynamic_komi: bool,
    /// Win probability below which the engine may resign, after three such turns in a row with a
    /// hopeless score; 0 never resigns.
    #[arg(long, alias = "resign", allow_negative_numbers = true, value_name = "P", default_value_t = Options::default().resign_below, value_parser = probability)]
    resign_below: f64,
    /// Seconds reserved per move for delays outside the search, such as a slow connection.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = Options::default().lag, value_parser = lag)]
    lag: f64,
    /// Ponder: search during the opponent's turn, until any input arrives.
    #[arg(long)]
    ponder: bool,
    #[command(flatten)]
    bot: BotArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Serves GTP on standard input and output.
pub(super) fn run(arguments: PlayArgs) -> Result<Report, CliError> {
    let pinned = arguments.graph.is_some();
    let side = arguments.size.map_or(19, usize::from);
    let spec = match arguments.graph {
        Some(spec) => spec,
        None => Spec::grid(side, side).map_err(|e| e.to_string())?,
    };
    let spec = spec.reading(arguments.reading.reading());
    let mut goban = spec.build().map_err(|e| e.to_string())?;
    let (rules, komi) = arguments.rules.into_parts();
    if let Some(text) = &arguments.position {
        let colors = rules.colors;
        // Store the position as the start of the board, so that `clear_board` restores it.
        goban.start = read_position(&goban, colors, text).unwrap_or_else(|error| {
            Cli::command()
                .error(ErrorKind::ValueValidation, format!("--position: {error}"))
                .exit()
        });
    }
    for warning in &goban.warnings {
        eprintln!("warning: {warning}");
    }
    let level = arguments.search.level;
    let options = Options {
        resign_below: arguments.resign_below,
        lag: arguments.lag,
        ponders: arguments.ponder,
        variety: Variety {
            temperature: arguments.opening_temperature,
            moves: arguments.opening_moves,
        },
        style: arguments.style,
        handicap_moves: arguments.handicap_moves,
        dynamic_komi: arguments.dynamic_komi,
        ..arguments.search.options()?
    };
    let options = match level.and_then(Level::new) {
        Some(level) => level.limit(options),
        None => options,
    };
    let engine = Engine::new(goban, rules, komi, options).map_err(|e| e.to_string())?;
    // Lizgoban waits for this line. Ignore errors: a closed standard error must not stop the
    // program.
    let _ = writeln!(io::stderr(), "GTP ready");
    let input = BufReader::new(io::stdin());
    match gtp::serve(
        engine,
        pinned,
        input,
        io::stdout().lock(),
        arguments.bot.bot(),
    ) {
        // A controller that closes the pipe ends the session normally.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Report::done()),
        // Results and logs are written. Scripts expect the exit status of the signal.
        Ok(Ending::Signal(number)) => std::process::exit(signals::status(number)),
        other => other.map(|_| Report::done()).map_err(CliError::failed),
    }
}
