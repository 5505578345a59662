//! Record of a search at its root: score leads and running visits, for each move and for all.
//!
//! The tree stores results instead of scores, because it selects moves by results. Score leads are
//! stored separately, and only at the root. They serve displays of the score and decisions about
//! the last points. The tree also counts running visits as lost. Displays leave them out.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use omnigo_base::vertex::Vertex;

/// Score leads of one search, in half points, from the view of the player to move at the root.
#[derive(Debug)]
pub(crate) struct RootRecord {
    /// Number of points of the board in half points.
    span: i64,
    all: Cell,
    /// One cell for each placement, and a last one for the pass.
    moves: Box<[Cell]>,
}

#[derive(Debug, Default)]
struct Cell {
    sum: AtomicI64,
    /// Sum of the squared leads, as the bits of an `f64`. The sum can exceed 64-bit integers.
    squares: AtomicU64,
    /// Sum of the leads, each limited to the number of points, as results count them.
    limited: AtomicI64,
    count: AtomicU32,
    /// Number of visits that have begun and not ended.
    running: AtomicU32,
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
    fn add(&self, halves: i64, span: i64) {
        self.limited.fetch_add(halves.clamp(-span, span), Relaxed);
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

impl RootRecord {
    /// Returns the record of a search on a board of this many placements and points.
    pub(crate) fn new(placements: usize, points: usize) -> RootRecord {
        RootRecord {
            span: 2 * points.max(1) as i64,
            all: Cell::default(),
            moves: (0..=placements).map(|_| Cell::default()).collect(),
        }
    }

    /// Counts a playout with this score lead in half points. `first` is the vertex index of its
    /// first move: [`Vertex::LIMIT`] for a pass, or `None` without a move.
    pub(crate) fn add(&self, first: Option<usize>, halves: i64) {
        for cell in self.cells(first) {
            cell.add(halves, self.span);
        }
    }

    /// Notes that a visit begins, before its first move is known.
    pub(crate) fn begin(&self) {
        self.all.running.fetch_add(1, Relaxed);
    }

    /// Notes that a visit begins with this move.
    pub(crate) fn begin_with(&self, index: usize) {
        if let Some(cell) = self.cell(index) {
            cell.running.fetch_add(1, Relaxed);
        }
    }

    /// Notes that a visit has ended, with its first move as in [`RootRecord::add`].
    pub(crate) fn end(&self, first: Option<usize>) {
        for cell in self.cells(first) {
            cell.running.fetch_sub(1, Relaxed);
        }
    }

    fn cells(&self, first: Option<usize>) -> impl Iterator<Item = &Cell> {
        let of_move = first.and_then(|index| self.cell(index));
        std::iter::once(&self.all).chain(of_move)
    }

    fn cell(&self, index: usize) -> Option<&Cell> {
        match index {
            Vertex::LIMIT => self.moves.last(),
            index => self.moves.get(index),
        }
    }

    /// Returns the number of running visits with this first move, or of all without one.
    pub(crate) fn running(&self, first: Option<usize>) -> u32 {
        let cell = first.map_or(Some(&self.all), |index| self.cell(index));
        cell.map_or(0, |cell| cell.running.load(Relaxed))
    }

    /// Returns true if one of `visits` visits with this first move has ended.
    pub(crate) fn has_ended(&self, index: usize, visits: u32) -> bool {
        visits > self.running(Some(index))
    }

    /// Returns the mean score lead as a share of the points, −1…1, and the number of its visits.
    /// `None` without such visits. `first` is as in [`RootRecord::running`].
    pub(crate) fn share(&self, first: Option<usize>) -> Option<(f64, u32)> {
        let cell = first.map_or(Some(&self.all), |index| self.cell(index))?;
        let samples = cell.count.load(Relaxed);
        let all = cell.limited.load(Relaxed) as f64 / self.span as f64;
        (samples > 0).then(|| (all / f64::from(samples), samples))
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
        let record = RootRecord::new(3, 2);
        assert_eq!(record.all(), None);
        for halves in [1, 5] {
            record.add(Some(2), halves);
        }
        record.add(Some(Vertex::LIMIT), -6);
        record.add(None, 0);
        let lead = record.of(2).unwrap();
        assert_eq!((lead.mean, lead.deviation, lead.samples), (1.5, 1.0, 2));
        assert_eq!(record.of(Vertex::LIMIT).unwrap().mean, -3.0);
        assert_eq!(record.of(0), None);
        let all = record.all().unwrap();
        assert_eq!((all.mean, all.samples), (0.0, 4));
        // The board has two points, so a lead of 2.5 counts as 2, and one of −3 as −2.
        assert_eq!(record.share(Some(2)), Some((0.625, 2)));
        assert_eq!(record.share(None), Some((0.0625, 4)));
        assert_eq!(record.share(Some(0)), None);
        record.begin();
        record.begin_with(2);
        assert_eq!(
            [None, Some(2), Some(0)].map(|at| record.running(at)),
            [1, 1, 0]
        );
        record.end(Some(2));
        assert_eq!(
            [None, Some(2), Some(0)].map(|at| record.running(at)),
            [0, 0, 0]
        );
    }

    #[test]
    fn extreme_leads_do_not_overflow() {
        let record = RootRecord::new(0, 1);
        for i in 0..100_000 {
            record.add(None, if i % 2 == 0 { i64::MAX } else { i64::MIN });
        }
        let all = record.all().unwrap();
        let widest = WIDEST as f64 / 2.0;
        assert_eq!((all.mean, all.deviation), (0.0, widest));
    }
}
