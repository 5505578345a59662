//! `omnigo solve`: the exact value of a position.
//!
//! The result is text or one JSON object. The exit status is 1 if only bounds are proved. If
//! standard error is a terminal, improved bounds appear there.

use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::args::{BoardArgs, RulesetArgs, SolverArgs, TimeArgs, position};
use super::end::{CliError, Report, Status, json_text};
use crate::color::Color;
use crate::engine::{Answer, Bounds, Engine, Progress, Stopped, Theorem, Wish};
use crate::graph::goban::Goban;
use crate::notation::{move_for_people, move_label};
use crate::progress::Task;
use crate::system::ctrl_c::raise_on_ctrl_c;
use crate::vertex::Move;

/// Arguments of `omnigo solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    rules: RulesetArgs,
    /// Stones, one character per point in index order: X black, O white, . empty [default: the
    /// starting stones of the board].
    #[arg(long, help_heading = "Board", value_name = "XO.")]
    position: Option<String>,
    /// Player to move [default: white if two or more stones, all black, are a handicap; else the
    /// ruleset's first player].
    #[arg(long, help_heading = "Board", value_name = "COLOR")]
    first: Option<Color>,
    #[command(flatten)]
    time: TimeArgs,
    /// Compute the value of every move too.
    #[arg(long)]
    moves: bool,
    #[command(flatten)]
    solver: SolverArgs,
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

/// Solves a position and reports its value or bounds.
pub fn run(arguments: &SolveArgs) -> Result<Report, CliError> {
    let goban = arguments.board.build()?;
    let (rules, komi) = arguments.rules.parts();
    if let Some(first) = arguments
        .first
        .filter(|first| first.index() >= rules.colors)
    {
        let players: Vec<String> = Color::all(rules.colors)
            .map(|color| color.to_string())
            .collect();
        let expected = players.join(" or ");
        let problem = format!("--first {first}, expected {expected}");
        return Err(CliError::Arguments(problem));
    }
    let stones = arguments.position.as_deref();
    let stones = stones.map(|text| position(&goban, rules.colors, text));
    let position = stones.transpose()?;
    let start = goban.start.clone();
    let mut engine =
        Engine::new(goban, rules, komi, arguments.solver.options()).map_err(CliError::arguments)?;
    if position.is_some() || arguments.first.is_some() {
        engine.set_position(&position.unwrap_or(start), arguments.first);
    }
    raise_on_ctrl_c(engine.stop_signal());
    let begun = Instant::now();
    let wish = Wish {
        pv: true,
        moves: arguments.moves,
    };
    let limit = arguments.time.limit();
    let task = Task::open(limit);
    let watch = |progress: Progress| task.note(bounds_text(&progress));
    let answer = engine.solve(limit, wish, task.is_shown().then_some(&watch));
    drop(task);
    let seconds = begun.elapsed().as_secs_f64();
    match answer {
        Ok(answer) => {
            let text = if arguments.solver.json {
                json_text(&solve_json(&engine, &answer, seconds))?
            } else {
                solve_text(engine.goban(), &answer)
            };
            Ok(report(text, answer.bounds.value().is_some()))
        }
        Err(problem) if arguments.solver.json => {
            let json = SolveJson {
                reason: Some(problem.to_string()),
                ..nothing_proved(&engine, seconds)
            };
            Ok(report(json_text(&json)?, false))
        }
        Err(problem) => Err(CliError::failed(problem)),
    }
}

/// Returns the report of a value, or of bounds if the value is not proved.
pub(super) fn report(text: String, proved: bool) -> Report {
    let status = match proved {
        true => Status::Complete,
        false => Status::Bounds,
    };
    Report { text, status }
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
    let name = |mv: Move| move_for_people(&goban.names, mv);
    let mut text = match answer.bounds.value() {
        Some(value) => value.to_string(),
        None => unsolved(&interval(answer.bounds), answer.stopped),
    };
    if !answer.pv.is_empty() {
        let line: Vec<String> = answer.pv.iter().map(|&mv| name(mv)).collect();
        text += &format!("\nline {}", line.join(" "));
        if !answer.pv_ends {
            text += "\nthe line stops before the end of the game";
        }
    }
    for (mv, bounds) in &answer.moves {
        let value = match bounds.value() {
            Some(value) => value.to_string(),
            None => interval(*bounds),
        };
        text += &format!("\nmove {} {value}", name(*mv));
    }
    text
}

fn interval(bounds: Bounds) -> String {
    format!("{}..{}", bounds.lower, bounds.upper)
}

/// Returns the line for an interval without a value, with the reason why the search ended.
pub(super) fn unsolved(interval: &str, stopped: Option<Stopped>) -> String {
    match stopped {
        Some(reason) => format!("unsolved {interval}: {reason}"),
        None => format!("unsolved {interval}"),
    }
}

/// Returns the reason why there is no value, and the theorem behind a bound.
pub(super) fn reasons(stopped: Option<String>, theorem: Option<Theorem>) -> Option<String> {
    let theorem = theorem.map(|theorem| theorem.to_string());
    let reasons: Vec<String> = stopped.into_iter().chain(theorem).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Returns proven bounds as the note of a task.
pub(super) fn bounds_text(progress: &Progress) -> String {
    let Progress {
        lower,
        upper,
        nodes,
    } = progress;
    format!("{lower}..{upper}, {nodes} nodes")
}
