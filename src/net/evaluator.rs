//! Positions in, judgements out: features, a pass through the network, probabilities.

use std::sync::Arc;

use super::features::{Extractor, Situation, komi_input};
use super::functions::exp;
use super::kernels::{Float, Kernel};
use super::network::{Network, Output, Space};
use super::shape::Shape;
use crate::board::Board;
use crate::points::Points;
use crate::vertex::Vertex;

/// What the network says about a position, from the side of the player to move.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The chance of each legal placement to be the best move, in the order given; all with the pass add up to 1.
    pub priors: Vec<f32>,
    /// The chance of a pass.
    pub pass: f32,
    /// The chance to win.
    pub win: f32,
    /// Points by which the player wins, komi included.
    pub score: f32,
}

/// A thread's means of evaluating positions on one rectangle.
pub struct Evaluator<B: Board> {
    network: Arc<Network>,
    shape: Shape,
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
    /// For boards like this one; `None` where it is no rectangle with sides that networks see. It stays on its thread.
    pub fn new(network: Arc<Network>, board: &B, kernel: Kernel) -> Option<Evaluator<B>> {
        let (width, height) = board.rectangle()?;
        Some(Evaluator {
            network,
            shape: Shape::new(width, height)?,
            unit: Unit::new(kernel),
            extractor: Extractor::default(),
            planes: Vec::new(),
            output: Output::default(),
        })
    }

    /// Finds what the network sees of each point of a position.
    pub fn extract(&mut self, board: &B, situation: Situation<'_>) -> &[u32] {
        self.extractor.extract(board, situation, &mut self.planes);
        &self.planes
    }

    /// Runs the network on a position; the output stands until the next call.
    pub fn run(&mut self, board: &B, situation: Situation<'_>, komi: Points) -> &Output {
        self.extract(board, situation);
        let planes = std::mem::take(&mut self.planes);
        self.pass(&planes, komi_input(komi, situation.to_move));
        self.planes = planes;
        &self.output
    }

    /// Runs the network on these planes; points that are missing count as off the board.
    pub fn pass(&mut self, planes: &[u32], komi: f32) -> &Output {
        let planes = &planes[..planes.len().min(self.shape.points())];
        let output = &mut self.output;
        match &mut self.unit {
            Unit::Float(float, space) => {
                self.network
                    .pass(float, &self.shape, planes, komi, space, output);
            }
            #[cfg(target_arch = "x86_64")]
            Unit::Amx(amx, space) => {
                self.network
                    .pass(amx, &self.shape, planes, komi, space, output);
            }
        }
        output
    }

    /// Who owns each point in the latest position, from the side of the player who was to move: 1 … −1.
    pub fn ownership(&self) -> &[f32] {
        &self.output.ownership
    }

    /// Evaluates a position with these legal placements; the pass takes part where it is allowed.
    pub fn evaluate(
        &mut self,
        board: &B,
        situation: Situation<'_>,
        komi: Points,
        can_pass: bool,
        evaluation: &mut Evaluation,
    ) {
        let legal: &[Vertex] = situation.legal;
        let output = self.run(board, situation, komi);
        let logit = |at: usize| output.policy.get(at).copied().unwrap_or(f32::MIN);
        let pass = logit(board.points());
        let most = legal
            .iter()
            .map(|at| logit(at.index()))
            .fold(if can_pass { pass } else { f32::MIN }, f32::max);
        evaluation.priors.clear();
        evaluation
            .priors
            .extend(legal.iter().map(|at| logit(at.index()) - most));
        for prior in &mut evaluation.priors {
            *prior = exp(*prior);
        }
        evaluation.pass = if can_pass { exp(pass - most) } else { 0.0 };
        let sum = evaluation.priors.iter().sum::<f32>() + evaluation.pass;
        let share = 1.0 / sum.max(f32::MIN_POSITIVE);
        evaluation
            .priors
            .iter_mut()
            .for_each(|prior| *prior *= share);
        evaluation.pass *= share;
        evaluation.win = 1.0 / (1.0 + exp(-output.value));
        evaluation.score = output.score;
    }
}
