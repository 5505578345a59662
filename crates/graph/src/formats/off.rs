//! OFF: the corners of a polyhedron with their coordinates, and its faces. The sides of the faces
//! are the edges. A face of two corners is a single edge. `#` starts a comment.

use super::Input;
use super::mesh::Mesh;
use super::parse_error::ParseError;
use super::raw_graph::{Excess, RawGraph};
use super::words::{end, excess, finite, number, plain_words};
use crate::model::goban::Goban;
use omnigo_base::vertex::Vertex;

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

/// Words of a text without its comments. Each vertex and face begins a line, and a face may span
/// several. In a text with fewer lines than that, line breaks count as blanks.
struct Words<'a, L> {
    text: &'a str,
    lines: L,
    line: &'a str,
    words: std::str::SplitWhitespace<'a>,
    /// True if line breaks count as blanks.
    spread: bool,
}

impl<'a, L: Iterator<Item = &'a str> + Clone> Words<'a, L> {
    /// Goes to the next line. Returns false at the end.
    fn turn(&mut self) -> bool {
        let next = self.lines.next();
        self.line = next.unwrap_or(end(self.text));
        self.words = plain_words(self.line);
        next.is_some()
    }

    /// Returns the next word of this line, or the empty end of the line.
    fn here(&mut self) -> &'a str {
        self.words.next().unwrap_or(end(self.line))
    }

    /// Returns the next word of this or a later line, or the empty end of the text.
    fn next(&mut self) -> &'a str {
        loop {
            match self.words.next() {
                Some(word) => return word,
                None if self.turn() => {}
                None => return end(self.text),
            }
        }
    }

    /// Goes to the beginning of a vertex or face.
    fn begin(&mut self) {
        if !self.spread {
            self.turn();
        }
    }
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(line))
        .filter(|line| !line.trim().is_empty());
    let mut words = Words {
        text,
        lines,
        line: end(text),
        words: plain_words(""),
        spread: false,
    };
    words.turn();
    let header = words.line;
    let magic = words.here();
    if !is_magic(magic) {
        return Err(ParseError::found(text, header, MAGIC));
    }
    if words.words.clone().next().is_none() {
        words.turn();
    }
    let word = words.here();
    let vertices: usize = number(text, word, SIZES)?;
    let faces_word = words.here();
    let faces: usize = number(text, faces_word, SIZES)?;
    // The number of edges is often wrong, or missing.
    words.here();
    if vertices > Vertex::LIMIT {
        return Err(excess(text, word, Excess::Vertices));
    }
    // Colors and normals could not be told from coordinates without line breaks.
    let items = vertices.saturating_add(faces);
    words.spread = magic == MAGIC && words.lines.clone().take(items).count() < items;
    let mut mesh = Mesh::default();
    for _ in 0..vertices {
        words.begin();
        let mut at = [0.0; 3];
        for axis in &mut at {
            let word = match words.spread {
                true => words.next(),
                false => words.here(),
            };
            *axis =
                finite(word).ok_or_else(|| ParseError::found(text, word, "three coordinates"))?;
        }
        mesh.add(at).map_err(|e| excess(text, word, e))?;
    }
    for _ in 0..faces {
        words.begin();
        let word = match words.spread {
            true => words.next(),
            false => words.here(),
        };
        const FACE: &str = "the number of corners of a face and the corners";
        let corners: usize = number(text, word, FACE)?;
        let expected = format!("{corners} corners from 0 to {}", vertices.saturating_sub(1));
        for _ in 0..corners {
            let word = words.next();
            let corner: u16 = number(text, word, &expected)?;
            if usize::from(corner) >= vertices {
                return Err(ParseError::found(text, word, &expected));
            }
            mesh.step(corner).map_err(|e| excess(text, word, e))?;
        }
        mesh.close(true).map_err(|e| excess(text, word, e))?;
    }
    words.begin();
    if let Some(word) = match words.spread {
        true => Some(words.next()).filter(|word| !word.is_empty()),
        false => Some(words.line).filter(|line| !line.is_empty()),
    } {
        let expected = format!("the end of the text after {faces} faces");
        return Err(ParseError::found(text, word, &expected));
    }
    mesh.finish().map_err(|e| excess(text, faces_word, e))
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
