//! Local shapes, for patterns.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

use super::BareBoard;
use crate::board::MAX_LOCAL_DEGREE;

/// Shapes around a point, as patterns need them. The default methods know no shape.
pub trait Shapes: BareBoard {
    /// Writes to `found` the empty points around the stone at `last` where the local shape suggests
    /// a move to either player. Returns their number. It is 0 on boards without chains and where
    /// the board does not look like a square lattice.
    fn suggested(&self, _last: Vertex, _found: &mut [Vertex; 8]) -> usize {
        0
    }

    /// Writes to `found` the empty neighbors of the stone at `last`, with codes of their
    /// surroundings as seen by `color`. The codes are below
    /// [`NEIGHBORHOOD_CODES`](crate::board::NEIGHBORHOOD_CODES). Returns the number of neighbors
    /// written, or `None` if the board has no codes there: on square lattices and by default.
    fn neighborhood_codes(
        &self,
        _color: Color,
        _last: Vertex,
        _found: &mut [(Vertex, u16); MAX_LOCAL_DEGREE],
    ) -> Option<usize> {
        None
    }

    /// Returns true if the local shape around this empty point suggests a move there to either
    /// player. Always false on boards without chains.
    fn has_shape(&self, _point: Vertex) -> bool {
        false
    }

    /// Returns the eight points around `point` as a ring, or `None` if the board does not look like
    /// a square lattice there. Sides and corners alternate, in either direction. [`Vertex::NONE`]
    /// stands for points beyond an edge.
    fn ring(&self, _point: Vertex) -> Option<[Vertex; 8]> {
        None
    }

    /// Returns the number of the local shape around this empty point as seen by `color`, below
    /// [`SHAPE_CLASSES`](crate::board::SHAPE_CLASSES). Returns `None` if the point has no ring of
    /// eight points as on a square lattice. Rotations, reflections, and exchanged colors have the
    /// same number.
    fn shape(&self, _color: Color, _point: Vertex) -> Option<u16> {
        None
    }
}
