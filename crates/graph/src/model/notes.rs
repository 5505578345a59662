//! Additional data of a source about vertices and edges, such as weights. It does not affect the
//! rules; it is kept for writing the board to a file again.

use omnigo_base::points::Points;

/// Weights that came with a graph. The weights of a Mango set are stored elsewhere, because they
/// affect the rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Weights of the vertices in index order, exactly as in the source.
    pub weights: Option<Vec<Option<Points>>>,
    /// Weights of edges, as (lower, higher) vertex, in ascending order. Edges without a weight are
    /// omitted.
    pub edge_weights: Vec<((u16, u16), f64)>,
}

impl Notes {
    /// Returns the weight of an edge, whichever end comes first, or `None`.
    pub fn edge_weight(&self, a: u16, b: u16) -> Option<f64> {
        let edge = (a.min(b), a.max(b));
        let place = self
            .edge_weights
            .binary_search_by_key(&edge, |(edge, _)| *edge);
        place
            .ok()
            .and_then(|place| self.edge_weights.get(place))
            .map(|(_, weight)| *weight)
    }

    /// Appends the notes of a graph with `vertices` vertices. Its indices are shifted by `before`,
    /// the number of earlier vertices.
    pub(super) fn append(&mut self, other: Notes, before: usize, vertices: usize) {
        if self.weights.is_some() || other.weights.is_some() {
            let weights = self.weights.get_or_insert_default();
            weights.resize(before, None);
            weights.extend(other.weights.unwrap_or_default());
            weights.resize(before + vertices, None);
        }
        let shift = before as u16;
        let edges = other.edge_weights.into_iter();
        self.edge_weights
            .extend(edges.map(|((a, b), weight)| ((a + shift, b + shift), weight)));
    }

    /// Returns true if there are no weights.
    pub fn is_empty(&self) -> bool {
        self.weights.is_none() && self.edge_weights.is_empty()
    }
}
