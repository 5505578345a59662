//! TGF, the trivial graph format: a line `ID NAME` for each vertex, a line `#`, then a line `ID ID
//! NAME` for each edge. If every name is three numbers, the names are coordinates.

use std::collections::HashSet;

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, finite, plain_words, weight};

/// Line between vertices and edges.
const BORDER: &str = "#";

/// Returns true if a text is TGF whatever its extension. All edges must be between vertices listed
/// above the border.
pub(super) fn is_tgf(text: &str) -> bool {
    if !text.lines().any(|line| line.trim() == BORDER) {
        return false;
    }
    let mut ids: HashSet<&str> = HashSet::new();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.by_ref().take_while(|line| *line != BORDER) {
        let id = plain_words(line).next().unwrap_or_default();
        if id.starts_with(['#', '%']) || !ids.insert(id) {
            return false;
        }
    }
    let mut edges = 0usize;
    let known = lines.all(|line| {
        let mut words = plain_words(line);
        edges += 1;
        [words.next(), words.next()]
            .iter()
            .all(|id| id.is_some_and(|id| ids.contains(id)))
    });
    known && edges > 0
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    let mut above = true;
    // Names or coordinates: which of them they are is clear only after the last one.
    let mut names: Vec<Option<&str>> = Vec::new();
    for line in text.lines() {
        let mut words = plain_words(line);
        let Some(a) = words.next() else { continue };
        if line.trim() == BORDER {
            above = false;
            continue;
        }
        if above {
            let known = draft.vertices();
            draft.vertex(a).map_err(|e| excess(text, a, e))?;
            if draft.vertices() == known {
                return Err(ParseError::found(
                    text,
                    a,
                    "a unique id, or # before the edges",
                ));
            }
            let name = line.trim_start().get(a.len()..).unwrap_or_default().trim();
            names.push((!name.is_empty()).then_some(name));
            continue;
        }
        let b = words.next().unwrap_or(end(line));
        let find = |id: &str| {
            let found = draft.find(id);
            found.ok_or_else(|| ParseError::found(text, id, "the id of a vertex above the line #"))
        };
        let ends = (find(a)?, find(b)?);
        let noted = words.next().and_then(weight);
        let added = draft.edge(ends.0, ends.1, noted);
        added.map_err(|e| excess(text, a, e))?;
    }
    if above {
        return Err(ParseError::found(
            text,
            end(text),
            "a line # between vertices and edges",
        ));
    }
    let place = |name: &Option<&str>| {
        let numbers: Option<Vec<f64>> = plain_words((*name)?).take(4).map(finite).collect();
        <[f64; 3]>::try_from(numbers?).ok()
    };
    let places: Option<Vec<[f64; 3]>> = names.iter().map(place).collect();
    for (vertex, name) in (0..).zip(names) {
        let place = places
            .as_ref()
            .and_then(|places| places.get(usize::from(vertex)));
        match (place, name) {
            (Some(place), _) => draft.place(vertex, *place),
            (None, Some(name)) => draft.rename(vertex, name.to_string()),
            (None, None) => {}
        }
    }
    let is_edge = |line: &str| {
        let mut words = plain_words(line).skip(2);
        words.next().is_none_or(|word| weight(word).is_some()) && words.next().is_none()
    };
    if input.is_guessed && text.lines().all(is_edge) {
        let warning = format!(
            "{} is read as TGF: vertices above the line #, edges below it; --from edgelist reads all lines as edges",
            input.source
        );
        draft.warnings.push(warning);
    }
    Ok(draft)
}
