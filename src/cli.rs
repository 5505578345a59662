//! The command line.

use std::fs::OpenOptions;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::available_parallelism;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::analysis::{self, AnalysisArgs};
use crate::arguments::{NetworkArgs, chance, komi, lag, seconds, seed, temperature, yes};
use crate::bench;
use crate::check::{self, CheckArgs};
use crate::convert::{self, ConvertArgs};
use crate::draw::{self, RecordArgs};
use crate::engine::{Engine, Options, Style, Variety};
use crate::files::{ReadingArgs, replace};
use crate::graph::spec::Spec;
use crate::gtp;
use crate::gtp::arguments::read_position;
use crate::heap;
use crate::lab;
use crate::r#match::rating::{self, RateArgs};
use crate::r#match::{self, MatchArgs};
use crate::net::Network;
use crate::rules::{Points, RulesetText, presets};
use crate::training::selfplay::{self, SelfplayArgs};
use crate::training::{self, AccuracyArgs, FitArgs, RowsArgs};

/// A Go engine for any graph. Without a subcommand it speaks GTP on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "omnigo", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak GTP on standard input and output (the default).
    Gtp(Box<PlayArgs>),
    /// Answer JSON queries about positions, one a line, as KataGo's analysis engine does.
    Analysis(Box<AnalysisArgs>),
    /// Measure speed, and print a signature of behaviour.
    Bench(BenchArgs),
    /// Write a board in another format, draw it, or say how large it is.
    Graph(Box<ConvertArgs>),
    /// Tell whether a sequence of moves is a game by the formal rules, with its scores and winner.
    Check(CheckArgs),
    /// Solve and count every small connected graph, into a table and a page of plots.
    Atlas(lab::atlas::AtlasArgs),
    /// Count legal positions, games or sequences of moves, exactly.
    Count(Box<lab::count::CountArgs>),
    /// Tell which chains of a position cannot be captured even if their owner always passes.
    Life(lab::life::LifeArgs),
    /// How often the engine keeps proven values on small graphs, under every system of rules.
    Perfect(lab::perfect::PerfectArgs),
    /// The value of a position under perfect play, history included.
    Solve(Box<lab::solve::SolveArgs>),
    /// The komi parameter of a graph: the greatest komi with which Black wins under famine rules; or the fair komi.
    Komi(lab::solve::KomiArgs),
    /// Draw a game as a strip of positions.
    Record(Box<RecordArgs>),
    /// Play a match between two GTP engines, refereed by our own rules.
    Match(Box<MatchArgs>),
    /// Rate all engines in the records of matches, one scale for each board.
    Rate(RateArgs),
    /// Write training data for the network from game records.
    Rows(RowsArgs),
    /// Play games of the engine against itself, and write training data from them.
    Selfplay(Box<SelfplayArgs>),
    /// Tell how well a network says what strong players did.
    Accuracy(AccuracyArgs),
    /// Fit the weights by which moves are told apart before they are tried, from game records.
    Fit(FitArgs),
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// Board to play on, for example grid:9, torus:13x13, edges:a-b,b-c. It is pinned: boardsize cannot leave it.
    #[arg(long, value_name = "SPEC", conflicts_with = "size")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Side of the square grid to start on.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=52))]
    size: Option<u16>,
    /// Stones at the start, a character a point in index order: X black, O white, . empty. The ruleset says who is first.
    #[arg(long, value_name = "XO.")]
    position: Option<String>,
    /// Ruleset, with axes changed after commas, for example chinese or ggg,suicide=no,komi=6.5.
    #[arg(
        long,
        alias = "rules",
        value_name = "NAME",
        default_value = "tromp-taylor"
    )]
    ruleset: RulesetText,
    /// Points added to White's score, in halves.
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<Points>,
    /// Most playouts a move.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Most seconds a move [default: 2, unless playouts or a clock say otherwise].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<f64>,
    /// Threads of the search [default: all cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of all chance; random takes another one at each start.
    #[arg(long, value_name = "N|random", allow_negative_numbers = true, default_value = "1", value_parser = seed)]
    seed: u64,
    /// Draw the first moves of a game among those about as good as the best, by visits to the power of 1/T; 0 for never.
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value = "0", value_parser = temperature)]
    opening_temperature: f64,
    /// First moves, of both sides together, that are drawn so [default: one for each ten vertices].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    opening_moves: Option<u32>,
    /// How playouts choose: tactical, or light for any move that fills no eye.
    #[arg(long, value_name = "light|tactical", default_value_t = Style::Tactical)]
    style: Style,
    /// Count two or more Black moves before White's first move as handicap stones.
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes, action = ArgAction::Set)]
    handicap_moves: bool,
    /// Whether a handicap is made up for by a komi that falls to nothing in the first part of the game.
    #[arg(long, value_name = "yes|no", default_value = "no", value_parser = yes, action = ArgAction::Set)]
    dynamic_komi: bool,
    /// Win rate below which the engine may resign, after three such turns in a row with a hopeless score; 0 for never.
    #[arg(long, alias = "resign", allow_negative_numbers = true, value_name = "P", default_value_t = Options::default().resign_below, value_parser = chance)]
    resign_below: f64,
    /// Memory of the search tree in MiB.
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = Options::default().memory_mib as u32, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    network: NetworkArgs,
    /// Seconds of each move that the clock keeps for what happens outside the search, such as a slow connection.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = Options::default().lag, value_parser = lag)]
    lag: f64,
    /// Think in the opponent's time, until anything is sent.
    #[arg(long)]
    ponder: bool,
    /// Write everything received and sent to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// What else `omnigo bench` measures.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BenchOf {
    /// The network, by every kernel of this machine.
    Net,
    /// Memory and time of a search on boards of 25 to 2,500 vertices.
    Cost,
}

#[derive(Debug, Args)]
struct BenchArgs {
    /// What to measure instead of boards, playouts and searches.
    #[arg(value_enum)]
    what: Option<BenchOf>,
    /// Network to measure [default: the built-in one].
    #[arg(long, value_name = "FILE", requires = "what")]
    net: Option<PathBuf>,
    /// Draw what was measured into this file, as SVG; with cost.
    #[arg(long, value_name = "FILE.svg", requires = "what")]
    out: Option<PathBuf>,
    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Seconds for each figure.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: f64,
}

/// Runs the program on the process's own arguments.
pub fn run() -> ExitCode {
    heap::return_large_blocks();
    let cli = Cli::parse();
    let done = match cli.command {
        None => play(cli.play),
        Some(Command::Gtp(arguments)) => play(*arguments),
        Some(Command::Check(arguments)) => return check::run(&arguments),
        Some(Command::Atlas(arguments)) => return lab::atlas::run(&arguments),
        Some(Command::Count(arguments)) => return lab::count::run(&arguments),
        Some(Command::Life(arguments)) => return lab::life::run(&arguments),
        Some(Command::Perfect(arguments)) => return lab::perfect::run(&arguments),
        Some(Command::Solve(arguments)) => return lab::solve::solve(&arguments),
        Some(Command::Komi(arguments)) => return lab::solve::komi(&arguments),
        Some(Command::Graph(arguments)) => convert::run(&arguments),
        Some(Command::Record(arguments)) => draw::run(&arguments),
        Some(Command::Analysis(arguments)) => analysis::run(*arguments),
        Some(Command::Bench(arguments)) => measure(&arguments),
        Some(Command::Match(arguments)) => r#match::run(&arguments).map_err(|e| e.to_string()),
        Some(Command::Rate(arguments)) => rate(&arguments),
        Some(Command::Rows(arguments)) => training::run(&arguments)
            .map(|rows| eprintln!("{rows} rows"))
            .map_err(|e| e.to_string()),
        Some(Command::Fit(arguments)) => training::fit(&arguments)
            .map(|fit| eprintln!("{fit}"))
            .map_err(|e| e.to_string()),
        Some(Command::Selfplay(arguments)) => selfplay::run(&arguments)
            .map(|total| eprintln!("{} games, {} rows", total.games, total.rows))
            .map_err(|e| e.to_string()),
        Some(Command::Accuracy(arguments)) => {
            training::measure(&arguments).and_then(|found| print(&found, arguments.json))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("omnigo: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Checks the words of a command line, without the program's name, as the documents show them.
///
/// # Errors
/// The message that a user would see.
pub fn parses(words: &[String]) -> Result<(), String> {
    let words = std::iter::once("omnigo").chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        // Help is an answer, not a problem.
        Err(error) if !error.use_stderr() => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// All cores, one where that is not known.
fn cores() -> usize {
    available_parallelism().map_or(1, |n| n.get())
}

/// Speaks GTP.
fn play(arguments: PlayArgs) -> Result<(), String> {
    let pinned = arguments.graph.is_some();
    let side = arguments.size.map_or(19, usize::from);
    let spec = match arguments.graph {
        Some(spec) => spec,
        None => Spec::grid(side, side).map_err(|e| e.to_string())?,
    };
    let spec = spec.reading(arguments.reading.reading());
    let mut goban = spec.build().map_err(|e| e.to_string())?;
    if let Some(text) = &arguments.position {
        let colors = arguments.ruleset.rules.colors;
        // The board's own start, so that a controller's clear_board comes back to it.
        goban.start = read_position(&goban, colors, text).unwrap_or_else(|error| {
            Cli::command()
                .error(ErrorKind::ValueValidation, format!("--position: {error}"))
                .exit()
        });
    }
    for warning in goban.warnings.iter().chain(&arguments.ruleset.warnings) {
        eprintln!("warning: {warning}");
    }
    let options = Options {
        visits: None,
        playouts: arguments.playouts,
        seconds: arguments.time,
        threads: arguments.threads.map_or_else(cores, usize::from),
        seed: arguments.seed,
        resign_below: arguments.resign_below,
        memory_mib: arguments.memory as usize,
        guidance: arguments.network.guidance()?,
        lag: arguments.lag,
        ponders: arguments.ponder,
        variety: Variety {
            temperature: arguments.opening_temperature,
            moves: arguments.opening_moves,
        },
        style: arguments.style,
        handicap_moves: arguments.handicap_moves,
        dynamic_komi: arguments.dynamic_komi,
    };
    let komi = arguments
        .komi
        .or(arguments.ruleset.komi)
        .unwrap_or(Points::ZERO);
    let engine =
        Engine::new(goban, arguments.ruleset.rules, komi, options).map_err(|e| e.to_string())?;
    let log = match &arguments.log {
        None => None,
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.map_err(|e| format!("cannot write log '{}': {e}", path.display()))?)
        }
    };
    // Lizgoban waits for this line; a closed standard error is no reason to stop.
    let _ = writeln!(io::stderr(), "GTP ready");
    let input = BufReader::new(io::stdin());
    match gtp::serve(engine, pinned, input, io::stdout().lock(), log) {
        // A controller that hangs up has ended the session in its own way.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| e.to_string()),
    }
}

/// Rates recorded games.
fn rate(arguments: &RateArgs) -> Result<(), String> {
    let text = rating::run(arguments).map_err(|e| e.to_string())?;
    writeln!(io::stdout(), "{}", text.trim_end()).map_err(|e| e.to_string())
}

/// Runs the benchmarks.
fn measure(arguments: &BenchArgs) -> Result<(), String> {
    let rules = presets::find("tromp-taylor")
        .map(|p| p.rules.clone())
        .ok_or("no such ruleset")?;
    if arguments.out.is_some() && !matches!(arguments.what, Some(BenchOf::Cost)) {
        return Err("--out draws what 'bench cost' measures, and nothing else".into());
    }
    match arguments.what {
        Some(BenchOf::Cost) => {
            let costs = bench::cost::run(&rules, arguments.time).map_err(|e| e.to_string())?;
            if let Some(path) = &arguments.out {
                replace(path, costs.svg())
                    .map_err(|e| format!("cannot write '{}': {e}", path.display()))?;
            }
            return print(&costs, arguments.json);
        }
        Some(BenchOf::Net) => {
            let network = match &arguments.net {
                Some(path) => Arc::new(Network::read(path).map_err(|e| e.to_string())?),
                None => Network::built_in().ok_or("this build has no network of its own")?,
            };
            return print(&bench::net::run(&network, arguments.time), arguments.json);
        }
        None => {}
    }
    let report = bench::run(&rules, cores(), arguments.time).map_err(|e| e.to_string())?;
    print(&report, arguments.json)
}

/// Prints a report, for people or for programs.
fn print<T: serde::Serialize + std::fmt::Display>(report: &T, json: bool) -> Result<(), String> {
    let text = if json {
        serde_json::to_string_pretty(report).map_err(|e| e.to_string())?
    } else {
        report.to_string()
    };
    writeln!(io::stdout(), "{}", text.trim_end()).map_err(|e| e.to_string())
}
