//! Reference implementation of the rules: positions are lists, chains are found by flood fill, and
//! superko compares with every earlier position.
//!
//! It shares no code with the crate's boards except basic types and the Zobrist keys.
#![allow(dead_code)] // each test uses only a part

mod board;
pub mod game;
pub mod random;
pub mod random_games;
pub mod solve;
pub mod spec;

use omnigo::color::Color;
use omnigo::vertex::Vertex;

pub use board::Naive;

/// Content of each vertex.
pub type Coloring = Vec<Option<Color>>;

/// Returns the color with this index.
pub fn color(index: usize) -> Color {
    Color::from_index(index).unwrap()
}

/// Parses a position from its characters, `.` for empty. Blanks are skipped.
pub fn coloring(text: &str) -> Coloring {
    let symbols = text.chars().filter(|c| !c.is_whitespace());
    symbols.map(Color::from_symbol).collect()
}

/// Returns the characters of a position.
pub fn text(cells: &[Option<Color>]) -> String {
    cells.iter().map(|c| c.map_or('.', Color::symbol)).collect()
}

/// Returns the vertices with these indices.
pub fn vertices(indices: &[usize]) -> Vec<Vertex> {
    indices.iter().map(|&i| Vertex::at(i)).collect()
}
