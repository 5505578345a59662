//! Command-line arguments of self-play.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::super::format::Kind;
use super::super::parallel::RunArgs;
use super::super::starts::Description;
use crate::arguments::{KomiOption, kernel_help, probability};
use crate::net::kernels::Kernel;
use crate::rules::RulesetText;

/// Help of `--komi`.
const MEAN_KOMI: &str = "Mean komi [default: the fair komi of each board]";

/// Arguments of `omnigo selfplay`.
#[derive(Debug, Args)]
#[command(mut_arg("komi", |komi| komi.help(MEAN_KOMI).help_heading(None::<&str>)))]
pub struct SelfplayArgs {
    #[command(flatten)]
    pub run: RunArgs,
    /// Network that guides the search: a file, or none [default: the built-in network].
    #[arg(long, value_name = "none|FILE")]
    pub net: Option<PathBuf>,
    /// Kernel for the network.
    #[arg(long, value_name = "KERNEL", help = kernel_help("Kernel for the network"))]
    pub net_kernel: Option<Kernel>,
    /// Ruleset with area scoring that counts all stones on the board as alive.
    #[arg(long, alias = "rules", value_name = "NAME", default_value = "cgos")]
    pub ruleset: RulesetText,
    #[command(flatten)]
    pub komi: KomiOption,
    /// Maximum difference of a game's komi from the mean, in points; each game draws its komi.
    #[arg(long, value_name = "POINTS", default_value_t = 4, value_parser = crate::arguments::whole::<u16>(..=400))]
    pub komi_span: u16,
    /// Playouts per recorded move.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = crate::arguments::whole::<u64>(2..))]
    pub playouts: u64,
    /// Visits per unrecorded move, including those kept from the previous search.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = crate::arguments::whole::<u64>(1..))]
    pub quick_playouts: u64,
    /// Fraction of moves that are recorded.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = probability)]
    pub recorded: f64,
    /// Fraction of Dirichlet noise in the root policy of recorded moves.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = probability)]
    pub noise: f64,
    /// Number of opening moves drawn with probability proportional to visits^(1/T), after moves
    /// from records [default: (width + height) / 2].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(..))]
    pub drawn_moves: Option<u32>,
    /// Temperature T of these opening moves: above 0, at most 10.
    #[arg(long, value_name = "T", default_value = "1", value_parser = crate::arguments::above_0_to_10)]
    pub temperature: f64,
    /// Maximum number of random moves at the start; each game draws its number.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = crate::arguments::whole::<u32>(..=100))]
    pub random_moves: u32,
    /// Minimum fraction of a record's moves that are played before such a game starts.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability, requires = "from_records")]
    pub from_share: f64,
    /// Resign below this win probability; 0 never resigns.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub resign_below: f64,
    /// Fraction of games without resignation.
    #[arg(long, value_name = "P", default_value = "0.2", value_parser = probability)]
    pub played_out: f64,
    /// Number of games played in parallel, one thread each.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = crate::arguments::whole::<u16>(1..=256))]
    pub parallel: u16,
}

/// Settings that all games of a folder share; the first line of the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the rows.
    pub rows: u16,
    /// The boards with their weights.
    pub boards: String,
    /// Hash of the network, or `none`.
    pub net: String,
    /// The rules.
    pub ruleset: String,
    /// Mean komi, or `fair` for the fair komi of each board.
    pub komi: String,
    /// Maximum difference of a game's komi from the mean, in points.
    pub komi_span: u16,
    /// Playouts per recorded move, and visits per other move.
    pub playouts: [u64; 2],
    /// Fractions of recorded moves, of noise, and of games without resignation.
    pub shares: [f64; 3],
    /// Number of opening moves that are drawn; `None` for half of width plus height.
    pub drawn_moves: Option<u32>,
    /// Temperature of these opening moves.
    pub temperature: f64,
    /// Maximum number of random moves at the start.
    pub random_moves: u32,
    /// Win probability below which a player resigns.
    pub resign_below: f64,
    /// Records from which games start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Description>,
    /// The seed.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings for these arguments. `net` is the hash of the network, and `starts`
    /// describes the records.
    pub fn new(args: &SelfplayArgs, net: Option<u64>, starts: Option<Description>) -> Settings {
        Settings {
            rows: Kind::Searched as u16,
            boards: args.run.boards.to_string(),
            net: net.map_or("none".into(), |hash| format!("{hash:016x}")),
            ruleset: args.ruleset.rules.to_string(),
            komi: args
                .komi
                .value
                .map_or("fair".into(), |komi| komi.to_string()),
            komi_span: args.komi_span,
            playouts: [args.playouts, args.quick_playouts],
            shares: [args.recorded, args.noise, args.played_out],
            drawn_moves: args.drawn_moves,
            temperature: args.temperature,
            random_moves: args.random_moves,
            resign_below: args.resign_below,
            starts,
            seed: args.run.seed,
        }
    }
}
