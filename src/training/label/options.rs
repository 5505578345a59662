//! Command-line arguments of labeling.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::super::boards::Size;
use super::super::draw::happens;
use super::super::format::Kind;
use super::super::parallel::RunArgs;
use super::super::problems::{Kinds, Problem, draw_any};
use super::super::starts::Description;
use super::explore::Searches;
use crate::arguments::command_line::CommandLine;
use crate::arguments::{kernel_help, probability};
use crate::net::kernels::Kernel;
use crate::playout::Random;
use crate::rules::RulesetText;

/// Arguments of `omnigo label`.
#[derive(Debug, Args)]
pub struct LabelArgs {
    /// KataGo network that labels the positions.
    #[arg(long, value_name = "FILE")]
    pub teacher: PathBuf,
    /// Program that evaluates the teacher instead of omnigo's kernels, such as "python
    /// training/teacher.py"; the file of the teacher becomes its last argument.
    #[arg(long, value_name = "COMMAND")]
    pub evaluator: Option<CommandLine>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Network of the student, which plays a part of the moves [default: the built-in network].
    #[arg(long, value_name = "FILE")]
    pub student: Option<PathBuf>,
    /// Kernel for both networks.
    #[arg(long, value_name = "KERNEL", help = kernel_help("Kernel for both networks"))]
    pub net_kernel: Option<Kernel>,
    /// Ruleset with area or territory scoring that the teacher knows.
    #[arg(long, alias = "rules", value_name = "NAME", default_value = "cgos")]
    pub ruleset: RulesetText,
    /// Fraction of positions that are labeled.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability)]
    pub recorded: f64,
    /// Probability that the student, not the teacher, plays all moves of a color.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability)]
    pub student_share: f64,
    /// Temperature of the moves: they are drawn with policy^(1/T); above 0, at most 10.
    #[arg(long, value_name = "T", default_value = "0.8", value_parser = crate::arguments::above_0_to_10)]
    pub temperature: f64,
    /// Fraction of moves that are random.
    #[arg(long, value_name = "P", default_value = "0.02", value_parser = probability)]
    pub noise: f64,
    /// Maximum number of random moves at the start; each game draws its number.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = crate::arguments::whole::<u32>(..=100))]
    pub random_moves: u32,
    /// Fraction of games with 2 to 5 handicap stones.
    #[arg(long, value_name = "P", default_value = "0.1", value_parser = probability)]
    pub handicap: f64,
    /// Probability, at each decided position that the teacher sees, that the komi changes so that
    /// the position becomes even. In a decided position, one side wins with less than 10 %.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub even: f64,
    /// Fraction of labeled decided positions that are kept.
    #[arg(long, value_name = "P", default_value = "1", value_parser = probability)]
    pub decided: f64,
    /// Probability that the student searches before a move, instead of playing by its policy. The
    /// teacher then labels positions of the search.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub searched: f64,
    /// Maximum number of visits of such a search; each draws its number.
    #[arg(long, value_name = "N", default_value_t = 40, requires = "searched", value_parser = crate::arguments::whole::<u64>(4..=200))]
    pub visits: u64,
    /// Maximum number of positions of a search that are labeled.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "searched", value_parser = crate::arguments::whole::<u16>(1..=64))]
    pub search_positions: u16,
    /// Minimum fraction of a record's moves that are played before such a game starts.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability, requires = "from_records")]
    pub from_share: f64,
    /// Fraction of games that start in a generated position, without --handicap and --random-moves,
    /// instead of an empty board or a record.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub problems: f64,
    /// Kinds of generated positions, drawn in proportion to their weights: dead, unsettled, ko,
    /// bent-four, seki, semeai, and ladder [default: all alike]. Small boards have fewer kinds.
    #[arg(long, value_name = "KIND:WEIGHT,…", requires = "problems")]
    pub problem_kinds: Option<Kinds>,
    /// Number of games played in parallel, one thread each; with --evaluator, it limits the
    /// positions of a batch.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = crate::arguments::whole::<u16>(1..=16384))]
    pub parallel: u16,
}

impl LabelArgs {
    /// Returns the student's searches. `None` if it never searches.
    pub fn searches(&self) -> Option<Searches> {
        (self.searched > 0.0).then_some(Searches {
            share: self.searched,
            visits: self.visits,
            positions: self.search_positions,
        })
    }

    /// Draws the generated position in which a game starts. `None` if it starts elsewhere, or if
    /// the board is too small for the kinds.
    pub fn problem(&self, size: Size, random: &mut Random) -> Option<Problem> {
        // Without the option, a game draws no further random numbers.
        if self.problems == 0.0 || !happens(random, self.problems) {
            return None;
        }
        draw_any(&self.kinds(), size, random)
    }

    /// Returns the kinds of generated positions.
    fn kinds(&self) -> Kinds {
        self.problem_kinds.clone().unwrap_or_default()
    }
}

/// Fraction and kinds of generated positions in the settings of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problems {
    /// Fraction of games that start in one.
    pub share: f64,
    /// The kinds with their weights.
    pub kinds: String,
}

/// Settings that all games of a folder share; the first line of the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the rows.
    pub rows: u16,
    /// The boards with their weights.
    pub boards: String,
    /// Name of the teacher, and the hash of its file.
    pub teacher: String,
    /// Hash of the student.
    pub student: String,
    /// The rules.
    pub ruleset: String,
    /// Fractions of labeled positions, of the student's colors, of random moves, and of games with
    /// a handicap.
    pub shares: [f64; 4],
    /// Temperature of the moves.
    pub temperature: f64,
    /// Maximum number of random moves at the start.
    pub random_moves: u32,
    /// Probability with which the komi of a decided position becomes even.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub even: f64,
    /// Fraction of labeled decided positions that are kept.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub decided: f64,
    /// The student's searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searches: Option<Searches>,
    /// Records from which games start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Description>,
    /// Generated positions in which games start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<Problems>,
    /// The seed.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings for these arguments. `student` is the hash of its weights, and `starts`
    /// describes the records.
    pub fn new(
        args: &LabelArgs,
        teacher: &str,
        student: u64,
        starts: Option<Description>,
    ) -> Settings {
        Settings {
            rows: Kind::Labeled as u16,
            boards: args.run.boards.to_string(),
            teacher: teacher.to_owned(),
            student: format!("{student:016x}"),
            ruleset: args.ruleset.rules.to_string(),
            shares: [args.recorded, args.student_share, args.noise, args.handicap],
            temperature: args.temperature,
            random_moves: args.random_moves,
            even: args.even,
            decided: args.decided,
            searches: args.searches(),
            starts,
            problems: (args.problems > 0.0).then(|| Problems {
                share: args.problems,
                kinds: args.kinds().to_string(),
            }),
            seed: args.run.seed,
        }
    }
}

/// Returns the share of all positions.
fn all() -> f64 {
    1.0
}

/// Returns true for all positions, the value in folders from before this setting.
fn is_all(share: &f64) -> bool {
    *share == 1.0
}

/// Returns true for 0, the value in folders from before this setting.
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}
