//! Properties of the empty board: lines and windows.

use crate::board::Board;
use crate::patterns::windows::Windows;
use omnigo_base::vertex::Vertex;

/// Properties of the vertices of a board that do not depend on stones, computed once.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// Line of each vertex: 1 on a vertex of low degree, plus one per step away from the nearest of
    /// them. It is 0 if the board has no edge.
    lines: Vec<u8>,
    /// Windows around each point, if the board looks like a square lattice at 90 % of its points or
    /// more.
    windows: Option<Windows>,
}

impl Terrain {
    /// Computes the terrain of a board.
    pub fn of<B: Board>(board: &B) -> Terrain {
        let points = board.points();
        let degrees: Vec<usize> = (0..points)
            .map(|i| board.around(Vertex::at(i)).count())
            .collect();
        let most = degrees.iter().copied().max().unwrap_or(0);
        let mut lines = vec![0u8; points];
        let mut queue: Vec<Vertex> = (0..points)
            .filter(|&i| degrees[i] < most)
            .map(Vertex::at)
            .collect();
        let rings = (0..points).filter(|&i| board.ring(Vertex::at(i)).is_some());
        let windows = (rings.count() * 10 >= points * 9).then(|| Windows::of(board));
        // An edge is thin. If most vertices have low degree, degrees do not define lines.
        if queue.len() * 2 > points && points > 16 {
            return Terrain { lines, windows };
        }
        for v in &queue {
            lines[v.index()] = 1;
        }
        let mut next = 0;
        while let Some(&v) = queue.get(next) {
            next += 1;
            for u in board.around(v) {
                if lines[u.index()] == 0 {
                    lines[u.index()] = lines[v.index()].saturating_add(1);
                    queue.push(u);
                }
            }
        }
        Terrain { lines, windows }
    }

    /// Returns true if the board looks like a square lattice nearly everywhere, so that shapes are
    /// meaningful.
    pub fn is_lattice(&self) -> bool {
        self.windows.is_some()
    }

    /// Returns the windows of a lattice, otherwise `None`.
    pub fn windows(&self) -> Option<&Windows> {
        self.windows.as_ref()
    }

    /// Returns the line of a point, from 1. Returns 0 if the board has no edge.
    pub fn line(&self, at: Vertex) -> u8 {
        self.lines.get(at.index()).copied().unwrap_or(0)
    }
}
