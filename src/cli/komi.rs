//! `omnigo komi`: the komi parameter or the fair komi of a graph.

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::Number;

use super::args::{BoardArgs, SolverArgs, TimeArgs};
use super::end::{CliError, Report, json_text};
use super::solve::{bounds_text, reasons, report, unsolved};
use crate::color::Color;
use crate::engine::{Engine, KomiParameter, Progress, Stopped, Theorem, Unsolvable, Wish};
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
    komi: Option<Number>,
    lower: Option<Number>,
    upper: Option<Number>,
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
    if arguments.ruleset.komi.is_some() {
        tell::warn("the komi of --ruleset is ignored: this command computes it");
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
            let watch = |found: &KomiParameter| task.note(FoundKomi::from(*found).interval());
            let found = engine.komi_parameter_watched(engine.rules(), time, &watch);
            found.map(FoundKomi::from).map_err(|problem| match problem {
                Unsolvable::Komi(_) => {
                    CliError::Arguments(format!("--ruleset {}: {problem}", engine.rules()))
                }
                problem => CliError::failed(problem),
            })
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
    if let Err(problem @ CliError::Arguments(_)) = found {
        return Err(problem);
    }
    if arguments.solver.json {
        let known = found.as_ref().ok();
        let json = KomiJson {
            graph: engine.goban().spec.to_string(),
            komi: known.and_then(FoundKomi::value).map(number),
            lower: known.map(|found| number(found.lower)),
            upper: known.and_then(|found| found.upper).map(number),
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
        None => report(unsolved(&found.interval(), found.stopped), false),
    })
}

/// A komi parameter or a fair komi, or proven bounds of it.
struct FoundKomi {
    lower: Points,
    /// `None` if this bound is unknown.
    upper: Option<Points>,
    nodes: u64,
    stopped: Option<Stopped>,
    theorem: Option<Theorem>,
}

impl FoundKomi {
    fn value(&self) -> Option<Points> {
        self.upper.filter(|&upper| self.lower == upper)
    }

    /// Returns the bounds as text.
    fn interval(&self) -> String {
        let upper = self.upper.map_or(String::new(), |upper| upper.to_string());
        format!("{}..{upper}", self.lower)
    }
}

impl From<KomiParameter> for FoundKomi {
    fn from(found: KomiParameter) -> FoundKomi {
        FoundKomi {
            lower: Points::whole(found.lower),
            upper: found.upper.map(Points::whole),
            nodes: found.nodes,
            stopped: found.stopped,
            theorem: found.theorem,
        }
    }
}

/// Returns points as a JSON number, an integer if they are whole.
fn number(points: Points) -> Number {
    let whole = || Number::from(points.halves() / 2);
    match points.in_units(Points::whole(1)) {
        Some(points) => Number::from(points),
        None => {
            let value = points.to_string().parse().ok();
            value.and_then(Number::from_f64).unwrap_or_else(whole)
        }
    }
}

/// Returns the value of the empty board, which as komi makes the game a tie.
fn fair_komi(engine: &Engine, time: Option<Duration>, task: &Task) -> Result<FoundKomi, CliError> {
    let watch = |progress: Progress| task.note(bounds_text(&progress));
    let answer = engine.solve(time, Wish::default(), task.is_shown().then_some(&watch));
    let answer = answer.map_err(CliError::failed)?;
    let margin = |outcome: Outcome| match outcome {
        Outcome::By(Color::BLACK, points) => points,
        Outcome::By(_, points) => -points,
        Outcome::LastMover(_) | Outcome::Tie => Points::ZERO,
    };
    Ok(FoundKomi {
        lower: margin(answer.bounds.lower),
        upper: Some(margin(answer.bounds.upper)),
        nodes: answer.nodes,
        stopped: answer.stopped,
        theorem: answer.theorem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_integers_if_they_are_whole() {
        assert_eq!(number(Points::whole(-3)).to_string(), "-3");
        assert_eq!(number(Points::from_halves(13)).to_string(), "6.5");
    }
}
