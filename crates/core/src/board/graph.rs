//! Board on any graph of any degree, for up to eight colors.

use std::sync::Arc;

use super::chains::{ChainBoard, StoneSets, Topology};
use super::eyes::{self, Corners};
use super::{Census, flood_census, shapes};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// A position on a graph.
pub type GraphBoard = ChainBoard<Adjacency>;

/// The adjacency of a graph, with the corners that the eye rule needs and the rings for local
/// shapes.
#[derive(Clone, Debug)]
pub struct Adjacency {
    graph: Arc<Graph>,
    corners: Corners,
    rings: Box<[Option<[Vertex; 8]>]>,
}

impl Adjacency {
    /// Prepares a graph for play.
    pub fn new(graph: Arc<Graph>) -> Adjacency {
        let corners = Corners::of(&graph);
        let ring = |v| shapes::ring(&graph, v, corners.precomputed(v)?);
        let rings = graph.all().map(ring).collect();
        Adjacency {
            graph,
            corners,
            rings,
        }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Returns pairs of neighbors with their common corners.
    pub(super) fn corners(&self) -> &Corners {
        &self.corners
    }
}

impl Topology for Adjacency {
    type StoneSets = NoStoneSets;

    fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    #[inline(always)]
    fn cells_around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.graph.neighbors(point).iter().copied()
    }

    #[inline(always)]
    fn degree(&self, point: Vertex) -> usize {
        self.graph.degree(point)
    }

    #[inline(always)]
    fn eye_shape(board: &ChainBoard<Adjacency>, color: Color, at: Vertex) -> bool {
        eyes::on_graph(board, color, at)
    }

    #[inline(always)]
    fn ring(&self, at: Vertex) -> Option<&[Vertex; 8]> {
        self.rings.get(at.index())?.as_ref()
    }

    fn max_colors(&self) -> usize {
        Color::MAX
    }

    fn census(board: &ChainBoard<Adjacency>) -> Census {
        board.point_census().unwrap_or_else(|| flood_census(board))
    }
}

/// No sets of stones apart from the chains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoStoneSets;

impl StoneSets for NoStoneSets {
    #[inline(always)]
    fn put(&mut self, _: Color, _: Vertex) {}

    #[inline(always)]
    fn remove(&mut self, _: Color, _: Vertex) {}
}
