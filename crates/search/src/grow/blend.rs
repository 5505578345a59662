//! Blending of network values and playout results at leaves. The weight of the playouts grows with
//! the average gap between the two.
//!
//! The figures were chosen for earlier weights. These had learned from games that ended by
//! resignation, so their data contained few dead groups. They rated large dead groups as certainly
//! alive, while playouts capture them. If the gap was large, playouts mostly predicted the winner
//! correctly. Otherwise the network was more accurate
//! (`examples/blend.rs`, figures in `docs/experiments.md`).

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use super::tree::WIN;

/// Maximum gap that counts as agreement, in percent of a win. Some gap is normal, because playout
/// results are noisy and biased toward a half.
const AGREEMENT: u64 = 25;
/// Percentage points of weight that each percent of gap beyond [`AGREEMENT`] adds.
const GROWTH: (u64, u64) = (3, 2);
/// Maximum weight of playouts after growth, in percent.
const MOST: u64 = 85;
/// Minimum number of leaves before the gap affects the weight.
const ENOUGH: u64 = 32;

/// Gap between network values and playout results in one search, for the player to move at the
/// root.
#[derive(Debug)]
pub(crate) struct Blend {
    /// Weight of playouts that agree with the network, in percent of the blended result.
    least: u64,
    /// Sum of network values minus playout results.
    gap: AtomicI64,
    count: AtomicU64,
}

impl Blend {
    /// Creates the blend of a search. `weight` is the share, 0…1, of playouts that agree with the
    /// network.
    pub(crate) fn new(weight: f64) -> Blend {
        Blend {
            least: (weight * 100.0).round() as u64,
            gap: AtomicI64::new(0),
            count: AtomicU64::new(0),
        }
    }

    /// Adds a leaf with its network value and playout result, both 0…[`WIN`].
    pub(crate) fn add(&self, judged: u64, played: u64) {
        self.gap.fetch_add(judged as i64 - played as i64, Relaxed);
        self.count.fetch_add(1, Relaxed);
    }

    /// Returns the weight of playouts, in percent.
    pub(crate) fn playout_percent(&self) -> u64 {
        let count = self.count.load(Relaxed);
        if count < ENOUGH {
            return self.least;
        }
        let apart = self.gap.load(Relaxed).unsigned_abs() * 100 / (count * WIN);
        playout_percent(self.least, apart)
    }
}

/// Returns the weight of playouts for an average gap of `apart`, where playouts that agree have the
/// weight `least`. All are in percent.
///
/// ```
/// use omnigo_search::playout_percent;
///
/// assert_eq!(playout_percent(20, 10), 20);
/// assert_eq!(playout_percent(20, 45), 50);
/// assert_eq!(playout_percent(20, 100), 85);
/// ```
pub fn playout_percent(least: u64, apart: u64) -> u64 {
    let (more, of) = GROWTH;
    let grown = least + apart.saturating_sub(AGREEMENT) * more / of;
    grown.min(MOST.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_weigh_more_if_they_differ_from_the_network() {
        let percent = |leaves: u64, judged: u64, played: u64| {
            let blend = Blend::new(0.2);
            for _ in 0..leaves {
                blend.add(judged, played);
            }
            blend.playout_percent()
        };
        assert_eq!(percent(0, 0, 0), 20);
        assert_eq!(percent(100, 900, 700), 20);
        assert_eq!(percent(100, 900, 600), 27);
        assert_eq!(percent(100, 600, 900), 27);
        assert_eq!(percent(100, 980, 20), MOST);
        // Too few leaves: the gap does not count yet.
        assert_eq!(percent(ENOUGH - 1, 980, 20), 20);
        assert_eq!(playout_percent(95, 100), 95);
    }
}
