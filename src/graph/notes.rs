//! What a source says of vertices and edges beyond who is adjacent. No rule looks at it; it is kept for those who write the
//! board again.

use crate::points::Points;

/// Weights that came with a graph. The weights of a Mango set are not among them: those are rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Of the vertices in index order, exactly as the source has them.
    pub weights: Option<Vec<Option<Points>>>,
    /// Of edges, low end first, in ascending order; edges without a weight are left out.
    pub edge_weights: Vec<((u16, u16), f64)>,
}

impl Notes {
    /// The weight of an edge, whichever end comes first.
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

    /// What is noted of a graph that follows behind `before` vertices and has `vertices` of its own.
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

    /// Whether nothing is noted.
    pub fn is_empty(&self) -> bool {
        self.weights.is_none() && self.edge_weights.is_empty()
    }
}
