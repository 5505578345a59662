//! Files. A JSON object says in `kind` what it is. Anything else is an edge list: two names a line, parted by white space
//! or a comma; one name alone is an isolated vertex, a number in the third column is a weight and means nothing here, `#`
//! begins a comment.

use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;

use nom::combinator::all_consuming;
use nom::number::complete::recognize_float;
use nom::{IResult, Parser};

use super::edges::{NamedGraph, Refusal};
use super::{Family, Recipe, mango};
use crate::graph::json::Object;
use crate::graph::part::{Part, Size};
use crate::graph::spec::SpecError;
use crate::graph::{Graph, space};
use crate::text::quote;
use crate::vertex::Vertex;

/// The largest file that is read, in bytes.
const MOST: u64 = 64 << 20;

/// What a JSON file can be.
const KINDS: &str = "\"space\" or \"mango\"";

/// Takes the path; the file is read when the board is built.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    // A line break in a path would break the lines in which a spec is printed.
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(family.refuse(text, "with the path of a file"));
    }
    let path: Arc<str> = text.into();
    Ok(Recipe {
        arguments: text.to_string(),
        size: Size::default(),
        build: Arc::new(move || {
            let refuse = |problem| SpecError::File {
                path: quote(&path),
                problem,
            };
            let bytes = contents(&path).map_err(refuse)?;
            part(&bytes, &format!("'{}'", quote(&path))).map_err(refuse)
        }),
    })
}

fn contents(path: &str) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("it cannot be read, {error}");
    // Looked at before it is opened: opening a pipe would wait for its other end.
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err("it is no regular file, expected an edge list".to_string());
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a longer file. No more than the file says it has: what the system makes up as it is
    // read, such as its log, says 0 and would keep the reader waiting.
    File::open(path)
        .map_err(cannot)?
        .take(metadata.len().min(MOST + 1))
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    if bytes.len() as u64 > MOST {
        return Err(format!(
            "it has more than {MOST} bytes, expected an edge list of at most that"
        ));
    }
    Ok(bytes)
}

/// Reads a file of any kind: a JSON object says what it is, anything else is an edge list.
fn part(bytes: &[u8], source: &str) -> Result<Part, String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return edge_list(bytes, source);
    }
    let mut object = Object::read(bytes)?;
    let kind: String = object.need("kind", KINDS)?;
    match kind.as_str() {
        "space" => space::file::read(object),
        "mango" => mango::part(object, source),
        _ => Err(format!(
            "key 'kind' is '{}', expected {KINDS}",
            quote(&kind)
        )),
    }
}

/// Reads a whole edge list; a refusal names the line.
fn edge_list(bytes: &[u8], source: &str) -> Result<Part, String> {
    let mut graph = NamedGraph::default();
    let mut weights = None;
    for (number, line) in (1..).zip(bytes.split(|&c| c == b'\n')) {
        let line =
            std::str::from_utf8(line).map_err(|_| format!("line {number} is not valid UTF-8"))?;
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty());
        let Some(a) = words.next() else { continue };
        let (b, weight, more) = (words.next(), words.next(), words.next());
        if more.is_some() || weight.is_some_and(|weight| !is_number(weight)) {
            return Err(format!(
                "line {number} is '{}', expected two names and at most a weight",
                quote(line.trim())
            ));
        }
        if weight.is_some() {
            weights = weights.or(Some(number));
        }
        graph.add(a, b).map_err(|refusal| match refusal {
            Refusal::Name(name) => format!("line {number}: {}", SpecError::Name(name)),
            Refusal::Vertices => format!(
                "too many vertices at line {number}, expected at most {}",
                Vertex::LIMIT
            ),
            Refusal::Edges => format!(
                "too many edges at line {number}, expected at most {}",
                Graph::MAX_EDGES
            ),
        })?;
    }
    let mut part = graph.part(source);
    let ignored = |line: usize| format!("weights ignored in {source}, the first is on line {line}");
    part.warnings.extend(weights.map(ignored));
    Ok(part)
}

/// Whether the word is a decimal number, as it stands: weights are never computed with.
fn is_number(word: &str) -> bool {
    let number: IResult<&str, &str> = all_consuming(recognize_float).parse(word);
    number.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::part::Labels;

    fn part(text: &str) -> Part {
        super::part(text.as_bytes(), "'list'").unwrap()
    }

    #[test]
    fn every_form_of_a_line() {
        let list =
            part("\u{feff}# a square\r\na b\r\nb,c\r\n\r\nc , d 0.5\nd\ta -1e3 # closes\nlone\n");
        assert_eq!(list.vertices, 5);
        assert_eq!(list.edges.len(), 4);
        assert_eq!(
            list.labels,
            Labels::Own(["a", "b", "c", "d", "lone"].map(String::from).to_vec())
        );
        assert_eq!(
            list.warnings,
            ["weights ignored in 'list', the first is on line 5"]
        );
    }

    #[test]
    fn numbers_that_are_the_indices() {
        let list = part("2 1\n1 0\n0 2\n2 0\n1 1\n");
        assert_eq!(list.labels, Labels::Index);
        assert_eq!(list.edges.len(), 3);
        assert_eq!(
            list.warnings,
            [
                "self-loops dropped from 'list': 1, the first is '1-1'",
                "parallel edges merged from 'list': 1, the first is '2-0'"
            ]
        );
        assert_eq!(
            part("1 2\n2 3\n").labels,
            Labels::Own(["1", "2", "3"].map(String::from).to_vec())
        );
        assert_eq!(part("").vertices, 0);
    }

    #[test]
    fn a_refusal_names_the_line() {
        for (text, problem) in [
            (&b"a b\nc \xff\n"[..], "line 2 is not valid UTF-8"),
            (
                b"a b\n\nc d e",
                "line 3 is 'c d e', expected two names and at most a weight",
            ),
            (
                b"a b 1 2",
                "line 1 is 'a b 1 2', expected two names and at most a weight",
            ),
            (
                b"a-b",
                "line 1: invalid vertex name 'a-b', expected letters, digits, _ . or ', and neither pass nor resign",
            ),
        ] {
            assert_eq!(edge_list(text, "'list'").unwrap_err(), problem);
        }
        let many: String = (0..=Vertex::LIMIT).map(|v| format!("{v}\n")).collect();
        let line = edge_list(many.as_bytes(), "'list'").unwrap_err();
        assert_eq!(
            line,
            "too many vertices at line 65536, expected at most 65535"
        );
    }
}
