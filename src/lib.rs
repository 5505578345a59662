//! omnigo plays Go on any graph.

pub mod board;
pub mod color;
pub mod game;
pub mod graph;
pub mod hash;
pub mod rules;
pub mod text;
pub mod vertex;
pub mod zobrist;
