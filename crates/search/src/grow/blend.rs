//! Blending of network values and playout results at leaves. The weight of the playouts grows with
//! the average gap between the two.
//!
//! Earlier weights had learned from games that ended by resignation, so their data contained few
//! dead groups. They rated large dead groups as certainly alive, and playouts were mostly right if
//! the gap was large. Present weights err less in this way, so playouts count only above a large
//! gap (`examples/blend.rs`, figures in `docs/experiments.md`).

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use super::tree::WIN;
use crate::Parameters;

/// Maximum weight of playouts after growth, from 0 to 1.
const MOST: f64 = 0.85;
/// Minimum number of leaves with a playout before the gap affects the weight.
const ENOUGH: u64 = 32;

/// Gap between network values and playout results in one search, for the player to move at the
/// root.
#[derive(Debug)]
pub(crate) struct Blend {
    parameters: Option<Parameters>,
    /// Sum of network values minus playout results.
    gap: AtomicI64,
    count: AtomicU64,
}

impl Blend {
    /// Creates the blend of a search with the parameters of its network, if it has one.
    pub(crate) fn new(parameters: Option<Parameters>) -> Blend {
        Blend {
            parameters,
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
        let Some(parameters) = &self.parameters else {
            return 0;
        };
        let apart = match self.count.load(Relaxed) {
            0..ENOUGH => 0,
            count => self.gap.load(Relaxed).unsigned_abs() * 100 / (count * WIN),
        };
        playout_percent(parameters, apart)
    }
}

/// Returns the weight of playouts for an average gap of `apart`, both in percent.
///
/// ```
/// use omnigo_search::{Parameters, playout_percent};
///
/// let parameters = Parameters::omnigo();
/// assert_eq!(playout_percent(&parameters, 40), 0);
/// assert_eq!(playout_percent(&parameters, 60), 40);
/// assert_eq!(playout_percent(&parameters, 100), 85);
/// ```
pub fn playout_percent(parameters: &Parameters, apart: u64) -> u64 {
    let excess = apart as f64 / 100.0 - parameters.playout_agreement;
    let growth = parameters.playout_weight_growth * excess.max(0.0);
    let least = parameters.playout_weight;
    // Rounded down. The small number keeps a product just below 40 from becoming 39.
    (100.0 * (least + growth).min(MOST.max(least)) + 1e-9) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_weigh_more_if_they_differ_from_the_network() {
        let percent = |leaves: u64, judged: u64, played: u64| {
            let blend = Blend::new(Some(Parameters::leela_zero()));
            for _ in 0..leaves {
                blend.add(judged, played);
            }
            blend.playout_percent()
        };
        assert_eq!(percent(0, 0, 0), 20);
        assert_eq!(percent(100, 900, 700), 20);
        assert_eq!(percent(100, 900, 600), 27);
        assert_eq!(percent(100, 600, 900), 27);
        assert_eq!(percent(100, 980, 20), 85);
        // Too few leaves: the gap does not count yet.
        assert_eq!(percent(ENOUGH - 1, 980, 20), 20);
        let plain = Parameters {
            playout_weight: 0.95,
            ..Parameters::katago()
        };
        assert_eq!(playout_percent(&plain, 100), 95);
        assert_eq!(playout_percent(&Parameters::katago(), 100), 0);
    }
}
