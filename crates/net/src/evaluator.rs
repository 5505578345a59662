//! Evaluator of positions: computes features, runs the network, and converts its outputs to
//! probabilities.

use std::sync::Arc;

use super::features::{Extractor, Situation, komi_input};
use super::functions::exp;
use super::kernels::{Float, Kernel};
use super::layout::BoardLayout;
use super::network::{Network, Output, Space};
use omnigo_base::points::Points;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Evaluation of a position from the point of view of the player to move.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Policy of each legal placement, in the given order. They and the pass add up to 1.
    pub priors: Vec<f32>,
    /// Policy of the pass; 0 if passing is not allowed.
    pub pass: f32,
    /// Win probability.
    pub win: f32,
    /// Score lead of the player to move in points, komi included.
    pub score: f32,
}

impl Evaluation {
    /// Sets the policy of the legal placements and of the pass from logits: of each point in index
    /// order, then of the pass.
    pub(super) fn distribute(&mut self, logits: &[f32], legal: &[Vertex], can_pass: bool) {
        let logit = |at: usize| logits.get(at).copied().unwrap_or(f32::MIN);
        let pass = logit(logits.len().saturating_sub(1));
        let most = legal
            .iter()
            .map(|at| logit(at.index()))
            .fold(if can_pass { pass } else { f32::MIN }, f32::max);
        self.priors.clear();
        self.priors
            .extend(legal.iter().map(|at| logit(at.index()) - most));
        for prior in &mut self.priors {
            *prior = exp::<false>(*prior);
        }
        self.pass = if can_pass {
            exp::<false>(pass - most)
        } else {
            0.0
        };
        let sum = self.priors.iter().sum::<f32>() + self.pass;
        let share = 1.0 / sum.max(f32::MIN_POSITIVE);
        self.priors.iter_mut().for_each(|prior| *prior *= share);
        self.pass *= share;
    }
}

/// Evaluator for one thread and one rectangle.
pub struct Evaluator<B: Board> {
    network: Arc<Network>,
    layout: BoardLayout,
    unit: Unit,
    extractor: Extractor<B>,
    planes: Vec<u32>,
    output: Output,
}

/// A kernel with its working space.
enum Unit {
    Float(Float, Space<f32>),
    #[cfg(target_arch = "x86_64")]
    Amx(super::kernels::Amx, Space<u16>),
}

impl Unit {
    fn new(kernel: Kernel) -> Unit {
        #[cfg(target_arch = "x86_64")]
        if kernel == Kernel::Amx
            && let Some(amx) = super::kernels::Amx::new()
        {
            return Unit::Amx(amx, Space::default());
        }
        Unit::Float(Float::new(kernel), Space::default())
    }
}

impl<B: Board> Evaluator<B> {
    /// Returns an evaluator for boards like `board`. `None` if the board is not a rectangle with
    /// sides in [`BoardLayout::SIDES`]. An evaluator must stay on its thread.
    pub fn new(network: Arc<Network>, board: &B, kernel: Kernel) -> Option<Evaluator<B>> {
        let (width, height) = board.rectangle()?;
        Some(Evaluator {
            network,
            layout: BoardLayout::new(width, height)?,
            unit: Unit::new(kernel),
            extractor: Extractor::default(),
            planes: Vec::new(),
            output: Output::default(),
        })
    }

    /// Returns the input planes of a position, as bits of each point.
    pub fn extract(&mut self, board: &B, situation: Situation<'_>) -> &[u32] {
        self.extractor.extract(board, situation, &mut self.planes);
        &self.planes
    }

    /// Runs the network on a position. The output stays valid until the next call.
    pub fn run(&mut self, board: &B, situation: Situation<'_>, komi: Points) -> &Output {
        self.extract(board, situation);
        let planes = std::mem::take(&mut self.planes);
        self.pass(&planes, komi_input(komi, situation.to_move));
        self.planes = planes;
        &self.output
    }

    /// Runs the network on these planes. Pass the bits of all points: missing points keep the
    /// values of the last pass, and are off the board in the first one.
    pub fn pass(&mut self, planes: &[u32], komi: f32) -> &Output {
        let planes = &planes[..planes.len().min(self.layout.points())];
        let output = &mut self.output;
        match &mut self.unit {
            Unit::Float(float, space) => {
                self.network
                    .pass(float, &self.layout, planes, komi, space, output);
            }
            #[cfg(target_arch = "x86_64")]
            Unit::Amx(amx, space) => {
                self.network
                    .pass(amx, &self.layout, planes, komi, space, output);
            }
        }
        output
    }

    /// Returns the ownership of each point in the latest position, from the point of view of its
    /// player to move: 1 (own) to −1.
    pub fn ownership(&self) -> &[f32] {
        &self.output.ownership
    }

    /// Evaluates a position with these legal placements. The policy includes the pass if `can_pass`
    /// is true. Outputs that are not finite become neutral.
    pub fn evaluate(
        &mut self,
        board: &B,
        situation: Situation<'_>,
        komi: Points,
        can_pass: bool,
        evaluation: &mut Evaluation,
    ) {
        let legal: &[Vertex] = situation.legal;
        self.run(board, situation, komi);
        self.output.neutralize();
        let output = &self.output;
        evaluation.distribute(&output.policy, legal, can_pass);
        evaluation.win = 1.0 / (1.0 + exp::<false>(-output.value));
        evaluation.score = output.score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::color::Color;
    use omnigo_core::board::grid::{Grid, GridBoard};

    #[test]
    fn outputs_that_are_not_finite_become_neutral() {
        let Some(network) = Network::built_in() else {
            return;
        };
        let mut network = Network::clone(&network);
        network.outcome.bias[0] = f32::INFINITY;
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let mut evaluator = Evaluator::new(Arc::new(network), &board, Kernel::Portable).unwrap();
        let legal: Vec<_> = (0..25).map(Vertex::at).collect();
        let situation = Situation {
            to_move: Color::BLACK,
            recent: &[],
            legal: &legal,
        };
        assert!(!evaluator.run(&board, situation, Points::ZERO).is_finite());
        let mut evaluation = Evaluation::default();
        evaluator.evaluate(&board, situation, Points::ZERO, true, &mut evaluation);
        let even = |prior: &f32| (prior - 1.0 / 26.0).abs() < 1e-6;
        assert!(evaluation.priors.iter().all(even), "{evaluation:?}");
        assert_eq!((evaluation.win, evaluation.score), (0.5, 0.0));
        assert_eq!(evaluator.ownership(), [0.0; 25]);
    }
}
