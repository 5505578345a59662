//! Chains updated move by move, shared by grids and graphs.
//!
//! Each chain stores its pseudo-liberties: pairs of a stone and an adjacent empty point. It keeps
//! the number of pairs, the sum of their points' indices, and the sum of the squares. The number is
//! 0 exactly if the chain has no liberty. All pairs name the same point exactly if `count · squares
//! = sum²` (variance 0). This detects atari without a list of liberties (after libEGo's
//! pseudo-liberties and an idea on the computer-go list, 2007).
//!
//! A placement costs its degree plus the degrees of the stones it removes. To join two chains, the
//! code relabels the smaller one, which costs its size.

use std::sync::Arc;

mod chain;
mod neighborhoods;
mod queries;
mod stones;
mod trial;
mod without_liberty;

pub use neighborhoods::{CODES as NEIGHBORHOOD_CODES, parts as neighborhood_parts};

use super::Census;
use chain::Chain;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_base::zobrist::Zobrist;
use without_liberty::ChainsWithoutLiberty;

/// Content of an empty cell. Other cells hold a color index or [`EDGE`].
const EMPTY: u8 = 8;
/// Content of the cell that stands for neighbors beyond the edge.
const EDGE: u8 = 9;

/// Adjacency of a [`ChainBoard`], with faster methods where the shape of the board allows them.
pub trait Topology: Sized + Send + Sync + 'static {
    /// Sets of stones that the board keeps apart from its chains.
    type StoneSets: StoneSets;

    /// Returns the number of points.
    fn vertices(&self) -> usize;

    /// Returns the neighbors of a point. `vertices()` may stand for missing neighbors.
    fn cells_around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_;

    /// Returns the number of neighbors of a point.
    fn degree(&self, point: Vertex) -> usize;

    /// Returns true if `at`, whose neighbors are all stones of `color`, is an eye.
    fn eye_shape(board: &ChainBoard<Self>, color: Color, at: Vertex) -> bool;

    /// Returns the eight points around `at` as a ring, or `None` if the board does not look like a
    /// square lattice there. Sides and corners alternate, in either direction. `vertices()` stands
    /// for points beyond an edge.
    fn ring(&self, _at: Vertex) -> Option<&[Vertex; 8]> {
        None
    }

    /// Returns width and height if this is a rectangle numbered row by row, otherwise `None`.
    fn rectangle(&self) -> Option<(usize, usize)> {
        None
    }

    /// Returns the maximum number of colors of such a board.
    fn max_colors(&self) -> usize;

    /// Computes the census by the fastest method for this topology.
    fn census(board: &ChainBoard<Self>) -> Census;
}

/// Sets of the stones on a board, kept up to date apart from the chains.
pub trait StoneSets: Clone + Default + Send + Sync + 'static {
    /// Records that a stone was put on a point.
    fn put(&mut self, color: Color, at: Vertex);
    /// Records that a stone left a point.
    fn remove(&mut self, color: Color, at: Vertex);
}

/// A position whose groups are chains of adjacent stones.
#[derive(Debug)]
pub struct ChainBoard<T: Topology> {
    topology: Arc<T>,
    zobrist: Zobrist,
    colors: usize,
    /// Content of each cell. The last one is the edge.
    cells: Box<[u8]>,
    /// Head of the chain of each stone: the stone that stores the chain's data.
    chain_of: Box<[Vertex]>,
    /// Next stone of the same chain, in a circular list.
    next_in_chain: Box<[Vertex]>,
    /// Chain data, valid at heads.
    chains: Box<[Chain]>,
    /// Number of empty neighbors of each cell.
    empty_neighbors: Box<[u16]>,
    /// The empty points, unordered.
    vacant: Vec<Vertex>,
    /// Index of each empty point in `vacant`.
    slots: Box<[u16]>,
    stone_sets: T::StoneSets,
    hash: u64,
    ko: Vertex,
    /// Chains without liberty. There are none except in positions set from outside.
    without_liberty: Option<Box<ChainsWithoutLiberty>>,
    /// Heads of chains to remove. Kept to save allocations.
    captured_chains: Vec<Vertex>,
    /// Changes made by the current trial moves.
    changes: Vec<trial::Change>,
}

impl<T: Topology> Clone for ChainBoard<T> {
    fn clone(&self) -> Self {
        ChainBoard {
            topology: Arc::clone(&self.topology),
            zobrist: self.zobrist.clone(),
            colors: self.colors,
            cells: self.cells.clone(),
            chain_of: self.chain_of.clone(),
            next_in_chain: self.next_in_chain.clone(),
            chains: self.chains.clone(),
            empty_neighbors: self.empty_neighbors.clone(),
            vacant: self.vacant.clone(),
            slots: self.slots.clone(),
            stone_sets: self.stone_sets.clone(),
            hash: self.hash,
            ko: self.ko,
            without_liberty: self.without_liberty.clone(),
            captured_chains: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Copies without allocating if the sizes agree. Playouts start with this.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.topology, &source.topology) {
            self.topology = Arc::clone(&source.topology);
            self.zobrist = source.zobrist.clone();
        }
        self.colors = source.colors;
        self.cells.clone_from(&source.cells);
        self.chain_of.clone_from(&source.chain_of);
        self.next_in_chain.clone_from(&source.next_in_chain);
        self.chains.clone_from(&source.chains);
        self.empty_neighbors.clone_from(&source.empty_neighbors);
        self.vacant.clone_from(&source.vacant);
        self.slots.clone_from(&source.slots);
        self.stone_sets.clone_from(&source.stone_sets);
        self.hash = source.hash;
        self.ko = source.ko;
        // Playouts start here, and their boards hardly ever have chains without liberty.
        if self.without_liberty.is_some() || source.without_liberty.is_some() {
            self.without_liberty = source.without_liberty.clone();
        }
    }
}

impl<T: Topology> ChainBoard<T> {
    /// Returns the empty board of this shape for `colors` colors. Returns `None` if `colors` is 0
    /// or above the maximum of the shape.
    pub fn new(topology: T, colors: usize) -> Option<ChainBoard<T>> {
        let zobrist = Zobrist::new(topology.vertices(), colors);
        Self::with_keys(topology, colors, zobrist)
    }

    /// Like [`ChainBoard::new`], but with the given Zobrist keys. Tests use it to force hash
    /// collisions.
    pub fn with_keys(topology: T, colors: usize, zobrist: Zobrist) -> Option<ChainBoard<T>> {
        if !(1..=topology.max_colors()).contains(&colors) {
            return None;
        }
        let points = topology.vertices();
        assert!(points <= Vertex::LIMIT, "{points} points");
        let mut cells = vec![EMPTY; points + 1].into_boxed_slice();
        cells[points] = EDGE;
        let mut empty_neighbors = vec![0u16; points + 1].into_boxed_slice();
        for (i, count) in empty_neighbors.iter_mut().enumerate().take(points) {
            *count = topology
                .cells_around(Vertex::at(i))
                .filter(|u| u.index() < points)
                .count() as u16;
        }
        let mut board = ChainBoard {
            topology: Arc::new(topology),
            zobrist,
            colors,
            cells,
            chain_of: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            next_in_chain: vec![Vertex::NONE; points + 1].into_boxed_slice(),
            chains: vec![Chain::default(); points + 1].into_boxed_slice(),
            empty_neighbors,
            vacant: (0..points).map(Vertex::at).collect(),
            slots: (0..points as u32 + 1).map(|i| i as u16).collect(),
            stone_sets: T::StoneSets::default(),
            hash: 0,
            ko: Vertex::NONE,
            without_liberty: None,
            captured_chains: Vec::new(),
            changes: Vec::new(),
        };
        board.vacant.shrink_to_fit();
        Some(board)
    }

    /// Returns the topology.
    pub fn topology(&self) -> &T {
        &self.topology
    }

    /// Returns the sets of stones kept apart from the chains.
    pub(super) fn stone_sets(&self) -> &T::StoneSets {
        &self.stone_sets
    }

    /// Returns true if the cell holds a stone of `color`. Always false for the edge.
    #[inline(always)]
    pub(super) fn holds(&self, cell: Vertex, color: Color) -> bool {
        self.cells[cell.index()] == color.index() as u8
    }

    /// Returns true if the cell holds a stone of another color.
    #[inline(always)]
    pub(super) fn holds_other(&self, cell: Vertex, color: Color) -> bool {
        let content = self.cells[cell.index()];
        content < EMPTY && content != color.index() as u8
    }

    /// Returns true if the cell is beyond the edge.
    #[inline(always)]
    pub(super) fn is_edge(&self, cell: Vertex) -> bool {
        self.cells[cell.index()] == EDGE
    }

    /// Returns the head of the chain of a stone.
    #[inline(always)]
    pub(super) fn head(&self, stone: Vertex) -> Vertex {
        self.chain_of[stone.index()]
    }

    /// Returns the census if no empty point has an empty neighbor, as at the end of a playout.
    /// Otherwise returns `None`.
    pub(super) fn point_census(&self) -> Option<Census> {
        let mut census = Census::default();
        for &point in &self.vacant {
            if self.empty_neighbors[point.index()] != 0 {
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
