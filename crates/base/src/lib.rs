//! Foundation of omnigo: colors, vertices, points, hashes, and random numbers.

pub mod color;
pub mod hash;
pub mod points;
pub mod random;
pub mod text;
pub mod union_find;
pub mod vertex;
pub mod zobrist;
