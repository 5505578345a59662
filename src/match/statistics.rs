//! Statistics of a score: Elo with its error, likelihood of superiority, and a sequential test.
//!
//! Elo is logistic: 400 points are odds of ten to one. A draw is half a win. The sequential test is
//! Wald's generalized SPRT for the hypotheses "stronger by elo0" and "stronger by elo1". Wins,
//! draws, and losses have a trinomial distribution with an unknown draw rate. The log-likelihood
//! ratio compares the most likely distributions with the two expected scores (M. Van den Bergh,
//! "Comments on normalized Elo", and the formula of the Fishtest framework).

use std::f64::consts::PI;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::text::quote;

/// Number of standard deviations on each side that contain 95 % of a normal distribution.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Counts of wins, losses, and draws of one engine.
///
/// ```
/// use omnigo::r#match::statistics::Score;
/// let score = Score { wins: 70, losses: 20, draws: 10 };
/// assert_eq!(score.rate(), Some(0.75));
/// assert_eq!(score.elo().unwrap().round(), 191.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

/// Returns the Elo difference for a fraction of points; infinite at 0 and 1.
pub fn elo_of_rate(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

/// Returns the expected fraction of points for an Elo difference.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Score {
    /// Returns the total number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the fraction of points, with a draw as half a point; `None` without games.
    pub fn rate(&self) -> Option<f64> {
        let games = self.games() as f64;
        (games > 0.0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games)
    }

    /// Returns the Elo difference; `None` without games or if it is infinite.
    pub fn elo(&self) -> Option<f64> {
        self.rate().map(elo_of_rate).filter(|elo| elo.is_finite())
    }

    /// Returns half the width of the 95 % interval of [`Score::elo`], from the observed variance.
    /// `None` if the interval is unbounded or empty.
    pub fn elo_error(&self) -> Option<f64> {
        let rate = self.rate()?;
        let games = self.games() as f64;
        let part = |count: u64, points: f64| count as f64 / games * (points - rate).powi(2);
        let variance = part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0);
        let error = Z95 * (variance / games).sqrt();
        let (low, high) = (rate - error, rate + error);
        let bounded = error > 0.0 && low > 0.0 && high < 1.0;
        bounded.then(|| (elo_of_rate(high) - elo_of_rate(low)) / 2.0)
    }

    /// Returns Wilson's 95 % interval of [`Score::rate`], which is valid for one-sided scores too.
    /// It counts a draw as half a win and half a loss. Therefore, it is wider than necessary. An
    /// end is 0 or 1 only if every game was lost or won.
    pub fn rate_interval(&self) -> Option<(f64, f64)> {
        let rate = self.rate()?;
        let games = self.games() as f64;
        let z2 = Z95 * Z95;
        let center = rate + z2 / (2.0 * games);
        let half = Z95 * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
        let scale = 1.0 + z2 / games;
        // Rounding errors would make these ends almost 0 and 1.
        let low = match self.wins + self.draws {
            0 => 0.0,
            _ => (center - half) / scale,
        };
        let high = match self.losses + self.draws {
            0 => 1.0,
            _ => (center + half) / scale,
        };
        Some((low, high))
    }

    /// Returns the likelihood of superiority: the probability that the engine is the stronger one.
    pub fn los(&self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        if wins + losses == 0.0 {
            return 0.5;
        }
        0.5 * (1.0 + erf((wins - losses) / (2.0 * (wins + losses)).sqrt()))
    }
}

/// Error function, from a series whose terms all have the same sign. Exact to about 14 digits.
fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return x.signum();
    }
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// Sequential test between two Elo differences, with 5 % for both types of error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo difference under hypothesis 0.
    pub elo0: f64,
    /// Elo difference under hypothesis 1.
    pub elo1: f64,
}

/// Error for a text that is not a pair of hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid test '{0}', expected ELO0,ELO1 such as 0,10, the lower first")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let number = |word: &str| {
            let value: f64 = word.trim().parse().ok()?;
            (value.abs() <= 2000.0).then_some(value)
        };
        let read = || {
            let (elo0, elo1) = text.split_once(',')?;
            let (elo0, elo1) = (number(elo0)?, number(elo1)?);
            (elo0 < elo1).then_some(Sprt { elo0, elo1 })
        };
        read().ok_or_else(|| SprtError(quote(text)))
    }
}

/// State of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// More games are needed.
    Continue,
    /// Hypothesis 0 is accepted: the engine is not stronger by elo1.
    AcceptH0,
    /// Hypothesis 1 is accepted: the engine is stronger by more than elo0.
    AcceptH1,
}

impl SprtDecision {
    /// Returns the name of the state.
    pub const fn name(self) -> &'static str {
        match self {
            SprtDecision::Continue => "continue",
            SprtDecision::AcceptH0 => "accept-h0",
            SprtDecision::AcceptH1 => "accept-h1",
        }
    }
}

impl Serialize for SprtDecision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Sprt {
    /// Probability of each type of error.
    pub const ALPHA: f64 = 0.05;

    /// Returns the absolute log-likelihood ratio at which the test ends.
    pub fn bound() -> f64 {
        ((1.0 - Self::ALPHA) / Self::ALPHA).ln()
    }

    /// Returns the log-likelihood ratio of hypothesis 1 to hypothesis 0.
    pub fn llr(&self, score: &Score) -> f64 {
        if score.games() == 0 {
            return 0.0;
        }
        // Results that have not occurred yet are unlikely, not impossible.
        let count = |count: u64| (count as f64).max(1e-3);
        let counts = [score.losses, score.draws, score.wins].map(count);
        let games: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / games);
        let tilt0 = tilt(&observed, rate_of_elo(self.elo0));
        let tilt1 = tilt(&observed, rate_of_elo(self.elo1));
        let terms = counts.iter().zip(tilt0).zip(tilt1);
        terms.map(|((count, t0), t1)| count * (t0 / t1).ln()).sum()
    }

    /// Returns the state of the test.
    pub fn decision(&self, score: &Score) -> SprtDecision {
        match self.llr(score) {
            llr if llr >= Self::bound() => SprtDecision::AcceptH1,
            llr if llr <= -Self::bound() => SprtDecision::AcceptH0,
            _ => SprtDecision::Continue,
        }
    }
}

/// Returns the divisors that turn the observed distribution of loss, draw, and win into the most
/// likely one with the expected score `rate`. It is `p / (1 + x (points - rate))`, with `x` chosen
/// so that the expectation is correct.
fn tilt(observed: &[f64; 3], rate: f64) -> [f64; 3] {
    let deviations = [0.0 - rate, 0.5 - rate, 1.0 - rate];
    let excess = |x: f64| -> f64 {
        let terms = observed.iter().zip(deviations);
        terms.map(|(p, d)| p * d / (1.0 + x * d)).sum()
    };
    // Between the poles, the excess falls from plus infinity to minus infinity.
    let (mut low, mut high) = (-1.0 / (1.0 - rate), 1.0 / rate);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    deviations.map(|d| 1.0 + x * d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, losses: u64, draws: u64) -> Score {
        Score {
            wins,
            losses,
            draws,
        }
    }

    #[track_caller]
    fn near(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() <= within,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn elo_is_correct_for_known_scores() {
        near(score(75, 25, 0).elo().unwrap(), 190.8485, 1e-4);
        near(score(70, 20, 10).elo().unwrap(), 190.8485, 1e-4);
        near(score(50, 50, 7).elo().unwrap(), 0.0, 1e-9);
        near(score(10, 1, 0).elo().unwrap(), 400.0, 1e-9);
        assert_eq!(score(5, 0, 0).elo(), None);
        assert_eq!(score(0, 5, 0).elo(), None);
        assert_eq!(Score::default().elo(), None);
        near(rate_of_elo(190.8485), 0.75, 1e-6);
    }

    #[test]
    fn errors_are_correct_for_known_scores() {
        near(score(60, 40, 0).elo_error().unwrap(), 70.57118, 1e-4);
        near(score(300, 200, 500).elo_error().unwrap(), 15.23603, 1e-4);
        assert_eq!(score(5, 0, 0).elo_error(), None);
        assert_eq!(score(0, 0, 5).elo_error(), None);
        assert_eq!(score(19, 1, 0).elo_error(), None, "beyond 100 %");
    }

    #[test]
    fn wilson_intervals_are_correct_for_known_scores() {
        let (low, high) = score(8, 2, 0).rate_interval().unwrap();
        near(low, 0.490162, 1e-6);
        near(high, 0.943318, 1e-6);
        let (low, high) = score(10, 0, 0).rate_interval().unwrap();
        near(low, 0.722467, 1e-6);
        assert_eq!(high, 1.0);
        for games in 1..2000 {
            let (low, high) = score(0, games, 0).rate_interval().unwrap();
            assert!(low == 0.0 && (0.0..1.0).contains(&high), "{games}");
            let (low, high) = score(games, 0, 0).rate_interval().unwrap();
            assert!(high == 1.0 && low > 0.0, "{games}");
        }
        assert_eq!(Score::default().rate_interval(), None);
    }

    #[test]
    fn likelihood_of_superiority_is_correct_for_known_scores() {
        near(score(60, 40, 0).los(), 0.977_249_868, 1e-9);
        near(score(60, 40, 1000).los(), 0.977_249_868, 1e-9);
        near(score(40, 60, 0).los(), 0.022_750_132, 1e-9);
        near(score(3, 3, 9).los(), 0.5, 1e-12);
        near(score(0, 0, 9).los(), 0.5, 1e-12);
        near(score(1000, 0, 0).los(), 1.0, 1e-12);
    }

    #[test]
    fn the_error_function_equals_known_values() {
        near(erf(0.5), 0.520_499_877_813_046_5, 1e-14);
        near(erf(-2.0), -0.995_322_265_018_952_7, 1e-14);
        near(erf(5.9), 1.0, 1e-14);
    }

    /// Without draws the trinomial is a binomial, whose ratio has a closed form.
    #[test]
    fn ratio_without_draws_equals_the_closed_form() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 50.0,
        };
        let (s0, s1) = (0.5f64, rate_of_elo(50.0));
        let expected = 70.0 * (s1 / s0).ln() + 30.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        near(test.llr(&score(70, 30, 0)), expected, 0.01);
    }

    /// For many games and small differences, the ratio approaches `(s1 - s0) (2 s - s0 - s1) / (2
    /// variance / games)`.
    #[test]
    fn ratio_of_many_games_approaches_the_normal_formula() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
        };
        let games = score(5150, 4850, 10_000);
        let (s0, s1, s) = (0.5, rate_of_elo(5.0), games.rate().unwrap());
        let variance = 0.25 * 0.5 - (s - 0.5) * (s - 0.5);
        let expected = (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * variance / 20_000.0);
        near(test.llr(&games), expected, 0.01);
    }

    #[test]
    fn decisions_follow_the_likelihood_ratio() {
        let test: Sprt = "0,50".parse().unwrap();
        near(Sprt::bound(), 2.944_439, 1e-6);
        assert_eq!(test.decision(&Score::default()), SprtDecision::Continue);
        assert_eq!(test.llr(&Score::default()), 0.0);
        assert_eq!(test.decision(&score(5, 5, 0)), SprtDecision::Continue);
        assert_eq!(test.decision(&score(90, 40, 0)), SprtDecision::AcceptH1);
        assert_eq!(test.decision(&score(40, 90, 3)), SprtDecision::AcceptH0);
        for lopsided in [score(1000, 0, 0), score(0, 1000, 0), score(0, 0, 1000)] {
            assert!(test.llr(&lopsided).is_finite());
        }
        assert!(test.llr(&score(1000, 0, 0)) > 0.0);
    }

    #[test]
    fn rejects_malformed_tests() {
        for text in ["", "5", "5,5", "10,0", "a,b", "nan,3", "0,inf", "1,2,3"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
