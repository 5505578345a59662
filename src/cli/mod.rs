//! Command line of the program, with one file for each subcommand.
//!
//! `args` has the option groups that subcommands share, and `end` the exit status. `help` and
//! `examples` have the texts of `--help`. `advice` improves errors. `console` reads the lines that
//! a person types.

mod advice;
mod analysis;
mod args;
mod atlas;
mod bench;
mod benchmark;
mod bot;
mod check;
mod config;
#[cfg(unix)]
mod console;
mod count;
mod end;
mod examples;
mod graph;
mod gtp;
mod help;
mod komi;
mod life;
mod r#match;
mod output;
mod perfect;
mod picture;
mod play;
mod rate;
mod record;
mod review;
mod shell;
mod solve;
mod training;
mod version;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::r#match::MatchArgs;
use crate::r#match::rating::RateArgs;
use crate::system::malloc;
use crate::training::label::LabelArgs;
use crate::training::selfplay::SelfplayArgs;
use crate::training::{AccuracyArgs, FitArgs, RowsArgs};
use analysis::AnalysisArgs;
use bench::BenchArgs;
use check::CheckArgs;
use config::Refusal;
use end::{CliError, exit};
use graph::GraphArgs;
use gtp::{GtpArgs, PlayArgs};
use play::PageArgs;
use record::RecordArgs;
use review::ReviewArgs;
use shell::{CompletionsArgs, ManArgs};

/// Go engine for any graph. Without a subcommand, it speaks GTP on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "omnigo",
    version,
    long_version = version::long(),
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = examples::OMNIGO
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
    #[command(after_help = examples::GTP)]
    Gtp(Box<GtpArgs>),
    /// Answer JSON queries about positions, one per line, as KataGo's analysis engine does.
    /// --ruleset and --komi apply to queries that have none.
    #[command(after_help = examples::ANALYSIS)]
    Analysis(Box<AnalysisArgs>),
    /// Write a TOML file with the options of gtp, analysis, play and match and their defaults, for
    /// --config.
    #[command(after_help = examples::CONFIG)]
    Config(config::TemplateArgs),
    /// Measure speed, and print a signature of behavior.
    #[command(after_help = examples::BENCH)]
    Bench(BenchArgs),
    /// Measure searches on this machine, and recommend threads, kernel, and visits.
    Benchmark(Box<benchmark::BenchmarkArgs>),
    /// Write a board in another format, draw it, or print its size.
    #[command(override_usage = examples::GRAPH_USAGE, after_help = examples::GRAPH)]
    Graph(Box<GraphArgs>),
    /// Check whether a sequence of moves is a game by the formal rules, with its scores and winner.
    #[command(override_usage = examples::CHECK_USAGE, after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Solve and count on every small connected graph; write a table and a page of plots.
    #[command(after_help = examples::ATLAS)]
    Atlas(atlas::AtlasArgs),
    /// Count legal positions, games or sequences of moves exactly.
    #[command(override_usage = examples::COUNT_USAGE, after_help = examples::COUNT)]
    Count(Box<count::CountArgs>),
    /// List the chains of a position that cannot be captured even if their owner always passes.
    #[command(override_usage = examples::LIFE_USAGE, after_help = examples::LIFE)]
    Life(life::LifeArgs),
    /// Measure how often the engine keeps proven values on small graphs, under every ruleset.
    #[command(after_help = examples::PERFECT)]
    Perfect(perfect::PerfectArgs),
    /// Compute the value of a position under perfect play, including the history.
    #[command(override_usage = examples::SOLVE_USAGE, after_help = examples::SOLVE)]
    Solve(Box<solve::SolveArgs>),
    /// Compute the komi parameter of a graph (the largest komi with which Black wins under famine
    /// rules), or the fair komi.
    #[command(override_usage = examples::KOMI_USAGE, after_help = examples::KOMI)]
    Komi(komi::KomiArgs),
    /// Open a board in the browser, to play, analyze, and solve on any graph.
    #[command(after_help = examples::PLAY)]
    Play(Box<PageArgs>),
    /// Draw a game as a strip of positions.
    #[command(after_help = examples::RECORD)]
    Record(Box<RecordArgs>),
    /// Review a game: win rates, mistakes, and better variations for every move.
    #[command(after_help = examples::REVIEW)]
    Review(Box<ReviewArgs>),
    /// Play a match between two GTP engines, with omnigo's own rules as referee.
    #[command(after_help = examples::MATCH)]
    Match(Box<MatchArgs>),
    /// Rate all engines in match records, on one scale for each board.
    #[command(after_help = examples::RATE)]
    Rate(RateArgs),
    /// Write training data for the network from game records.
    #[command(after_help = examples::ROWS)]
    Rows(RowsArgs),
    /// Play games of the engine against itself, and write training data from these games.
    #[command(after_help = examples::SELFPLAY)]
    Selfplay(Box<SelfplayArgs>),
    /// Play games, and label their positions with the outputs of a KataGo network as training data.
    #[command(after_help = examples::LABEL)]
    Label(Box<LabelArgs>),
    /// Measure how well a network predicts the moves of strong players.
    #[command(after_help = examples::ACCURACY)]
    Accuracy(AccuracyArgs),
    /// Fit the weights of the move policy from game records.
    #[command(after_help = examples::FIT)]
    Fit(FitArgs),
    /// Print a script that completes command lines in a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all subcommands into a folder.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

/// Returns the definitions of the command line. Every option with a value takes a negative number
/// as the next word, such as `--komi -3.5`. An option that refuses it then names what it expects.
fn definitions() -> clap::Command {
    fn signed(command: clap::Command) -> clap::Command {
        command.mut_args(|arg| {
            let is_value = arg.get_long().is_some() && arg.get_action().takes_values();
            arg.allow_negative_numbers(is_value)
        })
    }
    signed(Cli::command()).mut_subcommands(signed)
}

/// Runs the program with the command-line arguments of the process.
pub fn run() -> ExitCode {
    malloc::return_large_blocks();
    let cli = match config::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(Refusal::File(problem)) => return exit(Err(CliError::Arguments(problem))),
        Err(Refusal::CommandLine(mut error)) => {
            advice::improve(&mut error);
            return end::told(&error);
        }
    };
    exit(match cli.command {
        None => gtp::run(cli.play),
        Some(Command::Gtp(arguments)) => gtp::run(arguments.into_play()),
        Some(Command::Analysis(arguments)) => analysis::run(*arguments),
        Some(Command::Config(arguments)) => config::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Benchmark(arguments)) => benchmark::run(*arguments),
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
        Some(Command::Label(arguments)) => training::label(&arguments),
        Some(Command::Accuracy(arguments)) => training::accuracy(&arguments),
        Some(Command::Fit(arguments)) => training::fit(&arguments),
        Some(Command::Completions(arguments)) => shell::completions(&arguments),
        Some(Command::Man(arguments)) => shell::man(&arguments),
    })
}

/// Checks the words of a command line, without the program's name, as the documents show them.
///
/// # Errors
/// The message that a user would see.
pub fn parses(words: &[String]) -> Result<(), String> {
    let words = std::iter::once("omnigo").chain(words.iter().map(String::as_str));
    let words = config::without_katago(words.map(Into::into).collect())?;
    let matches = definitions().try_get_matches_from(words);
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(_) => Ok(()),
        // Help is an answer, not a problem.
        Err(error) if !error.use_stderr() => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
