//! LGL: a line `# NAME` for each vertex, then lines `NEIGHBOR WEIGHT` with its neighbors. The
//! weight may be missing. Only read.

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, plain_words, weight};

const HEAD: &str = "# and the name of a vertex";

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut draft = RawGraph::default();
    let mut from: Option<u16> = None;
    for line in text.lines() {
        let head = line.trim_start().strip_prefix('#');
        let mut words = plain_words(head.unwrap_or(line));
        let Some(name) = words.next() else {
            match head {
                Some(head) => return Err(ParseError::found(text, end(head), HEAD)),
                None => continue,
            }
        };
        let vertex = match (head, from) {
            (None, None) => return Err(ParseError::found(text, name, HEAD)),
            _ => draft.vertex(name).map_err(|e| excess(text, name, e))?,
        };
        let more = words.next();
        let noted = match more.filter(|_| head.is_none()) {
            None => None,
            Some(word) => {
                let expected = "the weight of the edge, or the end of the line";
                Some(weight(word).ok_or_else(|| ParseError::found(text, word, expected))?)
            }
        };
        if let Some(word) = more.filter(|_| head.is_some()).or_else(|| words.next()) {
            return Err(ParseError::found(text, word, "the end of the line"));
        }
        match (head, from) {
            (None, Some(from)) => draft
                .edge(from, vertex, noted)
                .map_err(|e| excess(text, name, e))?,
            _ => from = Some(vertex),
        }
    }
    if draft.vertices() == 0 {
        return Err(ParseError::found(text, end(text), HEAD));
    }
    Ok(draft)
}
