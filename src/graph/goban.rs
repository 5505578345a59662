//! The board before any stone is played: graph, names, starting stones.

use std::sync::Arc;

use super::Graph;
use super::names::Names;
use super::spec::Spec;
use crate::color::Color;

/// Everything about a board that no move changes. [`Spec::build`] makes one.
#[derive(Clone, Debug)]
pub struct Goban {
    /// The canonical spec, which builds this goban again.
    pub spec: Spec,
    /// What touches what.
    pub graph: Arc<Graph>,
    /// Labels and GTP aliases of the vertices.
    pub names: Names,
    /// Stones that stand on the board at the start, in index order; all `None` on most boards.
    pub start: Vec<Option<Color>>,
    /// Width and height, where the board is a plain rectangle.
    pub rectangle: Option<(usize, usize)>,
    /// One line each: what the source held that a board cannot, and names that look alike.
    pub warnings: Vec<String>,
}
