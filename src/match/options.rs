//! What a user asks for, and what it means.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::MatchError;
use super::clock::TimeSettings;
use super::command_line::CommandLine;
use super::komi::Komi;
use super::side::{PerSide, Side};
use super::statistics::Sprt;
use crate::color::Color;
use crate::engine::{Engine, Options};
use crate::files::ReadingArgs;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::record::sgf::LONGEST;
use crate::rules::{End, Points, Ruleset, RulesetText, presets};
use crate::vertex::Vertex;

/// Who says what a finished game's result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scorer {
    /// Our own rules.
    Referee,
    /// The `final_score` of the engine of `--black`.
    Black,
    /// The `final_score` of the engine of `--white`.
    White,
}

impl Scorer {
    /// The engine that is asked, if one is.
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
    /// Command of the engine that has Black in game 1, White in game 2 and so on; all counts are its counts.
    #[arg(long, value_name = "CMD")]
    pub black: CommandLine,
    /// Command of its opponent. Commands are split at white space, quotes keep words together.
    #[arg(long, value_name = "CMD")]
    pub white: CommandLine,
    /// Games to play, those in the file of --out included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// Board, for example grid:9, torus:9x9, edges:a-b,b-c.
    #[arg(long, value_name = "SPEC", default_value = "grid:9x9")]
    pub graph: Spec,
    /// How the file of a board is read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Ruleset of the referee, also told to engines that list set_ruleset [default: tromp-taylor, told to nobody].
    #[arg(long, alias = "rules", value_name = "NAME")]
    pub ruleset: Option<RulesetText>,
    /// Points added to White's score, in halves, or even for what makes each opening even in the eyes of our own search,
    /// even:light of one with light playouts [default: 7.5 on plain grids, 0 elsewhere].
    #[arg(long, value_name = "K|even|even:light", allow_negative_numbers = true)]
    pub komi: Option<Komi>,
    /// Clock in the terms of GTP: main time, period (seconds), stones in a period; 0,1,1 is a second a move. Most engines take whole
    /// seconds only.
    #[arg(long, value_name = "M,B,S")]
    pub time_settings: Option<TimeSettings>,
    /// Seconds that an engine may be late before it loses on time [default: it is only counted].
    #[arg(long, value_name = "SECONDS", requires = "time_settings", value_parser = seconds_or_none)]
    pub time_tolerance: Option<f64>,
    /// Random moves that open each game; every opening is played twice, with colors exchanged.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub openings: u32,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Black's handicap stones in every game, where place_free_handicap puts them; White moves first then.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = handicap)]
    pub handicap: u32,
    /// Games played at the same time.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallel: u16,
    /// Stop as soon as a sequential test (5 % errors) decides between these two differences in Elo.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Append every game to this file, a line of JSON each; games already there are counted and not played again.
    #[arg(long, value_name = "FILE.jsonl")]
    pub out: Option<PathBuf>,
    /// Write every game into this folder as SGF; plain grids only.
    #[arg(long, value_name = "DIR")]
    pub sgf: Option<PathBuf>,
    /// Moves after which a game is scored as it stands [default: 5 a vertex and 50, 100 a vertex and 1000 where the last
    /// mover wins].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_moves: Option<u32>,
    /// Who scores: our own rules, which take the stones as they stand unless the ruleset has dead stones removed, or an
    /// engine's final_score.
    #[arg(long, value_enum, default_value_t = Scorer::Referee)]
    pub score: Scorer,
    /// Seconds for each answer before an engine loses.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    pub timeout: f64,
    /// One JSON object instead of a summary in words.
    #[arg(long)]
    pub json: bool,
}

fn handicap(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(stones) if stones != 1 && stones <= 1000 => Ok(stones),
        _ => Err("expected 0, or 2 to 1000 stones".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 1e6 => Ok(value),
        _ => Err("expected seconds above 0".into()),
    }
}

fn seconds_or_none(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1e6).contains(&value) => Ok(value),
        _ => Err("expected seconds, 0 or more".into()),
    }
}

/// Whether there are none.
fn is_none(stones: &u32) -> bool {
    *stones == 0
}

/// All that makes games of two runs comparable; every recorded game carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Command of the one engine.
    pub black: String,
    /// Command of the other.
    pub white: String,
    /// The board.
    pub graph: String,
    /// The referee's rules.
    pub ruleset: String,
    /// Whether engines were told the rules.
    pub ruleset_told: bool,
    /// Komi, `even` or `even:light`.
    pub komi: String,
    /// Main time, period, stones.
    pub time_settings: Option<String>,
    /// Seconds that an engine may be late.
    pub time_tolerance: Option<f64>,
    /// Random moves at the start.
    pub openings: u32,
    /// Seed of the openings.
    pub seed: u64,
    /// Black's handicap stones; records of matches without any do not name them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub handicap: u32,
    /// Moves after which a game is scored.
    pub max_moves: u32,
    /// Who scores.
    pub score: Scorer,
}

/// The options, understood.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) commands: PerSide<CommandLine>,
    pub(super) goban: Goban,
    /// Where Black's handicap stones stand.
    pub(super) handicap: Vec<Vertex>,
    pub(super) rules: Ruleset,
    pub(super) komi: Komi,
    pub(super) time: Option<TimeSettings>,
    pub(super) timeout: Duration,
    pub(super) settings: Settings,
}

impl Plan {
    /// What the options mean, and a line for everything that was understood in another way than it was written.
    pub(super) fn new(args: &MatchArgs) -> Result<(Plan, Vec<String>), MatchError> {
        let spec = args.graph.clone().reading(args.reading.reading());
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
                "SGF has no letters for this board, expected --out instead of --sgf",
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
                "nothing is counted under these rules, expected a number for --komi",
            ));
        }
        let vertices = u32::try_from(goban.graph.vertices()).unwrap_or(u32::MAX);
        let max_moves = args.max_moves.unwrap_or(match rules.end {
            End::Passes => vertices.saturating_mul(5).saturating_add(50),
            End::Stuck => vertices.saturating_mul(100).saturating_add(1000),
        });
        let given = handicap::given(&goban, args.handicap as usize);
        let handicap = given.ok_or(MatchError::Options(
            "there is no room for so many handicap stones, expected an empty board and fewer",
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

    /// The position in which every game begins.
    pub(super) fn start(&self) -> Vec<Option<Color>> {
        handicap::start(&self.goban, &self.handicap)
    }

    /// A board with our own rules, at its start.
    pub(super) fn referee(&self) -> Result<Engine, MatchError> {
        // Where it searches, for even komi, it finds the same everywhere.
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
