//! Patterns: the surroundings of points, and weights of moves by them.

pub mod neighborhoods;
pub(crate) mod windows;
