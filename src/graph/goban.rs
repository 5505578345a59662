//! The board before any stone is played: graph, names, starting stones.

use std::sync::Arc;

use super::Graph;
use super::drawing::Drawing;
use super::mango::Mango;
use super::names::Names;
use super::notes::Notes;
use super::space::Space;
use super::spec::Spec;
use crate::color::Color;
use crate::points::Points;
use crate::vertex::Vertex;

/// What a stone covers and what keeps it alive.
#[derive(Clone, Debug, Default)]
pub enum Surface {
    /// Stones on the vertices of the graph: a group lives by its liberties, adjacent empty vertices.
    #[default]
    Graph,
    /// A go-space: the vertices are its placements, the edges those that touch, and a position speaks of its points.
    Space {
        /// The points, their topology and the placements.
        space: Arc<Space>,
        /// Names of the points, where the source gives some.
        labels: Option<Arc<[String]>>,
    },
    /// A Mango set: stones on the vertices, alive by the sum of the weights that they reach.
    Mango(Arc<Mango>),
}

/// Everything about a board that no move changes. [`Spec::build`] makes one.
#[derive(Clone, Debug)]
pub struct Goban {
    /// The canonical spec, which builds this goban again.
    pub spec: Spec,
    /// What touches what.
    pub graph: Arc<Graph>,
    /// Labels and GTP aliases of the vertices.
    pub names: Names,
    /// What a stone covers and what keeps it alive.
    pub surface: Surface,
    /// Stones that stand on the board at the start, in index order; all `None` on most boards.
    pub start: Vec<Option<Color>>,
    /// Where the vertices are drawn, where family or file says so.
    pub drawing: Option<Drawing>,
    /// Weights and the like, which no rule looks at.
    pub notes: Notes,
    /// Width and height, where the board is a plain rectangle.
    pub rectangle: Option<(usize, usize)>,
    /// One line each: what the source held that a board cannot, and names that look alike.
    pub warnings: Vec<String>,
}

impl Goban {
    /// Number of points of a position: the vertices, except on go-spaces.
    pub fn points(&self) -> usize {
        match &self.surface {
            Surface::Graph | Surface::Mango(_) => self.graph.vertices(),
            Surface::Space { space, .. } => space.points(),
        }
    }

    /// The go-space, where the board is one.
    pub fn space(&self) -> Option<&Arc<Space>> {
        match &self.surface {
            Surface::Graph | Surface::Mango(_) => None,
            Surface::Space { space, .. } => Some(space),
        }
    }

    /// The points that a stone on `vertex` covers.
    pub fn covered(&self, vertex: Vertex) -> Vec<Vertex> {
        match &self.surface {
            Surface::Graph | Surface::Mango(_) => vec![vertex],
            Surface::Space { space, .. } => space.placement(vertex.index()).to_vec(),
        }
    }

    /// Colors the points that a stone on `vertex` covers.
    pub fn put(&self, position: &mut [Option<Color>], vertex: Vertex, color: Color) {
        for point in self.covered(vertex) {
            if let Some(point) = position.get_mut(point.index()) {
                *point = Some(color);
            }
        }
    }

    /// The graph, where the game on this board is ordinary Go on it: stones on single vertices that live by adjacent empty
    /// ones.
    pub fn ordinary_graph(&self) -> Option<&Arc<Graph>> {
        let ordinary = match &self.surface {
            Surface::Graph => true,
            Surface::Space { space, .. } => space.is_graph(),
            Surface::Mango(mango) => mango.is_plain(),
        };
        ordinary.then_some(&self.graph)
    }

    /// Points that each colour has before anything is counted; none on most boards.
    pub fn initial_scores(&self) -> [Points; Color::MAX] {
        let mut scores = [Points::ZERO; Color::MAX];
        match &self.surface {
            Surface::Graph | Surface::Space { .. } => {}
            Surface::Mango(mango) => {
                for (score, initial) in scores.iter_mut().zip(mango.scores()) {
                    *score = initial;
                }
            }
        }
        scores
    }

    /// Who moves first in this position, where the board itself says so: a file's own starting position is part of the
    /// file, and so is its first player.
    pub fn first(&self, position: &[Option<Color>]) -> Option<Color> {
        match &self.surface {
            Surface::Graph | Surface::Space { .. } => None,
            Surface::Mango(mango) => mango.first().filter(|_| position == self.start),
        }
    }
}
