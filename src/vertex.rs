//! Vertices and moves.

/// A vertex of a board, an index from 0.
///
/// Boards have at most [`Vertex::LIMIT`] vertices, so that one value stays free as a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Vertex(u16);

impl Vertex {
    /// The greatest number of vertices that a board can have.
    pub const LIMIT: usize = u16::MAX as usize;
    /// No vertex: one past the greatest index.
    pub const NONE: Vertex = Vertex(u16::MAX);

    /// The vertex with this index, `None` from [`Vertex::LIMIT`] on.
    pub const fn from_index(index: usize) -> Option<Vertex> {
        if index < Self::LIMIT {
            Some(Vertex(index as u16))
        } else {
            None
        }
    }

    /// The vertex with this index, which the caller knows to be below [`Vertex::LIMIT`].
    #[inline(always)]
    pub const fn at(index: usize) -> Vertex {
        debug_assert!(index <= Self::LIMIT);
        Vertex(index as u16)
    }

    /// The index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a player does in one turn. Resigning is no move: it ends the game from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Place a stone.
    Place(Vertex),
    /// Give up the turn.
    Pass,
}

impl Move {
    /// The vertex of a placement.
    pub const fn vertex(self) -> Option<Vertex> {
        match self {
            Move::Place(vertex) => Some(vertex),
            Move::Pass => None,
        }
    }
}
