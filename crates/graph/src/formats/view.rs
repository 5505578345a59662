//! The data of a board that formats with attributes write.

use std::borrow::Cow;

use super::notes::{STONE, WEIGHT};
use crate::model::goban::{Goban, Surface};
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;

/// Data that a format may write. Weights come from the Mango set if the board is one, else from the
/// source of the board.
pub(super) struct View<'a> {
    goban: &'a Goban,
    weights: Vec<Option<Points>>,
}

impl<'a> View<'a> {
    pub(super) fn of(goban: &'a Goban) -> View<'a> {
        let weights = match &goban.surface {
            Surface::Mango(mango) => {
                let unit = mango.unit();
                mango
                    .weights()
                    .iter()
                    .map(|&units| Some(unit * units))
                    .collect()
            }
            Surface::Graph | Surface::Space { .. } => {
                goban.notes.weights.clone().unwrap_or_default()
            }
        };
        View { goban, weights }
    }

    /// Returns every edge once, lower end first, in ascending order.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        self.goban.graph.pairs()
    }

    pub(super) fn label(&self, vertex: usize) -> Cow<'a, str> {
        let goban = self.goban;
        goban.names.label(Vertex::at(vertex))
    }

    pub(super) fn edge_weight(&self, a: usize, b: usize) -> Option<f64> {
        self.goban.notes.edge_weight(a as u16, b as u16)
    }

    pub(super) fn has_edge_weights(&self) -> bool {
        !self.goban.notes.edge_weights.is_empty()
    }

    pub(super) fn has_weights(&self) -> bool {
        self.weights.iter().any(Option::is_some)
    }

    pub(super) fn has_stones(&self) -> bool {
        self.goban.start.iter().any(Option::is_some)
    }

    pub(super) fn has_coordinates(&self) -> bool {
        self.goban.drawing.is_some()
    }

    /// Returns true if vertices have three coordinates.
    pub(super) fn is_solid(&self) -> bool {
        self.goban
            .drawing
            .as_ref()
            .is_some_and(|drawing| drawing.solid.is_some())
    }

    /// Returns the two or three coordinates of a vertex, or `None` without a drawing.
    pub(super) fn place(&self, vertex: Vertex) -> Option<&'a [f64]> {
        let drawing = self.goban.drawing.as_ref()?;
        match &drawing.solid {
            Some(solid) => solid.get(vertex.index()).map(|place| place.as_slice()),
            None => drawing
                .places
                .get(vertex.index())
                .map(|place| place.as_slice()),
        }
    }

    /// Returns the attributes of a vertex.
    pub(super) fn vertex_notes(&self, vertex: Vertex) -> Vec<(&'static str, String)> {
        let mut notes = Vec::new();
        let axes = ["x", "y", "z"].into_iter();
        if let Some(place) = self.place(vertex) {
            notes.extend(axes.zip(place.iter().map(f64::to_string)));
        }
        if let Some(color) = self.goban.start.get(vertex.index()).copied().flatten() {
            notes.push((STONE, color.to_string()));
        }
        if let Some(weight) = self.weights.get(vertex.index()).copied().flatten() {
            notes.push((WEIGHT, weight.to_string()));
        }
        notes
    }

    /// Returns the vertices with weights.
    pub(super) fn vertex_weights(&self) -> impl Iterator<Item = (usize, Points)> {
        let weights = self.weights.iter().enumerate();
        weights.filter_map(|(vertex, weight)| weight.map(|weight| (vertex, weight)))
    }

    /// Returns the attributes that define a Mango set; empty for other boards.
    pub(super) fn mango(&self) -> Vec<(&'static str, String)> {
        let Surface::Mango(mango) = &self.goban.surface else {
            return Vec::new();
        };
        let mut texts = vec![("threshold", mango.threshold().to_string())];
        let [black, white] = mango.scores();
        if [black, white] != [Points::ZERO; 2] {
            texts.push(("scores", format!("[{black},{white}]")));
        }
        texts.extend(mango.first().map(|first| ("first", first.to_string())));
        texts
    }
}
