//! Points and lines to draw for a board: its vertices and edges, or the points of a go-space and
//! their order.

use std::collections::HashSet;

use super::geometry::Sketch;
use super::points;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;
use omnigo_graph::drawing::{Drawing, Place};
use omnigo_graph::goban::{Goban, Surface};
use omnigo_graph::layout::layout;
use omnigo_graph::space::Space;

/// Returns the points and lines of a board.
pub(super) fn sketch(goban: &Goban) -> Sketch {
    let graph = &goban.graph;
    match (&goban.surface, &goban.drawing) {
        (Surface::Space { space, .. }, drawing) => of_space(space, drawing.as_ref()),
        (Surface::Graph | Surface::Mango(_), Some(drawing)) => drawn(graph, drawing),
        (Surface::Graph | Surface::Mango(_), None) => computed(graph),
    }
}

/// Sketches a board with a drawing of its own.
fn drawn(graph: &Graph, drawing: &Drawing) -> Sketch {
    let wraps: Vec<([usize; 2], [Place; 2])> = drawing
        .wraps
        .iter()
        .map(|wrap| (wrap.ends.map(Vertex::index), wrap.beside))
        .collect();
    let across: HashSet<(usize, usize)> = wraps
        .iter()
        .map(|&([a, b], _)| (a.min(b), a.max(b)))
        .collect();
    Sketch {
        places: drawing.places.to_vec(),
        edges: graph
            .pairs()
            .filter(|edge| !across.contains(edge))
            .collect(),
        wraps,
        depth: drawing.solid.as_deref().map(depths),
    }
}

/// Returns the distance of each point of a solid from the viewer, from 0 to 1. The third coordinate
/// grows away from the viewer.
fn depths(solid: &[[f64; 3]]) -> Vec<f64> {
    let third = || solid.iter().map(|&[_, _, z]| z);
    let nearest = third().fold(f64::MAX, f64::min);
    let farthest = third().fold(f64::MIN, f64::max);
    let range = (farthest - nearest).max(1e-9);
    third().map(|z| (z - nearest) / range).collect()
}

/// Sketches a board without a drawing, with a computed layout.
fn computed(graph: &Graph) -> Sketch {
    Sketch {
        places: layout(graph),
        edges: graph.pairs().collect(),
        wraps: Vec::new(),
        depth: None,
    }
}

/// Sketches the points of a go-space. A line joins two points if the minimal open set of one
/// contains the other, with no third point between them.
fn of_space(space: &Space, drawing: Option<&Drawing>) -> Sketch {
    let order = points::order(space);
    match drawing.and_then(|drawing| points::places(space, drawing)) {
        None => computed(&order),
        Some(places) => Sketch {
            places,
            edges: order.pairs().collect(),
            wraps: Vec::new(),
            depth: None,
        },
    }
}
