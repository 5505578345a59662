//! Moves that playouts may make, and the cost of a playout.

use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

use super::BareBoard;

/// Moves that playouts may make, and the cost of a playout.
pub trait Playouts: BareBoard {
    /// Returns true if a playout may place `color` on the vacant vertex `at`. The move must not be
    /// suicide or fill an eye of `color`. Ignores repetition.
    fn playable(&self, color: Color, at: Vertex) -> bool;

    /// Returns true if the vacant vertex `at` is an eye of `color` that `color` should not fill
    /// ([`eyes`](crate::board::eyes)). On boards without chains: true if no stone of another color
    /// would survive there and `color` would capture nothing there.
    fn is_eye(&self, color: Color, at: Vertex) -> bool;

    /// Estimates the work of a playout from the empty board, as a number of points and neighbors
    /// visited. The default counts each once, which fits boards where a placement inspects only its
    /// surroundings.
    fn playout_work(&self) -> usize {
        (0..self.points())
            .map(|i| 1 + self.degree(Vertex::at(i)))
            .sum()
    }
}
