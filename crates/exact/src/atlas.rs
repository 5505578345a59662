//! The atlas: a table of exact values of small graphs, one row per graph.
//!
//! A row contains the number of positions and values of the empty board with Black to move. Each
//! value is proved, or given as a proven range. Positional superko applies in all columns, as in
//! the rule systems they come from.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;

use super::count::{Budget, CountError, positions};
use super::{Limits, Unsolvable, Wish, komi_parameter, solve};
use omnigo_base::color::Color;
use omnigo_core::board::graph::{Adjacency, GraphBoard};
use omnigo_core::game::{Game, Outcome};
use omnigo_core::rules::{Points, presets};
use omnigo_graph::Graph;
use omnigo_graph::formats::graph6;
use omnigo_graph::isomorphism::automorphisms;

/// Column names, in the order of [`Row::fields`].
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

/// Proven bounds of a value. They are equal if the value is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Lower bound.
    pub lower: String,
    /// Upper bound.
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

/// Results for one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The graph as graph6 text.
    pub graph6: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of automorphisms.
    pub automorphisms: u32,
    /// Number of legal positions with two colors.
    pub positions: BigUint,
    /// Area score: Black's minus White's.
    pub area: Proved,
    /// Stone score (empty points do not count): Black's minus White's.
    pub stones: Proved,
    /// Winner if passing is forbidden, the player who makes the last move: `B` or `W`.
    pub conway: Proved,
    /// Greatest komi with which Black wins under the famine rules.
    pub komi: Proved,
    /// Area score after each first move: the vertices in order, then the pass.
    pub first_moves: Vec<Proved>,
    /// Board spec of a family that contains the graph, or empty.
    pub name: String,
}

impl Row {
    /// Returns the fields in the order of [`COLUMNS`]. No field contains a comma.
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

/// Reason why a row could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The solver rejected the graph.
    #[error(transparent)]
    Solver(#[from] Unsolvable),
    /// The positions could not be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The graph is too large for the atlas.
    #[error("the atlas does not support graphs of {0} vertices")]
    Graph(usize),
    /// There is no ruleset with this name.
    #[error("there is no ruleset {0}")]
    Ruleset(&'static str),
    /// The stop flag was set.
    #[error("interrupted")]
    Interrupted,
}

/// Limits for each value of a row.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Maximum time per value.
    pub time: Duration,
    /// Maximum memory of the tables, in bytes.
    pub memory: usize,
    /// Stop flag. Setting it interrupts the computation.
    pub stop: &'a AtomicBool,
}

/// Computes the row of a graph called `name`.
///
/// # Errors
/// The graph is too large, or the stop flag was set.
pub fn row(graph: &Arc<Graph>, name: String, effort: Effort<'_>) -> Result<Row, AtlasError> {
    let too_large = || AtlasError::Graph(graph.vertices());
    let board = GraphBoard::new(Adjacency::new(Arc::clone(graph)), 2).ok_or_else(too_large)?;
    let limits = Limits {
        memory: effort.memory,
        ..Limits::new(effort.stop).within(effort.time)
    };
    let value = |ruleset: &'static str, moves: bool| {
        let preset = presets::find(ruleset).ok_or(AtlasError::Ruleset(ruleset))?;
        let rules = preset.rules.clone();
        let game = Game::new(board.clone(), rules, Points::ZERO, Color::BLACK);
        let wish = Wish { pv: false, moves };
        Ok::<_, AtlasError>(solve(&game, Color::BLACK, &limits, wish)?)
    };
    let area = value("tromp-taylor", true)?;
    let first_moves = area.moves.iter();
    // Every first placement is legal, except on an isolated vertex. The graph with one vertex
    // therefore has only the pass.
    let first_moves = first_moves
        .map(|(_, bounds)| margin(bounds.lower, bounds.upper))
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

/// Converts outcomes to numbers: `B+3` to 3 and `W+1` to -1. `B+` and `W+` become `B` and `W`.
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
