//! A set of weights on the climb, and how well it names moves.

use std::fmt;

use crate::policy::learned::features::Features;
use crate::policy::learned::normalize;

/// How well weights name the moves of games that they were not fitted to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    pub(super) positions: usize,
    first: usize,
    sum: f64,
}

impl Measure {
    /// The share of the moves played that had the best chance of all.
    pub(super) fn named(&self) -> f64 {
        self.first as f64 / self.positions.max(1) as f64
    }

    /// The mean logarithm of the chances of the moves played, its sign turned.
    pub(super) fn loss(&self) -> f64 {
        self.sum / self.positions.max(1) as f64
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.1} % of {} held-out moves named, loss {:.3}",
            100.0 * self.named(),
            self.positions,
            self.loss()
        )
    }
}

/// The first step of a weight, and what is added to the sum of its squared gradients.
const RATE: f32 = 0.15;
const CALM: f32 = 1.0;

/// A set of weights on the climb.
pub(super) struct Climb {
    pub(super) weights: Vec<f32>,
    squares: Vec<f32>,
    groups: usize,
    /// All zeros between steps.
    gradient: Vec<f32>,
    touched: Vec<u16>,
    sums: Vec<f32>,
}

impl Climb {
    /// From these weights on, with so many groups of features.
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

    /// Finds the chances of the moves.
    fn judge(&mut self, moves: &[Features]) {
        self.sums.clear();
        self.sums.extend(moves.iter().map(|features| {
            let of = |&feature: &u16| self.weights[usize::from(feature)];
            features[..self.groups].iter().map(of).sum::<f32>()
        }));
        normalize(&mut self.sums, None);
    }

    /// One step towards `played`, the number of a move.
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

    /// Adds to a measure how well it names `played`.
    pub(super) fn measure(&mut self, moves: &[Features], played: usize, measure: &mut Measure) {
        self.judge(moves);
        let best = self.sums.iter().copied().fold(0.0, f32::max);
        measure.positions += 1;
        measure.first += usize::from(self.sums[played] >= best);
        measure.sum -= f64::from(self.sums[played].max(1e-9)).ln();
    }
}
