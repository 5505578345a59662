//! OFF: the corners of a polyhedron with their coordinates, and its faces. The sides of the faces
//! are the edges. A face of two corners is a single edge. `#` starts a comment.

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, number, plain_words, weight};
use crate::graph::goban::Goban;

pub(super) const MAGIC: &str = "OFF";
const SIZES: &str = "the numbers of vertices, faces and edges";

/// Returns true for the first word of an OFF file. The prefixes `ST`, `C`, and `N` announce
/// texture, colors, and normals after the coordinates of each corner; these are not read. The
/// prefix `4` for four dimensions is refused, because the fourth coordinate would be misread.
pub(super) fn is_magic(word: &str) -> bool {
    let Some(rest) = word.strip_suffix(MAGIC) else {
        return false;
    };
    let rest = rest.strip_prefix("ST").unwrap_or(rest);
    let rest = rest.strip_prefix('C').unwrap_or(rest);
    rest.strip_prefix('N').unwrap_or(rest).is_empty()
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(line))
        .filter(|line| !line.trim().is_empty());
    let header = lines.next().unwrap_or(end(text));
    let magic = plain_words(header).next().unwrap_or_default();
    if !is_magic(magic) {
        return Err(ParseError::found(text, header, MAGIC));
    }
    let rest = header.trim_start().get(magic.len()..).unwrap_or_default();
    let sizes = if rest.trim().is_empty() {
        lines.next().unwrap_or(end(text))
    } else {
        rest
    };
    let mut words = plain_words(sizes);
    let word = words.next().unwrap_or(end(sizes));
    let vertices: usize = number(text, word, SIZES)?;
    let faces_word = words.next().unwrap_or(end(sizes));
    let faces: usize = number(text, faces_word, SIZES)?;
    let mut draft = RawGraph::numbered(vertices).map_err(|e| excess(text, word, e))?;
    let places = (0..vertices).map(|_| place(text, lines.next().unwrap_or(end(text))));
    let places: Vec<[f64; 3]> = places.collect::<Result<_, ParseError>>()?;
    // The format requires coordinates; files without a drawing have zeros.
    if places.iter().any(|at| *at != [0.0; 3]) {
        for (corner, at) in (0..).zip(places) {
            draft.place(corner, at);
        }
    }
    // A side between two faces comes once from each.
    let mut sides: Vec<(u16, u16)> = Vec::new();
    for _ in 0..faces {
        let mut line = lines.next().unwrap_or(end(text));
        let mut words = plain_words(line);
        let word = words.next().unwrap_or(end(line));
        let corners: usize = number(
            text,
            word,
            "the number of corners of a face and the corners",
        )?;
        let expected = format!("{corners} corners from 0 to {}", vertices.saturating_sub(1));
        let mut corner = || {
            let mut word = words.next();
            // A face may continue on the next lines.
            while word.is_none() {
                let Some(more) = lines.next() else { break };
                line = more;
                words = plain_words(line);
                word = words.next();
            }
            let word = word.unwrap_or(end(line));
            let corner: u16 = number(text, word, &expected)?;
            match usize::from(corner) < vertices {
                true => Ok(corner),
                false => Err(ParseError::found(text, word, &expected)),
            }
        };
        if corners == 0 {
            continue;
        }
        let first = corner()?;
        let mut last = first;
        for place in 1..corners {
            let next = corner()?;
            sides.push((last.min(next), last.max(next)));
            last = next;
            if place + 1 == corners && corners > 2 {
                sides.push((last.min(first), last.max(first)));
            }
        }
        // Faces share sides. Merge them from time to time, so that they take no more memory than
        // the edges.
        if sides.len() > 4 * crate::graph::Graph::MAX_EDGES {
            merge(&mut sides);
            if sides.len() > crate::graph::Graph::MAX_EDGES {
                return Err(excess(text, line, super::raw_graph::Excess::Edges));
            }
        }
    }
    if let Some(line) = lines.next() {
        return Err(ParseError::found(
            text,
            line,
            &format!("the end of the text after {faces} faces"),
        ));
    }
    merge(&mut sides);
    for (a, b) in sides {
        draft
            .edge(a, b, None)
            .map_err(|e| excess(text, faces_word, e))?;
    }
    Ok(draft)
}

/// Reads the coordinates of a vertex.
fn place(text: &str, line: &str) -> Result<[f64; 3], ParseError> {
    let mut words = plain_words(line);
    let mut at = [0.0; 3];
    for axis in &mut at {
        let word = words.next().unwrap_or(end(line));
        *axis = weight(word).ok_or_else(|| ParseError::found(text, word, "three coordinates"))?;
    }
    Ok(at)
}

fn merge(sides: &mut Vec<(u16, u16)>) {
    sides.sort_unstable();
    sides.dedup();
}

/// Writes each edge as a face of two corners. Without a drawing, all corners are at the origin.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    let view = super::View::of(goban);
    let mut out = format!(
        "{MAGIC}\n{} {} {}\n",
        graph.vertices(),
        graph.edges(),
        graph.edges()
    );
    for vertex in graph.all() {
        let place = view.place(vertex).unwrap_or_default();
        let mut axes = place.iter().copied().chain(std::iter::repeat(0.0));
        let [x, y, z] = std::array::from_fn(|_| axes.next().unwrap_or_default());
        out.push_str(&format!("{x} {y} {z}\n"));
    }
    for (a, b) in goban.graph.pairs() {
        out.push_str(&format!("2 {a} {b}\n"));
    }
    Ok(out)
}
