//! Who owns each point at the end of playouts.

use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// Who owns a point of a played out position: whose stone is there, or whose stones are all around.
pub(super) fn owner<B: Board>(board: &B, point: Vertex) -> Option<Color> {
    board.at(point).or_else(|| {
        let mut around = board.around(point).map(|u| board.at(u));
        let first = around.next().flatten()?;
        around.all(|c| c == Some(first)).then_some(first)
    })
}

/// Counts of how often each color owned each point.
#[derive(Clone, Debug)]
pub struct Ownership {
    colors: usize,
    samples: u32,
    /// `counts[point * colors + color]`
    counts: Box<[u32]>,
}

impl Ownership {
    /// No samples yet.
    pub fn new(points: usize, colors: usize) -> Ownership {
        Ownership {
            colors,
            samples: 0,
            counts: vec![0; points * colors].into_boxed_slice(),
        }
    }

    /// Adds a played out position.
    pub fn add<B: Board>(&mut self, board: &B) {
        self.samples += 1;
        for i in 0..board.points() {
            let point = Vertex::at(i);
            if let Some(color) = owner(board, point) {
                self.counts[i * self.colors + color.index()] += 1;
            }
        }
    }

    /// Adds another's samples of the same board.
    pub fn merge(&mut self, other: &Ownership) {
        self.samples += other.samples;
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
    }

    /// Gives a point to a color in all samples: it is certain to be its.
    pub fn give(&mut self, point: Vertex, color: Color) {
        let start = point.index() * self.colors;
        if let Some(counts) = self.counts.get_mut(start..start + self.colors) {
            counts.fill(0);
            counts[color.index()] = self.samples;
        }
    }

    /// Forgets all samples.
    pub fn clear(&mut self) {
        self.samples = 0;
        self.counts.fill(0);
    }

    /// How many positions were added.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// How often `color` owned the point, 0…1; 0 without samples.
    pub fn share(&self, point: Vertex, color: Color) -> f64 {
        let count = self.counts[point.index() * self.colors + color.index()];
        f64::from(count) / f64::from(self.samples().max(1))
    }

    /// How often nobody owned the point.
    pub fn nobody(&self, point: Vertex) -> f64 {
        1.0 - Color::all(self.colors)
            .map(|color| self.share(point, color))
            .sum::<f64>()
    }

    /// The color that owned the point at least `share` of the time.
    pub fn owner(&self, point: Vertex, share: f64) -> Option<Color> {
        Color::all(self.colors).find(|&color| self.share(point, color) >= share)
    }
}
