//! Boards: adjacency of points, liberties, and the effect of placements. A board does not track
//! turns, passes, or scores.
//!
//! [`Board`] is the common interface. It joins four traits: [`BareBoard`] is the board alone,
//! [`Chains`] and [`Shapes`] serve tactics and patterns, and [`Playouts`] serves playouts.
//!
//! Implementations:
//! - [`grid::GridBoard`] plays on rectangles and uses bit sets.
//! - [`graph::GraphBoard`] plays on any graph and uses compressed adjacency. Both update chains
//!   incrementally with the same code, [`chains`].
//! - [`mango::MangoBoard`] has weighted points. The life of a stone depends on sums of weights.
//! - [`space::SpaceBoard`] plays on go-spaces.

pub mod bits;
pub mod chains;
#[cfg(test)]
pub(crate) mod diagram;
pub mod eyes;
pub mod graph;
pub mod grid;
mod interface;
pub mod life;
pub mod mango;
#[cfg(test)]
pub(crate) mod reference;
pub mod region;
mod shapes;
pub mod space;

pub use chains::{NEIGHBORHOOD_CODES, neighborhood_parts};
pub use interface::{BareBoard, Board, Census, Chains, Playouts, Preview, Shapes, flood_census};
pub use shapes::CLASSES as SHAPE_CLASSES;

/// Maximum degree, in neighbors, for local analysis. At denser points, inspecting all neighbors for
/// shapes, captures, or priors would cost more than it gains.
pub const MAX_LOCAL_DEGREE: usize = 32;
