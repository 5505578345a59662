//! Estimates for a position or a move, and corrections of noisy score leads.

use omnigo_search::Lead;

/// Estimates for a position or a move, from the view of the request's color.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of playouts behind the estimates.
    pub visits: u32,
    /// Win probability, 0…1.
    pub winrate: f64,
    /// Lower confidence bound of the win probability, at 95 %, from the variation between playouts.
    pub lcb: f64,
    /// Score lead at the end of playouts, in points including komi; 0 if no points are counted.
    pub lead: f64,
    /// Standard deviation of the score lead between playouts.
    pub deviation: f64,
}

/// Minimum weight of the expected lead in a move's lead, in playouts. It damps the noise of moves
/// with few playouts: chance alone sets the leads of equal moves many points apart.
const EXPECTED_LEAD_WEIGHT: f64 = 16.0;
/// Typical difference in points between the leads of moves with equal win probability. The noisier
/// the playouts are in comparison, the more the expected lead weighs.
const TYPICAL_DIFFERENCE: f64 = 3.0;
/// Standard deviations by which a lead grows if the win probability near 0.5 grows by 1. It is that
/// of a normal distribution, the square root of 2 pi.
const LEAD_PER_WINRATE: f64 = 2.5;
/// Half the width of a 95 % confidence interval, in standard errors.
const CONFIDENCE: f64 = 1.96;

impl Figures {
    /// Returns the estimates. Corrects a lead that contradicts the win probability by chance.
    pub(super) fn new(visits: u32, winrate: f64, lead: Option<Lead>) -> Figures {
        let n = f64::from(visits.max(1));
        // Without the term 0.25 / n, a series of wins only would have an error of 0.
        let error = ((winrate * (1.0 - winrate) + 0.25 / n) / n).sqrt();
        let lead = lead.unwrap_or_default();
        Figures {
            visits,
            winrate,
            lcb: (winrate - CONFIDENCE * error).max(0.0),
            lead: lead_agreeing_with(winrate, CONFIDENCE * error, lead),
            deviation: lead.deviation,
        }
    }
}

/// Returns the mean lead, unless it favors the player with the lower win probability by chance.
/// That is so if the win probability is at most `margin` from 0.5, or if the lead is within its
/// 95 % error. In that case, returns a small lead of the other player, at most the larger of
/// one standard error and one point.
///
/// Both can disagree because a network contributes its own estimate of each.
///
/// The result is not 0, because KaTrain takes a lead of 0 for an unknown one.
fn lead_agreeing_with(winrate: f64, margin: f64, lead: Lead) -> f64 {
    let error = lead.deviation / f64::from(lead.samples.max(1)).sqrt();
    let edge = winrate - 0.5;
    let is_chance = edge.abs() <= margin || lead.mean.abs() <= CONFIDENCE * error;
    if lead.mean * edge < 0.0 && is_chance {
        2.0 * edge * error.max(1.0)
    } else {
        lead.mean
    }
}

/// Returns the lead of a move, averaged with the lead that its win probability lets expect, if the
/// lead of the position is known. `edge` is the win probability of the move minus that of the
/// position.
pub(super) fn shrink_toward_expected(own: Lead, position: Option<Lead>, edge: f64) -> Lead {
    let Some(position) = position else { return own };
    let noise = position.deviation / TYPICAL_DIFFERENCE;
    let (samples, weight) = (
        f64::from(own.samples),
        EXPECTED_LEAD_WEIGHT.max(noise * noise),
    );
    let expected = position.mean + edge * LEAD_PER_WINRATE * position.deviation;
    Lead {
        mean: (samples * own.mean + weight * expected) / (samples + weight),
        ..own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(mean: f64, samples: u32) -> Lead {
        Lead {
            mean,
            deviation: 20.0,
            samples,
        }
    }

    #[test]
    fn a_lead_contradicts_the_win_probability_only_beyond_chance() {
        let shown = |winrate, lead: Lead| Figures::new(lead.samples, winrate, Some(lead)).lead;
        let small = shown(0.525, lead(-1.1, 40));
        assert!(0.1 < small && small < 0.2, "{small}");
        assert_eq!(shown(0.475, lead(-1.1, 40)), -1.1);
        assert_eq!(shown(0.525, lead(-1.1, 10_000)), -1.1);
        // Neither is chance.
        assert_eq!(shown(0.8, lead(-9.0, 40)), -9.0);
        // The win probability is.
        let small = shown(0.525, lead(-9.0, 40));
        assert!(small > 0.0 && small < 1.0, "{small}");
    }

    #[test]
    fn few_playouts_hardly_move_the_score_of_a_move() {
        let position = Some(lead(1.0, 40));
        let shrunk = |own, edge| shrink_toward_expected(own, position, edge).mean;
        let apart = shrunk(lead(6.0, 8), 0.0) - shrunk(lead(-4.0, 8), 0.0);
        assert!(apart < 2.0, "{apart}");
        // A move that wins less often is expected to have a smaller lead.
        let bad = shrunk(lead(1.0, 8), -0.2);
        assert!(-9.0 < bad && bad < -5.0, "{bad}");
        let settled = shrunk(lead(6.0, 4000), 0.0);
        assert!((settled - 6.0).abs() < 0.1, "{settled}");
        // Precise leads keep their differences.
        let precise = |mean| Lead {
            deviation: 3.0,
            ..lead(mean, 16)
        };
        let kept = shrink_toward_expected(precise(6.0), Some(precise(1.0)), 0.0);
        assert_eq!(kept.mean, 3.5);
        assert_eq!(
            shrink_toward_expected(lead(6.0, 8), None, 0.0),
            lead(6.0, 8)
        );
    }
}
