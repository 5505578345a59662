//! The game graph: its vertices are the legal positions, and its arcs are the placements.
//!
//! Placements follow the logical rules (J. Tromp): either color may move anywhere, and suicide of
//! several stones is allowed. A placement that changes nothing is not an arc. Different placements
//! from a position lead to different positions.

use std::sync::Arc;

use rayon::prelude::*;

use super::budget::Budget;
use super::{CountError, bounds};
use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::BareBoard;
use omnigo_core::board::graph::{Adjacency, GraphBoard};
use omnigo_core::board::life::stone_without_liberty;
use omnigo_graph::Graph;

/// Number of colors.
pub(super) const PLAYERS: usize = 2;

/// Maximum number of vertices of a graph whose positions are enumerated one by one.
const MOST_VERTICES: usize = 16;

/// Statistics of a game graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveStatistics {
    /// Number of legal positions.
    pub positions: u64,
    /// Number of arcs: placements that change the position.
    pub moves: u64,
    /// Number of placements that change nothing: suicides of single stones.
    pub idle: u64,
    /// Number of placements that capture.
    pub captures: u64,
    /// Number of suicides of several stones.
    pub suicides: u64,
    /// Number of positions by the number of arcs that leave them.
    pub by_moves: Vec<u64>,
}

impl MoveStatistics {
    fn add(mut self, other: &MoveStatistics) -> MoveStatistics {
        self.positions += other.positions;
        self.moves += other.moves;
        self.idle += other.idle;
        self.captures += other.captures;
        self.suicides += other.suicides;
        if self.by_moves.len() < other.by_moves.len() {
            self.by_moves.resize(other.by_moves.len(), 0);
        }
        for (sum, more) in self.by_moves.iter_mut().zip(&other.by_moves) {
            *sum += more;
        }
        self
    }

    /// Adds one legal position to the statistics.
    fn note(&mut self, board: &GraphBoard) {
        let mut moves = 0;
        for color in Color::all(PLAYERS) {
            for &at in board.vacant() {
                let preview = board.preview(color, at);
                if preview.suicide && preview.lost == 1 {
                    self.idle += 1;
                    continue;
                }
                moves += 1;
                self.captures += u64::from(preview.captured > 0);
                self.suicides += u64::from(preview.suicide);
            }
        }
        self.positions += 1;
        self.moves += moves as u64;
        if self.by_moves.len() <= moves {
            self.by_moves.resize(moves + 1, 0);
        }
        self.by_moves[moves] += 1;
    }
}

/// Computes the statistics by enumerating all colorings of a graph of at most 16 vertices.
///
/// # Errors
/// The graph is larger, or the budget is exhausted.
pub fn statistics(graph: &Arc<Graph>, budget: &Budget<'_>) -> Result<MoveStatistics, CountError> {
    let n = graph.vertices();
    if n > MOST_VERTICES {
        let (positions, _) = bounds(graph, PLAYERS as u32);
        return Err(CountError::Many {
            vertices: n,
            positions,
            most: MOST_VERTICES,
        });
    }
    let adjacency = Adjacency::new(Arc::clone(graph));
    let Some(board) = GraphBoard::new(adjacency, PLAYERS) else {
        return Err(CountError::Wide { vertices: n });
    };
    // The colors of the first five vertices divide the work among the threads.
    let head = n.min(5);
    let heads = 3usize.pow(head as u32);
    let tails = 3usize.pow((n - head) as u32);
    (0..heads)
        .into_par_iter()
        .map(|first| {
            let mut board = board.clone();
            let mut found = MoveStatistics::default();
            let mut cells = vec![None; n];
            for rest in 0..tails {
                if rest % 256 == 0 && budget.is_over() {
                    return Err(CountError::Stopped);
                }
                color(&mut cells, first + heads * rest);
                board.set_position(&cells);
                if stone_without_liberty(&board).is_none() {
                    found.note(&board);
                }
            }
            Ok(found)
        })
        .try_reduce(MoveStatistics::default, |a, b| Ok(a.add(&b)))
}

/// Writes the coloring with this number, which has one base-3 digit per vertex.
fn color(cells: &mut [Option<Color>], mut number: usize) {
    for cell in cells {
        *cell = match number % 3 {
            0 => None,
            1 => Some(Color::BLACK),
            _ => Some(Color::WHITE),
        };
        number /= 3;
    }
}

/// Positions in the order of their discovery, starting with the empty one, and the arcs between
/// them.
pub(super) struct GameGraph {
    board: GraphBoard,
    positions: Vec<Box<[u64]>>,
    index: FastMap<Box<[u64]>, u32>,
}

impl GameGraph {
    /// Creates a game graph in which only the empty position is known, with number 0. Returns
    /// `None` if the graph is too large for a board.
    pub(super) fn new(graph: &Arc<Graph>) -> Option<GameGraph> {
        let board = GraphBoard::new(Adjacency::new(Arc::clone(graph)), PLAYERS)?;
        let empty: Box<[u64]> = vec![0; 2 * graph.vertices().div_ceil(64)].into();
        Some(GameGraph {
            board,
            positions: vec![empty.clone()],
            index: FastMap::from_iter([(empty, 0)]),
        })
    }

    /// Returns the number of positions found so far.
    pub(super) fn found(&self) -> usize {
        self.positions.len()
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let words = self.positions.first().map_or(0, |position| position.len());
        self.positions.len() * (2 * 8 * words + 72)
    }

    /// Returns the positions that placements lead to from this one. Positions that were unknown get
    /// the next numbers.
    pub(super) fn next(&mut self, number: u32) -> Vec<u32> {
        let Some(bits) = self.positions.get(number as usize).cloned() else {
            return Vec::new();
        };
        let cells = unpack(&bits, self.board.points());
        self.board.set_position(&cells);
        let here = self.board.clone();
        let mut vacant = here.vacant().to_vec();
        vacant.sort_unstable();
        let mut next = Vec::with_capacity(PLAYERS * vacant.len());
        for color in Color::all(PLAYERS) {
            for &at in &vacant {
                self.board.clone_from(&here);
                self.board.place(color, at, |_, _| {});
                let reached = pack(&self.board);
                if reached == bits {
                    continue;
                }
                let fresh = self.positions.len() as u32;
                let number = *self.index.entry(reached.clone()).or_insert(fresh);
                if number == fresh {
                    self.positions.push(reached);
                }
                next.push(number);
            }
        }
        next
    }

    /// Returns the coloring of a position.
    pub(super) fn cells(&self, number: u32) -> Vec<Option<Color>> {
        let bits = self.positions.get(number as usize);
        bits.map_or_else(Vec::new, |bits| unpack(bits, self.board.points()))
    }

    /// Returns the number of a coloring, or `None` if it has not been found yet.
    pub(super) fn number(&self, cells: &[Option<Color>]) -> Option<u32> {
        self.index.get(&pack_cells(cells)).copied()
    }
}

/// Packs a coloring into one bit per vertex and color.
fn pack_cells(cells: &[Option<Color>]) -> Box<[u64]> {
    let words = cells.len().div_ceil(64);
    let mut bits = vec![0u64; 2 * words];
    for (index, cell) in cells.iter().enumerate() {
        if let Some(color) = cell {
            bits[color.index() * words + index / 64] |= 1 << (index % 64);
        }
    }
    bits.into()
}

fn pack(board: &GraphBoard) -> Box<[u64]> {
    pack_cells(&board.position())
}

fn unpack(bits: &[u64], vertices: usize) -> Vec<Option<Color>> {
    let words = vertices.div_ceil(64);
    let stone = |color: Color, at: Vertex| {
        let word = bits[color.index() * words + at.index() / 64];
        word >> (at.index() % 64) & 1 == 1
    };
    (0..vertices)
        .map(Vertex::at)
        .map(|at| Color::all(PLAYERS).find(|&color| stone(color, at)))
        .collect()
}
