//! Who owns each point at the end of playouts.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// Counts of how often each color owned each point.
#[derive(Debug)]
pub struct Ownership {
    colors: usize,
    samples: AtomicU32,
    /// `counts[point * colors + color]`
    counts: Box<[AtomicU32]>,
}

impl Ownership {
    /// No samples yet.
    pub fn new(points: usize, colors: usize) -> Ownership {
        Ownership {
            colors,
            samples: AtomicU32::new(0),
            counts: (0..points * colors).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Adds a played out position: stones own their point, a point between stones of one color is theirs.
    pub fn add<B: Board>(&self, board: &B) {
        self.samples.fetch_add(1, Relaxed);
        for i in 0..board.points() {
            let point = Vertex::at(i);
            let owner = board.at(point).or_else(|| {
                let mut around = board.around(point).map(|u| board.at(u));
                let first = around.next().flatten()?;
                around.all(|c| c == Some(first)).then_some(first)
            });
            if let Some(color) = owner {
                self.counts[i * self.colors + color.index()].fetch_add(1, Relaxed);
            }
        }
    }

    /// How many positions were added.
    pub fn samples(&self) -> u32 {
        self.samples.load(Relaxed)
    }

    /// How often `color` owned the point, 0…1; 0 without samples.
    pub fn share(&self, point: Vertex, color: Color) -> f64 {
        let count = self.counts[point.index() * self.colors + color.index()].load(Relaxed);
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
