//! What the empty shape of a board says.

use super::windows::Windows;
use crate::board::Board;
use crate::vertex::Vertex;

/// What the shape of a board says about its vertices, found once.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// Steps from the nearest vertex of low degree, 1 on it; 0 where the board has no edge. On a grid: the line.
    lines: Vec<u8>,
    /// The surroundings of each point, where the board looks like a square lattice nearly everywhere.
    windows: Option<Windows>,
}

impl Terrain {
    /// Looks at the empty shape of a board.
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
        // An edge is thin: where most vertices are of low degree, degree says nothing about lines.
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

    /// Whether the board looks like a square lattice nearly everywhere, so that shapes say something.
    pub fn is_lattice(&self) -> bool {
        self.windows.is_some()
    }

    /// The surroundings of each point, where it does.
    pub fn windows(&self) -> Option<&Windows> {
        self.windows.as_ref()
    }

    /// The line of a point, from 1; 0 where the board has no edge.
    pub fn line(&self, at: Vertex) -> u8 {
        self.lines.get(at.index()).copied().unwrap_or(0)
    }
}
