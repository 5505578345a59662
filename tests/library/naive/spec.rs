//! Boards of a spec: those of the crate, and the naive one.

use std::sync::Arc;

use omnigo::board::graph::{Adjacency, GraphBoard};
use omnigo::board::grid::{Grid, GridBoard};
use omnigo::graph::Graph;
use omnigo::graph::goban::Goban;
use omnigo::graph::spec::Spec;
use omnigo::vertex::Vertex;
use omnigo::zobrist::Zobrist;

use super::Naive;

/// Returns the board of a spec.
pub fn goban(text: &str) -> Goban {
    text.parse::<Spec>()
        .and_then(|spec| spec.build())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the graph with these edges.
pub fn graph_of(vertices: usize, edges: &[(usize, usize)]) -> Arc<Graph> {
    let edges: Vec<(u16, u16)> = edges.iter().map(|&(a, b)| (a as u16, b as u16)).collect();
    Arc::new(Graph::from_edges(vertices, &edges).0)
}

/// Returns the naive board of a graph.
pub fn naive(graph: &Graph) -> Naive {
    let mut edges = Vec::new();
    for v in graph.all() {
        for &u in graph.neighbors(v).iter().filter(|&&u| u > v) {
            edges.push((v.index(), u.index()));
        }
    }
    Naive::new(graph.vertices(), &edges)
}

/// Returns the naive board of a rectangle, built from coordinates.
pub fn naive_grid(width: usize, height: usize) -> Naive {
    let mut edges = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let v = y * width + x;
            if x + 1 < width {
                edges.push((v, v + 1));
            }
            if y + 1 < height {
                edges.push((v, v + width));
            }
        }
    }
    Naive::new(width * height, &edges)
}

/// Returns the graph board of a graph.
pub fn graph_board(graph: &Arc<Graph>, colors: usize, keys: &Zobrist) -> GraphBoard {
    GraphBoard::with_keys(Adjacency::new(Arc::clone(graph)), colors, keys.clone()).unwrap()
}

/// Returns the grid board of a rectangle.
pub fn grid_board(width: usize, height: usize, keys: &Zobrist) -> GridBoard {
    GridBoard::with_keys(Grid::new(width, height).unwrap(), 2, keys.clone()).unwrap()
}

/// Returns an `edges:` spec of these edges. It names every vertex first, so that vertices keep
/// their numbers.
pub fn edges_text(vertices: usize, edges: &[(usize, usize)]) -> String {
    let alone = (0..vertices).map(|v| v.to_string());
    let pairs = edges.iter().map(|(a, b)| format!("{a}-{b}"));
    format!("edges:{}", alone.chain(pairs).collect::<Vec<_>>().join(","))
}

/// Returns the vertex with this index.
pub fn at(index: usize) -> Vertex {
    Vertex::at(index)
}
