//! `omnigo perfect`: measures how often the engine keeps proven values. It uses every connected
//! graph of a few vertices and every rule system.
//!
//! Positions are reached by random legal moves from the empty board, and each has its history. An
//! exact search must prove the value of the position and of all its moves. The engine then chooses
//! a move twice: by search alone, and with its normal settings, which use proofs that are found
//! quickly.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::end::{CliError, Report};
use crate::color::Color;
use crate::engine::{Choice, Engine, Options};
use crate::game::Outcome;
use crate::graph::Graph;
use crate::graph::connected::connected_graphs;
use crate::graph::goban::{Goban, Surface};
use crate::graph::mango::{Mango, Threshold};
use crate::graph::spec::Spec;
use crate::progress::Task;
use crate::rules::{Points, RulesetText};
use crate::vertex::Move;

/// The rule systems, as ruleset texts, with the boards they are played on.
const SYSTEMS: [(&str, Kind); 16] = [
    ("ggg", Kind::Graph),
    ("conway", Kind::Graph),
    (
        "conway-prisoners,black-passes=1,white-passes=1",
        Kind::Graph,
    ),
    ("famine,komi=1", Kind::Graph),
    ("famine,komi=-1", Kind::Graph),
    ("formal", Kind::Graph),
    ("topo-primitive", Kind::Graph),
    ("topo-primitive", Kind::Edges),
    ("topo-primitive", Kind::Pairs),
    ("topo-stone", Kind::Graph),
    ("topo-stone", Kind::Edges),
    ("topo-stone", Kind::Pairs),
    ("mango", Kind::Graph),
    ("mango", Kind::Degrees),
    ("mango", Kind::Odd),
    ("mango", Kind::Two),
];

/// Board made from a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// The graph itself.
    Graph,
    /// The go-space of the graph, with stones on edges too.
    Edges,
    /// The go-space of the graph, with stones on pairs of neighbors too.
    Pairs,
    /// The Mango set of the graph with degrees as weights.
    Degrees,
    /// The Mango set of the graph in which odd sums give life.
    Odd,
    /// The Mango set of the graph in which sums of 2 or more give life.
    Two,
}

impl Kind {
    /// Returns the name of the kind on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Builds the board of this kind from a graph.
    fn goban(self, graph: &Graph) -> Result<Goban, CliError> {
        let plain = spec(graph);
        let build = |text: String| {
            let spec = text.parse::<Spec>().map_err(CliError::arguments)?;
            spec.build().map_err(CliError::arguments)
        };
        let weighted = |weights: Vec<Points>, threshold: Threshold| {
            let mango = Mango::new(&weights, threshold, [Points::ZERO; 2], None);
            let mango = mango.map_err(CliError::arguments)?;
            Ok(Goban {
                surface: Surface::Mango(Arc::new(mango)),
                ..build(plain.clone())?
            })
        };
        let ones = || vec![Points::whole(1); graph.vertices()];
        match self {
            Kind::Graph => build(plain),
            Kind::Edges => build(format!("space:({plain}),edges")),
            Kind::Pairs => build(format!("space:({plain}),pairs")),
            Kind::Degrees => {
                let degree = |v| Points::whole(graph.neighbors(v).len() as i64);
                let degrees = graph.all().map(degree).collect();
                weighted(degrees, Threshold::Above(Points::ZERO))
            }
            Kind::Odd => weighted(ones(), Threshold::Odd),
            Kind::Two => weighted(ones(), Threshold::AtLeast(Points::whole(2))),
        }
    }
}

/// Arguments of `omnigo perfect`.
#[derive(Debug, Args)]
pub struct PerfectArgs {
    /// Maximum number of vertices of the graphs, from 1 to 6.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = crate::arguments::whole::<u8>(1..=6))]
    vertices: u8,
    /// Number of positions per graph and rule system.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = crate::arguments::whole::<u32>(1..))]
    positions: u32,
    /// Number of playouts per move.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = crate::arguments::whole::<u64>(1..))]
    playouts: u64,
    /// Maximum number of states per position for the exact search.
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = crate::arguments::whole::<u64>(1..))]
    nodes: u64,
    /// Seed of the random moves and of the engine.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = crate::arguments::whole::<u64>(..)
    )]
    seed: u64,
    /// Use only this ruleset.
    #[arg(long, value_name = "NAME")]
    ruleset: Option<RulesetText>,
    /// Use only this kind of board made from each graph. Edges and pairs are go-spaces, with stones
    /// there too. Degrees, odd and two are Mango sets: weights of degrees, odd sums, sums of 2 or
    /// more.
    #[arg(long, value_name = "KIND")]
    board: Option<Kind>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    ruleset: String,
    board: Kind,
    graphs: usize,
    positions: u32,
    /// Number of positions for which the values of the position and of all its moves were proved.
    judged: u32,
    /// Number of judged positions in which some legal move loses value.
    choices: u32,
    /// Number of judged positions in which search alone kept the value.
    search: u32,
    /// Number of judged positions in which the engine with its normal settings kept the value.
    engine: u32,
}

/// Reports the table.
pub fn run(arguments: &PerfectArgs) -> Result<Report, CliError> {
    table(arguments).map(Into::into)
}

fn table(arguments: &PerfectArgs) -> Result<String, CliError> {
    let mut systems: Vec<(RulesetText, Kind)> = Vec::new();
    match &arguments.ruleset {
        Some(ruleset) => {
            systems.push((ruleset.clone(), arguments.board.unwrap_or(Kind::Graph)));
        }
        None => {
            let wanted = |kind| arguments.board.is_none_or(|board| board == kind);
            for (text, kind) in SYSTEMS.into_iter().filter(|&(_, kind)| wanted(kind)) {
                systems.push((text.parse().map_err(CliError::arguments)?, kind));
            }
        }
    }
    let graphs: Vec<Graph> = (1..=usize::from(arguments.vertices))
        .flat_map(connected_graphs)
        .collect();
    let task = Task::of_steps();
    let (mut done, of) = (0, systems.len() * graphs.len());
    let mut rows = Vec::new();
    for (system, board) in systems {
        let mut row = Row {
            ruleset: name(&system),
            board,
            graphs: graphs.len(),
            positions: 0,
            judged: 0,
            choices: 0,
            search: 0,
            engine: 0,
        };
        for (number, graph) in graphs.iter().enumerate() {
            task.step(done, of);
            task.note(row.ruleset.clone());
            done += 1;
            judge(graph, &system, number as u64, arguments, &mut row)?;
        }
        rows.push(row);
    }
    drop(task);
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

/// Returns the ruleset text of a system for the command line.
fn name(system: &RulesetText) -> String {
    let komi = system.komi.map(|komi| format!(",komi={komi}"));
    system.rules.to_string().replace(' ', ",") + &komi.unwrap_or_default()
}

fn text(rows: &[Row]) -> String {
    let widths = rows.iter().map(|row| row.ruleset.len());
    let width = widths.chain(["system".len()]).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{:width$}  {:7}  graphs  positions  judged  choices  search  engine",
        "system", "board"
    )];
    for row in rows {
        let share = |kept: u32| 100.0 * f64::from(kept) / f64::from(row.judged.max(1));
        lines.push(format!(
            "{:width$}  {:7}  {:>6}  {:>9}  {:>6}  {:>7}  {:>5.1}%  {:>5.1}%",
            row.ruleset,
            row.board.name(),
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

/// Returns a spec of the graph that users can type: its vertices and edges.
fn spec(graph: &Graph) -> String {
    let alone = graph.all().map(|v| v.index().to_string());
    let pairs = graph.all().flat_map(|v| {
        let later = graph.neighbors(v).iter().filter(move |&&u| u > v);
        later.map(move |u| format!("{}-{}", v.index(), u.index()))
    });
    let names: Vec<String> = alone.chain(pairs).collect();
    format!("edges:{}", names.join(","))
}

/// Judges positions of one graph under one rule system.
fn judge(
    graph: &Graph,
    system: &RulesetText,
    number: u64,
    arguments: &PerfectArgs,
    row: &mut Row,
) -> Result<(), CliError> {
    let goban = row.board.goban(graph)?;
    let options = Options {
        playouts: Some(arguments.playouts),
        seed: arguments.seed,
        resign_below: 0.0,
        memory_mib: 64,
        ..Options::default()
    };
    let komi = system.komi.unwrap_or(Points::ZERO);
    let mut engine =
        Engine::new(goban, system.rules.clone(), komi, options).map_err(CliError::failed)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed ^ number << 32);
    let mut below = |bound: usize| (random.next_u64() % bound.max(1) as u64) as usize;
    for _ in 0..arguments.positions {
        engine.clear_board();
        for _ in 0..below(3 * graph.vertices()) {
            if engine.is_over() {
                break;
            }
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
        if legal == 0 || engine.is_over() {
            continue;
        }
        row.positions += 1;
        let judged = engine.keepers(color, arguments.nodes);
        let judged = judged.map_err(CliError::failed)?;
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

/// Returns true if a choice keeps the value: a move that does, or resigning a lost position.
fn keeps(choice: Choice, color: Color, value: Outcome, kept: &[Move]) -> bool {
    match choice {
        Choice::Move(mv) => kept.contains(&mv),
        Choice::Resign => value.winner().is_some_and(|winner| winner != color),
    }
}
