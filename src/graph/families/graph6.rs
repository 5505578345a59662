//! The graph6 format: six bits a character, from `?` (0) to `~` (63).
//!
//! First the number of vertices: one character below 63, else `~` and three characters, else `~~` and six. Then the upper
//! triangle of the adjacency matrix column by column, filled up with zeros. Format: B. D. McKay, "graph6 and sparse6
//! graph formats", part of nauty.

use super::{Family, Recipe};
use crate::graph::part::Part;
use crate::graph::spec::SpecError;
use crate::text::quote;
use crate::vertex::Vertex;

const HEADER: &str = ">>graph6<<";
/// Value 0.
const LOWEST: u8 = b'?';
/// Value 63, which announces a longer number.
const HIGHEST: u8 = b'~';

/// Reads graph6 text with or without its header; the canonical text is encoded anew.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let body = text.strip_prefix(HEADER).unwrap_or(text);
    if body.is_empty() {
        return Err(family.refuse(text, "such as graph6:IsP@OkWHG"));
    }
    let part = decode(body).map_err(|problem| SpecError::Graph6 {
        text: quote(text),
        problem,
    })?;
    Ok(Recipe::sure(encode(&part), part))
}

fn decode(text: &str) -> Result<Part, String> {
    match text.chars().next() {
        Some(':') => {
            return Err("it is sparse6, which is not supported yet, expected graph6".to_string());
        }
        Some('&') => return Err("it is digraph6, expected an undirected graph".to_string()),
        _ => {}
    }
    if let Some(c) = text
        .chars()
        .find(|c| !(char::from(LOWEST)..=char::from(HIGHEST)).contains(c))
    {
        return Err(format!(
            "character '{}', expected characters from ? to ~",
            quote(&c.to_string())
        ));
    }
    let values: Vec<u8> = text.bytes().map(|c| c - LOWEST).collect();
    let (vertices, bits) = number(&values).ok_or("it ends within the number of vertices")?;
    if vertices > Vertex::LIMIT as u64 {
        return Err(format!(
            "{vertices} vertices, expected at most {}",
            Vertex::LIMIT
        ));
    }
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let needed = pairs.div_ceil(6);
    if bits.len() as u64 != needed {
        let have = bits.len();
        return Err(format!(
            "{have} characters after the number of vertices, expected {needed} for {vertices}"
        ));
    }
    let mut bits = bits
        .iter()
        .flat_map(|value| (0..6).rev().map(move |bit| value >> bit & 1 == 1));
    let vertices = vertices as usize;
    let columns = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    // The pairs come first in the zip, so that no bit is lost when they run out.
    let edges = columns
        .zip(bits.by_ref())
        .filter_map(|(pair, edge)| edge.then_some(pair));
    let mut part = Part::new(vertices, edges);
    if bits.any(|bit| bit) {
        part.warnings.push(format!(
            "graph6 '{}' is filled up with other bits than zeros",
            quote(text)
        ));
    }
    Ok(part)
}

/// The number at the front and what follows it.
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

fn encode(part: &Part) -> String {
    let n = part.vertices;
    // No board needs the longest form of the number.
    let mut values: Vec<u8> = if n < 63 {
        vec![n as u8]
    } else {
        vec![63, (n >> 12) as u8 & 63, (n >> 6) as u8 & 63, n as u8 & 63]
    };
    let pairs = n * n.saturating_sub(1) / 2;
    let mut matrix = vec![0u8; pairs.div_ceil(6)];
    for &(a, b) in &part.edges {
        let (a, b) = (usize::from(a.min(b)), usize::from(a.max(b)));
        let place = b * b.saturating_sub(1) / 2 + a;
        if let Some(value) = matrix.get_mut(place / 6) {
            *value |= 32 >> (place % 6);
        }
    }
    values.append(&mut matrix);
    values
        .into_iter()
        .map(|value| char::from(LOWEST + value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_format() {
        // McKay's: 5 vertices, edges 0-2, 0-4, 1-3, 3-4.
        let part = decode("DQc").unwrap();
        assert_eq!(
            (part.vertices, part.edges.clone()),
            (5, vec![(0, 2), (1, 3), (0, 4), (3, 4)])
        );
        assert_eq!(encode(&part), "DQc");
    }

    #[test]
    fn all_three_lengths_of_the_number() {
        assert_eq!(number(&[30]), Some((30, &[][..])));
        let values: Vec<u8> = "~?@n".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((111, &[][..])));
        // McKay's own: 12345 and 460175067.
        let values: Vec<u8> = "~B?x".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((12345, &[][..])));
        let values: Vec<u8> = "~~?ZZZZZ".bytes().map(|c| c - LOWEST).collect();
        assert_eq!(number(&values), Some((460_175_067, &[][..])));
    }

    #[test]
    fn every_size_around_the_change_of_length() {
        for n in [0, 1, 2, 3, 4, 61, 62, 63, 64, 200] {
            let ring = Part::new(n, (1..n).map(|v| (v - 1, v)));
            let text = encode(&ring);
            let back = decode(&text).unwrap();
            assert_eq!((back.vertices, back.edges), (n, ring.edges), "{text}");
            assert_eq!(back.warnings.len(), 0);
        }
    }

    #[test]
    fn what_is_no_graph6() {
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
            (
                ":Fa@x^",
                "it is sparse6, which is not supported yet, expected graph6",
            ),
            ("&B", "it is digraph6, expected an undirected graph"),
            ("~?", "it ends within the number of vertices"),
            ("~~?ZZZZZ", "460175067 vertices, expected at most 65535"),
            ("~~~~~~~~", "68719476735 vertices, expected at most 65535"),
        ] {
            assert_eq!(decode(text).unwrap_err(), problem, "{text}");
        }
        assert_eq!(
            decode("A~").unwrap().warnings.len(),
            1,
            "five bits too many are set"
        );
    }
}
