//! `omnigo perfect`: how often the engine keeps proven values, on every connected graph of a few vertices and under every
//! system of rules.
//!
//! Positions are reached by random legal moves from the empty board, each with its history. Where an exact search proves the
//! value of the position and of all its moves, the engine is asked for a move: once with its search alone, and once as it
//! plays, with proofs where they are soon found.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::{LabError, conclude};
use crate::color::Color;
use crate::engine::{Choice, Engine, Options};
use crate::game::Outcome;
use crate::graph::Graph;
use crate::graph::connected::connected_graphs;
use crate::graph::spec::Spec;
use crate::rules::{Points, RulesetText};
use crate::vertex::Move;

/// The systems of rules, as they are set.
const SYSTEMS: [&str; 9] = [
    "ggg",
    "conway",
    "conway-prisoners,black-passes=1,white-passes=1",
    "famine,komi=1",
    "famine,komi=-1",
    "formal",
    "topo-primitive",
    "topo-stone",
    "mango",
];

/// What `omnigo perfect` takes.
#[derive(Debug, Args)]
pub struct PerfectArgs {
    /// Vertices of the largest graphs.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=6))]
    vertices: u8,
    /// Positions of each graph under each system.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Playouts a move.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Situations that the exact search may look at for each position.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of all chance.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 1
    )]
    seed: u64,
    /// One system of rules alone.
    #[arg(long, value_name = "NAME")]
    ruleset: Option<RulesetText>,
    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// A row of the table.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    ruleset: String,
    graphs: usize,
    positions: u32,
    /// Positions whose value was proved, with the value of every move.
    judged: u32,
    /// Judged positions in which some legal move loses value.
    choices: u32,
    /// Judged positions in which the search alone kept the value.
    search: u32,
    /// Judged positions in which the engine as it plays kept it.
    engine: u32,
}

/// Prints the table.
pub fn run(arguments: &PerfectArgs) -> ExitCode {
    conclude(table(arguments).map(Into::into))
}

fn table(arguments: &PerfectArgs) -> Result<String, LabError> {
    let systems: Vec<RulesetText> = match &arguments.ruleset {
        Some(ruleset) => vec![ruleset.clone()],
        None => {
            let read = SYSTEMS.iter().map(|text| text.parse::<RulesetText>());
            let systems: Result<_, _> = read.collect();
            systems.map_err(LabError::arguments)?
        }
    };
    let graphs: Vec<Graph> = (1..=usize::from(arguments.vertices))
        .flat_map(connected_graphs)
        .collect();
    let mut rows = Vec::new();
    for system in systems {
        let mut row = Row {
            ruleset: name(&system),
            graphs: graphs.len(),
            ..Row::default()
        };
        for (number, graph) in graphs.iter().enumerate() {
            if io::stderr().is_terminal() {
                let _ = write!(
                    io::stderr(),
                    "\r{}: graph {} of {} ",
                    row.ruleset,
                    number + 1,
                    graphs.len()
                );
            }
            judge(graph, &system, number as u64, arguments, &mut row)?;
        }
        rows.push(row);
    }
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
    if arguments.json {
        let text = serde_json::json!({
            "vertices": arguments.vertices,
            "playouts": arguments.playouts,
            "rows": rows,
        });
        return Ok(text.to_string());
    }
    Ok(text(&rows))
}

/// A system as it is set on the command line.
fn name(system: &RulesetText) -> String {
    let komi = system.komi.map(|komi| format!(",komi={komi}"));
    system.rules.to_string().replace(' ', ",") + &komi.unwrap_or_default()
}

fn text(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.ruleset.len()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{:width$}  graphs  positions  judged  choices  search  engine",
        "system"
    )];
    for row in rows {
        let share = |kept: u32| 100.0 * f64::from(kept) / f64::from(row.judged.max(1));
        lines.push(format!(
            "{:width$}  {:>6}  {:>9}  {:>6}  {:>7}  {:>5.1}%  {:>5.1}%",
            row.ruleset,
            row.graphs,
            row.positions,
            row.judged,
            row.choices,
            share(row.search),
            share(row.engine),
        ));
    }
    lines.join("\n")
}

/// The graph, edge by edge, in a form that a user can type.
fn spec(graph: &Graph) -> Result<Spec, LabError> {
    let alone = graph.all().map(|v| v.index().to_string());
    let pairs = graph.all().flat_map(|v| {
        let later = graph.neighbors(v).iter().filter(move |&&u| u > v);
        later.map(move |u| format!("{}-{}", v.index(), u.index()))
    });
    let names: Vec<String> = alone.chain(pairs).collect();
    let text = format!("edges:{}", names.join(","));
    text.parse().map_err(LabError::arguments)
}

/// Judges positions of one graph under one system.
fn judge(
    graph: &Graph,
    system: &RulesetText,
    number: u64,
    arguments: &PerfectArgs,
    row: &mut Row,
) -> Result<(), LabError> {
    let goban = spec(graph)?.build().map_err(LabError::arguments)?;
    let options = Options {
        playouts: Some(arguments.playouts),
        seed: arguments.seed,
        resign_below: 0.0,
        memory_mib: 64,
        ..Options::default()
    };
    let komi = system.komi.unwrap_or(Points::ZERO);
    let mut engine = Engine::new(goban, system.rules.clone(), komi, options)
        .map_err(|problem| LabError::Unfinished(problem.to_string()))?;
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(arguments.seed ^ number << 32);
    let mut below = |bound: usize| (chance.next_u64() % bound.max(1) as u64) as usize;
    for _ in 0..arguments.positions {
        engine.clear_board();
        for _ in 0..below(3 * graph.vertices()) {
            let color = engine.to_move();
            let moves = engine.legal_moves(color);
            let Some(&mv) = moves.get(below(moves.len())) else {
                break;
            };
            if engine.play(color, mv).is_err() {
                break;
            }
        }
        let color = engine.to_move();
        let legal = engine.legal_moves(color).len();
        if legal == 0 {
            continue;
        }
        row.positions += 1;
        let judged = engine.keepers(color, arguments.nodes);
        let judged = judged.map_err(|problem| LabError::Unfinished(problem.to_string()))?;
        let Some((value, kept)) = judged else {
            continue;
        };
        row.judged += 1;
        row.choices += u32::from(kept.len() < legal);
        engine.set_exact(false);
        row.search += u32::from(keeps(engine.choose(color), color, value, &kept));
        engine.set_exact(true);
        row.engine += u32::from(keeps(engine.choose(color), color, value, &kept));
    }
    Ok(())
}

/// Whether a choice keeps the value: one of the moves that do, or giving up what is lost.
fn keeps(choice: Choice, color: Color, value: Outcome, kept: &[Move]) -> bool {
    match choice {
        Choice::Move(mv) => kept.contains(&mv),
        Choice::Resign => value.winner().is_some_and(|winner| winner != color),
    }
}
