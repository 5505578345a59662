//! A rectangle and a position on it as words of bits.

use super::Start;
use super::lanes::Lanes;

/// A rectangle in words: rows one bit longer than the rectangle is wide, the last of each always clear, so that a step to
/// the side never leads into the next row.
pub(super) struct Shape {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Black and white stones at the start.
    pub(super) stones: [Vec<u64>; 2],
    pub(super) ko: Vec<u64>,
    /// 0 or 1 where Black or White always begins.
    pub(super) first: Option<usize>,
}

impl Shape {
    /// The position to play on from, in words.
    pub(super) fn new(start: &Start) -> Shape {
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
        Shape {
            width,
            height,
            stones,
            ko: set(&mut start.ko.into_iter().map(|at| at.index())),
            first: start.to_move.map(|color| color.index()),
        }
    }

    /// Words of a set.
    pub(super) fn words(&self) -> usize {
        self.ko.len()
    }

    /// Points of the rectangle.
    pub(super) fn points(&self) -> usize {
        self.width * self.height
    }

    /// A set in which `keep` says which points are.
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

/// The bit of a point.
fn place(width: usize, point: usize) -> usize {
    point / width * (width + 1) + point % width
}
