//! METIS graphs: `VERTICES EDGES [FORMAT [WEIGHTS]]`, then one line of neighbors per vertex,
//! counted from 1. FORMAT has up to three digits 0 or 1. From the right, 1 means: edges have
//! weights, vertices have weights, vertices have sizes. `%` starts a comment.

use super::Input;
use super::announced::Announced;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, number, plain_words, vertex, weight};
use crate::model::goban::Goban;
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;

const HEADER: &str = "the numbers of vertices and edges, optionally followed by a format such as 011 and a number of weights";

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    // Skip only comments: an empty line is a vertex without neighbors.
    let mut lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('%'));
    let header = lines
        .by_ref()
        .find(|line| !line.trim().is_empty())
        .unwrap_or(end(text));
    let mut words = plain_words(header);
    let word = words.next().unwrap_or(end(header));
    let vertices: usize = number(text, word, HEADER)?;
    let edges_word = words.next().unwrap_or(end(header));
    let edges: u64 = number(text, edges_word, HEADER)?;
    let form = words.next().unwrap_or("0");
    if form.len() > 3 || !form.bytes().all(|c| matches!(c, b'0' | b'1')) {
        return Err(ParseError::found(
            text,
            form,
            "a format of up to three digits 0 or 1, such as 011",
        ));
    }
    let has = |digit: usize| form.bytes().rev().nth(digit) == Some(b'1');
    let (weighted_edges, weighted, sized) = (has(0), has(1), has(2));
    let weights = match words.next() {
        Some(word) => number::<u8>(text, word, "a number of weights up to 255")?,
        None => u8::from(weighted),
    };
    let mut draft = RawGraph::numbered(vertices).map_err(|e| excess(text, word, e))?;
    draft.allow_both_ends();
    draft.announce(Announced::FromBothEnds(edges));
    for at in 0..vertices {
        let Some(line) = lines.next() else {
            let problem = format!("{at} lines of neighbors, expected {vertices}");
            return Err(ParseError::at(text, text.len(), problem));
        };
        let at = at as u16;
        let mut words = plain_words(line);
        let mut next = |expected: &str| {
            words
                .next()
                .ok_or_else(|| ParseError::found(text, end(line), expected))
        };
        if sized {
            next("the size of the vertex")?;
        }
        if weighted {
            for place in 0..weights {
                let weight: Points = number(
                    text,
                    next("a weight of the vertex")?,
                    "a weight of the vertex",
                )?;
                if place == 0 {
                    draft.weight(at, weight);
                }
            }
        }
        while let Some(word) = words.next() {
            let other = vertex(text, word, vertices)?;
            let weight =
                match weighted_edges {
                    false => None,
                    true => {
                        let word = words.next().unwrap_or(end(line));
                        let weight = weight(word);
                        Some(weight.ok_or_else(|| {
                            ParseError::found(text, word, "the weight of the edge")
                        })?)
                    }
                };
            draft
                .edge(at, other, weight)
                .map_err(|e| excess(text, word, e))?;
        }
    }
    if let Some(line) = lines.find(|line| !line.trim().is_empty()) {
        return Err(ParseError::found(
            text,
            line,
            &format!("the end of the text after {vertices} vertices"),
        ));
    }
    Ok(draft)
}

/// Writes a graph. As the format requires, weights appear only if all vertices, or all edges, have
/// whole ones.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    let view = super::View::of(goban);
    let weights: Vec<(usize, Points)> = view.vertex_weights().collect();
    let weighted = graph.vertices() > 0
        && weights.len() == graph.vertices()
        && weights
            .iter()
            .all(|(_, weight)| weight.decimals() == 0 && *weight >= Points::ZERO);
    let edge_weights = &goban.notes.edge_weights;
    let weighted_edges = graph.edges() > 0
        && edge_weights.len() == graph.edges()
        && edge_weights
            .iter()
            .all(|(_, weight)| weight.fract() == 0.0 && *weight > 0.0);
    let form = match (weighted, weighted_edges) {
        (false, false) => "",
        (false, true) => " 001",
        (true, false) => " 010",
        (true, true) => " 011",
    };
    let mut out = format!("{} {}{form}\n", graph.vertices(), graph.edges());
    for vertex in graph.all() {
        let mut words: Vec<String> = Vec::new();
        if weighted && let Some((_, weight)) = weights.get(vertex.index()) {
            words.push(weight.to_string());
        }
        for &other in graph.neighbors(vertex) {
            words.push((other.index() + 1).to_string());
            let number = |vertex: Vertex| vertex.index() as u16;
            if weighted_edges
                && let Some(weight) = goban.notes.edge_weight(number(vertex), number(other))
            {
                words.push(weight.to_string());
            }
        }
        out.push_str(&words.join(" "));
        out.push('\n');
    }
    Ok(out)
}
