//! Score leads of playouts, for the root of a search and for each of its moves.
//!
//! The tree stores results instead of scores, because it selects moves by results. Score leads are
//! stored separately, and only at the root. They serve displays of the score and decisions about
//! the last points.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use omnigo_base::vertex::Vertex;

/// Score leads of one search, in half points, from the view of the player to move at the root.
#[derive(Debug)]
pub(crate) struct Margins {
    all: Cell,
    /// One cell for each placement, and a last one for the pass.
    moves: Box<[Cell]>,
}

#[derive(Debug, Default)]
struct Cell {
    sum: AtomicI64,
    /// Sum of the squared leads, as the bits of an `f64`. The sum can exceed 64-bit integers.
    squares: AtomicU64,
    count: AtomicU32,
}

/// Mean and standard deviation of score leads, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lead {
    /// Mean; positive values favor the player to move at the root.
    pub mean: f64,
    /// Standard deviation of single playouts.
    pub deviation: f64,
    /// Number of playouts behind both values.
    pub samples: u32,
}

/// Maximum absolute score lead, in half points. Larger leads are clamped, so the sum over up to 2³²
/// playouts does not overflow.
const WIDEST: i64 = 1 << 30;

impl Cell {
    fn add(&self, halves: i64) {
        let halves = halves.clamp(-WIDEST, WIDEST);
        self.sum.fetch_add(halves, Relaxed);
        let square = halves as f64 * halves as f64;
        let add = |bits| Some((f64::from_bits(bits) + square).to_bits());
        // This cannot fail, because `add` always returns `Some`.
        let _ = self.squares.fetch_update(Relaxed, Relaxed, add);
        self.count.fetch_add(1, Relaxed);
    }

    fn lead(&self) -> Option<Lead> {
        let samples = self.count.load(Relaxed);
        if samples == 0 {
            return None;
        }
        let (n, half) = (f64::from(samples), 0.5);
        let mean = self.sum.load(Relaxed) as f64 / n;
        // Other threads may write between these reads, so the values may be a sample apart.
        let variance = (f64::from_bits(self.squares.load(Relaxed)) / n - mean * mean).max(0.0);
        Some(Lead {
            mean: mean * half,
            deviation: variance.sqrt() * half,
            samples,
        })
    }
}

impl Margins {
    pub(crate) fn new(placements: usize) -> Margins {
        Margins {
            all: Cell::default(),
            moves: (0..=placements).map(|_| Cell::default()).collect(),
        }
    }

    /// Counts a playout with this score lead in half points. `first` is the vertex index of its
    /// first move: [`Vertex::LIMIT`] for a pass, or `None` without a move.
    pub(crate) fn add(&self, first: Option<usize>, halves: i64) {
        self.all.add(halves);
        if let Some(cell) = first.and_then(|index| self.cell(index)) {
            cell.add(halves);
        }
    }

    fn cell(&self, index: usize) -> Option<&Cell> {
        match index {
            Vertex::LIMIT => self.moves.last(),
            index => self.moves.get(index),
        }
    }

    /// Returns the score lead over all playouts, or `None` without playouts.
    pub(crate) fn all(&self) -> Option<Lead> {
        self.all.lead()
    }

    /// Returns the score lead over the playouts through this move, or `None` without such playouts.
    pub(crate) fn of(&self, index: usize) -> Option<Lead> {
        self.cell(index).and_then(Cell::lead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_deviations_are_in_points() {
        let margins = Margins::new(3);
        assert_eq!(margins.all(), None);
        for halves in [1, 5] {
            margins.add(Some(2), halves);
        }
        margins.add(Some(Vertex::LIMIT), -6);
        margins.add(None, 0);
        let lead = margins.of(2).unwrap();
        assert_eq!((lead.mean, lead.deviation, lead.samples), (1.5, 1.0, 2));
        assert_eq!(margins.of(Vertex::LIMIT).unwrap().mean, -3.0);
        assert_eq!(margins.of(0), None);
        let all = margins.all().unwrap();
        assert_eq!((all.mean, all.samples), (0.0, 4));
    }

    #[test]
    fn extreme_leads_do_not_overflow() {
        let margins = Margins::new(0);
        for i in 0..100_000 {
            margins.add(None, if i % 2 == 0 { i64::MAX } else { i64::MIN });
        }
        let all = margins.all().unwrap();
        let widest = WIDEST as f64 / 2.0;
        assert_eq!((all.mean, all.deviation), (0.0, widest));
    }
}
