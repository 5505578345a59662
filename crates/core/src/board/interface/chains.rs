//! Chains, liberties, and the ko point, as tactics need them.

use omnigo_base::vertex::Vertex;

use super::BareBoard;

/// Queries of chains.
///
/// On boards without chains ([`BareBoard::has_chains`]), a chain is a set of connected stones, or
/// each stone is a chain without liberties. The default methods do the latter. There,
/// [`Chains::ko_point`] and [`Chains::sole_liberty`] return `None`.
pub trait Chains: BareBoard {
    /// Returns the ko point: there the latest placement captured a single stone, and recapturing it
    /// at once would capture a single stone too.
    fn ko_point(&self) -> Option<Vertex> {
        None
    }

    /// Returns the only liberty of the chain of the stone on `point`, or `None` if the chain is not
    /// in atari.
    fn sole_liberty(&self, _point: Vertex) -> Option<Vertex> {
        None
    }

    /// Returns the number of stones in the chain of the stone on `point`.
    fn chain_size(&self, _point: Vertex) -> usize {
        1
    }

    /// Returns the representative point of the chain of the stone on `point`. It is the same for
    /// all stones of the chain.
    fn chain(&self, point: Vertex) -> Vertex {
        point
    }

    /// Calls `visit` for each stone of the chain of the stone on `point`.
    fn for_chain(&self, point: Vertex, mut visit: impl FnMut(Vertex)) {
        visit(point);
    }

    /// Counts the distinct liberties of the chain of the stone on `point` and writes them to
    /// `found`. Stops at `limit` or 8.
    fn liberties(&self, _point: Vertex, _limit: usize, _found: &mut [Vertex; 8]) -> usize {
        0
    }
}
