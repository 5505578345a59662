//! The static part of a board, which no move changes.
//!
//! Reading order:
//! 1. `graph`: adjacency.
//! 2. `names` and `cells`: labels and GTP aliases of the vertices.
//! 3. `drawing`, `pack`, and `notes`: coordinates, their arrangement, and data for files.
//! 4. `space` and `mango`: boards where stones live by other rules (go-spaces, Mango sets).
//! 5. `goban`: all of these together.
//! 6. `board_parts`: a goban under construction, and the union of several boards.

pub(crate) mod board_parts;
pub(crate) mod cells;
pub mod drawing;
pub mod goban;
mod graph;
pub mod mango;
pub mod names;
pub mod notes;
pub(crate) mod pack;
pub mod space;

pub use graph::{Dropped, Graph};
