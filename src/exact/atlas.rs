//! The atlas: exact answers for one small graph after another.
//!
//! A row has the values of the empty board with Black to move, each proved or bounded by what is proved, and the number of
//! positions. Repetition is forbidden positionally, as in all the systems that the columns come from.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;

use super::count::{Budget, CountError, positions};
use super::{Limits, Unsolvable, Wish, komi_parameter, solve};
use crate::board::graph::{Adjacency, GraphBoard};
use crate::color::Color;
use crate::game::{Game, Outcome};
use crate::graph::Graph;
use crate::graph::formats::graph6;
use crate::graph::isomorphism::automorphisms;
use crate::rules::{Points, presets};
use crate::vertex::Move;

/// The columns of a row in order.
pub const COLUMNS: [&str; 11] = [
    "graph6",
    "vertices",
    "edges",
    "automorphisms",
    "positions",
    "area_psk",
    "stones_psk",
    "conway_psk",
    "famine_komi_psk",
    "area_first_moves_psk",
    "name",
];

/// What is proved of a value: equal where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// At least this.
    pub lower: String,
    /// At most this.
    pub upper: String,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lower == self.upper {
            f.write_str(&self.lower)
        } else {
            write!(f, "{}..{}", self.lower, self.upper)
        }
    }
}

/// What the atlas says of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The graph as graph6 text.
    pub graph6: String,
    /// Vertices.
    pub vertices: usize,
    /// Edges.
    pub edges: usize,
    /// Symmetries.
    pub automorphisms: u32,
    /// Legal positions of two colors.
    pub positions: BigUint,
    /// Black's area less White's.
    pub area: Proved,
    /// Black's stones less White's where stones alone count.
    pub stones: Proved,
    /// Who moves last where nobody may pass: `B` or `W`.
    pub conway: Proved,
    /// The greatest komi that Black beats under famine rules.
    pub komi: Proved,
    /// The area value after each first move by vertex, then after a pass.
    pub first_moves: Vec<Proved>,
    /// A family that the graph belongs to, as a board spec, or nothing.
    pub name: String,
}

impl Row {
    /// The fields in the order of [`COLUMNS`]. None holds a comma.
    pub fn fields(&self) -> [String; 11] {
        let moves: Vec<String> = self.first_moves.iter().map(Proved::to_string).collect();
        [
            self.graph6.clone(),
            self.vertices.to_string(),
            self.edges.to_string(),
            self.automorphisms.to_string(),
            self.positions.to_string(),
            self.area.to_string(),
            self.stones.to_string(),
            self.conway.to_string(),
            self.komi.to_string(),
            moves.join(" "),
            self.name.clone(),
        ]
    }
}

/// Why there is no row.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The solver refuses the graph.
    #[error(transparent)]
    Solver(#[from] Unsolvable),
    /// Its positions were not counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The graph is larger than those that the atlas enumerates, or a ruleset is missing.
    #[error("a graph of {0} vertices, expected one that the atlas enumerates")]
    Graph(usize),
    /// It was ended from outside.
    #[error("interrupted")]
    Interrupted,
}

/// What may be spent on each value of a row.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Time.
    pub time: Duration,
    /// Bytes of tables.
    pub memory: usize,
    /// Raised from outside to end it.
    pub stop: &'a AtomicBool,
}

/// The row of a graph called `name`.
///
/// # Errors
/// When the graph is too large, and when the work is ended from outside.
pub fn row(graph: &Arc<Graph>, name: String, effort: Effort<'_>) -> Result<Row, AtlasError> {
    let too_large = || AtlasError::Graph(graph.vertices());
    let board = GraphBoard::new(Adjacency::new(Arc::clone(graph)), 2).ok_or_else(too_large)?;
    let limits = Limits {
        memory: effort.memory,
        ..Limits::new(effort.stop).within(effort.time)
    };
    let value = |ruleset: &str, moves: bool| {
        let preset = presets::find(ruleset).ok_or_else(too_large)?;
        let rules = preset.rules.clone();
        let game = Game::new(board.clone(), rules, Points::ZERO, Color::BLACK);
        let wish = Wish { pv: false, moves };
        Ok::<_, AtlasError>(solve(&game, Color::BLACK, &limits, wish)?)
    };
    let area = value("tromp-taylor", true)?;
    let first_moves = area.moves.iter();
    // Every first stone is legal but on an isolated vertex, and a graph of one vertex has nothing else.
    let first_moves = first_moves
        .map(|(mv, bounds)| match mv {
            Move::Place(_) | Move::Pass => margin(bounds.lower, bounds.upper),
        })
        .collect();
    let stones = value("topo-stone", false)?.bounds;
    let conway = value("conway", false)?.bounds;
    let komi = komi_parameter(&board, &limits)?;
    let count = positions(
        graph,
        2,
        &Budget {
            memory: effort.memory,
            stop: effort.stop,
            deadline: None,
            progress: None,
        },
    )?;
    if effort.stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(AtlasError::Interrupted);
    }
    Ok(Row {
        graph6: graph6(graph),
        vertices: graph.vertices(),
        edges: graph.edges(),
        automorphisms: automorphisms(graph).ok_or_else(too_large)?,
        positions: count,
        area: margin(area.bounds.lower, area.bounds.upper),
        stones: margin(stones.lower, stones.upper),
        conway: margin(conway.lower, conway.upper),
        komi: Proved {
            lower: komi.lower.to_string(),
            upper: komi
                .upper
                .map_or("inf".to_string(), |upper| upper.to_string()),
        },
        first_moves,
        name,
    })
}

/// Outcomes as numbers: `B+3` is 3, `W+1` is -1, and `B+` and `W+` are `B` and `W`.
fn margin(lower: Outcome, upper: Outcome) -> Proved {
    let number = |outcome: Outcome| {
        let text = outcome.to_string();
        match (text.strip_prefix("B+"), text.strip_prefix("W+")) {
            (Some(""), _) => "B".to_string(),
            (_, Some("")) => "W".to_string(),
            (Some(points), _) => points.to_string(),
            (_, Some(points)) => format!("-{points}"),
            (None, None) => text,
        }
    };
    Proved {
        lower: number(lower),
        upper: number(upper),
    }
}
