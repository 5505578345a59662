//! The static graph under a board: adjacency, vertex names, and board specs.
//!
//! Reading order:
//! 1. `model`: the graph of a board with its names, and the board before the first move.
//! 2. [`planar`], [`faces`], [`isomorphism`], [`connected`], and [`handicap`]: algorithms on it.
//! 3. [`layout`] and [`measures`]: coordinates of a drawing, and properties of a graph.
//! 4. [`formats`]: graphs in files.
//! 5. [`spec`]: texts that describe boards, with one row per family.
//!
//! Only `spec` uses all others. None of them uses `spec`.

pub mod connected;
pub mod faces;
pub mod formats;
pub mod handicap;
pub mod isomorphism;
pub mod layout;
pub mod measures;
mod model;
pub mod planar;
pub mod spec;

pub use model::{Dropped, Graph, drawing, goban, mango, names, notes, space};
#[doc(no_inline)]
pub use spec::families;
