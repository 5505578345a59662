//! Utilities of positions and finished games, and the weights of positions.
//!
//! The formulas are KataGo's (`searchhelpers.cpp`, `nninputs.cpp`, `searchupdatehelpers.cpp`).

use std::f64::consts::FRAC_2_PI;

use crate::parameters::Parameters;

/// Width of the static score utility, in square roots of the number of points.
const STATIC_SCALE: f64 = 2.0;
/// The distribution of a score is summed from −5 to 5 standard deviations.
const DEVIATIONS: i32 = 5;
/// Number of terms of that sum for each standard deviation.
const TERMS: i32 = 10;

/// Estimate of the end of a game, from the view of one of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ValueEstimate {
    /// Win probability minus the probability of losing, −1…1.
    pub(crate) win_loss: f64,
    /// Mean of the final score in points.
    pub(crate) score: f64,
    /// Mean of the squared final score.
    pub(crate) score_square: f64,
    /// Expected errors of `win_loss` and `score`, if they are known.
    pub(crate) errors: Option<[f64; 2]>,
}

impl ValueEstimate {
    /// Returns the estimate about a game that ended with a lead of `halves` half points.
    pub(crate) fn counted(halves: i64) -> ValueEstimate {
        let score = halves as f64 / 2.0;
        ValueEstimate {
            win_loss: halves.signum() as f64,
            score,
            score_square: score * score,
            errors: None,
        }
    }

    /// Returns the estimate from the view of the other player.
    pub(crate) fn turned(self) -> ValueEstimate {
        ValueEstimate {
            win_loss: -self.win_loss,
            score: -self.score,
            ..self
        }
    }

    /// Returns the standard deviation of the final score.
    fn deviation(&self) -> f64 {
        (self.score_square - self.score * self.score)
            .max(0.0)
            .sqrt()
    }
}

/// Utility of a visit for the player to move at the root, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    pub(crate) utility: f64,
    pub(crate) weight: f64,
    /// True if the result of the game is known, so that nothing corrects the utility.
    pub(crate) is_final: bool,
}

/// Conversion of estimates to utilities in one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utilities<'p> {
    parameters: &'p Parameters,
    points: f64,
    /// Score at which the dynamic score utility is 0, for the player to move at the root.
    center: f64,
}

/// Returns the score at which the dynamic score utility is 0, if the root expects a score of
/// `expected` on a board of `points` points.
pub(crate) fn center(parameters: &Parameters, points: usize, expected: f64) -> f64 {
    let reach = (points as f64).sqrt() * parameters.dynamic_score_center_scale;
    let center = expected * (1.0 - parameters.dynamic_score_center_zero_weight);
    center.clamp(expected - reach, expected + reach)
}

impl<'p> Utilities<'p> {
    /// Creates the conversion on a board of `points` points.
    pub(crate) fn new(parameters: &'p Parameters, points: usize, center: f64) -> Utilities<'p> {
        Utilities {
            parameters,
            points: points.max(1) as f64,
            center,
        }
    }

    /// Returns the utility of an estimate. Both are from the view of the player to move at the
    /// root.
    pub(crate) fn utility(&self, estimate: ValueEstimate) -> f64 {
        let parameters = self.parameters;
        let deviation = estimate.deviation();
        let curve = |factor: f64, score: f64, scale: f64| match factor > 0.0 {
            true => factor * score_value(score, deviation, scale * self.points.sqrt()),
            false => 0.0,
        };
        let fixed = curve(
            parameters.static_score_utility_factor,
            estimate.score,
            STATIC_SCALE,
        );
        let moving = curve(
            parameters.dynamic_score_utility_factor,
            estimate.score - self.center,
            parameters.dynamic_score_center_scale,
        );
        let linear = estimate.score.clamp(-self.points, self.points) / self.points;
        parameters.win_loss_utility_factor * estimate.win_loss
            + fixed
            + moving
            + parameters.linear_score_utility_factor * linear
    }

    /// Returns the weight of an estimate: 1 without known errors, or if they do not count.
    /// Otherwise it falls with the expected error of the utility.
    pub(crate) fn weight(&self, estimate: ValueEstimate) -> f64 {
        let parameters = self.parameters;
        let Some([win_loss, score]) = estimate.errors.filter(|_| parameters.use_uncertainty) else {
            return 1.0;
        };
        let fixed = slope(estimate.score, STATIC_SCALE * self.points.sqrt());
        let moving = slope(
            estimate.score - self.center,
            parameters.dynamic_score_center_scale * self.points.sqrt(),
        );
        let per_point = parameters.static_score_utility_factor * fixed
            + parameters.dynamic_score_utility_factor * moving
            + parameters.linear_score_utility_factor / self.points;
        let error = parameters.win_loss_utility_factor * win_loss + per_point * score;
        let least = parameters.uncertainty_coeff / parameters.uncertainty_max_weight;
        let power = error.max(0.0).powf(parameters.uncertainty_exponent);
        parameters.uncertainty_coeff / (power + least)
    }

    /// Returns the weight of a finished game. `has_errors` is true if the network predicts errors.
    pub(crate) fn weight_of_end(&self, has_errors: bool) -> f64 {
        match has_errors && self.parameters.use_uncertainty {
            true => self.parameters.uncertainty_max_weight,
            false => 1.0,
        }
    }
}

/// Returns the mean of `2/π·atan(score/scale)` for a normal distribution of the score, −1…1.
fn score_value(mean: f64, deviation: f64, scale: f64) -> f64 {
    let value = |score: f64| FRAC_2_PI * (score / scale).atan();
    if deviation <= 0.0 {
        return value(mean);
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for term in -DEVIATIONS * TERMS..=DEVIATIONS * TERMS {
        let apart = f64::from(term) / f64::from(TERMS);
        let weight = (-0.5 * apart * apart).exp();
        sum += weight * value(mean + apart * deviation);
        weights += weight;
    }
    sum / weights
}

/// Returns the derivative of `2/π·atan(score/scale)`.
fn slope(score: f64, scale: f64) -> f64 {
    FRAC_2_PI * scale / (scale * scale + score * score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::results::results_of;
    use crate::grow::tree::WIN;
    use omnigo_base::color::Color;
    use omnigo_core::rules::Points;
    use omnigo_core::rules::presets;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }

    #[test]
    fn utilities_agree_with_values_computed_by_hand() {
        // On 9x9, the static scale is 18 points and the dynamic one 6.75. At a scale, the arc
        // tangent is π/4, and the value is one half.
        let parameters = Parameters::katago();
        let utilities = Utilities::new(&parameters, 81, 11.25);
        let estimate = ValueEstimate {
            win_loss: 0.6,
            score: 18.0,
            score_square: 324.0,
            errors: None,
        };
        near(utilities.utility(estimate), 0.6 + 0.1 * 0.5 + 0.3 * 0.5);
        let centered = Utilities::new(&parameters, 81, -11.25);
        near(
            centered.utility(estimate.turned()),
            -utilities.utility(estimate),
        );
        let lost = ValueEstimate::counted(-36);
        assert_eq!((lost.win_loss, lost.score), (-1.0, -18.0));
        near(centered.utility(lost), -1.0 - 0.1 * 0.5 - 0.3 * 0.5);
    }

    #[test]
    fn score_values_are_means_over_the_normal_distribution() {
        // The expected values come from 200,000 terms between −10 and 10 standard deviations.
        near(score_value(5.0, 10.0, 6.75), 0.244_273);
        near(score_value(5.0, 10.0, 18.0), 0.143_170);
        near(score_value(-3.0, 20.0, 6.75), -0.092_948);
        near(score_value(5.0, 1.0, 6.75), 0.401_617);
        near(score_value(0.0, 30.0, 6.75), 0.0);
        near(score_value(6.75, 0.0, 6.75), 0.5);
        near(
            slope(3.0, 6.75),
            (score_value(3.01, 0.0, 6.75) - score_value(2.99, 0.0, 6.75)) / 0.02,
        );
    }

    #[test]
    fn the_center_moves_toward_zero_by_at_most_one_scale() {
        let parameters = Parameters::katago();
        near(center(&parameters, 81, 10.0), 8.0);
        near(center(&parameters, 81, -10.0), -8.0);
        // One fifth of 100 points exceeds 6.75 points.
        near(center(&parameters, 81, 100.0), 93.25);
    }

    #[test]
    fn without_score_curves_utilities_are_results() {
        let parameters = Parameters::omnigo();
        let utilities = Utilities::new(&parameters, 81, 5.0);
        let rules = &presets::find("cgos").unwrap().rules;
        for halves in [-162, -35, -1, 0, 1, 80, 162] {
            let mut scores = [Points::ZERO; Color::MAX];
            scores[0] = Points::from_halves(halves);
            let result = results_of(&scores, rules, 81)[0] as f64 / WIN as f64;
            let utility = utilities.utility(ValueEstimate::counted(halves));
            assert!((utility - (2.0 * result - 1.0)).abs() < 0.003, "{halves}");
        }
    }

    #[test]
    fn positions_with_smaller_expected_errors_weigh_more() {
        let parameters = Parameters {
            static_score_utility_factor: 0.0,
            dynamic_score_utility_factor: 0.0,
            ..Parameters::katago()
        };
        let weight = |parameters: &Parameters, errors: Option<[f64; 2]>| {
            let utilities = Utilities::new(parameters, 81, 0.0);
            utilities.weight(ValueEstimate {
                errors,
                ..ValueEstimate::default()
            })
        };
        // 0.25 / (error + 0.25 / 8).
        near(weight(&parameters, Some([0.0, 0.0])), 8.0);
        near(weight(&parameters, Some([0.25, 9.0])), 1.0 / 1.125);
        near(weight(&parameters, Some([1.0, 0.0])), 0.25 / 1.031_25);
        near(weight(&parameters, None), 1.0);
        let squared = Parameters {
            uncertainty_exponent: 2.0,
            ..parameters
        };
        near(weight(&squared, Some([0.5, 0.0])), 0.25 / 0.281_25);
        let off = Parameters {
            use_uncertainty: false,
            ..parameters
        };
        near(weight(&off, Some([0.25, 9.0])), 1.0);
        // With score utilities, an error of the score counts too.
        let katago = Parameters::katago();
        assert!(weight(&katago, Some([0.25, 9.0])) < weight(&katago, Some([0.25, 1.0])));
        assert_eq!(Utilities::new(&katago, 81, 0.0).weight_of_end(true), 8.0);
        assert_eq!(Utilities::new(&katago, 81, 0.0).weight_of_end(false), 1.0);
    }
}
