//! Adjacency matrices in plain text: as many lines as numbers per line. Numbers are separated by
//! white space, commas, semicolons, or tabs, or are digits 0 and 1 without gaps. A first line and
//! column may name the vertices, and a first line may give their number.

use super::Input;
use super::parse_error::ParseError;
use super::raw_graph::RawGraph;
use super::words::{excess, finite};

/// Maximum number of rows. All cells stay in memory until the text is known to be a matrix.
const MOST: usize = 4096;

/// Returns the graph of an adjacency matrix, or `None` if the text is not a matrix.
pub(super) fn read(input: &Input<'_>) -> Result<Option<RawGraph>, ParseError> {
    let text = input.text;
    let skipped = usize::from(is_counted(text));
    let lines = || all_lines(text).skip(skipped);
    let first = lines().next().unwrap_or_default();
    let form = Form::of(first);
    let width = form.cells(first).len();
    let count = lines().take(MOST + 2).count();
    // Compare these counts before gathering cells: most lists are not matrices, and some are long.
    if width != count || width < 2 {
        return Ok(None);
    }
    if width > MOST + 1 {
        let expected = format!("an adjacency matrix of at most {MOST} rows");
        return Err(ParseError::found(text, first, &expected));
    }
    let named = form
        .cells(first)
        .first()
        .is_none_or(|cell| form.number(cell).is_none());
    let size = width - usize::from(named);
    // Lines such as `x a` and `a 5` are edges, not a named matrix of one vertex.
    if size < 2 {
        return Ok(None);
    }
    let mut names: Vec<&str> = Vec::new();
    let mut heads: Vec<&str> = Vec::new();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (number, line) in lines().enumerate() {
        let cells = form.cells(line);
        if cells.len() != width {
            return Ok(None);
        }
        if named && number == 0 {
            heads = cells.get(1..).unwrap_or_default().to_vec();
            continue;
        }
        if named {
            names.extend(cells.first());
        }
        let numbers = cells.iter().skip(usize::from(named));
        let numbers: Option<Vec<f64>> = numbers.map(|cell| form.number(cell)).collect();
        match numbers {
            Some(numbers) => rows.push(numbers),
            None => return Ok(None),
        }
    }
    if named && heads != names {
        return Ok(None);
    }
    let at = |row: usize, column: usize| cell(&rows, row, column);
    let binary = rows
        .iter()
        .flatten()
        .all(|cell| *cell == 0.0 || *cell == 1.0);
    // Two lines of two numbers are two edges, and three lines of three may be edges with weights.
    // Take two lines as a matrix only if they are 0 1 and 1 0, and three lines only if they are
    // symmetric.
    let empty = (0..size).all(|v| at(v, v) == 0.0)
        && (size > 2 || skipped > 0 || form == Form::Digits || at(1, 0) != 0.0);
    let symmetric = (0..size).all(|a| (0..a).all(|b| at(a, b) == at(b, a)));
    let certain = named || size > 3 || size == 3 && form == Form::Digits;
    if !(certain || symmetric && (size == 3 || binary && empty)) {
        return Ok(None);
    }
    let mut draft = match named {
        false => RawGraph::numbered(size).map_err(|e| excess(text, first, e))?,
        true => RawGraph::default(),
    };
    for name in names {
        let known = draft.vertices();
        draft.vertex(name).map_err(|e| excess(text, name, e))?;
        if draft.vertices() == known {
            return Err(ParseError::found(text, name, "a unique name for each row"));
        }
    }
    draft.allow_both_ends();
    if !symmetric {
        input.directed(first)?;
    }
    for a in 0..size {
        for b in 0..size {
            let value = at(a, b);
            // Both triangles of a symmetric matrix have the same edges, so read only one.
            if value != 0.0 && (!symmetric || b <= a) {
                let noted = (!binary).then_some(value);
                let added = draft.edge(b as u16, a as u16, noted);
                added.map_err(|e| excess(text, first, e))?;
            }
        }
    }
    let mut warning = format!(
        "{} is read as an adjacency matrix of {size} vertices",
        input.source
    );
    if !(certain || binary && empty) {
        warning.push_str(", not as weighted edges: for these, begin with source target weight");
    }
    draft.warnings.push(warning);
    Ok(Some(draft))
}

/// Returns the lines of a text without comments and empty ones.
fn all_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']))
}

/// Returns true if the first line is the number of vertices, because as many lines follow.
fn is_counted(text: &str) -> bool {
    let first = all_lines(text).next().unwrap_or_default();
    let size = first.trim().parse::<usize>().ok();
    let others = all_lines(text).skip(1).take(MOST + 2);
    size.is_some_and(|size| size > 1 && others.count() == size)
}

fn cell(rows: &[Vec<f64>], row: usize, column: usize) -> f64 {
    let row = rows.get(row);
    row.and_then(|row| row.get(column)).copied().unwrap_or(0.0)
}

/// Separator of the cells in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// None: each cell is a digit.
    Digits,
    /// This sign: a tab, a semicolon, or a comma. A comma elsewhere is the sign of decimals.
    Sign(char),
    /// White space.
    Gaps,
}

/// Returns a line without the brackets that mathematics programs write around rows, and without the
/// separators after them.
fn bare(line: &str) -> &str {
    line.trim_start_matches([' ', '[', '{'])
        .trim_end_matches([' ', '\t', '\r', ',', ';', ']', '}'])
}

impl Form {
    fn of(line: &str) -> Form {
        let line = bare(line);
        if line.len() > 1 && line.bytes().all(|c| matches!(c, b'0' | b'1')) {
            Form::Digits
        } else {
            let sign = ['\t', ';', ',']
                .into_iter()
                .find(|sign| line.contains(*sign));
            sign.map_or(Form::Gaps, Form::Sign)
        }
    }

    /// Parses a cell as a number.
    fn number(self, cell: &str) -> Option<f64> {
        match self {
            Form::Sign(sign) if sign != ',' => finite(&cell.replace(',', ".")),
            Form::Digits | Form::Sign(_) | Form::Gaps => finite(cell),
        }
    }

    fn cells(self, line: &str) -> Vec<&str> {
        match self {
            Form::Digits => {
                let line = bare(line);
                line.char_indices()
                    .filter_map(|(at, c)| line.get(at..at + c.len_utf8()))
                    .take(MOST + 2)
                    .collect()
            }
            Form::Sign(sign) => bare(line)
                .split(sign)
                .map(|cell| cell.trim().trim_matches('"'))
                .take(MOST + 2)
                .collect(),
            Form::Gaps => bare(line)
                .split_whitespace()
                .map(|cell| cell.trim_matches('"'))
                .take(MOST + 2)
                .collect(),
        }
    }
}
