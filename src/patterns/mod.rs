//! Patterns: the surroundings of points, and weights of moves by them.

pub mod roots;
pub(crate) mod windows;
