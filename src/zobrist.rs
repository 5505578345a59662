//! Zobrist keys: one 64-bit number for a stone of each colour on each vertex.
//!
//! The hash of a colouring is the exclusive or of the keys of its stones (Zobrist 1970); the empty board hashes to 0.
//! Keys depend on colour and vertex alone, so that the same position has the same hash on every kind of board.

use std::sync::Arc;

use crate::color::Color;
use crate::hash::scatter;
use crate::vertex::Vertex;

/// The keys of a board of a given size; clones share the table.
#[derive(Clone, Debug)]
pub struct Zobrist {
    /// `keys[vertex * colors + color]`
    keys: Arc<[u64]>,
    colors: usize,
}

impl Zobrist {
    /// Keys for `vertices` vertices and `colors` colours.
    pub fn new(vertices: usize, colors: usize) -> Zobrist {
        Self::with_bits(vertices, colors, 64)
    }

    /// Keys of which only the lowest `bits` bits are used: with few bits, positions collide, which tests want.
    pub fn with_bits(vertices: usize, colors: usize, bits: u32) -> Zobrist {
        let mask = if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        };
        let keys = (0..vertices * colors)
            .map(|i| {
                let (vertex, color) = (i / colors, i % colors);
                // One more, for no key may be 0.
                scatter(((color as u64) << 32 | vertex as u64) + 1) & mask
            })
            .collect();
        Zobrist { keys, colors }
    }

    /// The key of a stone of `color` on `vertex`.
    #[inline(always)]
    pub fn key(&self, color: Color, vertex: Vertex) -> u64 {
        self.keys[vertex.index() * self.colors + color.index()]
    }

    /// The hash of a whole colouring, given in index order.
    pub fn hash(&self, position: &[Option<Color>]) -> u64 {
        position
            .iter()
            .enumerate()
            .filter_map(|(i, color)| color.map(|c| self.key(c, Vertex::at(i))))
            .fold(0, |hash, key| hash ^ key)
    }
}
