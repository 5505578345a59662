//! DL of UCINET: `dl`, keywords such as `n=3` and `format=edgelist1`, perhaps `labels:`, and after
//! `data:` a matrix or lists. The lists are edges; a matrix may be directed. Only read.

use super::Input;
use super::arcs::Arcs;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, number, weight, words};
use omnigo_base::vertex::Vertex;

const KEYWORD: &str = "n, format, labels, diagonal or data";
const FORMATS: &str = "fullmatrix, lowerhalf, upperhalf, edgelist1 or nodelist1";
const SIZE: &str = "n= and the number of vertices";

/// Form of the data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Full,
    Lower,
    Upper,
    Edges,
    Nodes,
}

impl Form {
    fn of(name: &str) -> Option<Form> {
        Some(match name.to_ascii_lowercase().as_str() {
            "fullmatrix" | "fm" => Form::Full,
            "lowerhalf" | "lowerhalfmatrix" | "lh" => Form::Lower,
            "upperhalf" | "upperhalfmatrix" | "uh" => Form::Upper,
            "edgelist1" | "el1" | "edgelist" => Form::Edges,
            "nodelist1" | "nl1" | "nodelist" => Form::Nodes,
            _ => return None,
        })
    }
}

/// Returns true if a text is DL, whatever its extension: `dl`, then a size with `=`.
pub(super) fn is_dl(text: &str) -> bool {
    let start = text.trim_start();
    let Some((magic, rest)) = start.split_at_checked(2) else {
        return false;
    };
    let head: String = rest.chars().take(40).collect();
    let size = head.split('=').next().unwrap_or_default().trim();
    magic.eq_ignore_ascii_case("dl")
        && rest.starts_with([' ', '\t', '\r', '\n', ','])
        && head.contains('=')
        && ["n", "nr", "nc", "nm"].iter().any(|key| {
            size.trim_start_matches(',')
                .trim()
                .eq_ignore_ascii_case(key)
        })
}

/// Keywords of a file, up to its data.
struct Head<'a> {
    vertices: usize,
    form: Form,
    labels: Vec<&'a str>,
    /// True if names stand in the data instead of numbers.
    embedded: bool,
    /// False if matrices have no diagonal.
    diagonal: bool,
    /// Text after `data:`.
    data: &'a str,
}

/// Returns the next keyword or value, and the text after it. The word is empty at the end.
fn key(text: &str) -> (&str, &str) {
    let separates = |c: char| c.is_whitespace() || matches!(c, ',' | '=' | ';' | ':');
    let start = text.trim_start_matches(separates);
    start.split_at(start.find(separates).unwrap_or(start.len()))
}

fn is(word: &str, name: &str) -> bool {
    word.eq_ignore_ascii_case(name)
}

impl<'a> Head<'a> {
    fn read(text: &'a str) -> Result<Head<'a>, ParseError> {
        let mut head = Head {
            vertices: 0,
            form: Form::Full,
            labels: Vec::new(),
            embedded: false,
            diagonal: true,
            data: "",
        };
        let (magic, mut rest) = key(text);
        if !is(magic, "dl") {
            return Err(ParseError::found(text, magic, "dl"));
        }
        loop {
            let (word, after) = key(rest);
            let (value, after_value) = key(after);
            rest = after_value;
            match word.to_ascii_lowercase().as_str() {
                "n" => {
                    head.vertices = number(text, value, SIZE)?;
                    if head.vertices > Vertex::LIMIT {
                        return Err(excess(text, value, super::raw_graph::Excess::Vertices));
                    }
                }
                "nm" if value == "1" => {}
                "nm" => return Err(ParseError::found(text, value, "nm=1, a single network")),
                "nr" | "nc" => {
                    let expected = "n=, a network with one kind of vertices";
                    return Err(ParseError::found(text, word, expected));
                }
                "format" => {
                    let form = Form::of(value);
                    head.form = form.ok_or_else(|| ParseError::found(text, value, FORMATS))?;
                }
                "diagonal" => head.diagonal = !is(value, "absent"),
                // The labels of rows and columns are those of the same vertices.
                "row" | "column" | "col" => rest = after,
                "labels" if is(value, "embedded") => head.embedded = true,
                "labels" => rest = head.label(text, after)?,
                "data" => {
                    head.data = after.trim_start_matches([':', ' ', '\t']);
                    return match head.vertices {
                        0 => Err(ParseError::found(text, word, SIZE)),
                        _ => Ok(head),
                    };
                }
                _ => return Err(ParseError::found(text, word, KEYWORD)),
            }
        }
    }

    /// Reads the labels at the beginning of `rest`. Returns the text after them.
    fn label(&mut self, text: &'a str, rest: &'a str) -> Result<&'a str, ParseError> {
        let list = rest.trim_start_matches([':', ' ', '\t']);
        if self.vertices == 0 {
            return Err(ParseError::found(text, list, "n= before the labels"));
        }
        let labels: Vec<&str> = words(list).take(self.vertices).collect();
        let last = labels.last().filter(|_| labels.len() == self.vertices);
        let Some(last) = last else {
            let expected = format!("{} labels", self.vertices);
            return Err(ParseError::found(text, end(text), &expected));
        };
        if !self.labels.is_empty() && self.labels != labels {
            return Err(ParseError::found(
                text,
                list,
                "the same labels for rows and columns",
            ));
        }
        let after = (last.as_ptr() as usize + last.len()).saturating_sub(text.as_ptr() as usize);
        self.labels = labels;
        let after = text.get(after..).unwrap_or_default();
        Ok(after.strip_prefix('"').unwrap_or(after))
    }

    /// Returns the graph without edges.
    fn draft(&self, text: &str) -> Result<RawGraph, ParseError> {
        let mut draft = match self.embedded {
            true => RawGraph::default(),
            false => RawGraph::numbered(self.vertices).map_err(|e| excess(text, self.data, e))?,
        };
        draft.allow_both_ends();
        if !self.labels.is_empty() && !self.embedded {
            draft.name_all();
            for (vertex, label) in (0..).zip(&self.labels) {
                draft.rename(vertex, label.to_string());
            }
        }
        Ok(draft)
    }

    /// Returns the vertex that a word of the data names.
    fn vertex(&self, text: &str, word: &str, draft: &mut RawGraph) -> Result<u16, ParseError> {
        if !self.embedded {
            return super::words::vertex(text, word, self.vertices);
        }
        let vertex = draft.vertex(word).map_err(|e| excess(text, word, e))?;
        match draft.vertices() <= self.vertices {
            true => Ok(vertex),
            false => {
                let expected = format!("one of at most {} names", self.vertices);
                Err(ParseError::found(text, word, &expected))
            }
        }
    }
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let head = Head::read(text)?;
    let mut draft = head.draft(text)?;
    match head.form {
        Form::Edges | Form::Nodes => lists(text, &head, &mut draft)?,
        Form::Full | Form::Lower | Form::Upper => matrix(input, &head, &mut draft)?,
    }
    if draft.vertices() < head.vertices {
        let (n, found, source) = (head.vertices, draft.vertices(), input.source);
        let warning = format!("n={n} in {source}, but only {found} names appear");
        draft.warnings.push(warning);
    }
    Ok(draft)
}

/// Reads lines of two ends and a weight, or of a vertex and its neighbors.
fn lists(text: &str, head: &Head<'_>, draft: &mut RawGraph) -> Result<(), ParseError> {
    for line in head.data.lines() {
        let mut words = words(line);
        let Some(first) = words.next() else { continue };
        let from = head.vertex(text, first, draft)?;
        if head.form == Form::Nodes {
            for word in words {
                let to = head.vertex(text, word, draft)?;
                let added = draft.edge(from, to, None);
                added.map_err(|e| excess(text, word, e))?;
            }
            continue;
        }
        let word = words.next().unwrap_or(end(line));
        if word.is_empty() {
            return Err(ParseError::found(text, word, "two ends of an edge"));
        }
        let to = head.vertex(text, word, draft)?;
        let noted = match words.next() {
            None => None,
            Some(word) => {
                let found = weight(word);
                Some(found.ok_or_else(|| ParseError::found(text, word, "a weight"))?)
            }
        };
        if let Some(word) = words.next() {
            return Err(ParseError::found(text, word, "the end of the line"));
        }
        let added = draft.edge(from, to, noted);
        added.map_err(|e| excess(text, first, e))?;
    }
    Ok(())
}

/// Reads a matrix, whose rows may be broken into lines.
fn matrix(input: &Input<'_>, head: &Head<'_>, draft: &mut RawGraph) -> Result<(), ParseError> {
    let text = input.text;
    let n = head.vertices;
    let mut words = words(head.data);
    // Embedded labels stand above the columns, and before each row.
    if head.embedded {
        for known in 0..n {
            let word = words.next().unwrap_or(end(text));
            if word.is_empty() || usize::from(head.vertex(text, word, draft)?) != known {
                return Err(ParseError::found(
                    text,
                    word,
                    &format!("{n} different names"),
                ));
            }
        }
    }
    let mut arcs = Arcs::default();
    for row in 0..n {
        if head.embedded {
            let word = words.next().unwrap_or(end(text));
            if word.is_empty() || usize::from(head.vertex(text, word, draft)?) != row {
                return Err(ParseError::found(
                    text,
                    word,
                    "the name of the row, as for columns",
                ));
            }
        }
        let columns = match head.form {
            Form::Lower => 0..row + 1,
            Form::Upper => row..n,
            _ => 0..n,
        };
        for column in columns.filter(|&column| head.diagonal || column != row) {
            let word = words.next().unwrap_or(end(text));
            let value = weight(word).ok_or_else(|| {
                let expected = format!("a number for row {} and column {}", row + 1, column + 1);
                ParseError::found(text, word, &expected)
            })?;
            if value == 0.0 {
                continue;
            }
            let (a, b) = (row as u16, column as u16);
            if head.form == Form::Full {
                arcs.add(a, b);
            }
            let added = draft.edge(a, b, Some(value));
            added.map_err(|e| excess(text, word, e))?;
        }
    }
    if let Some(word) = words.next() {
        return Err(ParseError::found(
            text,
            word,
            "the end of the text after the matrix",
        ));
    }
    match arcs.without_reverse() {
        None => Ok(()),
        Some(_) => input.directed(head.data.split_whitespace().next().unwrap_or(head.data)),
    }
}
