//! Edge lists: two names a line, parted by white space or a comma; one name alone is an isolated vertex. A number in the
//! third column, or `{'weight': 2}` as networkx writes it, is a weight. `#` or `%` begins a comment.

use super::Input;
use super::draft::Draft;
use super::fault::Fault;
use super::words::{as_word, end, excess, weight, words};
use crate::graph::goban::Goban;
use crate::graph::names::{is_label, is_name};
use crate::vertex::Vertex;

const LINE: &str = "two names and at most a weight";
const PAJEK: &str = "names; files of Pajek are not read, GraphML or JSON hold the same";
const NAME: &str = "a printable word of at most 255 bytes, neither pass nor resign";
const LONE: &str =
    "two names, or one of letters, digits, _ . or ', in double quotes where it has others";

pub(super) fn read(input: &Input<'_>) -> Result<Draft, Fault> {
    let text = input.text;
    let mut draft = Draft::default();
    for line in text.lines() {
        let (line, data) = split(line);
        let mut words = words(line);
        let Some(a) = words.next() else { continue };
        if a.eq_ignore_ascii_case("*vertices") && draft.vertices() == 0 {
            // Every word of such a file could be a name.
            return Err(Fault::found(text, a, PAJEK));
        }
        let b = words.next();
        let weighed = words.next();
        let weight = match weighed {
            None => data.and_then(weight_in),
            Some(word) => Some(
                weight(word)
                    .ok_or_else(|| Fault::found(text, word, &format!("a weight: {LINE}")))?,
            ),
        };
        if let Some(word) = words.next() {
            return Err(Fault::found(
                text,
                word,
                &format!("the end of the line: {LINE}"),
            ));
        }
        let Some(b) = b else {
            // `a-b` alone is an edge in the wrong form, and most lines of other formats have such signs.
            let quoted = line.trim_start().starts_with('"');
            let sound = if quoted { is_word(a) } else { is_bare(a) };
            if !sound {
                return Err(Fault::found(text, a, LONE));
            }
            draft.vertex(a).map_err(|e| excess(text, a, e))?;
            continue;
        };
        for name in [a, b] {
            if !is_word(name) {
                return Err(Fault::found(text, name, NAME));
            }
        }
        let from = draft.vertex(a).map_err(|e| excess(text, a, e))?;
        let to = draft.vertex(b).map_err(|e| excess(text, b, e))?;
        draft
            .edge(from, to, weight)
            .map_err(|e| excess(text, a, e))?;
    }
    if draft.vertices() == 0 {
        return Err(Fault::found(text, end(text), LINE));
    }
    Ok(draft)
}

/// Whether a name may stand alone without quotes.
fn is_bare(name: &str) -> bool {
    let sound = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    is_label(name) && name.chars().all(sound)
}

/// Whether this can name a vertex; white space in quotes or parentheses is mended later.
fn is_word(name: &str) -> bool {
    is_label(name) || name.contains(char::is_whitespace)
}

/// The words of a line without its comment, and the attributes in braces behind them.
fn split(line: &str) -> (&str, Option<&str>) {
    if line.trim_start().starts_with(['#', '%']) {
        return ("", None);
    }
    let line = line.split('#').next().unwrap_or_default();
    match line.split_once('{') {
        Some((words, data)) if data.trim_end().ends_with('}') => (words, Some(data)),
        _ => (line, None),
    }
}

/// The weight among attributes such as `'color': 1, 'weight': 0.5}`.
fn weight_in(data: &str) -> Option<f64> {
    let (_, value) = data.split_once("weight")?;
    let value = value.trim_start_matches(['\'', '"', ':', ' ']);
    weight(value.split([',', '}']).next()?.trim())
}

/// Writes each edge behind its higher end's turn, so that the first appearances are in index order.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    if graph.vertices() == 0 {
        return Err("a board without vertices is no list of edges, expected json".to_string());
    }
    let names = graph
        .all()
        .map(|vertex| as_word(&goban.names.label(vertex)));
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    let name = |vertex: Vertex| names.get(vertex.index()).map_or("", String::as_str);
    // What has other signs than names in specs stands alone in quotes only.
    let alone = |vertex: Vertex| match name(vertex) {
        name if is_name(name) || name.starts_with('"') => format!("{name}\n"),
        name => format!("\"{name}\"\n"),
    };
    let mut out = String::new();
    // A vertex that may yet appear in time as an end of the next one's edge.
    let mut pending: Option<Vertex> = None;
    for vertex in graph.all() {
        let lower = graph.neighbors(vertex).iter().rev().copied();
        let mut lower = lower.skip_while(|&other| other > vertex).peekable();
        if let Some(waiting) = pending.take()
            && lower.peek() != Some(&waiting)
        {
            out.push_str(&alone(waiting));
        }
        if lower.peek().is_none() {
            pending = Some(vertex);
            continue;
        }
        for other in lower {
            out.push_str(&format!("{} {}", name(other), name(vertex)));
            let ends = (other.index() as u16, vertex.index() as u16);
            if let Some(weight) = goban.notes.edge_weight(ends.0, ends.1) {
                out.push_str(&format!(" {weight}"));
            }
            out.push('\n');
        }
    }
    out.extend(pending.map(alone));
    Ok(out)
}
