//! Matrix Market: the adjacency matrix by its entries, or in full. Symmetric matrices are graphs; a
//! general one is a graph if its entries are symmetric.

use super::Input;
use super::arcs::Arcs;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{end, excess, number, plain_words, vertex, weight};
use crate::model::goban::Goban;

pub(super) const MAGIC: &str = "%%MatrixMarket";
const HEADER: &str =
    "%%MatrixMarket matrix coordinate, then pattern, real or integer, then symmetric";
const SIZES: &str = "the numbers of rows, columns and entries";
const ENTRY: &str = "a number";

/// Symmetry of a matrix: the part of it that the file gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    /// Both triangles.
    General,
    /// The lower triangle with its diagonal.
    Symmetric,
    /// The lower triangle without its diagonal.
    Skew,
}

/// The header of a file.
struct Form {
    /// All values in order of columns, without their places.
    whole: bool,
    /// No values.
    pattern: bool,
    /// Two numbers for each value.
    complex: bool,
    symmetry: Symmetry,
}

impl Form {
    fn of(header: &str) -> Option<Form> {
        let words: Vec<String> = plain_words(header).map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [
            "%%matrixmarket",
            "matrix",
            form @ ("coordinate" | "array"),
            field @ ("pattern" | "real" | "integer" | "double" | "complex"),
            symmetry,
        ] = words.as_slice()
        else {
            return None;
        };
        let symmetry = match *symmetry {
            "general" => Symmetry::General,
            "symmetric" | "hermitian" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            _ => return None,
        };
        Some(Form {
            whole: *form == "array",
            pattern: *field == "pattern",
            complex: *field == "complex",
            symmetry,
        })
    }
}

pub(super) fn read(input: &Input<'_>) -> Result<RawGraph, ParseError> {
    let text = input.text;
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let header = lines.next().unwrap_or(end(text)).trim();
    let form = Form::of(header).ok_or_else(|| ParseError::found(text, header, HEADER))?;
    let Form {
        whole,
        pattern,
        complex,
        symmetry,
    } = form;
    let mut lines =
        lines.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('%'));
    let line = lines.next().unwrap_or(end(text));
    let mut sizes = plain_words(line);
    let rows_word = sizes.next().unwrap_or(end(line));
    let rows: usize = number(text, rows_word, SIZES)?;
    let columns_word = sizes.next().unwrap_or(end(line));
    let columns: usize = number(text, columns_word, SIZES)?;
    if rows != columns {
        return Err(ParseError::found(
            text,
            columns_word,
            &format!("a square matrix, {rows} columns"),
        ));
    }
    let mut draft = RawGraph::numbered(rows).map_err(|e| excess(text, rows_word, e))?;
    draft.allow_both_ends();
    let mut zeros = 0usize;
    let mut entries = Entries {
        draft,
        arcs: Arcs::default(),
        symmetry,
    };
    if whole {
        let mut values = lines.flat_map(plain_words);
        for column in 0..columns {
            let first = match symmetry {
                Symmetry::General => 0,
                Symmetry::Symmetric => column,
                Symmetry::Skew => column + 1,
            };
            for row in first..rows {
                let (value, word) = entry(text, &mut values, end(text), complex)?;
                if value != 0.0 {
                    let value = Some(value).filter(|_| !complex);
                    entries.add(text, word, (row as u16, column as u16), value)?;
                }
            }
        }
    } else {
        let word = sizes.next().unwrap_or(end(line));
        let count: u64 = number(text, word, SIZES)?;
        let mut found = 0;
        for line in lines {
            let mut words = plain_words(line);
            let first = words.next().unwrap_or(end(line));
            let a = vertex(text, first, rows)?;
            let b = vertex(text, words.next().unwrap_or(end(line)), rows)?;
            let value = match pattern {
                true => None,
                false => Some(entry(text, &mut words, end(line), complex)?.0),
            };
            found += 1;
            match value {
                Some(0.0) => zeros += usize::from(a != b),
                _ => entries.add(text, first, (a, b), value.filter(|_| !complex))?,
            }
        }
        if found != count {
            return Err(ParseError::found(
                text,
                word,
                &format!("{found}, the number of entries in the file"),
            ));
        }
    }
    if zeros > 0 {
        let source = input.source;
        let warning = format!("zero entries of {source} ignored: {zeros}");
        entries.draft.warnings.push(warning);
    }
    if complex && entries.draft.has_edges() {
        let source = input.source;
        let warning = format!("edge weights ignored in {source}, because they are complex numbers");
        entries.draft.warnings.push(warning);
    }
    entries.finish(input, header)
}

/// Returns the next value and its first word. `after` is the end of the words. For a complex
/// value, returns the sum of the sizes of its two parts, which is zero only for zero.
fn entry<'a>(
    text: &str,
    words: &mut impl Iterator<Item = &'a str>,
    after: &'a str,
    complex: bool,
) -> Result<(f64, &'a str), ParseError> {
    let word = words.next().unwrap_or(after);
    // A value that cannot be a weight, such as inf, is still an entry.
    let mut value = weight(word).ok_or_else(|| ParseError::found(text, word, ENTRY))?;
    if complex {
        let second = words.next().unwrap_or(after);
        let imaginary = weight(second).ok_or_else(|| ParseError::found(text, second, ENTRY))?;
        value = value.abs() + imaginary.abs();
    }
    Ok((value, word))
}

/// Entries of a matrix, read as edges.
struct Entries {
    draft: RawGraph,
    /// Entries of a general matrix.
    arcs: Arcs,
    symmetry: Symmetry,
}

impl Entries {
    fn add(
        &mut self,
        text: &str,
        at: &str,
        (a, b): (u16, u16),
        value: Option<f64>,
    ) -> Result<(), ParseError> {
        if self.symmetry == Symmetry::General {
            self.arcs.add(a, b);
        }
        self.draft
            .edge(a, b, value)
            .map_err(|e| excess(text, at, e))
    }

    fn finish(self, input: &Input<'_>, header: &str) -> Result<RawGraph, ParseError> {
        if self.arcs.without_reverse().is_some() {
            let general = header.len().saturating_sub("general".len());
            input.directed(header.get(general..).unwrap_or(header))?;
        }
        Ok(self.draft)
    }
}

/// Writes the lower triangle. Its values are the weights if every edge has one other than zero.
pub(super) fn write(goban: &Goban) -> Result<String, String> {
    let graph = &goban.graph;
    let weighted = graph.edges() > 0
        && goban.notes.edge_weights.len() == graph.edges()
        && goban
            .notes
            .edge_weights
            .iter()
            .all(|(_, weight)| *weight != 0.0);
    let field = if weighted { "real" } else { "pattern" };
    let n = graph.vertices();
    let mut out = format!(
        "{MAGIC} matrix coordinate {field} symmetric\n{n} {n} {}\n",
        graph.edges()
    );
    for (a, b) in goban.graph.pairs() {
        out.push_str(&format!("{} {}", b + 1, a + 1));
        if weighted && let Some(weight) = goban.notes.edge_weight(a as u16, b as u16) {
            out.push_str(&format!(" {weight}"));
        }
        out.push('\n');
    }
    Ok(out)
}
