//! Go on any graph: boards, rulesets, games, tactics, and playouts.

pub mod board;
pub mod game;
pub mod notation;
pub mod patterns;
pub mod playout;
pub mod policy;
pub mod rules;
pub mod system;
pub mod tactics;
