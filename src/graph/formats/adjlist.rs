//! Adjacency lists: `u: v w` or `u v w` a line, each edge once or twice; `#` begins a comment.

use super::Input;
use super::draft::Draft;
use super::fault::Fault;
use super::words::{as_word, end, excess, words};
use crate::graph::goban::Goban;
use crate::vertex::Vertex;

/// The comment by which a list without colons is recognised.
pub(super) const HEADER: &str = "# adjacency list";

pub(super) fn read(input: &Input<'_>) -> Result<Draft, Fault> {
    let text = input.text;
    let mut draft = Draft::default();
    draft.allow_both_ends();
    // Who has a line is numbered by that line, whoever names it before.
    for line in text.lines() {
        let (head, _) = split(line);
        if let Some(head) = head {
            draft.vertex(head).map_err(|e| excess(text, head, e))?;
        }
    }
    for line in text.lines() {
        let (Some(head), rest) = split(line) else {
            continue;
        };
        let from = draft.vertex(head).map_err(|e| excess(text, head, e))?;
        for name in words(rest) {
            let to = draft.vertex(name).map_err(|e| excess(text, name, e))?;
            draft
                .edge(from, to, None)
                .map_err(|e| excess(text, name, e))?;
        }
    }
    if draft.vertices() == 0 && !text.contains(HEADER) {
        return Err(Fault::found(text, end(text), "a vertex and its neighbors"));
    }
    Ok(draft)
}

/// The vertex that a line is about, and its neighbours.
fn split(line: &str) -> (Option<&str>, &str) {
    let line = line.split('#').next().unwrap_or_default();
    if let Some((head, rest)) = line.split_once(':')
        && (rest.is_empty() || rest.starts_with(char::is_whitespace))
        && let (Some(head), None) = (words(head).next(), words(head).nth(1))
    {
        return (Some(head), rest);
    }
    let Some(head) = words(line).next() else {
        return (None, "");
    };
    let end = (head.as_ptr() as usize + head.len()).saturating_sub(line.as_ptr() as usize);
    let rest = line.get(end..).unwrap_or_default();
    (Some(head), rest.strip_prefix('"').unwrap_or(rest))
}

/// Each edge once, in the form that networkx reads.
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
