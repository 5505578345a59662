//! The board before the first move: graph, names, and starting stones.

use std::fmt;
use std::sync::Arc;

use super::Graph;
use super::drawing::Drawing;
use super::mango::Mango;
use super::names::Names;
use super::notes::Notes;
use super::space::Space;
use crate::formats::Reading;
use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;

/// Rule for which points a stone covers and when a chain survives.
#[derive(Clone, Debug, Default)]
pub enum Surface {
    /// Stones stand on the vertices of the graph. A chain lives by its liberties, the adjacent
    /// empty vertices.
    #[default]
    Graph,
    /// A go-space. Its placements are the vertices; edges join placements that touch. A position
    /// colors points.
    Space {
        /// The points, their topology, and the placements.
        space: Arc<Space>,
        /// Names of the points, if the source names them.
        labels: Option<Arc<[String]>>,
    },
    /// A Mango set. Stones stand on vertices. A chain lives by the sum of the weights that it
    /// reaches.
    Mango(Arc<Mango>),
}

/// Text of the spec that a board was built from, with the options for reading its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecText {
    /// The canonical text.
    text: Arc<str>,
    /// Options for reading the files of the spec; not part of the text.
    reading: Reading,
}

impl SpecText {
    pub(crate) fn new(text: &str, reading: Reading) -> SpecText {
        SpecText {
            text: text.into(),
            reading,
        }
    }

    /// Returns the options for reading files.
    pub fn how_files_are_read(&self) -> &Reading {
        &self.reading
    }

    /// Returns true if building the board opens files.
    pub fn reads_files(&self) -> bool {
        // No other argument contains these letters followed by a colon.
        self.text.contains("file:")
    }
}

impl fmt::Display for SpecText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// All properties of a board that no move changes. Built by
/// [`Spec::build`](crate::spec::Spec::build).
#[derive(Clone, Debug)]
pub struct Goban {
    /// The canonical spec, which builds this goban again.
    pub spec: SpecText,
    /// Adjacency of the vertices.
    pub graph: Arc<Graph>,
    /// Labels and GTP aliases of the vertices.
    pub names: Names,
    /// Rule for which points a stone covers and when a chain survives.
    pub surface: Surface,
    /// Stones on the board at the start, in index order; all `None` on most boards.
    pub start: Vec<Option<Color>>,
    /// Locations of the vertices, if the family or the file gives them.
    pub drawing: Option<Drawing>,
    /// Weights and other notes that do not affect the rules.
    pub notes: Notes,
    /// Width and height if the board is a plain rectangle.
    pub rectangle: Option<(usize, usize)>,
    /// Warnings of one line each: parts of the source that a board cannot hold, and ambiguous
    /// names.
    pub warnings: Vec<String>,
}

impl Goban {
    /// Returns the number of points of a position: the number of vertices, except on go-spaces.
    pub fn points(&self) -> usize {
        match &self.surface {
            Surface::Graph | Surface::Mango(_) => self.graph.vertices(),
            Surface::Space { space, .. } => space.points(),
        }
    }

    /// Returns the go-space if the board is one.
    pub fn space(&self) -> Option<&Arc<Space>> {
        match &self.surface {
            Surface::Graph | Surface::Mango(_) => None,
            Surface::Space { space, .. } => Some(space),
        }
    }

    /// Returns the points that a stone on `vertex` covers.
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

    /// Returns the graph if this board is played as ordinary Go. That is, stones cover single
    /// vertices and live by adjacent empty vertices.
    pub fn ordinary_graph(&self) -> Option<&Arc<Graph>> {
        let ordinary = match &self.surface {
            Surface::Graph => true,
            Surface::Space { space, .. } => space.is_graph(),
            Surface::Mango(mango) => mango.is_plain(),
        };
        ordinary.then_some(&self.graph)
    }

    /// Returns the initial score of each color; 0 on most boards.
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

    /// Returns the player who moves first in this position if the board defines one. This holds
    /// only for the starting position of a file that names the first player.
    pub fn first(&self, position: &[Option<Color>]) -> Option<Color> {
        match &self.surface {
            Surface::Graph | Surface::Space { .. } => None,
            Surface::Mango(mango) => mango.first().filter(|_| position == self.start),
        }
    }
}
