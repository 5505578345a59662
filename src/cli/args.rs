//! Option groups that several subcommands share, and the games and boards that they describe.

use std::time::Duration;

use clap::Args;

use super::end::CliError;
use crate::arguments::{KomiOption, NetworkArgs};
use crate::color::Color;
use crate::engine::{Engine, EngineError, Options};
use crate::files::ReadingArgs;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::read_position;
use crate::rules::{Points, Ruleset, RulesetText};
use crate::system::{cores, tell};

/// Board of a command, as its first positional argument or by `--graph`.
#[derive(Debug, Args)]
pub(super) struct BoardArgs {
    /// Board, for example grid:9, petersen, edges:a-b,b-c or file:PATH.
    #[arg(
        value_name = "SPEC",
        required_unless_present = "graph",
        conflicts_with = "graph"
    )]
    board: Option<Spec>,
    /// Same as SPEC.
    #[arg(long, help_heading = "Board", value_name = "SPEC")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
}

impl BoardArgs {
    /// Builds the board. Prints its warnings to standard error.
    pub(super) fn build(&self) -> Result<Goban, CliError> {
        build(self.spec()?)
    }

    /// Returns the spec of the board, with the options for files.
    pub(super) fn spec(&self) -> Result<Spec, CliError> {
        let spec = self.board.as_ref().or(self.graph.as_ref());
        // The parser has checked that one of them is present.
        let spec =
            spec.ok_or_else(|| CliError::arguments("missing board, expected --graph SPEC"))?;
        Ok(spec.clone().reading(self.reading.reading()))
    }
}

/// Ruleset and komi of games that name none.
#[derive(Debug, Args)]
pub(super) struct RulesetArgs {
    /// Ruleset, then changed settings, separated by commas, for example chinese or
    /// ggg,suicide=no,komi=6.5.
    #[arg(
        long,
        help_heading = "Rules",
        alias = "rules",
        value_name = "NAME",
        default_value = "tromp-taylor"
    )]
    ruleset: RulesetText,
    #[command(flatten)]
    komi: KomiOption,
}

impl RulesetArgs {
    /// Returns the rules and the komi. Prints the warnings of the ruleset to standard error.
    pub(super) fn parts(&self) -> (Ruleset, Points) {
        for warning in &self.ruleset.warnings {
            tell::warn(warning);
        }
        let komi = self.komi.value.or(self.ruleset.komi);
        (self.ruleset.rules.clone(), komi.unwrap_or(Points::ZERO))
    }
}

/// Ruleset and komi instead of those in the file of a game.
#[derive(Debug, Args)]
#[command(mut_arg("komi", |komi| komi.help(KOMI_OF_FILE)))]
pub(super) struct FileRulesetArgs {
    /// Ruleset, then changed settings, separated by commas, for example japanese or
    /// ggg,suicide=no [default: that of the file, or chinese].
    #[arg(long, help_heading = "Rules", alias = "rules", value_name = "NAME")]
    pub(super) ruleset: Option<RulesetText>,
    #[command(flatten)]
    pub(super) komi: KomiOption,
}

/// Help of `--komi` for a game in a file.
const KOMI_OF_FILE: &str = "Points added to White's score, in steps of 0.5 [default: the komi given with --ruleset or in the file, or 0]";

/// Limits and resources of the engine as a player.
#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// Maximum number of playouts per move [default: unlimited].
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::whole::<u64>(1..))]
    playouts: Option<u64>,
    /// Maximum number of visits per move, including those of the tree that earlier moves left.
    /// KataGo calls it maxVisits [default: unlimited].
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::whole::<u64>(1..))]
    visits: Option<u64>,
    /// Maximum seconds per move [default: 2, unless playouts, visits or a clock set a limit].
    #[arg(long, help_heading = "Search", value_name = "SECONDS", value_parser = crate::arguments::seconds)]
    time: Option<f64>,
    /// Level of the engine, from 1 (weakest) to 10 (full strength). Each one up to 9 beats
    /// the one below in about three of four games on 9x9.
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::level)]
    pub(super) level: Option<usize>,
    #[command(flatten)]
    resources: ResourceArgs,
}

impl SearchArgs {
    /// Returns the options of an engine without its level.
    ///
    /// # Errors
    /// One sentence, if the network cannot be used.
    pub(super) fn options(&self) -> Result<Options, String> {
        Ok(Options {
            playouts: self.playouts,
            visits: self.visits,
            seconds: self.time,
            ..self.resources.options()?
        })
    }
}

/// Resources of searches, with all cores by default.
#[derive(Debug, Args)]
pub(super) struct ResourceArgs {
    /// Number of threads of each search, 1 to 1024 [default: all cores].
    #[arg(long, help_heading = "Search", value_name = "N", value_parser = crate::arguments::whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Seed of all random choices; random uses a different seed at each start.
    #[arg(long, help_heading = "Search", value_name = "N|random", default_value = "1", value_parser = crate::arguments::seed)]
    seed: u64,
    /// Memory of the searches of this process, in MiB, 16 or more. The program and its network come
    /// on top.
    #[arg(long, help_heading = "Search", value_name = "MIB", default_value_t = Options::default().memory_mib as u32, value_parser = crate::arguments::whole::<u32>(16..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    network: NetworkArgs,
}

impl ResourceArgs {
    /// Returns the options of an engine without limits of its searches.
    ///
    /// # Errors
    /// One sentence, if the network cannot be used.
    pub(super) fn options(&self) -> Result<Options, String> {
        Ok(Options {
            threads: self.threads.map_or_else(cores, usize::from),
            seed: self.seed,
            memory_mib: self.memory as usize,
            guidance: self.network.guidance()?,
            ..Options::default()
        })
    }
}

/// Time limit of a task.
#[derive(Debug, Args)]
pub(super) struct TimeArgs {
    /// Maximum seconds for the whole task; bounds proved by then are the answer [default:
    /// unlimited].
    #[arg(
        long,
        help_heading = "Limits",
        value_name = "S",
        value_parser = crate::arguments::seconds
    )]
    seconds: Option<f64>,
}

impl TimeArgs {
    /// Returns the time limit, or `None` without one.
    pub(super) fn limit(&self) -> Option<Duration> {
        // A time beyond the range of `Duration` counts as unlimited.
        self.seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}

/// Memory and output of the solver.
#[derive(Debug, Args)]
pub(super) struct SolverArgs {
    /// Maximum memory of the tables in MiB, 16 or more.
    #[arg(long, help_heading = "Limits", value_name = "MIB", default_value_t = Options::default().memory_mib as u32, value_parser = crate::arguments::whole::<u32>(16..=1_048_576))]
    memory: u32,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(super) json: bool,
}

impl SolverArgs {
    /// Returns the options of an engine that solves.
    pub(super) fn options(&self) -> Options {
        Options {
            memory_mib: self.memory as usize,
            ..Options::default()
        }
    }
}

/// Builds the board of a spec with these options for files. Prints its warnings to standard error.
pub(super) fn board(spec: &Spec, reading: &ReadingArgs) -> Result<Goban, CliError> {
    build(spec.clone().reading(reading.reading()))
}

fn build(spec: Spec) -> Result<Goban, CliError> {
    let goban = spec.build().map_err(CliError::arguments)?;
    for warning in &goban.warnings {
        tell::warn(warning);
    }
    Ok(goban)
}

/// Reads the stones of `--position`, one character per point.
pub(super) fn position(
    goban: &Goban,
    colors: usize,
    text: &str,
) -> Result<Vec<Option<Color>>, CliError> {
    read_position(goban, colors, text)
        .map_err(|problem| CliError::Arguments(format!("--position: {problem}")))
}

/// Creates a game under these rules from `position`, or from the starting stones of the
/// board.
pub(super) fn engine_for(
    mut goban: Goban,
    ruleset: RulesetText,
    position: Option<&str>,
) -> Result<Engine, CliError> {
    for warning in &ruleset.warnings {
        tell::warn(warning);
    }
    if let Some(text) = position {
        goban.start = self::position(&goban, ruleset.rules.colors, text)?;
    }
    let komi = ruleset.komi.unwrap_or(Points::ZERO);
    Engine::new(goban, ruleset.rules, komi, Options::default())
        .map_err(|problem: EngineError| CliError::arguments(problem))
}

/// Returns the colors that play, with their names.
pub(super) fn players(engine: &Engine) -> impl Iterator<Item = (Color, String)> + use<> {
    Color::all(engine.rules().colors).map(|color| (color, color.to_string()))
}

#[cfg(test)]
mod tests {
    use crate::cli::definitions;

    #[test]
    fn gtp_and_play_share_the_options_of_a_search() {
        let command = definitions();
        let help = |subcommand: &str, option: &str| {
            let found = command.find_subcommand(subcommand).unwrap();
            let argument = found.get_arguments().find(|a| a.get_long() == Some(option));
            argument.unwrap().get_help().map(ToString::to_string)
        };
        for option in [
            "playouts", "visits", "time", "level", "threads", "seed", "memory", "net",
        ] {
            assert_eq!(help("gtp", option), help("play", option), "{option}");
        }
    }
}
