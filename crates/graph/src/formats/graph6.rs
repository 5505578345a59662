//! The formats graph6, sparse6, and digraph6: six bits per character, from `?` (0) to `~` (63).
//!
//! First comes the number of vertices: one character below 63, else `~` and three characters, else
//! `~~` and six. In graph6, the upper triangle of the adjacency matrix follows column by column,
//! padded with zeros.
//!
//! A sparse6 text begins with a colon and is a list of edges. Each entry is a bit that moves on to
//! the next vertex, and the other end. The end takes as many bits as the last index needs.
//!
//! A digraph6 text begins with `&` and has the full matrix. It is only read.
//!
//! Format: B. D. McKay, "graph6 and sparse6 graph formats", part of nauty.

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::{Excess, RawGraph};
use crate::Graph;
use crate::model::board_parts::BoardParts;
use crate::model::goban::Goban;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

pub(crate) const HEADER: &str = ">>graph6<<";
pub(crate) const SPARSE_HEADER: &str = ">>sparse6<<";
/// First character of sparse6 text.
pub(crate) const SPARSE: char = ':';
/// First character of digraph6 text.
pub(super) const DIRECTED: char = '&';
/// Character of value 0.
const LOWEST: u8 = b'?';
/// Character of value 63, which announces a longer number.
const HIGHEST: u8 = b'~';

/// Byte offset of an error in a text, and its description.
type Problem = (usize, String);

/// Reads a file with one graph per line. Takes the graph that the user selected, or else the first.
pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let mut lines = input.text.lines().filter(|line| !line.trim().is_empty());
    let before = lines
        .by_ref()
        .take(input.wanted().saturating_sub(1))
        .count();
    let line = match lines.next() {
        Some(line) => line.trim(),
        None if before == 0 && input.wanted() == 1 => "",
        None => return Err(input.missing(before)),
    };
    let body = [HEADER, SPARSE_HEADER, ">>digraph6<<"]
        .iter()
        .find_map(|header| line.strip_prefix(header))
        .unwrap_or(line);
    let start = (body.as_ptr() as usize).saturating_sub(input.text.as_ptr() as usize);
    let fault = |(offset, problem): Problem| {
        ParseError::at(input.text, start.saturating_add(offset), problem)
    };
    let mut draft = match body.chars().next() {
        Some(SPARSE) => sparse(body).map_err(fault)?,
        Some(DIRECTED) => {
            input.directed(body)?;
            arcs(body).map_err(fault)?
        }
        _ => {
            let part = decode(body).map_err(fault)?;
            let mut draft =
                RawGraph::numbered(part.vertices).map_err(|e| fault((0, e.to_string())))?;
            for (a, b) in part.edges {
                draft
                    .edge(a, b, None)
                    .map_err(|e| fault((0, e.to_string())))?;
            }
            draft.warnings = part.warnings;
            draft
        }
    };
    let more = lines.count();
    if more > 0 {
        draft.warnings.extend(input.several(more + 1));
    }
    Ok(draft)
}

/// Returns the values of the characters, 0…63.
fn values(text: &str) -> Result<Vec<u8>, Problem> {
    let allowed = char::from(LOWEST)..=char::from(HIGHEST);
    match text.char_indices().find(|(_, c)| !allowed.contains(c)) {
        None => Ok(text.bytes().map(|c| c.saturating_sub(LOWEST)).collect()),
        Some((offset, c)) => {
            let c = quote(&c.to_string());
            Err((
                offset,
                format!("character '{c}', expected characters from ? to ~"),
            ))
        }
    }
}

/// Reads the number of vertices at the front. Returns it and the remaining values.
fn vertices(values: &[u8]) -> Result<(usize, &[u8]), Problem> {
    let ends = || {
        (
            values.len(),
            "the text ends inside the number of vertices".to_string(),
        )
    };
    let (vertices, rest) = number(values).ok_or_else(ends)?;
    match usize::try_from(vertices) {
        Ok(count) if count <= Vertex::LIMIT => Ok((count, rest)),
        _ => Err((
            0,
            format!("{vertices} vertices, expected at most {}", Vertex::LIMIT),
        )),
    }
}

fn bits(values: &[u8]) -> impl Iterator<Item = bool> {
    values
        .iter()
        .flat_map(|value| (0..6).rev().map(move |bit| value >> bit & 1 == 1))
}

/// Checks that `matrix` has as many characters as `needed` bits take.
fn check_length(vertices: usize, matrix: &[u8], needed: usize) -> Result<(), Problem> {
    let (have, needed) = (matrix.len(), needed.div_ceil(6));
    if have != needed {
        return Err((
            0,
            format!(
                "{have} characters after the number of vertices, expected {needed} for {vertices}"
            ),
        ));
    }
    Ok(())
}

/// Reads graph6 without its header.
pub(crate) fn decode(text: &str) -> Result<BoardParts, Problem> {
    match text.chars().next() {
        Some(SPARSE) => return Err((0, "the text is sparse6, expected graph6".to_string())),
        Some(DIRECTED) => {
            return Err((
                0,
                "the text is digraph6, expected an undirected graph".to_string(),
            ));
        }
        _ => {}
    }
    let values = values(text)?;
    let (vertices, matrix) = vertices(&values)?;
    check_length(vertices, matrix, vertices * vertices.saturating_sub(1) / 2)?;
    let edges: u32 = matrix.iter().map(|value| value.count_ones()).sum();
    if edges as usize > Graph::MAX_EDGES {
        return Err((0, Excess::Edges.to_string()));
    }
    let mut bits = bits(matrix);
    let columns = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    // The pairs come first in the zip, so that no bit is consumed after the last pair.
    let edges = columns
        .zip(bits.by_ref())
        .filter_map(|(pair, edge)| edge.then_some(pair));
    let mut part = BoardParts::new(vertices, edges);
    if bits.any(|bit| bit) {
        part.warnings.push(format!(
            "the padding bits of graph6 '{}' are not all zero",
            quote(text)
        ));
    }
    Ok(part)
}

/// Reads sparse6 without its header.
pub(crate) fn decode_sparse(text: &str) -> Result<BoardParts, Problem> {
    let source = format!("sparse6 '{}'", quote(text));
    sparse(text)?.part(&source).map_err(|problem| (0, problem))
}

fn sparse(text: &str) -> Result<RawGraph, Problem> {
    let body = text.strip_prefix(SPARSE).unwrap_or(text);
    let values = values(body).map_err(|(offset, problem)| (offset + 1, problem))?;
    let (n, list) = vertices(&values)?;
    let excess = |excess: Excess| (0, excess.to_string());
    let mut draft = RawGraph::numbered(n).map_err(excess)?;
    let width = width(n);
    let mut bits = bits(list);
    let mut present = 0;
    while let Some(step) = bits.next() {
        let mut other = 0;
        let mut whole = true;
        for _ in 0..width {
            match bits.next() {
                Some(bit) => other = other << 1 | usize::from(bit),
                None => whole = false,
            }
        }
        present += usize::from(step);
        // The remaining bits pad the last character.
        if !whole || present >= n {
            break;
        }
        if other > present {
            present = other;
        } else {
            draft
                .edge(other as u16, present as u16, None)
                .map_err(excess)?;
        }
        if present >= n {
            break;
        }
    }
    Ok(draft)
}

/// Reads the arcs of digraph6 as edges.
fn arcs(text: &str) -> Result<RawGraph, Problem> {
    let body = text.strip_prefix(DIRECTED).unwrap_or(text);
    let values = values(body).map_err(|(offset, problem)| (offset + 1, problem))?;
    let (n, matrix) = vertices(&values)?;
    check_length(n, matrix, n * n)?;
    let excess = |excess: Excess| (0, excess.to_string());
    let mut draft = RawGraph::numbered(n).map_err(excess)?;
    draft.allow_both_ends();
    let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    for ((a, b), _) in pairs.zip(bits(matrix)).filter(|(_, arc)| *arc) {
        draft.edge(a as u16, b as u16, None).map_err(excess)?;
    }
    Ok(draft)
}

/// Reads the number at the front. Returns it and the remaining values, or `None` if the text ends
/// too early.
fn number(values: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = match values {
        [63, 63, rest @ ..] => rest.split_at_checked(6)?,
        [63, rest @ ..] => rest.split_at_checked(3)?,
        _ => values.split_at_checked(1)?,
    };
    Some((
        digits
            .iter()
            .fold(0, |number, &digit| number << 6 | u64::from(digit)),
        rest,
    ))
}

/// Returns the number of bits of an index in sparse6.
fn width(vertices: usize) -> u32 {
    usize::BITS - vertices.saturating_sub(1).leading_zeros()
}

/// Encodes a number of vertices. No board needs the longest form.
fn size(n: usize) -> Vec<u8> {
    if n < 63 {
        vec![n as u8]
    } else {
        vec![63, (n >> 12) as u8 & 63, (n >> 6) as u8 & 63, n as u8 & 63]
    }
}

fn characters(values: Vec<u8>) -> String {
    let values = values.into_iter();
    values.map(|value| char::from(LOWEST + value)).collect()
}

/// Returns a graph as graph6, without a header.
pub(crate) fn encode(graph: &Graph) -> String {
    let n = graph.vertices();
    let mut values = size(n);
    let mut matrix = vec![0u8; (n * n.saturating_sub(1) / 2).div_ceil(6)];
    for (a, b) in graph.pairs() {
        let place = b * b.saturating_sub(1) / 2 + a;
        if let Some(value) = matrix.get_mut(place / 6) {
            *value |= 32 >> (place % 6);
        }
    }
    values.append(&mut matrix);
    characters(values)
}

/// Returns a graph as sparse6, with its colon and without a header.
pub(crate) fn encode_sparse(graph: &Graph) -> String {
    let n = graph.vertices();
    let width = width(n);
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |step: bool, number: usize| {
        bits.push(step);
        bits.extend((0..width).rev().map(|bit| number >> bit & 1 == 1));
    };
    let mut present = 0;
    for vertex in graph.all() {
        let lower = graph
            .neighbors(vertex)
            .iter()
            .filter(|&&other| other < vertex);
        for &other in lower {
            let v = vertex.index();
            match v - present {
                0 => put(false, other.index()),
                1 => put(true, other.index()),
                _ => {
                    put(true, v);
                    put(false, other.index());
                }
            }
            present = v;
        }
    }
    let missing = bits.len().next_multiple_of(6) - bits.len();
    // If n is a power of two, every bit pattern is an index. Padding with ones could then read as a
    // loop at the last vertex, so the first padding bit is 0.
    let ambiguous = width < 6 && n == 1 << width && present + 2 == n && missing > width as usize;
    bits.extend((0..missing).map(|place| !(ambiguous && place == 0)));
    let mut values = size(n);
    values.extend(bits.chunks(6).map(|six| {
        six.iter()
            .fold(0u8, |value, &bit| value << 1 | u8::from(bit))
    }));
    format!("{SPARSE}{}", characters(values))
}

/// Writes a file in graph6. Refuses matrices that are too large to be read again.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let n = goban.graph.vertices() as u64;
    if n * n / 12 > super::MOST {
        return Err(format!(
            "{n} vertices are too many for graph6, expected sparse6"
        ));
    }
    Ok(encode(&goban.graph) + "\n")
}

/// Writes a file in sparse6.
pub(super) fn write_sparse(goban: &Goban) -> Result<String, String> {
    Ok(encode_sparse(&goban.graph) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(part: &BoardParts) -> Graph {
        Graph::from_edges(part.vertices, &part.edges).0
    }

    #[test]
    fn the_published_sparse6_example_round_trips() {
        // McKay's example: 7 vertices, edges 0-1, 0-2, 1-2, 5-6.
        let part = decode_sparse(":Fa@x^").unwrap();
        assert_eq!(
            (part.vertices, part.edges.clone()),
            (7, vec![(0, 1), (0, 2), (1, 2), (5, 6)])
        );
        assert_eq!(encode_sparse(&graph(&part)), ":Fa@x^");
        assert_eq!(decode_sparse(":F a").unwrap_err().0, 2);
    }

    #[test]
    fn sparse6_round_trips_for_all_small_graphs() {
        for n in 0..=5usize {
            let pairs: Vec<(u16, u16)> = (0..n as u16)
                .flat_map(|b| (0..b).map(move |a| (a, b)))
                .collect();
            for chosen in 0u32..1 << pairs.len() {
                let edges: Vec<(u16, u16)> = (0..pairs.len())
                    .filter(|place| chosen >> place & 1 == 1)
                    .map(|place| pairs[place])
                    .collect();
                let (given, _) = Graph::from_edges(n, &edges);
                let text = encode_sparse(&given);
                let part = decode_sparse(&text).unwrap();
                assert_eq!(part.warnings, [""; 0], "{text}");
                assert_eq!((part.vertices, graph(&part)), (n, given), "{text}");
            }
        }
    }

    #[test]
    fn sparse6_round_trips_if_the_last_vertex_is_isolated() {
        // Sizes at which the padding bits could read as an edge.
        for n in [2usize, 4, 8, 16, 32, 64, 100] {
            for edges in [
                vec![],
                vec![(0, n as u16 - 2)],
                vec![(n as u16 / 2, n as u16 - 2), (0, 1)],
            ] {
                let (given, _) = Graph::from_edges(n, &edges);
                let text = encode_sparse(&given);
                let part = decode_sparse(&text).unwrap();
                assert_eq!(part.warnings, [""; 0], "{text}");
                assert_eq!(graph(&part), given, "{text}");
            }
        }
    }

    #[test]
    fn the_published_graph6_example_round_trips() {
        // McKay's example: 5 vertices, edges 0-2, 0-4, 1-3, 3-4.
        let part = decode("DQc").unwrap();
        assert_eq!(
            (part.vertices, part.edges.clone()),
            (5, vec![(0, 2), (1, 3), (0, 4), (3, 4)])
        );
        assert_eq!(encode(&graph(&part)), "DQc");
    }

    #[test]
    fn vertex_counts_of_all_three_lengths_are_read() {
        assert_eq!(number(&[30]), Some((30, &[][..])));
        let values: Vec<u8> = "~?@n".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((111, &[][..])));
        // McKay's examples: 12345 and 460175067.
        let values: Vec<u8> = "~B?x".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((12345, &[][..])));
        let values: Vec<u8> = "~~?ZZZZZ".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((460_175_067, &[][..])));
    }

    #[test]
    fn graph6_round_trips_where_the_length_changes() {
        for n in [0, 1, 2, 3, 4, 61, 62, 63, 64, 200] {
            let ring = BoardParts::new(n, (1..n).map(|v| (v - 1, v)));
            let text = encode(&graph(&ring));
            let back = decode(&text).unwrap();
            assert_eq!((back.vertices, back.edges), (n, ring.edges), "{text}");
            assert_eq!(back.warnings.len(), 0);
        }
    }

    #[test]
    fn rejects_malformed_graph6() {
        for (text, problem) in [
            (
                "IsP@OkWH",
                "7 characters after the number of vertices, expected 8 for 10",
            ),
            (
                "IsP@OkWHGG",
                "9 characters after the number of vertices, expected 8 for 10",
            ),
            (
                "IsP@ kWHG",
                "character ' ', expected characters from ? to ~",
            ),
            ("IsP@é", "character 'é', expected characters from ? to ~"),
            (":Fa@x^", "the text is sparse6, expected graph6"),
            ("&B", "the text is digraph6, expected an undirected graph"),
            ("~?", "the text ends inside the number of vertices"),
            ("~~?ZZZZZ", "460175067 vertices, expected at most 65535"),
            ("~~~~~~~~", "68719476735 vertices, expected at most 65535"),
        ] {
            assert_eq!(decode(text).unwrap_err().1, problem, "{text}");
        }
        assert_eq!(
            decode("A~").unwrap().warnings.len(),
            1,
            "five bits too many are set"
        );
    }
}
