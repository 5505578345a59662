//! Board on rectangles up to 25×25, for two colors.
//!
//! Each point has four neighbor slots. The edge cell fills the slots beyond the edge; its index is
//! the number of points. Apart from the chains, the board keeps two bit sets of stones. Shifts of
//! these sets answer questions about the whole board.

use super::Census;
use super::bits::{Bits, Rectangle};
use super::chains::{ChainBoard, StoneSets, Topology};
use super::eyes::{self, Corners};
use super::shapes;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// A position on a rectangle.
pub type GridBoard = ChainBoard<Grid>;

/// The shape of a rectangle up to 25×25.
#[derive(Clone, Debug)]
pub struct Grid {
    width: usize,
    height: usize,
    /// North, east, south, and west neighbor of each point. The edge cell stands for a missing
    /// neighbor.
    straight: Box<[[Vertex; 4]]>,
    /// North-east, south-east, south-west, and north-west neighbor of each point, likewise.
    diagonals: Box<[[Vertex; 4]]>,
    /// The straight neighbors in index order, the order of neighbors in a graph. So grid and graph
    /// boards play the same moves.
    straight_by_index: Box<[[Vertex; 4]]>,
    /// Rings of alternating straight and diagonal neighbors, in the order of [`shapes::ring`]. The
    /// edge cell stands for points beyond the edge. Empty if any point has no ring, as on a single
    /// row or column.
    rings: Box<[[Vertex; 8]]>,
    rectangle: Rectangle,
}

impl Grid {
    /// Returns the rectangle, or `None` if a side is 0 or above 25.
    pub fn new(width: usize, height: usize) -> Option<Grid> {
        let lengths = 1..=Rectangle::MAX_SIDE;
        if !lengths.contains(&width) || !lengths.contains(&height) {
            return None;
        }
        let edge_cell = width * height;
        let point = |i: usize, dx: isize, dy: isize| {
            let (x, y) = ((i % width) as isize + dx, (i / width) as isize + dy);
            let inside = (0..width as isize).contains(&x) && (0..height as isize).contains(&y);
            Vertex::at(if inside {
                y as usize * width + x as usize
            } else {
                edge_cell
            })
        };
        let table = |steps: [(isize, isize); 4]| -> Box<[[Vertex; 4]]> {
            (0..width * height)
                .map(|i| steps.map(|(dx, dy)| point(i, dx, dy)))
                .collect()
        };
        let straight = table([(0, 1), (1, 0), (0, -1), (-1, 0)]);
        let diagonals = table([(1, 1), (1, -1), (-1, -1), (-1, 1)]);
        let rings: Option<_> = rings_of_graph(width, height).into_iter().collect();
        let rings = rings.unwrap_or_default();
        Some(Grid {
            width,
            height,
            straight,
            diagonals,
            straight_by_index: table([(0, -1), (-1, 0), (1, 0), (0, 1)]),
            rings,
            rectangle: Rectangle::new(width, height),
        })
    }

    /// Returns the number of points per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of points per column.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the diagonal neighbors in the order north-east, south-east, south-west, north-west.
    #[inline(always)]
    pub(super) fn diagonals(&self, point: Vertex) -> [Vertex; 4] {
        self.diagonals[point.index()]
    }

    /// Returns the straight neighbors in the order north, east, south, west.
    #[inline(always)]
    pub(super) fn straight(&self, point: Vertex) -> [Vertex; 4] {
        self.straight[point.index()]
    }
}

/// Returns the rings of the rectangle, computed on the equivalent graph.
fn rings_of_graph(width: usize, height: usize) -> Vec<Option<[Vertex; 8]>> {
    let index = |x: usize, y: usize| (y * width + x) as u16;
    let points = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let edges: Vec<(u16, u16)> = points
        .flat_map(|(x, y)| {
            let east = (x + 1 < width).then(|| (index(x, y), index(x + 1, y)));
            let north = (y + 1 < height).then(|| (index(x, y), index(x, y + 1)));
            [east, north].into_iter().flatten()
        })
        .collect();
    let (graph, _) = Graph::from_edges(width * height, &edges);
    let corners = Corners::of(&graph);
    let ring = |at| shapes::ring(&graph, at, corners.precomputed(at)?);
    graph.all().map(ring).collect()
}

impl Topology for Grid {
    type StoneSets = StoneBits;

    fn vertices(&self) -> usize {
        self.width * self.height
    }

    #[inline(always)]
    fn ring(&self, at: Vertex) -> Option<&[Vertex; 8]> {
        self.rings.get(at.index())
    }

    fn rectangle(&self) -> Option<(usize, usize)> {
        Some((self.width, self.height))
    }

    #[inline(always)]
    fn cells_around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.straight_by_index[point.index()].into_iter()
    }

    /// Number of slots, always 4: points on the edge have the edge cell in the rest.
    #[inline(always)]
    fn degree(&self, _point: Vertex) -> usize {
        4
    }

    #[inline(always)]
    fn eye_shape(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
        eyes::on_grid(board, color, at)
    }

    fn max_colors(&self) -> usize {
        2
    }

    fn census(board: &ChainBoard<Grid>) -> Census {
        let rectangle = &board.topology().rectangle;
        let StoneBits([black, white]) = board.stone_sets();
        let empty = rectangle.neither(black, white);
        let reaches_black = rectangle.reach(black, &empty);
        let reaches_white = rectangle.reach(white, &empty);
        let mut census = Census::default();
        census.stones[0] = rectangle.count(black);
        census.stones[1] = rectangle.count(white);
        census.enclosed[0] = rectangle.count(&rectangle.minus(&reaches_black, &reaches_white));
        census.enclosed[1] = rectangle.count(&rectangle.minus(&reaches_white, &reaches_black));
        census.untouched = rectangle
            .count(&rectangle.minus(&rectangle.minus(&empty, &reaches_black), &reaches_white));
        census
    }
}

/// The stones of both colors as bit sets. A color has index 0 or 1 here; `& 1` saves the bounds
/// check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoneBits([Bits; 2]);

impl StoneSets for StoneBits {
    #[inline(always)]
    fn put(&mut self, color: Color, at: Vertex) {
        self.0[color.index() & 1].insert(at.index());
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, at: Vertex) {
        self.0[color.index() & 1].remove(at.index());
    }
}
