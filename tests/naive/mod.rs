//! The rules, naively: colourings as lists, groups by flood fill, superko by comparing with every earlier colouring.
//!
//! Shares nothing with the crate's boards but the words of its vocabulary and the Zobrist keys.
#![allow(dead_code)] // each test uses its own part

pub mod chance;
pub mod game;
pub mod solve;
pub mod spec;

use omnigo::board::Census;
use omnigo::color::Color;
use omnigo::vertex::Vertex;
use omnigo::zobrist::Zobrist;

/// What stands on each vertex.
pub type Coloring = Vec<Option<Color>>;

/// A position on a graph.
#[derive(Clone, Debug)]
pub struct Naive {
    pub neighbors: Vec<Vec<usize>>,
    pub cells: Coloring,
}

impl Naive {
    /// The empty graph of so many vertices with these edges; loops and repetitions may stay in.
    pub fn new(vertices: usize, edges: &[(usize, usize)]) -> Naive {
        let mut neighbors = vec![Vec::new(); vertices];
        for &(a, b) in edges {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
        Naive {
            neighbors,
            cells: vec![None; vertices],
        }
    }

    /// The vertices that can be reached from `from` over its own content, ascending.
    pub fn group(&self, from: usize) -> Vec<usize> {
        let mut inside = vec![false; self.cells.len()];
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut inside[v], true) {
                let same = |&&u: &&usize| self.cells[u] == self.cells[from] && !inside[u];
                open.extend(self.neighbors[v].iter().filter(same));
            }
        }
        (0..self.cells.len()).filter(|&v| inside[v]).collect()
    }

    /// The empty vertices adjacent to a group, ascending.
    pub fn liberties(&self, group: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = group
            .iter()
            .flat_map(|&v| self.neighbors[v].iter().copied())
            .filter(|&u| self.cells[u].is_none())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Takes off, all at once, every group without liberty whose colour `dies`.
    fn clear(&mut self, dies: impl Fn(Color) -> bool, removed: &mut Vec<(usize, Color)>) {
        let mut alive = vec![false; self.cells.len()];
        for v in 0..self.cells.len() {
            if self.cells[v].is_some() && !alive[v] {
                let group = self.group(v);
                if !self.liberties(&group).is_empty() {
                    group.iter().for_each(|&u| alive[u] = true);
                }
            }
        }
        for (v, cell) in self.cells.iter_mut().enumerate() {
            if let Some(color) = cell.filter(|&color| !alive[v] && dies(color)) {
                removed.push((v, color));
                *cell = None;
            }
        }
    }

    /// Places a stone, clears all other colours, then its own; the stones removed.
    pub fn place(&mut self, color: Color, at: usize) -> Vec<(usize, Color)> {
        assert_eq!(self.cells[at], None);
        self.cells[at] = Some(color);
        let mut removed = Vec::new();
        self.clear(|c| c != color, &mut removed);
        self.clear(|c| c == color, &mut removed);
        removed
    }

    /// Hash of the colouring.
    pub fn hash(&self, keys: &Zobrist) -> u64 {
        keys.hash(&self.cells)
    }

    /// Stones, and the empty groups by the colours next to them.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for v in 0..self.cells.len() {
            let Some(color) = self.cells[v] else {
                let group = self.group(v);
                let around = group.iter().flat_map(|&u| &self.neighbors[u]);
                let mut colors: Vec<Color> = around.filter_map(|&u| self.cells[u]).collect();
                colors.sort_unstable();
                colors.dedup();
                match colors[..] {
                    [] => census.untouched += 1,
                    [owner] => census.enclosed[owner.index()] += 1,
                    _ => {}
                }
                continue;
            };
            census.stones[color.index()] += 1;
        }
        census
    }

    /// The empty vertices, ascending.
    pub fn vacant(&self) -> Vec<usize> {
        (0..self.cells.len())
            .filter(|&v| self.cells[v].is_none())
            .collect()
    }
}

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
