//! Bit representation of a rectangle and of a position on it.

use super::Start;
use super::lanes::Lanes;

/// A rectangle as bits in words. Each row has one extra bit that is always clear, so a step to the
/// side never reaches the next row.
pub(super) struct PackedStart {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Black and White stones at the start.
    pub(super) stones: [Vec<u64>; 2],
    pub(super) ko: Vec<u64>,
    /// `Some(0)` or `Some(1)` if Black or White always moves first. `None` if playouts start with
    /// them alternately.
    pub(super) first: Option<usize>,
}

impl PackedStart {
    /// Converts the starting position to words.
    pub(super) fn new(start: &Start) -> PackedStart {
        let (width, height) = (start.width, start.height);
        let words = ((width + 1) * height).div_ceil(64);
        let set = |points: &mut dyn Iterator<Item = usize>| {
            let mut set = vec![0u64; words];
            for point in points {
                let bit = place(width, point);
                set[bit / 64] |= 1 << (bit % 64);
            }
            set
        };
        let stones = [0, 1].map(|color: usize| {
            let stones = &start.stones[color];
            set(&mut (0..stones.len()).filter(|&i| stones[i]))
        });
        PackedStart {
            width,
            height,
            stones,
            ko: set(&mut start.ko.into_iter().map(|at| at.index())),
            first: start.to_move.map(|color| color.index()),
        }
    }

    /// Returns the number of words per set.
    pub(super) fn words(&self) -> usize {
        self.ko.len()
    }

    /// Returns the number of points of the rectangle.
    pub(super) fn points(&self) -> usize {
        self.width * self.height
    }

    /// Returns the set of the points (x, y) for which `keep` returns true, for all games.
    pub(super) fn set<L: Lanes, const W: usize>(
        &self,
        keep: impl Fn(usize, usize) -> bool,
    ) -> [L; W] {
        let mut words = [0u64; W];
        for point in 0..self.points() {
            if keep(point % self.width, point / self.width) {
                let bit = place(self.width, point);
                words[bit / 64] |= 1 << (bit % 64);
            }
        }
        words.map(L::splat)
    }
}

/// Returns the bit index of a point.
fn place(width: usize, point: usize) -> usize {
    point / width * (width + 1) + point % width
}
