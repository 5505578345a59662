//! Outputs of a network of KataGo as probabilities and points.

use std::mem::take;

use super::execute::Raw;
use super::model::Units;
use crate::functions::are_finite;
use omnigo_core::rules::{Ko, Ruleset, Scoring};

/// Outputs for a position, from the point of view of the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Logits of a placement on each point, in index order, then of the pass.
    pub policy: Vec<f32>,
    /// Win probability.
    pub win: f32,
    /// Probability of losing.
    pub loss: f32,
    /// Probability of a game without a result. It is 0 under area rules with superko.
    pub no_result: f32,
    /// Mean score of games that the network would play itself, komi included.
    pub score: f32,
    /// Mean of the squared score.
    pub score_square: f32,
    /// Score lead in points, komi included.
    pub lead: f32,
    /// Expected number of moves until the outcome is known, from version 9 on.
    pub time: Option<f32>,
    /// Expected error of the win probability in the short term, from version 9 on.
    pub value_error: Option<f32>,
    /// Expected error of the score in the short term, from version 9 on.
    pub score_error: Option<f32>,
    /// Ownership of each point, in index order: from 1 (the player to move) to −1 (the opponent).
    pub ownership: Vec<f32>,
}

/// Returns `ln(1 + eˣ)`.
fn softplus(x: f64) -> f64 {
    if x > 40.0 { x } else { x.exp().ln_1p() }
}

impl Output {
    /// Returns true if all outputs are finite numbers. Those of extreme weights may be infinite.
    pub fn is_finite(&self) -> bool {
        let values = [&self.win, &self.loss, &self.no_result, &self.lead];
        let scores = [&self.score, &self.score_square];
        let rest = [&self.time, &self.value_error, &self.score_error];
        let numbers = self.policy.iter().chain(&self.ownership);
        are_finite(
            numbers
                .chain(values)
                .chain(scores)
                .chain(rest.into_iter().flatten()),
        )
    }

    /// Makes outputs that are not finite neutral: all moves, points, and results are even, and the
    /// errors are unknown.
    pub(super) fn neutralize(&mut self) {
        if !self.is_finite() {
            let (mut policy, mut ownership) = (take(&mut self.policy), take(&mut self.ownership));
            policy.fill(0.0);
            ownership.fill(0.0);
            *self = Output {
                policy,
                ownership,
                win: 0.5,
                loss: 0.5,
                ..Output::default()
            };
        }
    }

    /// Sets all values but the policy and the ownership. `version` is that of the network.
    pub(super) fn set_values(&mut self, version: usize, units: Units, rules: &Ruleset, raw: &Raw) {
        let value = |values: &[f32], i: usize| f64::from(values.get(i).copied().unwrap_or(0.0));
        // Under other rules, every game has a result.
        let endless = rules.ko == Ko::Simple || rules.scoring == Scoring::Territory;
        let mut logits = [0, 1, 2].map(|i| value(&raw.outcome, i));
        if !endless {
            logits[2] = f64::NEG_INFINITY;
        }
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers = logits.map(|logit| (logit - most).exp());
        let sum: f64 = powers.iter().sum();
        let [win, loss, no_result] = powers.map(|power| power / sum);
        (self.win, self.loss, self.no_result) = (win as f32, loss as f32, no_result as f32);
        // Games without a result count as 0 points.
        let share = 1.0 - no_result;
        let scores = |i: usize| value(&raw.scores, i);
        let mean = scores(0) * f64::from(units.mean);
        let deviation = softplus(scores(1)) * f64::from(units.deviation);
        self.score = (mean * share) as f32;
        self.score_square = ((mean * mean + deviation * deviation) * share) as f32;
        self.lead = (scores(2) * f64::from(units.lead) * share) as f32;
        let known = version >= 9;
        let time = softplus(scores(3)) * f64::from(units.time);
        self.time = known.then_some(time as f32);
        let error = |i: usize, unit: f32, plain: f64| {
            let unit = f64::from(unit);
            let error = match version {
                14.. => softplus(scores(i) * 0.5) * unit.sqrt(),
                10.. => (softplus(scores(i)) * unit).sqrt(),
                _ => softplus(scores(i)) * plain,
            };
            known.then_some(error as f32)
        };
        self.value_error = error(4, units.value_error, 1.0);
        self.score_error = error(5, units.score_error, 10.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::rules::presets;

    /// Returns the values for scores whose softplus is easy to check.
    fn values(version: usize, rules: &str) -> Output {
        let raw = Raw {
            outcome: vec![1.0, 0.0, -1.0],
            scores: vec![0.5, 1.0, -0.25, 2.0, 1.0, 3.0],
            ..Raw::default()
        };
        let mut output = Output::default();
        let rules = &presets::find(rules).unwrap().rules;
        output.set_values(version, Units::default(), rules, &raw);
        output
    }

    fn assert_near(found: Option<f32>, expected: f64, what: &str) {
        let gap = found.map(|found| (f64::from(found) - expected).abs());
        assert!(
            gap.is_some_and(|gap| gap < 1e-4 * expected),
            "{what}: {found:?}"
        );
    }

    /// The formulas are those of `nneval.cpp` in KataGo 1.17.2. The softplus of 1 is 1.313262, and
    /// that of 3 is 3.048587. That of 0.5 is 0.974077, and that of 1.5 is 1.701413.
    #[test]
    fn errors_of_the_short_term_follow_the_version() {
        for (version, value, score) in [
            (9, 1.313_262, 30.485_87),
            (
                10,
                (1.313_262f64 * 0.25).sqrt(),
                (3.048_587f64 * 30.0).sqrt(),
            ),
            (
                13,
                (1.313_262f64 * 0.25).sqrt(),
                (3.048_587f64 * 30.0).sqrt(),
            ),
            (14, 0.974_077 * 0.5, 1.701_413 * 30f64.sqrt()),
            (17, 0.974_077 * 0.5, 1.701_413 * 30f64.sqrt()),
        ] {
            let output = values(version, "tromp-taylor");
            assert_near(
                output.value_error,
                value,
                &format!("value, version {version}"),
            );
            assert_near(
                output.score_error,
                score,
                &format!("score, version {version}"),
            );
            assert_near(output.time, 40.0 * 2.126_928, "time");
        }
        let old = values(8, "tromp-taylor");
        assert_eq!(
            (old.value_error, old.score_error, old.time),
            (None, None, None)
        );
    }

    #[test]
    fn games_without_a_result_count_as_even_where_they_exist() {
        let superko = values(14, "tromp-taylor");
        assert_eq!(superko.no_result, 0.0);
        assert_near(Some(superko.win), 0.731_059, "win");
        assert_near(Some(superko.score), 10.0, "score");
        let simple = values(14, "japanese");
        // The shares of e, 1, and 1/e.
        assert_near(Some(simple.no_result), 0.090_031, "no result");
        assert_near(Some(simple.win), 0.665_241, "win");
        assert_near(Some(simple.score), 10.0 * (1.0 - 0.090_031), "score");
        assert_near(Some(-simple.lead), 5.0 * (1.0 - 0.090_031), "lead");
    }
}
