//! The board, naively: a list of cells and flood fill.

use std::collections::BTreeSet;

use omnigo::board::Census;
use omnigo::color::Color;
use omnigo::zobrist::Zobrist;

use super::Coloring;

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
        let cells = vec![None; vertices];
        Naive { neighbors, cells }
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
        let around = group.iter().flat_map(|&s| &self.neighbors[s]).copied();
        let empty: BTreeSet<usize> = around.filter(|&v| self.cells[v].is_none()).collect();
        empty.into_iter().collect()
    }

    /// Takes off, all at once, every group without liberty whose colour `dies`.
    fn clear(&mut self, dies: impl Fn(Color) -> bool, removed: &mut Vec<(usize, Color)>) {
        let mut alive = vec![false; self.cells.len()];
        for v in 0..self.cells.len() {
            if self.cells[v].is_some() && !alive[v] {
                let group = self.group(v);
                let lives = !self.liberties(&group).is_empty();
                group.iter().for_each(|&u| alive[u] = lives);
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
            if let Some(color) = self.cells[v] {
                census.stones[color.index()] += 1;
                continue;
            }
            let group = self.group(v);
            let around = group.iter().flat_map(|&u| &self.neighbors[u]);
            let colors: BTreeSet<Color> = around.filter_map(|&u| self.cells[u]).collect();
            match colors.first() {
                None => census.untouched += 1,
                Some(owner) if colors.len() == 1 => census.enclosed[owner.index()] += 1,
                Some(_) => {}
            }
        }
        census
    }

    /// The empty vertices, ascending.
    pub fn vacant(&self) -> Vec<usize> {
        let all = 0..self.cells.len();
        all.filter(|&v| self.cells[v].is_none()).collect()
    }
}
