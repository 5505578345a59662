//! Command-line options of a match, and the plan built from them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::MatchError;
use super::clock::TimeControl;
use super::komi::Komi;
use super::side::{PerSide, Side};
use super::statistics::Sprt;
use crate::arguments::ConfigArgs;
use crate::arguments::command_line::CommandLine;
use crate::color::Color;
use crate::engine::{Engine, Options};
use crate::files::ReadingArgs;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::record::sgf::LONGEST;
use crate::rules::{End, Points, Ruleset, RulesetText, presets};
use crate::vertex::Vertex;

/// Source of a finished game's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scorer {
    /// Omnigo's own rules.
    Referee,
    /// The command `final_score` of the engine of `--black`.
    Black,
    /// The command `final_score` of the engine of `--white`.
    White,
}

impl Scorer {
    /// Returns the engine that scores, or `None` for the referee.
    pub const fn side(self) -> Option<Side> {
        match self {
            Scorer::Referee => None,
            Scorer::Black => Some(Side::Black),
            Scorer::White => Some(Side::White),
        }
    }
}

/// Options of `omnigo match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Command of the engine that has Black in game 1, White in game 2 and so on; wins and losses
    /// are counted from its side.
    #[arg(long, value_name = "CMD")]
    pub black: CommandLine,
    /// Command of its opponent. Commands are split at white space; quotes keep words together.
    #[arg(long, value_name = "CMD")]
    pub white: CommandLine,
    /// Total number of games, including those in the file of --out.
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..=10_000_000))]
    pub games: u32,
    /// Board, for example grid:9, torus:9x9, edges:a-b,b-c [default: grid:9x9].
    #[arg(value_name = "SPEC", conflicts_with = "graph")]
    pub board: Option<Spec>,
    /// Same as SPEC.
    #[arg(long, value_name = "SPEC", default_value = "grid:9x9")]
    pub graph: Spec,
    /// Format of board files.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Ruleset of the referee, also sent to engines that list set_ruleset [default: tromp-taylor,
    /// sent to no engine].
    #[arg(long, alias = "rules", value_name = "NAME")]
    pub ruleset: Option<RulesetText>,
    /// Points added to White's score in steps of 0.5, or even or even:light for a fair komi per
    /// opening. Omnigo's own search estimates the fair komi, with light playouts for even:light
    /// [default: 7.5 on plain grids, 0 elsewhere].
    #[arg(long, value_name = "K|even|even:light", allow_hyphen_values = true)]
    pub komi: Option<Komi>,
    /// Clock in the terms of GTP: main time, period (seconds), stones per period; 0,1,1 is one
    /// second per move. Most engines accept only whole seconds.
    #[arg(long, value_name = "M,B,S")]
    pub time_settings: Option<TimeControl>,
    /// Seconds an engine may exceed its time before it loses [default: late moves are only
    /// counted].
    #[arg(long, value_name = "SECONDS", requires = "time_settings", value_parser = seconds_or_none)]
    pub time_tolerance: Option<f64>,
    /// Number of random moves at the start of each game; each opening is played twice, with colors
    /// exchanged.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = crate::arguments::whole::<u32>(..=1000))]
    pub openings: u32,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::whole::<u64>(..))]
    pub seed: u64,
    /// Black's handicap stones in every game, placed as by place_free_handicap; White moves first
    /// then.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = handicap)]
    pub handicap: u32,
    /// Number of games played in parallel.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = crate::arguments::whole::<u16>(1..=256))]
    pub parallel: u16,
    /// Stop as soon as a sequential test (5 % errors) decides between these two Elo differences.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Append every game to this file, one line of JSON each; games already in it are counted and
    /// not played again.
    #[arg(long, visible_alias = "output", value_name = "FILE.jsonl")]
    pub out: Option<PathBuf>,
    /// Write every game into this folder as SGF (plain grids only).
    #[arg(long, value_name = "DIR")]
    pub sgf: Option<PathBuf>,
    /// Maximum number of moves; a longer game is scored unfinished [default: 5 x vertices + 50, or
    /// 100 x vertices + 1000 if the last mover wins].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..))]
    pub max_moves: Option<u32>,
    /// Scorer: omnigo's own rules, which score the stones as they stand unless the ruleset removes
    /// dead stones, or an engine's final_score.
    #[arg(long, value_enum, default_value_t = Scorer::Referee)]
    pub score: Scorer,
    /// Maximum seconds per answer; an engine that exceeds them loses.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    pub timeout: f64,
    /// Print one JSON object instead of a text summary.
    #[arg(long)]
    pub json: bool,
    /// File with further options.
    #[command(flatten)]
    pub config: ConfigArgs,
}

fn handicap(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(stones) if stones != 1 && stones <= 1000 => Ok(stones),
        _ => Err("expected 0, or 2 to 1000 stones".into()),
    }
}

/// Maximum number of seconds of an answer, or of the delays of a move.
const MOST_SECONDS: f64 = 1e6;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= MOST_SECONDS => Ok(value),
        _ => Err(format!("expected seconds above 0, at most {MOST_SECONDS}")),
    }
}

fn seconds_or_none(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=MOST_SECONDS).contains(&value) => Ok(value),
        _ => Err(format!("expected seconds from 0 to {MOST_SECONDS}")),
    }
}

/// Returns true for zero stones.
fn is_none(stones: &u32) -> bool {
    *stones == 0
}

/// Settings that make games of two runs comparable. Every recorded game contains them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Command of the engine of `--black`.
    pub black: String,
    /// Command of the engine of `--white`.
    pub white: String,
    /// The board.
    pub graph: String,
    /// The referee's rules.
    pub ruleset: String,
    /// True if the rules were sent to the engines.
    pub ruleset_told: bool,
    /// Komi, `even` or `even:light`.
    pub komi: String,
    /// Main time, period, and stones.
    pub time_settings: Option<String>,
    /// Seconds that an engine may be late.
    pub time_tolerance: Option<f64>,
    /// Number of random moves at the start.
    pub openings: u32,
    /// Seed of the openings.
    pub seed: u64,
    /// Black's handicap stones. Records of matches without handicap omit the field.
    #[serde(default, skip_serializing_if = "is_none")]
    pub handicap: u32,
    /// Number of moves after which a game is scored.
    pub max_moves: u32,
    /// Source of the results.
    pub score: Scorer,
}

/// Evaluated options.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) commands: PerSide<CommandLine>,
    pub(super) goban: Goban,
    /// Vertices of Black's handicap stones.
    pub(super) handicap: Vec<Vertex>,
    pub(super) rules: Ruleset,
    pub(super) komi: Komi,
    pub(super) time: Option<TimeControl>,
    pub(super) timeout: Duration,
    pub(super) settings: Settings,
}

impl Plan {
    /// Evaluates the options. Also returns a warning for each value that was changed.
    pub(super) fn new(args: &MatchArgs) -> Result<(Plan, Vec<String>), MatchError> {
        let spec = args.board.as_ref().unwrap_or(&args.graph).clone();
        let spec = spec.reading(args.reading.reading());
        let goban = spec.build()?;
        let mut warnings = goban.warnings.clone();
        let rules = match &args.ruleset {
            Some(text) => {
                warnings.extend(text.warnings.iter().cloned());
                text.rules.clone()
            }
            None => default_rules()?,
        };
        if rules.colors != 2 {
            return Err(MatchError::Options("a match needs rules for two players"));
        }
        if let Some(flaw) = rules.flaw() {
            return Err(MatchError::Options(flaw));
        }
        let writable = goban
            .rectangle
            .is_some_and(|(w, h)| w.max(h) <= LONGEST && w.min(h) > 0);
        if args.sgf.is_some() && !writable {
            return Err(MatchError::Options(
                "SGF cannot describe this board, expected --out instead of --sgf",
            ));
        }
        let told = args.ruleset.as_ref().and_then(|text| text.komi);
        let komi = args.komi.or(told.map(Komi::Fixed));
        let komi = komi.unwrap_or(Komi::Fixed(match goban.rectangle {
            Some(_) => Points::from_halves(15),
            None => Points::ZERO,
        }));
        if !komi.fits(rules.scoring) {
            return Err(MatchError::Options(
                "these rules count no points, expected a number for --komi",
            ));
        }
        let vertices = u32::try_from(goban.graph.vertices()).unwrap_or(u32::MAX);
        let max_moves = args.max_moves.unwrap_or(match rules.end {
            End::Passes => vertices.saturating_mul(5).saturating_add(50),
            End::Stuck => vertices.saturating_mul(100).saturating_add(1000),
        });
        let given = handicap::given(&goban, args.handicap as usize);
        let handicap = given.ok_or(MatchError::Options(
            "there is no room for this number of handicap stones, expected fewer stones or an empty board",
        ))?;
        let settings = Settings {
            black: args.black.to_string(),
            white: args.white.to_string(),
            graph: goban.spec.to_string(),
            ruleset: rules.to_string(),
            ruleset_told: args.ruleset.is_some(),
            komi: komi.to_string(),
            time_settings: args.time_settings.map(|time| time.to_string()),
            time_tolerance: args.time_tolerance,
            openings: args.openings,
            seed: args.seed,
            handicap: args.handicap,
            max_moves,
            score: args.score,
        };
        let plan = Plan {
            commands: PerSide {
                black: args.black.clone(),
                white: args.white.clone(),
            },
            goban,
            handicap,
            rules,
            komi,
            time: args.time_settings,
            timeout: Duration::from_secs_f64(args.timeout),
            settings,
        };
        Ok((plan, warnings))
    }

    /// Returns the start position of every game.
    pub(super) fn start(&self) -> Vec<Option<Color>> {
        handicap::start(&self.goban, &self.handicap)
    }

    /// Returns an engine with omnigo's own rules and the board at its start.
    pub(super) fn referee(&self) -> Result<Engine, MatchError> {
        // The search for an even komi must give the same result on every machine.
        let options = Options {
            memory_mib: 16,
            threads: 1,
            guidance: None,
            ..Options::default()
        };
        Ok(Engine::new(
            self.goban.clone(),
            self.rules.clone(),
            Points::ZERO,
            options,
        )?)
    }
}

fn default_rules() -> Result<Ruleset, MatchError> {
    let preset = presets::find("tromp-taylor");
    preset
        .map(|preset| preset.rules.clone())
        .ok_or(MatchError::Options("no ruleset"))
}
