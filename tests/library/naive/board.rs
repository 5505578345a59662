//! Naive board: a list of cells, with flood fill.

use std::collections::BTreeSet;

use omnigo::board::Census;
use omnigo::color::Color;
use omnigo::zobrist::Zobrist;

use super::Coloring;

/// A board on a graph. Tests compare the fast boards with it.
#[derive(Clone, Debug)]
pub struct Naive {
    pub neighbors: Vec<Vec<usize>>,
    pub cells: Coloring,
}

impl Naive {
    /// Returns the empty graph board of `vertices` vertices with these edges. Loops and repeated
    /// edges may remain.
    pub fn new(vertices: usize, edges: &[(usize, usize)]) -> Naive {
        let mut neighbors = vec![Vec::new(); vertices];
        for &(a, b) in edges {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
        let cells = vec![None; vertices];
        Naive { neighbors, cells }
    }

    /// Returns the vertices connected to `from` through vertices of the same content, in ascending
    /// order: a chain, or a region of empty vertices.
    pub fn chain(&self, from: usize) -> Vec<usize> {
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

    /// Returns the empty vertices adjacent to a chain, in ascending order.
    pub fn liberties(&self, chain: &[usize]) -> Vec<usize> {
        let around = chain.iter().flat_map(|&s| &self.neighbors[s]).copied();
        let empty: BTreeSet<usize> = around.filter(|&v| self.cells[v].is_none()).collect();
        empty.into_iter().collect()
    }

    /// Removes every chain without liberty of the colors that `wanted` selects. All are judged
    /// before any is removed. Adds their stones to `removed`.
    fn clear(&mut self, wanted: impl Fn(Color) -> bool, removed: &mut Vec<(usize, Color)>) {
        let mut has_liberty = vec![false; self.cells.len()];
        for v in 0..self.cells.len() {
            if self.cells[v].is_some() && !has_liberty[v] {
                let chain = self.chain(v);
                let lives = !self.liberties(&chain).is_empty();
                chain.iter().for_each(|&u| has_liberty[u] = lives);
            }
        }
        for (v, cell) in self.cells.iter_mut().enumerate() {
            if let Some(color) = cell.filter(|&color| !has_liberty[v] && wanted(color)) {
                removed.push((v, color));
                *cell = None;
            }
        }
    }

    /// Places a stone. Removes the chains without liberty of all other colors, then those of its
    /// own. Returns the removed stones.
    pub fn place(&mut self, color: Color, at: usize) -> Vec<(usize, Color)> {
        assert_eq!(self.cells[at], None);
        self.cells[at] = Some(color);
        let mut removed = Vec::new();
        self.clear(|c| c != color, &mut removed);
        self.clear(|c| c == color, &mut removed);
        removed
    }

    /// Returns the hash of the position.
    pub fn hash(&self, keys: &Zobrist) -> u64 {
        keys.hash(&self.cells)
    }

    /// Returns the census: stones, and empty regions by their adjacent colors.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for v in 0..self.cells.len() {
            if let Some(color) = self.cells[v] {
                census.stones[color.index()] += 1;
                continue;
            }
            let region = self.chain(v);
            let around = region.iter().flat_map(|&u| &self.neighbors[u]);
            let colors: BTreeSet<Color> = around.filter_map(|&u| self.cells[u]).collect();
            match colors.first() {
                None => census.untouched += 1,
                Some(owner) if colors.len() == 1 => census.enclosed[owner.index()] += 1,
                Some(_) => {}
            }
        }
        census
    }

    /// Returns the empty vertices, in ascending order.
    pub fn vacant(&self) -> Vec<usize> {
        let all = 0..self.cells.len();
        all.filter(|&v| self.cells[v].is_none()).collect()
    }
}
