//! Positions for tests, drawn row by row, on a grid and on the same graph without its grid: both must be played alike.

use std::sync::Arc;

use super::Board;
use super::graph::{Adjacency, GraphBoard};
use super::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::graph::spec::Spec;

/// The stones of rows, the top row first.
pub(crate) fn stones(rows: &[&str]) -> Vec<Option<Color>> {
    rows.iter()
        .rev()
        .flat_map(|row| row.chars().map(Color::from_symbol))
        .collect()
}

/// A grid of so many rows and columns.
pub(crate) fn grid(rows: &[&str]) -> GridBoard {
    let mut board = GridBoard::new(Grid::new(rows[0].len(), rows.len()).unwrap(), 2).unwrap();
    board.set_position(&stones(rows));
    board
}

/// A position on any graph, by index.
pub(crate) fn graph(spec: &str, stones: &[Option<Color>]) -> GraphBoard {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let mut board = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), 2).unwrap();
    board.set_position(stones);
    board
}

/// The grid, and its graph.
pub(crate) fn both(rows: &[&str]) -> (GridBoard, GraphBoard) {
    let spec = format!("grid:{}x{}", rows[0].len(), rows.len());
    (grid(rows), graph(&spec, &stones(rows)))
}
