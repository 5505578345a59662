//! Command line of the program.

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
use crate::lab;
use crate::r#match::rating::{self, RateArgs};
use crate::r#match::{self, MatchArgs};
use crate::net::Network;
use crate::notation::read_position;
use crate::rules::{Points, RulesetText, presets};
use crate::system::malloc;
use crate::training::selfplay::{self, SelfplayArgs};
use crate::training::{self, AccuracyArgs, FitArgs, RowsArgs};

/// Go engine for any graph. Without a subcommand, it speaks GTP on standard input and output.
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
    /// Answer JSON queries about positions, one per line, as KataGo's analysis engine does.
    Analysis(Box<AnalysisArgs>),
    /// Measure speed, and print a signature of behavior.
    Bench(BenchArgs),
    /// Write a board in another format, draw it, or print its size.
    Graph(Box<ConvertArgs>),
    /// Check whether a sequence of moves is a game by the formal rules, with its scores and winner.
    Check(CheckArgs),
    /// Solve and count on every small connected graph; write a table and a page of plots.
    Atlas(lab::atlas::AtlasArgs),
    /// Count legal positions, games or sequences of moves exactly.
    Count(Box<lab::count::CountArgs>),
    /// List the chains of a position that cannot be captured even if their owner always passes.
    Life(lab::life::LifeArgs),
    /// Measure how often the engine keeps proven values on small graphs, under every ruleset.
    Perfect(lab::perfect::PerfectArgs),
    /// Compute the value of a position under perfect play, including the history.
    Solve(Box<lab::solve::SolveArgs>),
    /// Compute the komi parameter of a graph (the largest komi with which Black wins under famine
    /// rules), or the fair komi.
    Komi(lab::solve::KomiArgs),
    /// Draw a game as a strip of positions.
    Record(Box<RecordArgs>),
    /// Play a match between two GTP engines, with omnigo's own rules as referee.
    Match(Box<MatchArgs>),
    /// Rate all engines in match records, on one scale for each board.
    Rate(RateArgs),
    /// Write training data for the network from game records.
    Rows(RowsArgs),
    /// Play games of the engine against itself, and write training data from these games.
    Selfplay(Box<SelfplayArgs>),
    /// Measure how well a network predicts the moves of strong players.
    Accuracy(AccuracyArgs),
    /// Fit the weights of the move policy from game records.
    Fit(FitArgs),
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// Board to play on, for example grid:9, torus:13x13, edges:a-b,b-c. Fixes the board: boardsize
    /// cannot change it.
    #[arg(long, value_name = "SPEC", conflicts_with = "size")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Side length of the square grid at the start.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=52))]
    size: Option<u16>,
    /// Stones at the start, one character per point in index order: X black, O white, . empty. The
    /// ruleset determines who moves first.
    #[arg(long, value_name = "XO.")]
    position: Option<String>,
    /// Ruleset, with changes to single rules after commas, for example chinese or
    /// ggg,suicide=no,komi=6.5.
    #[arg(
        long,
        alias = "rules",
        value_name = "NAME",
        default_value = "tromp-taylor"
    )]
    ruleset: RulesetText,
    /// Points added to White's score, in steps of 0.5.
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<Points>,
    /// Maximum number of playouts per move.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Maximum seconds per move [default: 2, unless playouts or a clock set a limit].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<f64>,
    /// Number of search threads [default: all cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of all random choices; random uses a different seed at each start.
    #[arg(long, value_name = "N|random", allow_negative_numbers = true, default_value = "1", value_parser = seed)]
    seed: u64,
    /// Opening temperature: choose among nearly equal moves with probability proportional to
    /// visits^(1/T); 0 always plays the best move.
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
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes, action = ArgAction::Set)]
    handicap_moves: bool,
    /// Dynamic komi: compensate White for a handicap, fading to zero by mid-game.
    #[arg(long, value_name = "yes|no", default_value = "no", value_parser = yes, action = ArgAction::Set)]
    dynamic_komi: bool,
    /// Win probability below which the engine may resign, after three such turns in a row with a
    /// hopeless score; 0 never resigns.
    #[arg(long, alias = "resign", allow_negative_numbers = true, value_name = "P", default_value_t = Options::default().resign_below, value_parser = chance)]
    resign_below: f64,
    /// Memory of the search tree in MiB.
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = Options::default().memory_mib as u32, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    network: NetworkArgs,
    /// Seconds reserved per move for delays outside the search, such as a slow connection.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = Options::default().lag, value_parser = lag)]
    lag: f64,
    /// Ponder: search during the opponent's turn, until any input arrives.
    #[arg(long)]
    ponder: bool,
    /// Append all input and output to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Other measurements of `omnigo bench`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BenchOf {
    /// The network, with every kernel of this machine.
    Net,
    /// Memory and time of a search on boards of 25 to 2,500 vertices.
    Cost,
}

#[derive(Debug, Args)]
struct BenchArgs {
    /// Measure this instead of boards, playouts and searches.
    #[arg(value_enum)]
    what: Option<BenchOf>,
    /// Network to measure [default: the built-in one].
    #[arg(long, value_name = "FILE", requires = "what")]
    net: Option<PathBuf>,
    /// Plot the measurements into this SVG file; requires cost.
    #[arg(long, value_name = "FILE.svg", requires = "what")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Seconds per figure.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: f64,
}

/// Runs the program with the command-line arguments of the process.
pub fn run() -> ExitCode {
    malloc::return_large_blocks();
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

/// Returns the number of cores, or 1 if it is unknown.
fn cores() -> usize {
    available_parallelism().map_or(1, |n| n.get())
}

/// Serves GTP on standard input and output.
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
        // Store the position as the start of the board, so that `clear_board` restores it.
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
    // Lizgoban waits for this line. Ignore errors: a closed standard error must not stop the
    // program.
    let _ = writeln!(io::stderr(), "GTP ready");
    let input = BufReader::new(io::stdin());
    match gtp::serve(engine, pinned, input, io::stdout().lock(), log) {
        // A controller that closes the pipe ends the session normally.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|e| e.to_string()),
    }
}

/// Rates the engines in recorded games.
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
        return Err("--out needs 'bench cost', the only benchmark with a plot".into());
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
                None => Network::built_in()
                    .ok_or("this build has no built-in network, expected --net FILE")?,
            };
            return print(&bench::net::run(&network, arguments.time), arguments.json);
        }
        None => {}
    }
    let report = bench::run(&rules, cores(), arguments.time).map_err(|e| e.to_string())?;
    print(&report, arguments.json)
}

/// Prints a report as JSON or as text.
fn print<T: serde::Serialize + std::fmt::Display>(report: &T, json: bool) -> Result<(), String> {
    let text = if json {
        serde_json::to_string_pretty(report).map_err(|e| e.to_string())?
    } else {
        report.to_string()
    };
    writeln!(io::stdout(), "{}", text.trim_end()).map_err(|e| e.to_string())
}
