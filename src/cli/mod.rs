//! Command line of the program, with one file for each subcommand.
//!
//! `args` has the option groups that subcommands share, and `end` the exit status.

mod analysis;
mod args;
mod atlas;
mod bench;
mod bot;
mod check;
mod config;
mod count;
mod end;
mod graph;
mod gtp;
mod komi;
mod life;
mod r#match;
mod perfect;
mod picture;
mod play;
mod rate;
mod record;
mod review;
mod solve;
mod training;
mod version;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::r#match::MatchArgs;
use crate::r#match::rating::RateArgs;
use crate::system::malloc;
use crate::training::selfplay::SelfplayArgs;
use crate::training::{AccuracyArgs, FitArgs, RowsArgs};
use analysis::AnalysisArgs;
use bench::BenchArgs;
use check::CheckArgs;
use config::Refusal;
use end::{CliError, exit};
use graph::GraphArgs;
use gtp::PlayArgs;
use play::PageArgs;
use record::RecordArgs;
use review::ReviewArgs;

/// Go engine for any graph. Without a subcommand, it speaks GTP on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "omnigo",
    version,
    long_version = version::long(),
    args_conflicts_with_subcommands = true
)]
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
    /// Answer JSON queries about positions, one per line, as KataGo's analysis engine does. Ruleset
    /// and komi hold for queries without them.
    Analysis(Box<AnalysisArgs>),
    /// Write a TOML file with all options and their defaults, for --config.
    Config(config::TemplateArgs),
    /// Measure speed, and print a signature of behavior.
    Bench(BenchArgs),
    /// Write a board in another format, draw it, or print its size.
    Graph(Box<GraphArgs>),
    /// Check whether a sequence of moves is a game by the formal rules, with its scores and winner.
    Check(CheckArgs),
    /// Solve and count on every small connected graph; write a table and a page of plots.
    Atlas(atlas::AtlasArgs),
    /// Count legal positions, games or sequences of moves exactly.
    Count(Box<count::CountArgs>),
    /// List the chains of a position that cannot be captured even if their owner always passes.
    Life(life::LifeArgs),
    /// Measure how often the engine keeps proven values on small graphs, under every ruleset.
    Perfect(perfect::PerfectArgs),
    /// Compute the value of a position under perfect play, including the history.
    Solve(Box<solve::SolveArgs>),
    /// Compute the komi parameter of a graph (the largest komi with which Black wins under famine
    /// rules), or the fair komi.
    Komi(komi::KomiArgs),
    /// Open a board in the browser, to play, analyze, and solve on any graph.
    Play(Box<PageArgs>),
    /// Draw a game as a strip of positions.
    Record(Box<RecordArgs>),
    /// Review a game: win rates, mistakes, and better variations for every move.
    Review(Box<ReviewArgs>),
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

/// Runs the program with the command-line arguments of the process.
pub fn run() -> ExitCode {
    malloc::return_large_blocks();
    let cli = match config::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(Refusal::File(problem)) => return exit(Err(CliError::Arguments(problem))),
        Err(Refusal::CommandLine(error)) => error.exit(),
    };
    exit(match cli.command {
        None => gtp::run(cli.play),
        Some(Command::Gtp(arguments)) => gtp::run(*arguments),
        Some(Command::Analysis(arguments)) => analysis::run(*arguments),
        Some(Command::Config(arguments)) => config::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Graph(arguments)) => graph::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Atlas(arguments)) => atlas::run(&arguments),
        Some(Command::Count(arguments)) => count::run(&arguments),
        Some(Command::Life(arguments)) => life::run(&arguments),
        Some(Command::Perfect(arguments)) => perfect::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Komi(arguments)) => komi::run(&arguments),
        Some(Command::Play(arguments)) => play::run(*arguments),
        Some(Command::Record(arguments)) => record::run(&arguments),
        Some(Command::Review(arguments)) => review::run(*arguments),
        Some(Command::Match(arguments)) => r#match::run(&arguments),
        Some(Command::Rate(arguments)) => rate::run(&arguments),
        Some(Command::Rows(arguments)) => training::rows(&arguments),
        Some(Command::Selfplay(arguments)) => training::selfplay(&arguments),
        Some(Command::Accuracy(arguments)) => training::accuracy(&arguments),
        Some(Command::Fit(arguments)) => training::fit(&arguments),
    })
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
