//! Starting stones in the JSON forms of go-spaces and Mango sets: for each color, a key with its
//! name and a list of points.

use super::object::{List, Object};
use crate::formats::parse_error::ParseError;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Reads the stones of all colors on `points` points, in index order. Errors call a point `what`.
pub(super) fn read(
    object: &mut Object<'_>,
    points: usize,
    what: &str,
) -> Result<Vec<Option<Color>>, ParseError> {
    let mut start = vec![None; points];
    for color in Color::all(Color::MAX) {
        let key = color.to_string();
        let stones: Option<List<usize, { Vertex::LIMIT }>> =
            object.take(&key, &format!("a list of {what}s"))?;
        for (number, point) in stones
            .into_iter()
            .flat_map(|List(stones)| stones)
            .enumerate()
        {
            let problem = match start.get_mut(point) {
                None => format!("key '{key}' contains {point}, expected a {what} below {points}"),
                Some(Some(_)) => format!(
                    "key '{key}' contains the duplicate {what} {point}, expected each {what} at \
                     most once in all colors together"
                ),
                Some(stone) => {
                    *stone = Some(color);
                    continue;
                }
            };
            return Err(object.wrong(&key, &[number], problem));
        }
    }
    Ok(start)
}

/// Returns the keys of the colors with stones, and those of the first `always` colors, each after a
/// comma.
pub(super) fn write(start: &[Option<Color>], always: usize) -> String {
    let mut out = String::new();
    for color in Color::all(Color::MAX) {
        let stones = start.iter().enumerate();
        let stones = stones.filter(|(_, stone)| **stone == Some(color));
        let points: Vec<String> = stones.map(|(point, _)| point.to_string()).collect();
        if color.index() < always || !points.is_empty() {
            out.push_str(&format!(",\n\"{color}\":[{}]", points.join(",")));
        }
    }
    out
}
