//! The rules, naively: colourings as lists, groups by flood fill, superko by comparing with every earlier colouring.
//!
//! Shares nothing with the crate's boards but the words of its vocabulary and the Zobrist keys.
#![allow(dead_code)] // each test uses its own part

mod board;
pub mod chance;
pub mod game;
pub mod random_games;
pub mod solve;
pub mod spec;

use omnigo::color::Color;
use omnigo::vertex::Vertex;

pub use board::Naive;

/// What stands on each vertex.
pub type Coloring = Vec<Option<Color>>;

/// The colour with this index.
pub fn color(index: usize) -> Color {
    Color::from_index(index).unwrap()
}

/// A colouring from its characters, `.` for empty; blanks are skipped.
pub fn coloring(text: &str) -> Coloring {
    let symbols = text.chars().filter(|c| !c.is_whitespace());
    symbols.map(Color::from_symbol).collect()
}

/// The characters of a colouring.
pub fn text(cells: &[Option<Color>]) -> String {
    cells.iter().map(|c| c.map_or('.', Color::symbol)).collect()
}

/// Vertices of a list of indices.
pub fn vertices(indices: &[usize]) -> Vec<Vertex> {
    indices.iter().map(|&i| Vertex::at(i)).collect()
}
