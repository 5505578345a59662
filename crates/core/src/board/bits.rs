//! Bit sets of points on rectangles up to 25×25, with shifts that compute neighborhoods.
//!
//! Points are numbered row by row, from the bottom. A step up or down is a shift by the width. A
//! step to the side is a shift by one with the opposite column masked out.

/// Number of 64-bit words per set: 625 points need ten.
const WORDS: usize = 10;

/// A set of at most 640 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits([u64; WORDS]);

impl Bits {
    /// Adds a point.
    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        self.0[index >> 6] |= 1 << (index & 63);
    }

    /// Removes a point.
    #[inline(always)]
    pub fn remove(&mut self, index: usize) {
        self.0[index >> 6] &= !(1 << (index & 63));
    }

    /// Returns true if the point is in the set.
    #[inline(always)]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index >> 6] >> (index & 63) & 1 != 0
    }
}

/// The shape of a rectangle: width and masks for shifting its sets.
#[derive(Clone, Debug)]
pub struct Rectangle {
    width: usize,
    /// Number of words in use.
    words: usize,
    /// All points.
    all: Bits,
    /// All points except those of the first column.
    not_first: Bits,
    /// All points except those of the last column.
    not_last: Bits,
}

impl Rectangle {
    /// Maximum length of a side, in points.
    pub const MAX_SIDE: usize = 25;

    /// Returns the masks of a rectangle.
    ///
    /// # Panics
    /// If a side is 0 or above [`Rectangle::MAX_SIDE`].
    pub fn new(width: usize, height: usize) -> Rectangle {
        let sides = 1..=Self::MAX_SIDE;
        assert!(
            sides.contains(&width) && sides.contains(&height),
            "no bit sets for {width}x{height}"
        );
        let points = width * height;
        let set = |keep: &dyn Fn(usize) -> bool| {
            let mut bits = Bits::default();
            (0..points)
                .filter(|&i| keep(i))
                .for_each(|i| bits.insert(i));
            bits
        };
        Rectangle {
            width,
            words: points.div_ceil(64).max(1),
            all: set(&|_| true),
            not_first: set(&|i| i % width != 0),
            not_last: set(&|i| i % width != width - 1),
        }
    }

    /// Returns the number of points in the set.
    #[inline]
    pub fn count(&self, set: &Bits) -> i64 {
        set.0[..self.words]
            .iter()
            .map(|w| i64::from(w.count_ones()))
            .sum()
    }

    /// Returns the points of the rectangle that are in neither set.
    #[inline]
    pub fn neither(&self, a: &Bits, b: &Bits) -> Bits {
        let mut out = Bits::default();
        for i in 0..self.words {
            out.0[i] = self.all.0[i] & !(a.0[i] | b.0[i]);
        }
        out
    }

    /// Returns the points that are in `a` but not in `b`.
    #[inline]
    pub fn minus(&self, a: &Bits, b: &Bits) -> Bits {
        let mut out = Bits::default();
        for i in 0..self.words {
            out.0[i] = a.0[i] & !b.0[i];
        }
        out
    }

    /// Returns the points of `within` that are adjacent to a point of `set`.
    #[inline]
    pub fn touch(&self, set: &Bits, within: &Bits) -> Bits {
        let mut out = Bits::default();
        let shift = self.width;
        for i in 0..self.words {
            let here = set.0[i];
            let previous = if i > 0 { set.0[i - 1] } else { 0 };
            let next = if i + 1 < self.words { set.0[i + 1] } else { 0 };
            let east = (here << 1 | previous >> 63) & self.not_first.0[i];
            let west = (here >> 1 | next << 63) & self.not_last.0[i];
            let north = here << shift | previous >> (64 - shift);
            let south = here >> shift | next << (64 - shift);
            out.0[i] = (east | west | north | south) & within.0[i];
        }
        out
    }

    /// Returns the points of `within` that a path inside `within` connects to a neighbor of `from`.
    pub fn reach(&self, from: &Bits, within: &Bits) -> Bits {
        let mut reached = self.touch(from, within);
        loop {
            let step = self.touch(&reached, within);
            let mut grown = false;
            for i in 0..self.words {
                grown |= step.0[i] & !reached.0[i] != 0;
                reached.0[i] |= step.0[i];
            }
            if !grown {
                return reached;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touch_finds_the_four_neighbors() {
        for (width, height) in [
            (1, 1),
            (1, 7),
            (7, 1),
            (5, 3),
            (9, 9),
            (19, 19),
            (25, 25),
            (8, 8),
            (25, 3),
        ] {
            let rectangle = Rectangle::new(width, height);
            for i in 0..width * height {
                let mut one = Bits::default();
                one.insert(i);
                let touched = rectangle.touch(&one, &rectangle.all);
                let (x, y) = (i % width, i / width);
                for j in 0..width * height {
                    let near = x.abs_diff(j % width) + y.abs_diff(j / width) == 1;
                    assert_eq!(touched.contains(j), near, "{width}x{height}, {i} and {j}");
                }
            }
        }
    }
}
