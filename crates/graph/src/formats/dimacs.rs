//! DIMACS graphs: `c` comments, `p edge VERTICES EDGES`, and `e U V` with vertices counted from 1.
//! PACE files have `p tw` and edges as `U V` alone. Another number of edges causes a warning.
//! Files may count lines, edges, or each edge twice.

use super::Input;
use super::announced::Announced;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, number, plain_words, vertex, weight};
use crate::model::goban::Goban;
use omnigo_base::points::Points;

const PROBLEM: &str = "p edge, then the numbers of vertices and edges";
const LINE: &str = "a line that starts with c, p, e, n or a";

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft: Option<RawGraph> = None;
    let mut ignored = 0usize;
    for line in text.lines() {
        let mut words = plain_words(line);
        let Some(kind) = words.next() else { continue };
        match (kind, &mut draft) {
            ("c", _) => {}
            ("p", None) => {
                let form = words.next().unwrap_or(end(line));
                if !["edge", "col", "edges", "max", "sp", "tw", "cep", "ds"].contains(&form) {
                    return Err(ParseError::found(text, form, PROBLEM));
                }
                let word = words.next().unwrap_or(end(line));
                let vertices = number(text, word, PROBLEM)?;
                let mut new = RawGraph::numbered(vertices).map_err(|e| excess(text, word, e))?;
                new.allow_both_ends();
                if let Some(word) = words.next() {
                    new.announce(Announced::Loosely(number(text, word, PROBLEM)?));
                }
                draft = Some(new);
            }
            ("p", Some(_)) => {
                return Err(ParseError::found(
                    text,
                    kind,
                    "only one line that starts with p",
                ));
            }
            (_, None) => return Err(ParseError::found(text, kind, PROBLEM)),
            ("e" | "a", Some(draft)) => {
                if kind == "a" {
                    input.directed(kind)?;
                }
                let n = draft.vertices();
                let a = vertex(text, words.next().unwrap_or(end(line)), n)?;
                let b = vertex(text, words.next().unwrap_or(end(line)), n)?;
                let weight = words.next().and_then(weight);
                draft
                    .edge(a, b, weight)
                    .map_err(|e| excess(text, kind, e))?;
            }
            ("n", Some(draft)) => {
                let at = vertex(text, words.next().unwrap_or(end(line)), draft.vertices())?;
                match words.next().and_then(|word| word.parse::<Points>().ok()) {
                    Some(weight) => draft.weight(at, weight),
                    None => ignored += 1,
                }
            }
            // Edge lines of PACE have no letter.
            (word, Some(draft)) if word.bytes().all(|c| c.is_ascii_digit()) => {
                let n = draft.vertices();
                let a = vertex(text, word, n)?;
                let b = vertex(text, words.next().unwrap_or(end(line)), n)?;
                draft.edge(a, b, None).map_err(|e| excess(text, word, e))?;
            }
            // Descriptors of geometry and of graph problems, which a board does not use.
            ("d" | "v" | "x" | "b", Some(_)) => ignored += 1,
            _ => return Err(ParseError::found(text, kind, LINE)),
        }
    }
    let mut draft = draft.ok_or_else(|| ParseError::found(text, end(text), PROBLEM))?;
    if ignored > 0 {
        draft
            .warnings
            .push(format!("lines ignored in {}: {ignored}", input.source));
    }
    Ok(draft)
}

pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    let mut out = format!("p edge {} {}\n", graph.vertices(), graph.edges());
    for (vertex, weight) in super::View::of(goban).vertex_weights() {
        out.push_str(&format!("n {} {weight}\n", vertex + 1));
    }
    for (a, b) in goban.graph.pairs() {
        out.push_str(&format!("e {} {}", a + 1, b + 1));
        if let Some(weight) = goban.notes.edge_weight(a as u16, b as u16) {
            out.push_str(&format!(" {weight}"));
        }
        out.push('\n');
    }
    Ok(out)
}
