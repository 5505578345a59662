//! Edge lists: two names per line. One name alone is an isolated vertex. A number in the third
//! column, or `{'weight': 2}` as networkx writes it, is a weight. A line of `#` or `%` is a
//! comment. A first line of words such as `source` and `target` is the header of a table.

use std::borrow::Cow;

use super::columns::{Columns, is_node_table};
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::rows::all_have_colons;
use super::separator::Separator;
use super::words::{as_word, end, excess, plain_words, unquoted, weight};
use super::{Input, Reading};
use crate::Graph;
use crate::model::goban::Goban;
use crate::model::names::{is_label, is_name};
use omnigo_base::vertex::Vertex;

/// First line of a written list that would be read as something else without it.
const HEADER: &str = "# edge list written by omnigo";

const LINE: &str = "two names and an optional weight";
const PAJEK: &str = "names (for Pajek files, use --from pajek)";
const NODES: &str = "a table of edges, with columns such as source and target, not of nodes";
const NAME: &str = "a printable word of at most 255 bytes, neither pass nor resign";
const QUOTE: &str = "a closing quote on the same line";
const LONE: &str =
    "two names, or one name, in double quotes unless it has only letters, digits, _ . or '";

/// Returns true if a list begins with the mark of a written list.
pub(super) fn is_marked(text: &str) -> bool {
    text.lines().next() == Some(HEADER)
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    // Names in a written list may look like a header or the first line of another format.
    let is_written = is_marked(text);
    if !is_written && let Some(draft) = super::matrix::read(input)? {
        return Ok(draft);
    }
    if let Some(line) = text.lines().next().filter(|line| is_konect(line)) {
        match plain_words(line).nth(1) {
            Some("bip") => {
                let expected = "% sym (both sides of a bipartite graph use the same numbers)";
                return Err(ParseError::found(text, line, expected));
            }
            Some("asym") => input.directed(line)?,
            _ => {}
        }
    }
    let konect = text.lines().next().is_some_and(is_konect);
    // Lines of KONECT may have both white space and tabs between their numbers.
    let separator = match is_written || konect {
        true => Separator::Gap,
        false => Separator::of(text),
    };
    let mut draft = RawGraph::default();
    let mut columns: Option<Columns> = None;
    let mut first: Option<&str> = None;
    for whole in text.lines() {
        let (line, data) = split(whole, separator, columns.is_some());
        if line.trim().is_empty() {
            continue;
        }
        if first.is_none() && columns.is_none() && !is_written {
            if is_node_table(&separator.fields(line)) {
                return Err(ParseError::found(text, line.trim(), NODES));
            }
            // Only edges have attributes in braces.
            let header = match data {
                None => Columns::header(input, line, separator),
                Some(_) => None,
            };
            if let Some((found, warning)) = header {
                columns = Some(found);
                draft.warnings.extend(warning);
                continue;
            }
            first = Some(line);
        }
        if let Some(columns) = &mut columns {
            columns.row(input, &mut draft, line, separator)?;
            continue;
        }
        let parted = separator.fields(line).into_iter();
        let mut words = parted.filter(|field| !field.is_empty());
        let Some(a) = words.next() else { continue };
        if a.eq_ignore_ascii_case("*vertices") && draft.vertices() == 0 && !is_written {
            // Every word of a Pajek file could be a name, so refuse the file by its first word.
            return Err(ParseError::found(text, a, PAJEK));
        }
        let b = words.next();
        let weighed = words.next();
        let weight = match weighed {
            None => data.and_then(weight_in),
            Some(word) => Some(
                separator
                    .weight(word)
                    .ok_or_else(|| ParseError::found(text, word, &format!("a weight: {LINE}")))?,
            ),
        };
        // In KONECT files, a time follows the weight.
        if let Some(word) = words.next().filter(|_| !konect) {
            return Err(ParseError::found(
                text,
                word,
                &format!("the end of the line: {LINE}"),
            ));
        }
        let Some(b) = b else {
            lone(text, &mut draft, line, a)?;
            continue;
        };
        edge(text, &mut draft, [a, b], weight)?;
    }
    if draft.vertices() == 0 {
        return Err(ParseError::found(text, end(text), LINE));
    }
    let unread = columns.map_or(0, |columns| columns.unread);
    let doubt = first.and_then(|line| doubt(input, line, separator));
    let colons = (!is_written).then(|| colons(input)).flatten();
    draft.warnings.extend(doubt.into_iter().chain(colons));
    if unread > 0 {
        let source = input.source;
        draft.warnings.push(format!(
            "edge weights ignored in {source}, because they are not numbers: {unread}"
        ));
    }
    Ok(draft)
}

/// Returns a warning if all names at the start of a line end in a colon, as in lists of neighbors.
fn colons(input: &Input<'_>) -> Option<String> {
    (input.reading.from.is_none() && all_have_colons(input.text)).then(|| {
        format!(
            "names in {} end in colons, because a number in each line is read as a weight; --from adjlist reads lists of neighbors",
            input.source
        )
    })
}

/// Adds the vertex of a line with a single word.
fn lone(text: &str, draft: &mut RawGraph, line: &str, word: &str) -> Result<(), ParseError> {
    // `a-b` alone is an edge in the wrong form, and most lines of other formats contain such signs.
    let quoted = line.trim_start().starts_with('"');
    let sound = if quoted { is_word(word) } else { is_bare(word) };
    if !sound {
        return Err(ParseError::found(text, word, LONE));
    }
    let added = draft.vertex(&name_of(text, word)?);
    added.map(|_| ()).map_err(|e| excess(text, word, e))
}

/// Adds an edge between two names of `text`.
pub(super) fn edge(
    text: &str,
    draft: &mut RawGraph,
    names: [&str; 2],
    weight: Option<f64>,
) -> Result<(), ParseError> {
    for name in names {
        if !is_word(name) {
            return Err(ParseError::found(text, name, NAME));
        }
    }
    let [a, b] = names;
    let from = draft.vertex(&name_of(text, a)?);
    let from = from.map_err(|e| excess(text, a, e))?;
    let to = draft.vertex(&name_of(text, b)?);
    let to = to.map_err(|e| excess(text, b, e))?;
    draft.edge(from, to, weight).map_err(|e| excess(text, a, e))
}

/// Returns the name that a word of `text` stands for. A name in quotes must end on its line.
pub(super) fn name_of<'a>(text: &str, word: &'a str) -> Result<Cow<'a, str>, ParseError> {
    let offset = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let is_inner = text.get(..offset).unwrap_or_default().ends_with('"');
    match word.starts_with('"') && !is_inner && word.matches('"').count() % 2 == 1 {
        true => Err(ParseError::found(text, word, QUOTE)),
        false => Ok(unquoted(text, word)),
    }
}

/// Returns true if a first line is that of a KONECT file, such as `% sym unweighted`.
pub(super) fn is_konect(line: &str) -> bool {
    let mut words = plain_words(line);
    words.next() == Some("%")
        && matches!(words.next(), Some("sym" | "asym" | "bip"))
        && words.next().is_some()
}

/// Returns a warning if the first lines seem to count vertices and edges, or to name columns.
fn doubt(input: &Input<'_>, first: &str, separator: Separator) -> Option<String> {
    let lines = input
        .text
        .lines()
        .map(|line| split(line, separator, false).0);
    let lines = || lines.clone().filter(|line| !line.trim().is_empty());
    let number = |field: &str| field.parse::<usize>().ok();
    let source = input.source;
    let counts: Vec<_> = separator.fields(first).into_iter().map(number).collect();
    match counts.as_slice() {
        [Some(vertices), Some(edges)] => {
            let others = lines().count() - 1;
            (others > 0 && *edges == others && *vertices > 0).then(|| {
                format!(
                    "'{}' at the beginning of {source} is read as an edge, but {others} lines follow: remove it if it counts vertices and edges",
                    first.trim()
                )
            })
        }
        [Some(vertices)] => {
            let edges = number(lines().nth(1)?.trim())?;
            let others = lines().count() - 2;
            (others > 0 && edges == others && *vertices > 0).then(|| {
                format!(
                    "'{vertices}' and '{edges}' at the beginning of {source} are read as vertices, but {others} lines follow: remove them if they count vertices and edges"
                )
            })
        }
        [None, None, ..] => {
            let mut others = lines().skip(1).peekable();
            others.peek()?;
            let is_of_numbers = |line: &str| {
                let fields = separator.fields(line);
                fields.len() > 1 && fields.iter().take(2).all(|&field| number(field).is_some())
            };
            others.all(is_of_numbers).then(|| {
                format!(
                    "'{}' at the beginning of {source} is read as an edge, but all other names are numbers: remove it if it names columns",
                    first.trim()
                )
            })
        }
        _ => None,
    }
}

/// Returns true if a name may stand alone on a line without quotes.
fn is_bare(name: &str) -> bool {
    let sound = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    is_label(name) && name.chars().all(sound)
}

/// Returns true if a word can name a vertex. White space and `#` are replaced later.
fn is_word(name: &str) -> bool {
    is_label(name) || name.contains(|c: char| c.is_whitespace() || c == '#')
}

/// Returns a line without its comment, and the attributes in braces at its end.
fn split(line: &str, separator: Separator, is_table: bool) -> (&str, Option<&str>) {
    let line = separator.content(line, is_table);
    match line.split_once('{') {
        Some((words, data)) if data.trim_end().ends_with('}') => (words, Some(data)),
        _ => (line, None),
    }
}

/// Returns the weight in attributes such as `'color': 1, 'weight': 0.5}`.
pub(super) fn weight_in(data: &str) -> Option<f64> {
    let (_, value) = data.split_once("weight")?;
    let value = value.trim_start_matches(['\'', '"', ':', ' ']);
    weight(value.split([',', '}']).next()?.trim())
}

/// Writes each edge when its higher end is reached, so that names first appear in index order.
/// Begins with [`HEADER`] if the list would be read as another board without it.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    if graph.vertices() == 0 {
        return Err(
            "a board without vertices cannot be written as an edge list, expected json".to_string(),
        );
    }
    let names = graph
        .all()
        .map(|vertex| as_word(&goban.names.label(vertex)));
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    let name = |vertex: Vertex| names.get(vertex.index()).map_or("", String::as_str);
    // A name with other signs than specs allow needs quotes if it stands alone.
    let alone = |vertex: Vertex| match name(vertex) {
        name if is_name(name) || name.starts_with('"') => format!("{name}\n"),
        name => format!("\"{name}\"\n"),
    };
    let mut out = String::new();
    // Vertex without lower neighbors. It gets its own line unless the first edge of the next vertex
    // names it.
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
    match is_read_again(goban, &out) {
        true => Ok(out),
        false => Ok(format!("{HEADER}\n{out}")),
    }
}

/// Returns true if a written list is recognized and read as the same graph with the same names.
fn is_read_again(goban: &Goban, text: &str) -> bool {
    let Ok(mut part) = super::read(text.as_bytes(), "", "", &Reading::default()) else {
        return false;
    };
    let (graph, _) = Graph::from_edges(part.vertices, &part.edges);
    let names = part.names();
    let mut vertices = graph.all();
    graph == *goban.graph && vertices.all(|v| names.label(v) == goban.names.label(v))
}
