//! Foundation of omnigo: colors, vertices, points, hashes, Zobrist keys, union-find, random
//! numbers, symmetries, texts, and the reading of files.

pub mod color;
pub mod contents;
pub mod hash;
pub mod points;
pub mod random;
pub mod symmetry;
pub mod text;
pub mod union_find;
pub mod vertex;
pub mod zobrist;
