//! How much of a result is the network's and how much a playout's: the more the two gainsay each other, the more playouts count.
//!
//! A network that has learned from games which players gave up has seen few dead groups, and takes large ones for alive with
//! certainty; playouts take them off the board. Where the two are far apart, playouts name the winner most of the time; where they
//! agree, the network judges better (`examples/dissent.rs`, figures in `docs/network.md`).

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use super::tree::WIN;

/// What playouts count where they agree with the network, in hundredths of a result.
const PERCENT: u64 = 20;
/// So far apart, in hundredths of a win, is still agreement: chance draws what playouts say towards a half.
const AGREEMENT: u64 = 25;
/// Hundredths that each one beyond agreement adds, as a fraction.
const GROWTH: (u64, u64) = (3, 2);
/// The most that playouts count.
const MOST: u64 = 85;
/// Leaves before a gap is taken for more than chance.
const ENOUGH: u64 = 32;

/// What the network and playouts have said in one search, to the player to move at its root.
#[derive(Debug, Default)]
pub(super) struct Dissent {
    /// Sum of what was judged less what was played.
    gap: AtomicI64,
    count: AtomicU64,
}

impl Dissent {
    /// Counts a leaf that was judged and played out, both 0…[`WIN`].
    pub(super) fn add(&self, judged: u64, played: u64) {
        self.gap.fetch_add(judged as i64 - played as i64, Relaxed);
        self.count.fetch_add(1, Relaxed);
    }

    /// How much of a result is the playout's, in hundredths.
    pub(super) fn playout_percent(&self) -> u64 {
        let count = self.count.load(Relaxed);
        if count < ENOUGH {
            return PERCENT;
        }
        playout_percent(self.gap.load(Relaxed).unsigned_abs() * 100 / (count * WIN))
    }
}

/// How much of a result is the playout's where playouts and the network are so far apart, both in hundredths.
///
/// ```
/// use omnigo::search::playout_percent;
///
/// assert_eq!(playout_percent(10), 20);
/// assert_eq!(playout_percent(45), 50);
/// assert_eq!(playout_percent(100), 85);
/// ```
pub fn playout_percent(apart: u64) -> u64 {
    let (more, of) = GROWTH;
    (PERCENT + apart.saturating_sub(AGREEMENT) * more / of).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_weigh_more_if_they_differ_from_the_network() {
        let percent = |leaves: u64, judged: u64, played: u64| {
            let dissent = Dissent::default();
            for _ in 0..leaves {
                dissent.add(judged, played);
            }
            dissent.playout_percent()
        };
        assert_eq!(percent(0, 0, 0), PERCENT);
        assert_eq!(percent(100, 900, 700), PERCENT);
        assert_eq!(percent(100, 900, 600), PERCENT + 7);
        assert_eq!(percent(100, 600, 900), PERCENT + 7);
        assert_eq!(percent(100, 980, 20), MOST);
        // A few leaves are no more than chance.
        assert_eq!(percent(ENOUGH - 1, 980, 20), PERCENT);
    }
}
