//! Chains kept move by move: the engine room of both paths.
//!
//! Each chain knows its pseudo-liberties, pairs of a stone and an empty point beside it: how many, the sum of their points'
//! numbers and the sum of the squares. No pair is left exactly when the chain has no liberty, and all pairs name the same
//! point exactly when `count · squares = sum²` (the variance is 0), which is how atari shows without listing liberties
//! (after libEGo's pseudo-liberties and an idea on the computer-go list, 2007). A placement costs its degree plus the
//! degrees of the stones it removes; chains are joined by relabelling the smaller one.

use std::sync::Arc;

mod queries;
mod roots;
mod stones;
mod tally;
mod trial;

pub use roots::{CODES as ROOT_CODES, parts as root_parts};

use super::Census;
use crate::color::Color;
use crate::vertex::Vertex;
use crate::zobrist::Zobrist;
use tally::Chain;

/// What a cell holds: the index of a colour, or one of these two.
const EMPTY: u8 = 8;
/// The marker that stands for neighbours beyond the edge.
const EDGE: u8 = 9;

/// The shape under a [`ChainBoard`]: who neighbours whom, and what is faster because of it.
pub trait Topology: Sized + Send + Sync + 'static {
    /// What the board keeps beside its chains.
    type Mirror: Mirror;

    /// Number of points.
    fn vertices(&self) -> usize;

    /// The neighbours of a point; `vertices()` may stand for neighbours that are not there.
    fn cells_around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_;

    /// Number of neighbours of a point.
    fn degree(&self, point: Vertex) -> usize;

    /// Whether `at`, all of whose neighbours are stones of `color`, is an eye.
    fn eye_shape(board: &ChainBoard<Self>, color: Color, at: Vertex) -> bool;

    /// The eight points around `at` in a ring, where the board looks like a square lattice there: sides and corners in turn,
    /// clockwise or not, `vertices()` for those beyond an edge.
    fn ring(&self, _at: Vertex) -> Option<&[Vertex; 8]> {
        None
    }

    /// Width and height, where this is a rectangle numbered row by row.
    fn rectangle(&self) -> Option<(usize, usize)> {
        None
    }

    /// The most colours that such a board tells apart.
    fn max_colors(&self) -> usize;

    /// The census, by whatever way is fastest here.
    fn census(board: &ChainBoard<Self>) -> Census;
}

/// Something that follows the stones beside the chains.
pub trait Mirror: Clone + Default + Send + Sync + 'static {
    /// A stone was put on a point.
    fn put(&mut self, color: Color, at: Vertex);
    /// A stone left a point.
    fn lift(&mut self, color: Color, at: Vertex);
}

/// A position whose groups are chains of adjacent stones.
#[derive(Debug)]
pub struct ChainBoard<T: Topology> {
    topology: Arc<T>,
    zobrist: Zobrist,
    colors: usize,
    /// Content of each cell; the last one is the edge.
    cells: Box<[u8]>,
    /// Head of the chain of each stone.
    heads: Box<[Vertex]>,
    /// Next stone of the same chain, in a circle.
    links: Box<[Vertex]>,
    /// Chain data, valid at heads.
    chains: Box<[Chain]>,
    /// Empty neighbours of each cell.
    airs: Box<[u16]>,
    /// The empty points, in no order.
    vacant: Vec<Vertex>,
    /// Where each empty point stands in `vacant`.
    slots: Box<[u16]>,
    mirror: T::Mirror,
    hash: u64,
    ko: Vertex,
    /// Whether some group may be without liberty: only in positions from outside.
    unsettled: bool,
    /// Heads of chains to remove, kept to save allocations.
    doomed: Vec<Vertex>,
    /// What the trials under way have changed.
    changes: Vec<trial::Change>,
}

impl<T: Topology> Clone for ChainBoard<T> {
    fn clone(&self) -> Self {
        ChainBoard {
            topology: Arc::clone(&self.topology),
            zobrist: self.zobrist.clone(),
            colors: self.colors,
            cells: self.cells.clone(),
            heads: self.heads.clone(),
            links: self.links.clone(),
            chains: self.chains.clone(),
            airs: self.airs.clone(),
            vacant: self.vacant.clone(),
            slots: self.slots.clone(),
            mirror: self.mirror.clone(),
            hash: self.hash,
            ko: self.ko,
            unsettled: self.unsettled,
            doomed: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Copies without allocating where the sizes agree: playouts start with this.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.topology, &source.topology) {
            self.topology = Arc::clone(&source.topology);
            self.zobrist = source.zobrist.clone();
        }
        self.colors = source.colors;
        self.cells.clone_from(&source.cells);
        self.heads.clone_from(&source.heads);
        self.links.clone_from(&source.links);
        self.chains.clone_from(&source.chains);
        self.airs.clone_from(&source.airs);
        self.vacant.clone_from(&source.vacant);
        self.slots.clone_from(&source.slots);
        self.mirror.clone_from(&source.mirror);
        self.hash = source.hash;
        self.ko = source.ko;
        self.unsettled = source.unsettled;
    }
}

impl<T: Topology> ChainBoard<T> {
    /// The empty board of this shape for `colors` colours, or `None` where the shape tells fewer apart.
    pub fn new(topology: T, colors: usize) -> Option<ChainBoard<T>> {
        let zobrist = Zobrist::new(topology.vertices(), colors);
        Self::with_keys(topology, colors, zobrist)
    }

    /// As [`ChainBoard::new`], with keys of one's own: tests make them collide.
    pub fn with_keys(topology: T, colors: usize, zobrist: Zobrist) -> Option<ChainBoard<T>> {
        if !(1..=topology.max_colors()).contains(&colors) {
            return None;
        }
        let points = topology.vertices();
        assert!(points <= Vertex::LIMIT, "{points} points");
        let mut cells = vec![EMPTY; points + 1].into_boxed_slice();
        cells[points] = EDGE;
        let mut airs = vec![0u16; points + 1].into_boxed_slice();
        for (i, air) in airs.iter_mut().enumerate().take(points) {
            *air = topology
                .cells_around(Vertex::at(i))
                .filter(|u| u.index() < points)
                .count() as u16;
        }
        let mut board = ChainBoard {
            topology: Arc::new(topology),
            zobrist,
            colors,
            cells,
            heads: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            links: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            chains: vec![Chain::default(); points + 1].into_boxed_slice(),
            airs,
            vacant: (0..points).map(Vertex::at).collect(),
            slots: (0..points as u32 + 1).map(|i| i as u16).collect(),
            mirror: T::Mirror::default(),
            hash: 0,
            ko: Vertex::NONE,
            unsettled: false,
            doomed: Vec::new(),
            changes: Vec::new(),
        };
        board.vacant.shrink_to_fit();
        Some(board)
    }

    /// The shape.
    pub fn topology(&self) -> &T {
        &self.topology
    }

    /// What follows the stones beside the chains.
    pub(super) fn mirror(&self) -> &T::Mirror {
        &self.mirror
    }

    /// Whether the cell holds a stone of `color`; the edge is nobody's.
    #[inline(always)]
    pub(super) fn holds(&self, cell: Vertex, color: Color) -> bool {
        self.cells[cell.index()] == color.index() as u8
    }

    /// Whether the cell holds a stone of another colour.
    #[inline(always)]
    pub(super) fn holds_other(&self, cell: Vertex, color: Color) -> bool {
        let content = self.cells[cell.index()];
        content < EMPTY && content != color.index() as u8
    }

    /// Whether the cell is beyond the edge.
    #[inline(always)]
    pub(super) fn is_edge(&self, cell: Vertex) -> bool {
        self.cells[cell.index()] == EDGE
    }

    /// The head of the chain of a stone.
    #[inline(always)]
    pub(super) fn head(&self, stone: Vertex) -> Vertex {
        self.heads[stone.index()]
    }

    /// The census when every empty point has only stones around it, as at the end of a playout.
    pub(super) fn point_census(&self) -> Option<Census> {
        let mut census = Census::default();
        for &point in &self.vacant {
            if self.airs[point.index()] != 0 {
                return None;
            }
            let mut touched = 0u16;
            for u in self.topology.cells_around(point) {
                touched |= 1 << self.cells[u.index()];
            }
            touched &= (1 << EMPTY) - 1;
            match touched.count_ones() {
                0 => census.untouched += 1,
                1 => census.enclosed[touched.trailing_zeros() as usize] += 1,
                _ => {}
            }
        }
        let mut contents = [0i64; 16];
        for &cell in &self.cells {
            contents[(cell & 15) as usize] += 1;
        }
        census.stones.copy_from_slice(&contents[..Color::MAX]);
        Some(census)
    }

    #[inline(always)]
    fn content(&self, cell: Vertex) -> Option<Color> {
        let content = self.cells[cell.index()];
        if content < EMPTY {
            Color::from_index(content as usize)
        } else {
            None
        }
    }
}
