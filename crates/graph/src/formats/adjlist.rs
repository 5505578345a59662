//! Adjacency lists: one line `u: v w` or `u v w` per vertex. Each edge may be listed at one end or
//! at both. `#` starts a comment.

use super::Input;
use super::edgelist::name_of;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::rows::split_at_colon;
use super::words::{as_word, end, excess, words};
use crate::model::goban::Goban;
use omnigo_base::vertex::Vertex;

/// First line of a written list. Recognition uses it to identify lists without colons.
pub(super) const HEADER: &str = "# adjacency list";

/// Returns true if a text is a multi-line adjacency list of networkx: `NAME COUNT`, then COUNT
/// lines `NEIGHBOR {…}` for each vertex.
pub(super) fn has_lines_of_neighbors(text: &str) -> bool {
    let mut lines = text.lines().filter_map(content);
    let mut neighbors = 0usize;
    while let Some(line) = lines.next() {
        let Some((_, count)) = counted(line) else {
            return false;
        };
        for _ in 0..count {
            // Require the braces: without them, the text could also be a list of edges.
            if !lines
                .next()
                .is_some_and(|line| line.ends_with('}') && line.contains('{'))
            {
                return false;
            }
            neighbors += 1;
        }
    }
    neighbors > 0
}

/// Returns a line without its comment, or `None` if only white space is left.
fn content(line: &str) -> Option<&str> {
    let line = line.split('#').next().unwrap_or_default().trim();
    (!line.is_empty()).then_some(line)
}

/// Returns a vertex name and the number of neighbor lines that follow, or `None` for any other
/// line.
fn counted(line: &str) -> Option<(&str, usize)> {
    let mut words = words(line);
    let (name, count) = (words.next()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((name, count))
}

/// Reads blocks of `NAME COUNT` and COUNT neighbor lines.
fn read_lines(text: &str) -> Result<RawGraph, ParseError> {
    let mut draft = RawGraph::default();
    draft.allow_both_ends();
    let mut left = 0usize;
    let mut from = 0;
    for line in text.lines().filter_map(content) {
        if left == 0 {
            let expected = "a name and the number of lines with its neighbors";
            let (name, count) =
                counted(line).ok_or_else(|| ParseError::found(text, line, expected))?;
            from = draft.vertex(name).map_err(|e| excess(text, name, e))?;
            left = count;
            continue;
        }
        left -= 1;
        let (name, data) = line.split_once('{').unwrap_or((line, ""));
        let name = words(name).next().unwrap_or_default();
        let to = draft.vertex(name).map_err(|e| excess(text, name, e))?;
        let noted = super::edgelist::weight_in(data);
        let added = draft.edge(from, to, noted);
        added.map_err(|e| excess(text, name, e))?;
    }
    Ok(draft)
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    if has_lines_of_neighbors(text) {
        return read_lines(text);
    }
    let mut draft = RawGraph::default();
    draft.allow_both_ends();
    // Number the vertices in the order of their own lines, even if an earlier line names them as
    // neighbors.
    for line in text.lines() {
        let (head, _) = split(line);
        if let Some(head) = head {
            let added = draft.vertex(&name_of(text, head)?);
            added.map_err(|e| excess(text, head, e))?;
        }
    }
    for line in text.lines() {
        let (Some(head), rest) = split(line) else {
            continue;
        };
        let from = draft.vertex(&name_of(text, head)?);
        let from = from.map_err(|e| excess(text, head, e))?;
        for name in words(rest) {
            let to = draft.vertex(&name_of(text, name)?);
            let to = to.map_err(|e| excess(text, name, e))?;
            draft
                .edge(from, to, None)
                .map_err(|e| excess(text, name, e))?;
        }
    }
    if draft.vertices() == 0 && !text.contains(HEADER) {
        return Err(ParseError::found(
            text,
            end(text),
            "a vertex and its neighbors",
        ));
    }
    let has_colons = || text.lines().any(|line| split_at_colon(line).is_some());
    if input.is_guessed && !text.contains(HEADER) && !has_colons() {
        draft.warnings.push(format!(
            "{} is read as lists of neighbors, because each vertex begins one line; --from edgelist reads edges with weights",
            input.source
        ));
    }
    Ok(draft)
}

/// Splits a line into the vertex that it describes and the text with its neighbors. The vertex is
/// `None` for an empty line.
fn split(line: &str) -> (Option<&str>, &str) {
    let line = line.split('#').next().unwrap_or_default();
    if let Some((head, rest)) = split_at_colon(line) {
        return (words(head).next(), rest);
    }
    let Some(head) = words(line).next() else {
        return (None, "");
    };
    let end = (head.as_ptr() as usize + head.len()).saturating_sub(line.as_ptr() as usize);
    let rest = line.get(end..).unwrap_or_default();
    (Some(head), rest.strip_prefix('"').unwrap_or(rest))
}

/// Writes each edge once, in the form that networkx reads.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let names = goban
        .graph
        .all()
        .map(|vertex| as_word(&goban.names.label(vertex)));
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    let name = |vertex: Vertex| names.get(vertex.index()).map_or("", String::as_str);
    let mut out = format!("{HEADER}\n");
    for vertex in goban.graph.all() {
        out.push_str(name(vertex));
        for &other in goban.graph.neighbors(vertex) {
            if other > vertex {
                out.push(' ');
                out.push_str(name(other));
            }
        }
        out.push('\n');
    }
    Ok(out)
}
