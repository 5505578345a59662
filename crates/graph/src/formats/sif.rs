//! SIF of Cytoscape: a line `NAME RELATION NAME …` joins the first name to each later one. A name
//! alone is an isolated vertex. Tabs separate the words if the file has any, else white space.
//! Only read.

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess};

const LINE: &str = "a name, a relation, and further names, or one name";

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let tabs = text.contains('\t');
    let mut draft = RawGraph::default();
    for line in text.lines() {
        let mut words = line
            .split(move |c: char| if tabs { c == '\t' } else { c.is_whitespace() })
            .map(str::trim)
            .filter(|word| !word.is_empty());
        let Some(name) = words.next() else { continue };
        let from = draft.vertex(name).map_err(|e| excess(text, name, e))?;
        if words.next().is_none() {
            continue;
        }
        let first = words.next();
        if first.is_none() {
            return Err(ParseError::found(text, end(line.trim_end()), LINE));
        }
        for name in first.into_iter().chain(words) {
            let to = draft.vertex(name).map_err(|e| excess(text, name, e))?;
            draft
                .edge(from, to, None)
                .map_err(|e| excess(text, name, e))?;
        }
    }
    if draft.vertices() == 0 {
        return Err(ParseError::found(text, end(text), LINE));
    }
    Ok(draft)
}
