//! One operand of a board spec during construction, and the disjoint union of several.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Graph;
use super::cells::Cells;
use super::drawing::Drawing;
use super::goban::Surface;
use super::names::Names;
use super::notes::Notes;
use super::space::Space;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Number of vertices and edges that a spec needs, known before memory is allocated. The number of
/// edges is an upper bound if a wrapped side is so short that some edges coincide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) vertices: u64,
    pub(crate) edges: u64,
}

impl Size {
    pub(crate) fn plus(self, other: Size) -> Size {
        Size {
            vertices: self.vertices.saturating_add(other.vertices),
            edges: self.edges.saturating_add(other.edges),
        }
    }
}

/// Labels of a [`BoardParts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Labels {
    /// The index of the vertex.
    Index,
    /// The coordinate in rows of this width.
    Coordinates(usize),
    /// One label per vertex, all different.
    Own(Vec<String>),
}

/// One operand of a spec.
#[derive(Clone, Debug)]
pub(crate) struct BoardParts {
    pub(crate) vertices: usize,
    /// May contain loops and parallel edges; the graph drops them.
    pub(crate) edges: Vec<(u16, u16)>,
    pub(crate) labels: Labels,
    /// Starting stones. May be shorter than `vertices`; the rest is empty.
    pub(crate) start: Vec<Option<Color>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) rectangle: Option<(usize, usize)>,
    pub(crate) surface: Surface,
    /// Data of the source about vertices and edges that does not affect the rules.
    pub(crate) notes: Notes,
    pub(crate) aliases: Aliases,
    pub(crate) drawing: Option<Drawing>,
    /// Cells of the aliases if they differ from those of the drawing. A union places the cells of
    /// its parts side by side.
    pub(crate) cells: Option<Cells>,
}

/// Source of the aliases of a [`BoardParts`] without coordinate labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aliases {
    /// The index, row by row, in a square (⌈√n⌉ columns).
    Index,
    /// The index, row by row, in this number of columns.
    Columns(usize),
    /// The drawing, if there is one.
    Drawing,
}

impl BoardParts {
    /// Returns an empty part without coordinates whose labels are indices. Callers have checked its
    /// [`Size`], so every vertex fits into `u16`.
    pub(crate) fn new(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> BoardParts {
        BoardParts {
            vertices,
            edges: edges
                .into_iter()
                .map(|(a, b)| (a as u16, b as u16))
                .collect(),
            labels: Labels::Index,
            start: Vec::new(),
            warnings: Vec::new(),
            rectangle: None,
            surface: Surface::Graph,
            notes: Notes::default(),
            aliases: Aliases::Index,
            drawing: None,
            cells: None,
        }
    }

    /// Returns the part of a go-space. Placements become vertices, and pairs of placements that
    /// touch become edges. Returns an error if the space is too large.
    pub(crate) fn of_space(
        space: Space,
        labels: Labels,
        point_labels: Option<Vec<String>>,
    ) -> Result<BoardParts, String> {
        let edges = space
            .pairs(Graph::MAX_EDGES)
            .map_err(|error| error.to_string())?;
        if !space.is_graph() && !space.is_light() {
            return Err(format!(
                "a go-space of {} placements and {} points is too large for overlapping stones",
                space.placements(),
                space.points()
            ));
        }
        let mut part = BoardParts::new(space.placements(), []);
        part.edges = edges;
        part.labels = labels;
        part.surface = Surface::Space {
            space: Arc::new(space),
            labels: point_labels.map(Arc::from),
        };
        Ok(part)
    }

    /// Returns this part with a drawing that its aliases follow.
    pub(crate) fn drawn(self, drawing: Drawing) -> BoardParts {
        BoardParts {
            drawing: Some(drawing),
            aliases: Aliases::Drawing,
            ..self
        }
    }

    /// Returns this part with a drawing for pictures only. Aliases go by index, because no grid
    /// resembles the drawing.
    pub(crate) fn pictured(self, drawing: Drawing) -> BoardParts {
        BoardParts {
            drawing: Some(drawing),
            ..self
        }
    }

    /// Returns the names of the vertices with the cells of their aliases. Takes the labels out of
    /// the part.
    pub(crate) fn names(&mut self) -> Names {
        let (n, labels) = (
            self.vertices,
            std::mem::replace(&mut self.labels, Labels::Index),
        );
        let rows = |columns| match labels {
            Labels::Index => Names::with_labels(n, None, columns),
            Labels::Coordinates(width) => Names::coordinates(width, n.div_ceil(width.max(1))),
            Labels::Own(own) => Names::with_labels(n, Some(own), columns),
        };
        if let Some(cells) = self.cells.take() {
            return rows(None).on_cells(cells);
        }
        match (self.aliases, &self.drawing) {
            (Aliases::Columns(columns), _) => rows(Some(columns)),
            (Aliases::Drawing, Some(drawing)) if drawing.places.len() == n => {
                rows(None).on_cells(Cells::of_drawing(drawing))
            }
            (Aliases::Index | Aliases::Drawing, _) => rows(None),
        }
    }

    /// Returns the cells of the aliases within a union, or `None` without a drawing, coordinates,
    /// or cells.
    fn cells(&self) -> Option<Cells> {
        if self.cells.is_some() {
            return self.cells.clone();
        }
        match (&self.labels, &self.drawing) {
            (Labels::Coordinates(width), _) => Some(Cells::rows(self.vertices, *width)),
            (Labels::Index | Labels::Own(_), Some(drawing)) => Some(Cells::of_drawing(drawing)),
            (Labels::Index | Labels::Own(_), None) => None,
        }
    }

    /// Returns true if the aliases follow coordinates.
    fn is_placed(&self) -> bool {
        match (&self.labels, self.aliases) {
            _ if self.cells.is_some() => true,
            (Labels::Coordinates(_), _) | (_, Aliases::Drawing) => true,
            (Labels::Index | Labels::Own(_), Aliases::Index | Aliases::Columns(_)) => false,
        }
    }

    /// Returns the disjoint union, with vertices in the order of the parts. A label that is already
    /// taken gets `'` until it is free.
    ///
    /// If all parts have drawings, they are drawn side by side, a long strip in rows. If, in
    /// addition, the aliases of one part follow its coordinates, those of the union do too. The
    /// rows of aliases are as long as the largest boards that GoGui shows, so they can differ. For
    /// example, `grid:9+komipath:7` is a grid with a row of points beside it.
    pub(crate) fn union(parts: Vec<BoardParts>) -> BoardParts {
        let mut whole = BoardParts::new(0, []);
        let drawings: Option<Vec<Drawing>> =
            parts.iter().map(|part| part.drawing.clone()).collect();
        if let Some(drawings) = drawings {
            whole.drawing = Some(Drawing::beside(&drawings));
            if parts.iter().any(BoardParts::is_placed) {
                let cells: Option<Vec<Cells>> = parts.iter().map(BoardParts::cells).collect();
                whole.cells = cells.and_then(|cells| Cells::beside(&cells));
            }
        }
        let mut labels = Vec::with_capacity(parts.iter().map(|part| part.vertices).sum());
        let mut free = FreeLabels::default();
        for part in parts {
            let shift = whole.vertices as u16;
            whole
                .edges
                .extend(part.edges.iter().map(|&(a, b)| (a + shift, b + shift)));
            whole.start.resize(whole.vertices, None);
            whole.start.extend(part.start);
            whole
                .notes
                .append(part.notes, whole.vertices, part.vertices);
            whole.vertices += part.vertices;
            whole.warnings.extend(part.warnings);
            match part.labels {
                Labels::Index => {
                    labels.extend((0..part.vertices).map(|i| free.take(i.to_string())))
                }
                Labels::Coordinates(width) => {
                    let names = Names::coordinates(width, part.vertices.div_ceil(width.max(1)));
                    let vertices = (0..part.vertices).map(Vertex::at);
                    labels.extend(vertices.map(|v| free.take(names.alias(v))));
                }
                Labels::Own(own) => labels.extend(own.into_iter().map(|label| free.take(label))),
            }
        }
        whole.labels = Labels::Own(labels);
        whole
    }
}

/// Generator of unique labels.
#[derive(Default)]
pub(crate) struct FreeLabels {
    taken: HashSet<String>,
    /// Number of primes to try next for each label. Without it, many equal labels would take
    /// quadratic time.
    primes: HashMap<String, usize>,
}

impl FreeLabels {
    /// Returns true if this label is not taken yet.
    pub(crate) fn is_free(&self, label: &str) -> bool {
        !self.taken.contains(label)
    }

    pub(crate) fn take(&mut self, label: String) -> String {
        if self.taken.insert(label.clone()) {
            return label;
        }
        let mut count = self.primes.get(&label).map_or(1, |&count| count);
        loop {
            let primed = primed(&label, count);
            count += 1;
            if self.taken.insert(primed.clone()) {
                self.primes.insert(label, count);
                return primed;
            }
        }
    }
}

/// Returns `label` with `count` primes. Above eight, the count is written as in `x'9`. Otherwise a
/// union repeated thousands of times would fill the memory with primes.
fn primed(label: &str, count: usize) -> String {
    const WRITTEN_OUT: usize = 8;
    if count <= WRITTEN_OUT {
        format!("{label}{}", "'".repeat(count))
    } else {
        format!("{label}'{count}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(labels: &[&str]) -> BoardParts {
        BoardParts {
            labels: Labels::Own(labels.iter().map(|l| l.to_string()).collect()),
            ..BoardParts::new(labels.len(), [])
        }
    }

    #[test]
    fn taken_labels_get_primes() {
        let whole = BoardParts::union(vec![
            own(&["a", "a'"]),
            own(&["a", "b"]),
            own(&["b", "a"]),
            BoardParts::new(2, [(0, 1)]),
        ]);
        let expected = ["a", "a'", "a''", "b", "b'", "a'''", "0", "1"].map(str::to_string);
        assert_eq!(whole.labels, Labels::Own(expected.to_vec()));
        assert_eq!(whole.edges, [(6, 7)]);
    }

    #[test]
    fn many_equal_labels_stay_short() {
        let whole = BoardParts::union(vec![own(&["a"]); 20_000]);
        let Labels::Own(labels) = whole.labels else {
            panic!("labels are kept")
        };
        assert_eq!(labels[8], "a''''''''");
        assert_eq!(labels[9], "a'9");
        assert_eq!(labels[19_999], "a'19999");
        assert_eq!(labels.iter().collect::<HashSet<_>>().len(), 20_000);
    }

    #[test]
    fn unions_keep_starting_stones() {
        let stone = BoardParts {
            start: vec![Some(Color::WHITE)],
            ..BoardParts::new(1, [])
        };
        let whole = BoardParts::union(vec![
            BoardParts::new(2, []),
            stone.clone(),
            BoardParts::new(1, []),
            stone,
        ]);
        let white = Some(Color::WHITE);
        assert_eq!(whole.start, [None, None, white, None, white]);
    }
}
