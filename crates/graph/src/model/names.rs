//! Labels and GTP aliases of the vertices of a board.
//!
//! A **label** is the name of a vertex in its source: its GTP name on grids, a name in an edge
//! list, else its index. An **alias** is a column of letters and a row number, as GTP writes
//! vertices:
//!
//! - On rectangles, the alias is the coordinate of the board.
//! - On lattices, and if a file gives coordinates, it is a cell of a grid that resembles the
//!   drawing.
//! - Otherwise, it is the cell of the vertex in a rectangle that is filled row by row from A1.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::borrow::Cow;
// Labels are external input. The table keeps the standard hasher, because chosen names could
// degrade a faster one.
use std::collections::HashMap;
use std::sync::Arc;

use super::cells::Cells;
use omnigo_base::text::quote;
use omnigo_base::vertex::Vertex;

/// Number of columns with a one-letter name: the alphabet without I.
const LETTERS: usize = 25;

/// Labels and aliases of the vertices of a board. Cloning is cheap.
///
/// ```
/// use omnigo_graph::names::Names;
/// use omnigo_base::vertex::Vertex;
/// let names = Names::coordinates(9, 9);
/// assert_eq!(names.alias(Vertex::at(8)), "J1");
/// assert_eq!(names.find("a2"), Some(Vertex::at(9)));
///
/// let names = Names::with_labels(3, Some(vec!["hub".into(), "left".into(), "right".into()]), None);
/// assert_eq!(names.label(Vertex::at(2)), "right");
/// assert_eq!(names.alias(Vertex::at(2)), "A2");
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    vertices: usize,
    width: usize,
    labels: Labels,
    /// Cells of aliases that follow a drawing; `None` if aliases are row by row.
    cells: Option<Cells>,
}

/// Source of the labels. The first two kinds need no memory.
#[derive(Clone, Debug)]
enum Labels {
    Alias,
    Index,
    Own(Arc<Own>),
}

#[derive(Debug)]
struct Own {
    list: Vec<Arc<str>>,
    by_label: HashMap<Arc<str>, Vertex>,
}

impl Names {
    /// Returns names of a board with coordinates, `width` columns per row. Labels are the GTP
    /// names.
    pub fn coordinates(width: usize, height: usize) -> Names {
        Names {
            vertices: width * height,
            width: width.max(1),
            labels: Labels::Alias,
            cells: None,
        }
    }

    /// Returns names of a board with `n` vertices but no coordinates. Without `labels`, the label
    /// is the index. Without `width`, the aliases fill a rectangle ⌈√n⌉ wide. If several vertices
    /// have the same label, [`Names::find`] returns the first.
    pub fn with_labels(n: usize, labels: Option<Vec<String>>, width: Option<usize>) -> Names {
        let labels = match labels {
            Some(list) if !are_indices(&list) => {
                let list: Vec<Arc<str>> = list.into_iter().take(n).map(Arc::from).collect();
                let mut by_label = HashMap::with_capacity(list.len());
                for (index, label) in list.iter().enumerate() {
                    by_label.entry(label.clone()).or_insert(Vertex::at(index));
                }
                Labels::Own(Arc::new(Own { list, by_label }))
            }
            _ => Labels::Index,
        };
        let root = n.isqrt();
        let width = width.unwrap_or(if root * root == n { root } else { root + 1 });
        Names {
            vertices: n,
            width: width.max(1),
            labels,
            cells: None,
        }
    }

    /// Returns these labels with the aliases of `cells`, which holds one cell per vertex.
    pub(super) fn on_cells(self, cells: Cells) -> Names {
        Names {
            width: cells.width(),
            cells: Some(cells),
            ..self
        }
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns the number of columns of the alias grid, at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows of the alias grid, 0 without vertices. The last row may be
    /// shorter. If the grid follows a drawing, cells may be empty.
    pub fn height(&self) -> usize {
        match &self.cells {
            Some(cells) => cells.height(),
            None => self.vertices.div_ceil(self.width),
        }
    }

    /// Returns true if the aliases are cells of a grid that resembles the board's drawing. Some of
    /// these cells may be empty.
    pub fn follow_a_drawing(&self) -> bool {
        self.cells.is_some()
    }

    /// Returns the column and row of a vertex on the alias grid, from 0.
    pub fn cell(&self, vertex: Vertex) -> (usize, usize) {
        let in_rows = || (vertex.index() % self.width, vertex.index() / self.width);
        let drawn = self.cells.as_ref().and_then(|cells| cells.cell(vertex));
        drawn.unwrap_or_else(in_rows)
    }

    /// Returns the vertex at this column and row of the alias grid (from 0), or `None` if there is
    /// none.
    pub fn vertex_at(&self, column: usize, row: usize) -> Option<Vertex> {
        if let Some(cells) = &self.cells {
            return cells.vertex(column, row);
        }
        let index = row.checked_mul(self.width)?.checked_add(column)?;
        if column < self.width && index < self.vertices {
            Vertex::from_index(index)
        } else {
            None
        }
    }

    /// Returns the GTP alias in capitals: `A1`, `T19`, `AA1`.
    pub fn alias(&self, vertex: Vertex) -> String {
        let (column, row) = self.cell(vertex);
        format!("{}{}", column_letters(column), row + 1)
    }

    /// Returns the label.
    pub fn label(&self, vertex: Vertex) -> Cow<'_, str> {
        match &self.labels {
            Labels::Alias => Cow::Owned(self.alias(vertex)),
            Labels::Index => Cow::Owned(vertex.index().to_string()),
            Labels::Own(own) => match own.list.get(vertex.index()) {
                Some(label) => Cow::Borrowed(label),
                None => Cow::Owned(vertex.index().to_string()),
            },
        }
    }

    /// Returns true if the source of the board gives the labels, so that they are neither aliases
    /// nor indices.
    pub fn are_given(&self) -> bool {
        matches!(self.labels, Labels::Own(_))
    }

    /// Returns the name of a vertex for people: the alias, and a given label that differs from it,
    /// as in `A1 (hub)`.
    ///
    /// ```
    /// use omnigo_graph::names::Names;
    /// use omnigo_base::vertex::Vertex;
    /// let labels = vec!["hub".into(), "B1".into()];
    /// let names = Names::with_labels(2, Some(labels), None);
    /// assert_eq!(names.for_people(Vertex::at(0)), "A1 (hub)");
    /// assert_eq!(names.for_people(Vertex::at(1)), "B1");
    /// ```
    pub fn for_people(&self, vertex: Vertex) -> String {
        let alias = self.alias(vertex);
        let label = self.label(vertex);
        match self.are_given() && label != alias {
            true => format!("{alias} ({label})"),
            false => alias,
        }
    }

    /// Returns the vertex with this name, or `None`. Tries aliases in any case first, then labels
    /// exactly as written.
    pub fn find(&self, name: &str) -> Option<Vertex> {
        self.find_alias(name).or_else(|| match &self.labels {
            Labels::Alias => None,
            Labels::Index => index(name)
                .filter(|&i| i < self.vertices)
                .and_then(Vertex::from_index),
            Labels::Own(own) => own.by_label.get(name).copied(),
        })
    }

    /// Returns the vertex with this label, exactly as written, or `None`.
    pub fn find_label(&self, label: &str) -> Option<Vertex> {
        match &self.labels {
            Labels::Alias => self.find_alias(label),
            Labels::Index => index(label)
                .filter(|&i| i < self.vertices)
                .and_then(Vertex::from_index),
            Labels::Own(own) => own.by_label.get(label).copied(),
        }
    }

    /// Returns the vertex with this alias, in any case, or `None`.
    pub fn find_alias(&self, alias: &str) -> Option<Vertex> {
        let letters = alias.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (column, row) = alias.split_at_checked(letters)?;
        let column = column_index(column)?;
        let row = index(row)?.checked_sub(1)?;
        self.vertex_at(column, row)
    }

    /// Returns a warning of one line if labels look like the alias of another vertex. In such cases
    /// the alias wins.
    pub fn clash(&self) -> Option<String> {
        const SHOWN: usize = 3;
        let Labels::Own(own) = &self.labels else {
            return None;
        };
        let mut clashes = own
            .list
            .iter()
            .enumerate()
            .filter(|(index, label)| {
                self.find_alias(label)
                    .is_some_and(|other| other.index() != *index)
            })
            .map(|(_, label)| label);
        let shown: Vec<String> = clashes
            .by_ref()
            .take(SHOWN)
            .map(|label| format!("'{}'", quote(label)))
            .collect();
        let rest = clashes.count();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        match shown.len() {
            0 => None,
            1 => Some(format!(
                "label {} matches the alias of another vertex, the alias takes precedence",
                shown.join(", ")
            )),
            _ => Some(format!(
                "labels {}{more} match the aliases of other vertices, the aliases take precedence",
                shown.join(", ")
            )),
        }
    }
}

/// Returns the letters of a column, counted from 0: A to Z without I, then AA, AB, and so on.
///
/// ```
/// use omnigo_graph::names::column_letters;
/// assert_eq!([7, 8, 24, 25, 26].map(column_letters), ["H", "J", "Z", "AA", "AB"]);
/// ```
pub fn column_letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        left -= 1;
        let place = (left % LETTERS) as u8;
        letters.push(char::from(b'A' + place + u8::from(place >= 8)));
        left /= LETTERS;
    }
    letters.iter().rev().collect()
}

/// Returns the column with these letters, in any case, or `None` for invalid letters.
fn column_index(letters: &str) -> Option<usize> {
    let mut column = 0usize;
    for letter in letters.bytes().map(|letter| letter.to_ascii_uppercase()) {
        let place = match letter {
            b'A'..=b'H' => letter - b'A',
            b'J'..=b'Z' => letter - b'B',
            _ => return None,
        };
        column = column
            .checked_mul(LETTERS)?
            .checked_add(usize::from(place) + 1)?;
    }
    column.checked_sub(1)
}

/// Reads a number in the form in which indices are printed: digits only, without leading zeros.
/// Returns `None` otherwise.
pub(crate) fn index(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|c| c.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    if digits && canonical {
        text.parse().ok()
    } else {
        None
    }
}

fn are_indices(labels: &[String]) -> bool {
    labels
        .iter()
        .enumerate()
        .all(|(i, label)| index(label) == Some(i))
}

/// Returns true if `text` can be a label: 1 to 255 letters, digits, `_`, `.`, and `'`, and neither
/// `pass` nor `resign`.
pub fn is_name(text: &str) -> bool {
    const MOST: usize = 255;
    (1..=MOST).contains(&text.len())
        && text.chars().all(is_name_char)
        && !["pass", "resign"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns true if `text` can be a label on a board that is not written as edges. Any printable
/// word of at most 255 bytes without `#` qualifies, except `pass` and `resign`.
pub fn is_label(text: &str) -> bool {
    const MOST: usize = 255;
    (1..=MOST).contains(&text.len())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#')
        && !["pass", "resign"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns true if a name may contain this character.
pub(crate) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(labels: &[&str]) -> Option<Vec<String>> {
        Some(labels.iter().map(|label| label.to_string()).collect())
    }

    #[test]
    fn aliases_round_trip_on_every_width() {
        for (width, height) in [
            (1, 1),
            (9, 9),
            (19, 19),
            (25, 25),
            (26, 3),
            (650, 2),
            (651, 2),
            (65535, 1),
            (1, 65535),
        ] {
            let names = Names::coordinates(width, height);
            assert_eq!((names.width(), names.height()), (width, height));
            for v in (0..width * height).map(Vertex::at) {
                let alias = names.alias(v);
                assert_eq!(names.find(&alias), Some(v), "{alias}");
                assert_eq!(names.find(&alias.to_ascii_lowercase()), Some(v), "{alias}");
                assert_eq!(names.label(v), alias);
            }
        }
    }

    #[test]
    fn columns_count_in_base_25() {
        for (column, letters) in [
            (0, "A"),
            (24, "Z"),
            (25, "AA"),
            (49, "AZ"),
            (50, "BA"),
            (649, "ZZ"),
            (650, "AAA"),
        ] {
            assert_eq!(column_letters(column), letters);
            assert_eq!(column_index(letters), Some(column));
        }
    }

    #[test]
    fn unknown_names_are_not_found() {
        let names = Names::coordinates(9, 9);
        for text in [
            "",
            "A",
            "1",
            "A0",
            "A01",
            "I5",
            "K1",
            "A10",
            "A-1",
            "A+1",
            "é1",
            "A1 ",
            "pass",
            "A99999999999999999999",
        ] {
            assert_eq!(names.find(text), None, "{text}");
        }
        let long = "Z".repeat(1000) + "1";
        assert_eq!(names.find(&long), None);
    }

    #[test]
    fn index_labels_take_no_memory() {
        let names = Names::with_labels(7, strings(&["0", "1", "2", "3", "4", "5", "6"]), None);
        assert!(matches!(names.labels, Labels::Index));
        assert_eq!((names.width(), names.height()), (3, 3));
        assert_eq!(names.alias(Vertex::at(6)), "A3");
        assert_eq!(names.find("6"), Some(Vertex::at(6)));
        assert_eq!(names.find("A3"), Some(Vertex::at(6)));
        assert_eq!(names.find("B3"), None, "the last row is short");
        for text in ["7", "06", "+6", "-1"] {
            assert_eq!(names.find(text), None, "{text}");
        }
    }

    #[test]
    fn aliases_take_precedence_over_labels_with_a_warning() {
        let names = Names::with_labels(4, strings(&["x", "a1", "B1", "y"]), None);
        assert_eq!(names.find("a1"), Some(Vertex::at(0)));
        assert_eq!(names.find("x"), Some(Vertex::at(0)));
        assert_eq!(names.find("X"), None, "case matters in labels");
        let line = names.clash().unwrap();
        assert_eq!(
            line,
            "labels 'a1', 'B1' match the aliases of other vertices, the aliases take precedence"
        );
        assert_eq!(
            Names::with_labels(2, strings(&["A1", "b1"]), None).clash(),
            None
        );
        assert_eq!(Names::coordinates(5, 5).clash(), None);
    }

    #[test]
    fn a_board_without_vertices_has_no_names() {
        let names = Names::with_labels(0, None, None);
        assert_eq!((names.vertices(), names.width(), names.height()), (0, 1, 0));
        assert_eq!(names.find("A1"), None);
    }

    #[test]
    fn names_consist_of_letters_digits_and_three_signs() {
        for name in ["a", "A1", "x_1", "0'", "1.5", "passage"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "", "a b", "a-b", "a+b", "a,b", "é", "pass", "PASS", "Resign",
        ] {
            assert!(!is_name(name), "{name}");
        }
        assert!(!is_name(&"a".repeat(256)));
    }
}
