//! Vertices and moves.

/// Vertex of a board: an index from 0.
///
/// Boards have at most [`Vertex::LIMIT`] vertices, so that one value stays free as a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Vertex(u16);

impl Vertex {
    /// Maximum number of vertices of a board.
    pub const LIMIT: usize = u16::MAX as usize;
    /// Marker for no vertex: one more than the largest index.
    pub const NONE: Vertex = Vertex(u16::MAX);

    /// Returns the vertex with this index, or `None` from [`Vertex::LIMIT`] on.
    pub const fn from_index(index: usize) -> Option<Vertex> {
        if index < Self::LIMIT {
            Some(Vertex(index as u16))
        } else {
            None
        }
    }

    /// Returns the vertex with this index, at most [`Vertex::LIMIT`], which gives [`Vertex::NONE`].
    /// Release builds truncate larger indices without a check.
    #[inline(always)]
    pub const fn at(index: usize) -> Vertex {
        debug_assert!(index <= Self::LIMIT);
        Vertex(index as u16)
    }

    /// Returns the index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Action of a player in one turn. Resigning is not a move: it ends the game from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Place a stone.
    Place(Vertex),
    /// Pass the turn.
    Pass,
}

impl Move {
    /// Returns the vertex of a placement, or `None` for a pass.
    pub const fn vertex(self) -> Option<Vertex> {
        match self {
            Move::Place(vertex) => Some(vertex),
            Move::Pass => None,
        }
    }
}
