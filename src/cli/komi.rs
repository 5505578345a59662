//! `omnigo komi`: the komi parameter or the fair komi of a graph.

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::args::{BoardArgs, SolverArgs, TimeArgs};
use super::end::{CliError, Report, json_text};
use super::solve::{bounds_text, reasons, report, unsolved};
use crate::color::Color;
use crate::engine::{Engine, KomiParameter, Progress, Wish};
use crate::game::Outcome;
use crate::progress::Task;
use crate::rules::{KomiUse, Points, RulesetText, Scoring};
use crate::system::ctrl_c::raise_on_ctrl_c;
use crate::system::tell;

/// Arguments of `omnigo komi`.
#[derive(Debug, Args)]
pub struct KomiArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Ruleset; if it counts points, compute the fair komi, with which the game is a tie. Starting
    /// stones are ignored.
    #[arg(
        long,
        help_heading = "Rules",
        alias = "rules",
        value_name = "NAME",
        default_value = "famine"
    )]
    ruleset: RulesetText,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    solver: SolverArgs,
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

/// Computes the komi parameter or the fair komi, and reports it.
pub fn run(arguments: &KomiArgs) -> Result<Report, CliError> {
    let mut goban = arguments.board.build()?;
    for warning in &arguments.ruleset.warnings {
        tell::warn(warning);
    }
    let rules = arguments.ruleset.rules.clone();
    goban.start = vec![None; goban.points()];
    let (scoring, komi_use) = (rules.scoring, rules.komi_use);
    let engine = Engine::new(goban, rules, Points::ZERO, arguments.solver.options())
        .map_err(CliError::arguments)?;
    raise_on_ctrl_c(engine.stop_signal());
    let begun = Instant::now();
    let time = arguments.time.limit();
    let task = Task::open(time);
    let found = match (scoring, komi_use) {
        (Scoring::None, KomiUse::Passes) => {
            let watch = |found: &KomiParameter| task.note(interval(found));
            let found = engine.komi_parameter_watched(time, &watch);
            found.map_err(CliError::failed)
        }
        (Scoring::None, KomiUse::Score | KomiUse::Ignored) => {
            return Err(CliError::Arguments(format!(
                "--ruleset {} has no komi, expected famine or rules that count points",
                engine.rules()
            )));
        }
        (Scoring::Area | Scoring::Stones | Scoring::Territory, _) => {
            fair_komi(&engine, time, &task)
        }
    };
    drop(task);
    if arguments.solver.json {
        let known = found.as_ref().ok();
        let json = KomiJson {
            graph: engine.goban().spec.to_string(),
            komi: known.and_then(KomiParameter::value),
            lower: known.map(|found| found.lower),
            upper: known.and_then(|found| found.upper),
            reason: reasons(
                match &found {
                    Ok(found) => found.stopped.map(|why| why.to_string()),
                    Err(error) => Some(error.to_string()),
                },
                known.and_then(|found| found.theorem),
            ),
            nodes: known.map_or(0, |found| found.nodes),
            seconds: begun.elapsed().as_secs_f64(),
        };
        return Ok(report(json_text(&json)?, json.komi.is_some()));
    }
    let found = found?;
    Ok(match found.value() {
        Some(komi) => report(komi.to_string(), true),
        None => report(unsolved(&interval(&found), found.stopped), false),
    })
}

/// Returns the bounds of a komi parameter.
fn interval(found: &KomiParameter) -> String {
    let upper = found.upper.map_or(String::new(), |upper| upper.to_string());
    format!("{}..{upper}", found.lower)
}

/// Returns the value of the empty board, which as komi makes the game a tie.
fn fair_komi(
    engine: &Engine,
    time: Option<Duration>,
    task: &Task,
) -> Result<KomiParameter, CliError> {
    let watch = |progress: Progress| task.note(bounds_text(&progress));
    let answer = engine.solve(time, Wish::default(), task.is_shown().then_some(&watch));
    let answer = answer.map_err(CliError::failed)?;
    if let Some(why) = answer.no_value() {
        let (lower, upper) = (answer.bounds.lower, answer.bounds.upper);
        return Err(CliError::Failed(format!(
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
            CliError::Failed(format!(
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
