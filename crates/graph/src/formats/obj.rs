//! Wavefront OBJ: lines `v X Y Z` are vertices, `f` lists the corners of a face, and `l` those of a
//! polyline. A corner such as `3/1/2` is vertex 3; `-1` is the latest vertex so far. `#` starts a
//! comment, and a `\` at the end of a line joins it to the next. Only read.

use super::Input;
use super::mesh::Mesh;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, finite};
use omnigo_base::text::quote;

const VERTEX: &str = "v and three coordinates";

/// Statements about materials, groups, and other content that a board does not have.
const IGNORED: &[&str] = &[
    "bevel",
    "bmat",
    "c_interp",
    "call",
    "con",
    "csh",
    "cstype",
    "ctech",
    "d_interp",
    "deg",
    "end",
    "g",
    "hole",
    "lod",
    "maplib",
    "mg",
    "mtllib",
    "o",
    "p",
    "parm",
    "s",
    "scrv",
    "shadow_obj",
    "sp",
    "stech",
    "step",
    "trace_obj",
    "trim",
    "usemap",
    "usemtl",
    "vn",
    "vp",
    "vt",
];

/// Returns true if a text without a known extension is OBJ. It must begin with a vertex of three
/// coordinates, apart from ignored statements.
pub(super) fn is_obj(text: &str) -> bool {
    let mut all = lines(text).filter(|line| words(line).next().is_some());
    let first = all.find(|line| words(line).next().is_none_or(|key| !IGNORED.contains(&key)));
    let is_vertex = first.is_some_and(|line| {
        let mut words = words(line);
        words.next() == Some("v") && (3..=7).contains(&words.clone().count()) && {
            let mut numbers = words.map(finite);
            numbers.all(|number| number.is_some())
        }
    });
    is_vertex && all.any(|line| matches!(words(line).next(), Some("f" | "l")))
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut mesh = Mesh::default();
    // A face may name vertices that come later, so read all vertices first.
    for line in lines(text) {
        let mut words = words(line);
        if let Some(key) = words.next().filter(|key| *key == "v") {
            let mut at = [0.0; 3];
            for axis in &mut at {
                let word = words.next().unwrap_or(end(line));
                *axis = finite(word).ok_or_else(|| ParseError::found(text, word, VERTEX))?;
            }
            mesh.add(at).map_err(|e| excess(text, key, e))?;
        }
    }
    if mesh.corners() == 0 {
        return Err(ParseError::found(text, end(text), VERTEX));
    }
    let mut so_far = 0usize;
    let mut unknown: Option<(&str, usize)> = None;
    for line in lines(text) {
        let mut words = words(line);
        let Some(key) = words.next() else { continue };
        match key {
            "v" => so_far += 1,
            "f" | "fo" | "l" => {
                for word in words {
                    let corner = corner(text, word, so_far, mesh.corners())?;
                    mesh.step(corner).map_err(|e| excess(text, word, e))?;
                }
                mesh.close(key != "l").map_err(|e| excess(text, key, e))?;
            }
            key if IGNORED.contains(&key) => {}
            key => unknown.get_or_insert((key, 0)).1 += 1,
        }
    }
    if let Some((first, count)) = unknown {
        let (source, first) = (input.source, quote(first));
        mesh.warn(format!(
            "lines of unknown statements ignored in {source}: {count}, the first is '{first}'"
        ));
    }
    mesh.finish().map_err(|e| excess(text, end(text), e))
}

/// Returns the index of the vertex that a corner of a face names.
fn corner(text: &str, word: &str, so_far: usize, vertices: usize) -> Result<u16, ParseError> {
    let number = word.split('/').next().unwrap_or_default();
    let index = match number.parse::<i64>() {
        Ok(number) if number < 0 => i64::try_from(so_far).ok().map(|known| known + number),
        Ok(number) => Some(number - 1),
        Err(_) => None,
    };
    let index = index.and_then(|index| usize::try_from(index).ok());
    match index.filter(|&index| index < vertices) {
        Some(index) => Ok(index as u16),
        None => {
            let expected = format!(
                "the number of a vertex, from 1 to {vertices}, or from -{so_far} to -1 for the latest ones"
            );
            Err(ParseError::found(text, word, &expected))
        }
    }
}

/// Returns the lines of a text. A line that continues is one line with the next.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut length = 0;
        loop {
            let piece = rest.get(length..).unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            length += piece.find('\n').map_or(piece.len(), |place| place + 1);
            let line = rest.get(..length).unwrap_or_default();
            if !line.trim_end_matches(['\r', '\n']).ends_with('\\') {
                break;
            }
        }
        let (line, after) = rest.split_at_checked(length)?;
        rest = after;
        (length > 0).then_some(line)
    })
}

/// Returns the words of a line without its comments and the signs that continue it.
fn words(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.lines()
        .flat_map(|line| line.split('#').next().unwrap_or(line).split_whitespace())
        .map(|word| word.trim_end_matches('\\'))
        .filter(|word| !word.is_empty())
}
