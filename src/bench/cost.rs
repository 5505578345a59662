//! Cost of a search by board size: memory per node, nodes per gigabyte, and playouts per second.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::plot::{Panel, Series, drawing};
use super::{Searched, search};
use crate::board::graph::{Adjacency, GraphBoard};
use crate::board::grid::{Grid, GridBoard};
use crate::graph::spec::{Spec, SpecError};
use crate::rules::Ruleset;

/// Measurements of all boards.
#[derive(Debug, Serialize)]
pub struct Costs {
    /// The boards in order, by kind and by size.
    pub boards: Vec<Cost>,
}

/// Cost of a search on one board.
#[derive(Debug, Serialize)]
pub struct Cost {
    /// Kind of board. Boards of one kind form a line of the plot.
    pub kind: &'static str,
    /// Canonical spec.
    pub board: String,
    /// `grid` or `graph`.
    pub path: &'static str,
    /// Number of vertices.
    pub vertices: usize,
    /// Search playouts per second of processor time, on one thread from the empty board.
    pub per_second: f64,
    /// Memory per node of the tree, in bytes.
    pub bytes_a_node: f64,
    /// Number of nodes that fit in `--memory 1024`. Half of the memory is reserved for the copy
    /// between moves.
    pub nodes_a_gigabyte: f64,
    /// Nodes added to the tree per playout.
    pub nodes_a_playout: f64,
}

/// A kind of board: its name, whether it uses the grid path, and specs from about 25 to 2,500
/// vertices.
type Kind = (&'static str, bool, &'static [&'static str]);

const KINDS: &[Kind] = &[
    (
        "grid, grid path",
        true,
        &[
            "grid:5", "grid:7", "grid:9", "grid:13", "grid:19", "grid:25",
        ],
    ),
    (
        "grid, graph path",
        false,
        &[
            "grid:5", "grid:9", "grid:13", "grid:19", "grid:25", "grid:35", "grid:50",
        ],
    ),
    (
        "torus",
        false,
        &[
            "torus:5", "torus:9", "torus:13", "torus:19", "torus:25", "torus:35", "torus:50",
        ],
    ),
    (
        "honeycomb",
        false,
        &[
            "honeycomb:2",
            "honeycomb:4",
            "honeycomb:5",
            "honeycomb:8",
            "honeycomb:10",
            "honeycomb:14",
            "honeycomb:20",
        ],
    ),
    (
        "triangulation",
        false,
        &[
            "delaunay:25",
            "delaunay:81",
            "delaunay:169",
            "delaunay:361",
            "delaunay:625",
            "delaunay:1225",
            "delaunay:2500",
        ],
    ),
];

const GIGABYTE: f64 = (1u64 << 30) as f64;

/// Measures every board for `seconds` seconds.
///
/// # Errors
/// None in practice, because the boards are fixed.
pub fn run(rules: &Ruleset, seconds: f64) -> Result<Costs, SpecError> {
    let mut boards = Vec::new();
    for &(kind, on_grid, specs) in KINDS {
        for spec in specs {
            boards.extend(cost(kind, on_grid, &spec.parse()?, rules, seconds)?);
        }
    }
    Ok(Costs { boards })
}

/// Measures one board. Returns `None` if the board does not support the path.
fn cost(
    kind: &'static str,
    on_grid: bool,
    spec: &Spec,
    rules: &Ruleset,
    seconds: f64,
) -> Result<Option<Cost>, SpecError> {
    let goban = spec.build()?;
    let vertices = goban.graph.vertices();
    let (path, grown) = if on_grid {
        let grid = goban.rectangle.and_then(|(w, h)| Grid::new(w, h));
        let board = grid.and_then(|grid| GridBoard::new(grid, rules.colors));
        ("grid", board.map(|board| search(&board, rules, 1, seconds)))
    } else {
        let board = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), rules.colors);
        (
            "graph",
            board.map(|board| search(&board, rules, 1, seconds)),
        )
    };
    let cost = |searched: Searched| {
        let size = searched.searcher.size();
        let bytes_a_node = size.bytes as f64 / size.nodes.max(1) as f64;
        Cost {
            kind,
            board: goban.spec.to_string(),
            path,
            vertices,
            per_second: searched.per_processor_second,
            bytes_a_node,
            nodes_a_gigabyte: GIGABYTE / 2.0 / bytes_a_node,
            nodes_a_playout: size.nodes as f64 / f64::from(searched.playouts.max(1)),
        }
    };
    Ok(grown.map(cost))
}

impl Costs {
    /// Returns the plot as SVG.
    pub fn svg(&self) -> String {
        let panel = |title: &'static str, value: fn(&Cost) -> f64| Panel {
            title,
            series: KINDS
                .iter()
                .map(|&(kind, _, _)| Series {
                    name: kind,
                    points: self
                        .boards
                        .iter()
                        .filter(|cost| cost.kind == kind)
                        .map(|cost| (cost.vertices as f64, value(cost)))
                        .collect(),
                })
                .collect(),
        };
        drawing(
            "vertices of the board",
            &[
                panel("search playouts per second of processor time", |cost| {
                    cost.per_second
                }),
                panel("bytes/node", |cost| cost.bytes_a_node),
                panel("million nodes per gigabyte of --memory", |cost| {
                    cost.nodes_a_gigabyte / 1e6
                }),
            ],
        )
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<18} {:<16} {:>8} {:>10} {:>12} {:>13} {:>15}",
            "kind", "board", "vertices", "per second", "bytes/node", "nodes/GiB", "nodes/playout"
        )?;
        for cost in &self.boards {
            writeln!(
                f,
                "{:<18} {:<16} {:>8} {:>10.0} {:>12.1} {:>13.0} {:>15.2}",
                cost.kind,
                cost.board,
                cost.vertices,
                cost.per_second,
                cost.bytes_a_node,
                cost.nodes_a_gigabyte,
                cost.nodes_a_playout
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::presets;

    #[test]
    fn a_board_of_each_path_is_measured_and_drawn() {
        let rules = &presets::find("tromp-taylor").unwrap().rules;
        let one = |kind, on_grid, spec: &str| {
            let spec = spec.parse().unwrap();
            cost(kind, on_grid, &spec, rules, 0.01).unwrap().unwrap()
        };
        let boards = vec![
            one(KINDS[0].0, true, "grid:5"),
            one(KINDS[1].0, false, "grid:5"),
            one(KINDS[3].0, false, "honeycomb:2"),
        ];
        assert_eq!(boards[0].path, "grid");
        assert_eq!(boards[1].path, "graph");
        assert_eq!(boards[2].vertices, 24);
        for board in &boards {
            assert!(board.per_second > 0.0, "{board:?}");
            assert!((16.0..200.0).contains(&board.bytes_a_node), "{board:?}");
        }
        let costs = Costs { boards };
        let svg = costs.svg();
        assert!(KINDS.iter().all(|kind| svg.contains(kind.0)));
        assert_eq!(svg.matches("<circle").count(), 9);
        assert_eq!(costs.to_string().lines().count(), 4);
    }

    #[test]
    fn every_board_of_the_plot_can_be_built() {
        for &(_, on_grid, specs) in KINDS {
            for spec in specs {
                let goban = spec.parse::<Spec>().unwrap().build().unwrap();
                assert!((24..=2500).contains(&goban.graph.vertices()), "{spec}");
                assert_eq!(on_grid, on_grid && goban.rectangle.is_some());
            }
        }
    }
}
