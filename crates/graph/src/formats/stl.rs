//! STL: triangles, each with the coordinates of its corners, as text or in binary. Equal corners
//! are one vertex. Only read.

use std::collections::HashMap;

use super::Input;
use super::mesh::Mesh;
use super::parse_error::ParseError;
use super::raw_graph::{Excess, RawGraph};
use super::words::{end, excess, finite, plain_words};

/// Length of a binary file without triangles, in bytes: a header of 80, and their number.
const HEAD: usize = 84;
/// Length of a triangle in bytes: its normal, three corners, and two more bytes.
const TRIANGLE: usize = 50;
/// Offset of the corners in a triangle, in bytes.
const CORNERS: usize = 12;

const STATEMENT: &str = "solid, facet, outer loop, vertex, endloop, endfacet or endsolid";

/// Returns true if a text is STL, whatever its extension.
pub(super) fn is_stl(text: &str) -> bool {
    let mut lines = text.lines().filter_map(|line| plain_words(line).next());
    let is = |word: Option<&str>, name: &str| word.is_some_and(|w| w.eq_ignore_ascii_case(name));
    is(lines.next(), "solid") && is(lines.next(), "facet")
}

/// Returns the length that a binary file has by its number of triangles, or `None` if it is too
/// short for that number.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEAD - 4..HEAD)?;
    let count = u32::from_le_bytes(count.try_into().ok()?);
    (count as usize).checked_mul(TRIANGLE)?.checked_add(HEAD)
}

/// Mesh whose equal corners are one vertex.
#[derive(Default)]
struct Corners {
    mesh: Mesh,
    known: HashMap<[u64; 3], u16>,
}

impl Corners {
    fn step(&mut self, at: [f64; 3]) -> Result<(), Excess> {
        // Adding 0.0 turns -0.0 into 0.0.
        let at = at.map(|axis| axis + 0.0);
        let key = at.map(f64::to_bits);
        let corner = match self.known.get(&key) {
            Some(&corner) => corner,
            None => {
                let corner = self.mesh.add(at)?;
                self.known.insert(key, corner);
                corner
            }
        };
        self.mesh.step(corner)
    }
}

/// Reads the binary form.
pub(super) fn read_binary(bytes: &[u8]) -> Result<RawGraph, String> {
    let expected = length(bytes).unwrap_or(HEAD);
    if bytes.len() != expected {
        let found = bytes.len();
        return Err(format!(
            "binary STL of {found} bytes, expected {expected}: {HEAD}, and {TRIANGLE} for each triangle"
        ));
    }
    let mut corners = Corners::default();
    let triangles = bytes.get(HEAD..).unwrap_or_default();
    for (number, triangle) in (1usize..).zip(triangles.chunks_exact(TRIANGLE)) {
        let numbers = triangle.get(CORNERS..CORNERS + 36).unwrap_or_default();
        for corner in numbers.chunks_exact(12) {
            let mut at = [0.0; 3];
            for (axis, bytes) in at.iter_mut().zip(corner.chunks_exact(4)) {
                let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
                *axis = f64::from(f32::from_le_bytes(bytes));
            }
            if !at.iter().all(|axis| axis.is_finite()) {
                return Err(format!("triangle {number}: expected finite coordinates"));
            }
            corners.step(at).map_err(|excess| excess.to_string())?;
        }
        corners
            .mesh
            .close(true)
            .map_err(|excess| excess.to_string())?;
    }
    corners.mesh.finish().map_err(|excess| excess.to_string())
}

/// Reads the form in text.
pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut corners = Corners::default();
    let mut is_open = false;
    let mut solids = 0usize;
    for line in text.lines() {
        let mut words = plain_words(line);
        let Some(key) = words.next() else { continue };
        match key.to_ascii_lowercase().as_str() {
            "solid" => solids += 1,
            _ if solids == 0 => return Err(ParseError::found(text, key, "solid")),
            "outer" => is_open = true,
            "vertex" if is_open => {
                let mut at = [0.0; 3];
                for axis in &mut at {
                    let word = words.next().unwrap_or(end(line));
                    *axis = finite(word)
                        .ok_or_else(|| ParseError::found(text, word, "three coordinates"))?;
                }
                corners.step(at).map_err(|e| excess(text, key, e))?;
            }
            "endloop" => {
                is_open = false;
                corners.mesh.close(true).map_err(|e| excess(text, key, e))?;
            }
            "facet" | "endfacet" | "endsolid" | "color" => {}
            _ => return Err(ParseError::found(text, key, STATEMENT)),
        }
    }
    if solids == 0 {
        return Err(ParseError::found(text, end(text), "solid"));
    }
    if is_open {
        return Err(ParseError::found(text, end(text), "endloop"));
    }
    let draft = corners.mesh.finish();
    draft.map_err(|e| excess(text, end(text), e))
}
