//! Zobrist keys: one 64-bit number for a stone of each color on each vertex.
//!
//! The hash of a position is the exclusive or of the keys of its stones (Zobrist 1970). The empty
//! board hashes to 0. Keys depend only on color and vertex, so the same position has the same hash
//! on every kind of board.

use std::sync::Arc;

use crate::color::Color;
use crate::hash::scatter;
use crate::vertex::Vertex;

/// Keys for a board of a given size. Clones share the table.
#[derive(Clone, Debug)]
pub struct Zobrist {
    /// `keys[vertex * colors + color]`
    keys: Arc<[u64]>,
    colors: usize,
}

impl Zobrist {
    /// Returns keys for `vertices` vertices and `colors` colors.
    pub fn new(vertices: usize, colors: usize) -> Zobrist {
        Self::with_bits(vertices, colors, 64)
    }

    /// Returns keys that use only the lowest `bits` bits. With few bits, positions collide, which
    /// tests need.
    pub fn with_bits(vertices: usize, colors: usize, bits: u32) -> Zobrist {
        let mask = if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        };
        let keys = (0..vertices * colors)
            .map(|i| {
                let (vertex, color) = (i / colors, i % colors);
                // Add 1, because `scatter(0)` is 0 and no key may be 0.
                scatter(((color as u64) << 32 | vertex as u64) + 1) & mask
            })
            .collect();
        Zobrist { keys, colors }
    }

    /// Returns the key of a stone of `color` on `vertex`.
    #[inline(always)]
    pub fn key(&self, color: Color, vertex: Vertex) -> u64 {
        self.keys[vertex.index() * self.colors + color.index()]
    }

    /// Returns the hash of a whole position, given in index order.
    pub fn hash(&self, position: &[Option<Color>]) -> u64 {
        position
            .iter()
            .enumerate()
            .filter_map(|(i, color)| color.map(|c| self.key(c, Vertex::at(i))))
            .fold(0, |hash, key| hash ^ key)
    }
}
