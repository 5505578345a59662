//! omnigo plays Go on any graph.

pub mod bench;
pub mod board;
pub mod cli;
pub mod color;
pub mod engine;
pub mod game;
pub mod graph;
pub mod gtp;
pub mod hash;
pub mod playout;
pub mod policy;
pub mod record;
pub mod render;
pub mod rules;
pub mod search;
pub mod text;
pub mod vertex;
pub mod zobrist;
