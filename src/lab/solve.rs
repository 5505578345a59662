//! `omnigo solve` and `omnigo komi`: exact values on the command line.
//!
//! Both print one line or one JSON object. They exit with status 1 if only bounds are proved. If
//! standard error is a terminal, `omnigo solve` reports improved bounds there.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::{LabError, board, conclude};
use crate::color::Color;
use crate::engine::{Answer, Engine, KomiParameter, Options, Progress, Theorem, Wish};
use crate::files::ReadingArgs;
use crate::game::Outcome;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::{move_label, move_text, read_position};
use crate::rules::{KomiUse, Points, RulesetText, Scoring};
use crate::system::ctrl_c::raise_on_ctrl_c;

/// Arguments of `omnigo solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Board, for example grid:3 or cycle:8.
    #[arg(long, value_name = "SPEC")]
    graph: Spec,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Ruleset, with changed axes after commas, for example tromp-taylor or ggg,suicide=no.
    #[arg(long, alias = "rules", value_name = "NAME")]
    ruleset: RulesetText,
    /// Points added to White's score, in steps of one half.
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = crate::arguments::komi)]
    komi: Option<Points>,
    /// Stones, one character per point in index order: X black, O white, . empty.
    #[arg(long, value_name = "XO.")]
    position: Option<String>,
    /// Player to move [default: the ruleset's first player].
    #[arg(long, value_name = "COLOR")]
    first: Option<Color>,
    /// Maximum time in seconds; bounds proved by then are the answer [default: unlimited].
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = crate::arguments::seconds)]
    seconds: Option<f64>,
    /// Compute the value of every move too.
    #[arg(long)]
    moves: bool,
    /// Maximum memory of the tables in MiB.
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = Options::default().memory_mib as u32, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    memory: u32,
    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Arguments of `omnigo komi`.
#[derive(Debug, Args)]
pub struct KomiArgs {
    /// Board, for example path:4; its starting stones are ignored.
    #[arg(long, value_name = "SPEC")]
    graph: Spec,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Ruleset; if it counts points, compute the fair komi, with which the game is a tie.
    #[arg(long, alias = "rules", value_name = "NAME", default_value = "famine")]
    ruleset: RulesetText,
    /// Maximum time in seconds; bounds proved by then are the answer [default: unlimited].
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = crate::arguments::seconds)]
    seconds: Option<f64>,
    /// Maximum memory of the tables in MiB.
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, default_value_t = Options::default().memory_mib as u32, value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    memory: u32,
    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct SolveJson {
    graph: String,
    ruleset: String,
    result: Option<String>,
    /// Null if nothing is proved.
    lower: Option<String>,
    upper: Option<String>,
    /// Reason why there is no value, and the theorem that gives a bound.
    reason: Option<String>,
    pv: Vec<String>,
    /// True if the game is over after `pv`.
    pv_ends: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson>>,
    nodes: u64,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    lower: String,
    upper: String,
}

#[derive(Debug, Serialize)]
struct KomiJson {
    graph: String,
    komi: Option<i64>,
    lower: Option<i64>,
    upper: Option<i64>,
    /// Reason why there is no value, and the theorem that gives a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    nodes: u64,
    seconds: f64,
}

/// Solves a position and prints the result. Returns status 0 for a value, 1 for bounds, and 2 for
/// invalid arguments.
pub fn solve(arguments: &SolveArgs) -> ExitCode {
    finish(try_solve(arguments))
}

/// Computes the komi parameter and prints it. Returns status 0 for a value, 1 for bounds, and 2 for
/// invalid arguments.
pub fn komi(arguments: &KomiArgs) -> ExitCode {
    finish(try_komi(arguments))
}

/// Prints an answer. Bounds alone count as unfinished work.
fn finish(done: Result<(String, bool), LabError>) -> ExitCode {
    match done {
        Ok((text, false)) => match conclude(Ok(text.into())) {
            status if status == ExitCode::SUCCESS => ExitCode::FAILURE,
            status => status,
        },
        Ok((text, true)) => conclude(Ok(text.into())),
        Err(problem) => conclude(Err(problem)),
    }
}

fn options(memory: u32) -> Options {
    Options {
        memory_mib: memory as usize,
        ..Options::default()
    }
}

fn try_solve(arguments: &SolveArgs) -> Result<(String, bool), LabError> {
    let wrong = |e: String| LabError::Arguments(e);
    let goban = board(&arguments.graph, &arguments.reading)?;
    for warning in &arguments.ruleset.warnings {
        eprintln!("warning: {warning}");
    }
    let rules = arguments.ruleset.rules.clone();
    if let Some(first) = arguments
        .first
        .filter(|first| first.index() >= rules.colors)
    {
        let players: Vec<String> = Color::all(rules.colors)
            .map(|color| color.to_string())
            .collect();
        let expected = players.join(" or ");
        return Err(wrong(format!("--first {first}, expected {expected}")));
    }
    let position = match &arguments.position {
        Some(text) => Some(
            read_position(&goban, rules.colors, text)
                .map_err(|e| wrong(format!("--position: {e}")))?,
        ),
        None => None,
    };
    let komi = arguments.komi.or(arguments.ruleset.komi);
    let (komi, start) = (komi.unwrap_or(Points::ZERO), goban.start.clone());
    let mut engine = Engine::new(goban, rules, komi, options(arguments.memory))
        .map_err(|e| wrong(e.to_string()))?;
    if position.is_some() || arguments.first.is_some() {
        engine.set_position(&position.unwrap_or(start), arguments.first);
    }
    raise_on_ctrl_c(engine.stop_signal());
    let begun = Instant::now();
    let wish = Wish {
        pv: true,
        moves: arguments.moves,
    };
    let told = io::stderr().is_terminal();
    let report = |progress: Progress| tell(&progress, begun);
    let answer = engine.solve(duration(arguments.seconds), wish, told.then_some(&report));
    let seconds = begun.elapsed().as_secs_f64();
    match answer {
        Ok(answer) => {
            let text = if arguments.json {
                as_text(&solve_json(&engine, &answer, seconds))?
            } else {
                solve_text(engine.goban(), &answer)
            };
            Ok((text, answer.bounds.value().is_some()))
        }
        Err(problem) if arguments.json => {
            let json = SolveJson {
                reason: Some(problem.to_string()),
                ..nothing_proved(&engine, seconds)
            };
            Ok((as_text(&json)?, false))
        }
        Err(problem) => Err(LabError::unfinished(problem)),
    }
}

fn as_text(json: &impl Serialize) -> Result<String, LabError> {
    serde_json::to_string(json).map_err(LabError::unfinished)
}

fn solve_json(engine: &Engine, answer: &Answer, seconds: f64) -> SolveJson {
    let goban = engine.goban();
    let moves = answer.moves.iter().map(|(mv, bounds)| MoveJson {
        mv: move_label(&goban.names, *mv),
        lower: bounds.lower.to_string(),
        upper: bounds.upper.to_string(),
    });
    let moves: Vec<MoveJson> = moves.collect();
    SolveJson {
        result: answer.bounds.value().map(|value| value.to_string()),
        lower: Some(answer.bounds.lower.to_string()),
        upper: Some(answer.bounds.upper.to_string()),
        reason: reasons(answer.stopped.map(|why| why.to_string()), answer.theorem),
        pv: answer
            .pv
            .iter()
            .map(|&mv| move_label(&goban.names, mv))
            .collect(),
        pv_ends: answer.pv_ends,
        moves: (!moves.is_empty()).then_some(moves),
        nodes: answer.nodes,
        ..nothing_proved(engine, seconds)
    }
}

/// Returns the JSON object of a position without any proven result.
fn nothing_proved(engine: &Engine, seconds: f64) -> SolveJson {
    SolveJson {
        graph: engine.goban().spec.to_string(),
        ruleset: engine.rules().to_string(),
        result: None,
        lower: None,
        upper: None,
        reason: None,
        pv: Vec::new(),
        pv_ends: false,
        moves: None,
        nodes: 0,
        seconds,
    }
}

fn solve_text(goban: &Goban, answer: &Answer) -> String {
    let mut text = match answer.bounds.value() {
        Some(value) => value.to_string(),
        None => {
            let reason = answer
                .stopped
                .map_or(String::new(), |why| format!(": {why}"));
            let (lower, upper) = (answer.bounds.lower, answer.bounds.upper);
            format!("unsolved {lower}..{upper}{reason}")
        }
    };
    if !answer.pv.is_empty() {
        let line: Vec<String> = answer.pv.iter().map(|&mv| move_text(goban, mv)).collect();
        text += &format!("\nline {}", line.join(" "));
        if !answer.pv_ends {
            text += "\nthe line stops before the end of the game";
        }
    }
    for (mv, bounds) in &answer.moves {
        let value = match bounds.value() {
            Some(value) => value.to_string(),
            None => format!("{}..{}", bounds.lower, bounds.upper),
        };
        text += &format!("\nmove {} {value}", move_text(goban, *mv));
    }
    text
}

fn try_komi(arguments: &KomiArgs) -> Result<(String, bool), LabError> {
    let goban = board(&arguments.graph, &arguments.reading)?;
    let mut goban = goban;
    for warning in &arguments.ruleset.warnings {
        eprintln!("warning: {warning}");
    }
    let rules = arguments.ruleset.rules.clone();
    goban.start = vec![None; goban.points()];
    let (scoring, komi_use) = (rules.scoring, rules.komi_use);
    let engine = Engine::new(goban, rules, Points::ZERO, options(arguments.memory))
        .map_err(|e| LabError::Arguments(e.to_string()))?;
    raise_on_ctrl_c(engine.stop_signal());
    let begun = Instant::now();
    let time = duration(arguments.seconds);
    let found = match (scoring, komi_use) {
        (Scoring::None, KomiUse::Passes) => {
            engine.komi_parameter(time).map_err(LabError::unfinished)
        }
        (Scoring::None, KomiUse::Score | KomiUse::Ignored) => {
            return Err(LabError::Arguments(format!(
                "--ruleset {} has no komi, expected famine or rules that count points",
                engine.rules()
            )));
        }
        (Scoring::Area | Scoring::Stones | Scoring::Territory, _) => fair_komi(&engine, time),
    };
    if arguments.json {
        let known = found.as_ref().ok();
        let json = KomiJson {
            graph: engine.goban().spec.to_string(),
            komi: known.and_then(KomiParameter::value),
            lower: known.map(|found| found.lower),
            upper: known.and_then(|found| found.upper),
            reason: reasons(
                found.as_ref().err().map(LabError::to_string),
                known.and_then(|found| found.theorem),
            ),
            nodes: known.map_or(0, |found| found.nodes),
            seconds: begun.elapsed().as_secs_f64(),
        };
        return Ok((as_text(&json)?, json.komi.is_some()));
    }
    let found = found?;
    Ok(match found.value() {
        Some(komi) => (komi.to_string(), true),
        None => {
            let upper = found.upper.map_or(String::new(), |upper| upper.to_string());
            (format!("unsolved {}..{upper}", found.lower), false)
        }
    })
}

/// Returns the value of the empty board, which as komi makes the game a tie.
fn fair_komi(engine: &Engine, time: Option<Duration>) -> Result<KomiParameter, LabError> {
    let answer = engine.solve(time, Wish::default(), None);
    let answer = answer.map_err(LabError::unfinished)?;
    if let Some(why) = answer.no_value() {
        let (lower, upper) = (answer.bounds.lower, answer.bounds.upper);
        return Err(LabError::Unfinished(format!(
            "unsolved {lower}..{upper}: {why}"
        )));
    }
    let whole = |outcome: Outcome| {
        let points = match outcome {
            Outcome::By(Color::BLACK, points) => points,
            Outcome::By(_, points) => -points,
            Outcome::LastMover(_) | Outcome::Tie => Points::ZERO,
        };
        points.in_units(Points::whole(1)).ok_or_else(|| {
            LabError::Unfinished(format!(
                "the fair komi is {points}, expected a whole number"
            ))
        })
    };
    Ok(KomiParameter {
        lower: whole(answer.bounds.lower)?,
        upper: Some(whole(answer.bounds.upper)?),
        nodes: answer.nodes,
        stopped: answer.stopped,
        theorem: answer.theorem,
    })
}

/// Why there is no value, and the theorem behind a bound.
fn reasons(stopped: Option<String>, theorem: Option<Theorem>) -> Option<String> {
    let theorem = theorem.map(|theorem| theorem.to_string());
    let reasons: Vec<String> = stopped.into_iter().chain(theorem).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn duration(seconds: Option<f64>) -> Option<Duration> {
    // A time beyond the range of `Duration` counts as unlimited.
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// Prints proven bounds to standard error.
fn tell(progress: &Progress, begun: Instant) {
    let (lower, upper, nodes) = (progress.lower, progress.upper, progress.nodes);
    let seconds = begun.elapsed().as_secs_f64();
    let _ = writeln!(
        io::stderr(),
        "{seconds:8.1} s  {nodes:>12} nodes  {lower}..{upper}"
    );
}
