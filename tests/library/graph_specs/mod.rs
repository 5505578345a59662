//! Board specs: their graphs, their canonical text, and the specs that are rejected.

mod files;
mod meaning;
mod refusals;

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use omnigo::color::Color;
use omnigo::graph::Graph;
use omnigo::graph::families;
use omnigo::graph::formats::Format;
use omnigo::graph::goban::Goban;
use omnigo::graph::spec::{Spec, SpecError};
use omnigo::vertex::Vertex;
use proptest::prelude::*;

fn goban(text: &str) -> Goban {
    text.parse::<Spec>()
        .and_then(|spec| spec.build())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    match text.parse::<Spec>().and_then(|spec| spec.build()) {
        Ok(goban) => panic!("{text} gives {} vertices", goban.graph.vertices()),
        Err(error) => error.to_string(),
    }
}

/// Returns the number of vertices and edges, and the least and greatest degree.
fn shape(text: &str) -> (usize, usize, usize, usize) {
    let graph = goban(text).graph;
    let degrees: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
    let least = degrees.iter().min().copied().unwrap_or(0);
    (
        graph.vertices(),
        graph.edges(),
        least,
        degrees.into_iter().max().unwrap_or(0),
    )
}

fn edges(text: &str) -> Vec<(usize, usize)> {
    let graph = goban(text).graph;
    let rows = graph.all().flat_map(|a| {
        graph
            .neighbors(a)
            .iter()
            .map(move |&b| (a.index(), b.index()))
    });
    rows.filter(|(a, b)| a < b).collect()
}

fn labels(goban: &Goban) -> Vec<String> {
    goban
        .graph
        .all()
        .map(|v| goban.names.label(v).into_owned())
        .collect()
}

/// Returns the length of the shortest cycle, or `usize::MAX` without one. From every vertex, a
/// breadth-first search finds edges that close a cycle.
fn girth(graph: &Graph) -> usize {
    let mut shortest = usize::MAX;
    for root in graph.all() {
        let mut distance = vec![usize::MAX; graph.vertices()];
        let mut parent = vec![Vertex::NONE; graph.vertices()];
        distance[root.index()] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(v) = queue.pop_front() {
            for &w in graph.neighbors(v) {
                if distance[w.index()] == usize::MAX {
                    distance[w.index()] = distance[v.index()] + 1;
                    parent[w.index()] = v;
                    queue.push_back(w);
                } else if parent[v.index()] != w {
                    shortest = shortest.min(distance[v.index()] + distance[w.index()] + 1);
                }
            }
        }
    }
    shortest
}
