//! Test positions drawn row by row, on a grid and on the equivalent graph. Both boards must play
//! alike.

use std::sync::Arc;

use super::BareBoard;
use super::graph::{Adjacency, GraphBoard};
use super::grid::{Grid, GridBoard};
use omnigo_base::color::Color;
use omnigo_graph::spec::Spec;

/// Returns the stones of the rows, given from the top row down.
pub(crate) fn stones(rows: &[&str]) -> Vec<Option<Color>> {
    rows.iter()
        .rev()
        .flat_map(|row| row.chars().map(Color::from_symbol))
        .collect()
}

/// Returns a grid board with the size and the stones of the rows.
pub(crate) fn grid(rows: &[&str]) -> GridBoard {
    let mut board = GridBoard::new(Grid::new(rows[0].len(), rows.len()).unwrap(), 2).unwrap();
    board.set_position(&stones(rows));
    board
}

/// Returns a position on any graph. `stones` is in index order.
pub(crate) fn graph(spec: &str, stones: &[Option<Color>]) -> GraphBoard {
    let goban = spec.parse::<Spec>().unwrap().build().unwrap();
    let mut board = GraphBoard::new(Adjacency::new(Arc::clone(&goban.graph)), 2).unwrap();
    board.set_position(stones);
    board
}

/// Returns the grid board and the equivalent graph board.
pub(crate) fn both(rows: &[&str]) -> (GridBoard, GraphBoard) {
    let spec = format!("grid:{}x{}", rows[0].len(), rows.len());
    (grid(rows), graph(&spec, &stones(rows)))
}
