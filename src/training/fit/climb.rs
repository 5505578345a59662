//! Gradient ascent for one set of weights, and its accuracy in predicting moves.

use std::fmt;

use crate::policy::learned::features::Features;
use crate::policy::learned::normalize;

/// Accuracy of weights on the moves of held-out games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    pub(super) positions: usize,
    first: usize,
    sum: f64,
}

impl Measure {
    /// Returns the fraction of the played moves that had the highest probability.
    pub(super) fn named(&self) -> f64 {
        self.first as f64 / self.positions.max(1) as f64
    }

    /// Returns the mean negative logarithm of the played moves' probabilities.
    pub(super) fn loss(&self) -> f64 {
        self.sum / self.positions.max(1) as f64
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.1} % of {} held-out moves predicted, loss {:.3}",
            100.0 * self.named(),
            self.positions,
            self.loss()
        )
    }
}

/// Learning rate: upper bound of a weight's first step.
const RATE: f32 = 0.15;
/// Initial value of a weight's sum of squared gradients. Larger values reduce the first steps.
const CALM: f32 = 1.0;

/// A set of weights during the fit.
pub(super) struct Climb {
    pub(super) weights: Vec<f32>,
    squares: Vec<f32>,
    groups: usize,
    /// All zero between steps.
    gradient: Vec<f32>,
    touched: Vec<u16>,
    sums: Vec<f32>,
}

impl Climb {
    /// Starts from these weights. `groups` is the number of groups of features that count.
    pub(super) fn new(weights: Vec<f32>, groups: usize) -> Climb {
        Climb {
            squares: vec![CALM; weights.len()],
            gradient: vec![0.0; weights.len()],
            sums: Vec::new(),
            touched: Vec::new(),
            weights,
            groups,
        }
    }

    /// Computes the probabilities of the moves.
    fn judge(&mut self, moves: &[Features]) {
        self.sums.clear();
        self.sums.extend(moves.iter().map(|features| {
            let of = |&feature: &u16| self.weights[usize::from(feature)];
            features[..self.groups].iter().map(of).sum::<f32>()
        }));
        normalize(&mut self.sums, None);
    }

    /// Takes one AdaGrad step, which increases the probability of move number `played`.
    pub(super) fn step(&mut self, moves: &[Features], played: usize) {
        self.judge(moves);
        self.touched.clear();
        for (number, (features, chance)) in moves.iter().zip(&self.sums).enumerate() {
            let pull = f32::from(u8::from(number == played)) - chance;
            for &feature in &features[..self.groups] {
                let sum = &mut self.gradient[usize::from(feature)];
                if *sum == 0.0 {
                    self.touched.push(feature);
                }
                *sum += pull;
            }
        }
        for &feature in &self.touched {
            let at = usize::from(feature);
            let slope = std::mem::take(&mut self.gradient[at]);
            if slope != 0.0 {
                self.squares[at] += slope * slope;
                self.weights[at] += RATE * slope / self.squares[at].sqrt();
            }
        }
    }

    /// Adds the prediction of move number `played` to a measure.
    pub(super) fn measure(&mut self, moves: &[Features], played: usize, measure: &mut Measure) {
        self.judge(moves);
        let best = self.sums.iter().copied().fold(0.0, f32::max);
        measure.positions += 1;
        measure.first += usize::from(self.sums[played] >= best);
        measure.sum -= f64::from(self.sums[played].max(1e-9)).ln();
    }
}
