//! Evaluator of positions with a network of Leela Zero.

use std::sync::Arc;

use super::execute::{Executor, Raw};
use super::inputs::History;
use super::{LeelaZero, POINTS, SIDE};
use crate::evaluator::Evaluation;
use crate::functions::are_finite;
use crate::kernels::Kernel;
use omnigo_base::color::Color;
use omnigo_base::symmetry::turned;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};

/// Evaluator for one thread and the lines of one game.
#[derive(Debug)]
pub struct Evaluator<B: Board> {
    network: Arc<LeelaZero>,
    executor: Executor,
    history: History<B>,
    planes: Vec<u32>,
    /// Planes in the order of the network.
    turned: Vec<u32>,
    raw: Raw,
    /// Logits of the points in index order, then of the pass.
    logits: Vec<f32>,
}

/// Returns the place of a point in the board turned by a symmetry.
fn place(point: usize, symmetry: usize) -> usize {
    turned([point % SIDE, point / SIDE], [SIDE, SIDE], symmetry)
}

impl<B: Board> Evaluator<B> {
    /// Returns an evaluator for lines of this game. `None` if its board is not 19×19.
    pub fn new(network: Arc<LeelaZero>, game: &Game<B>, kernel: Kernel) -> Option<Evaluator<B>> {
        let (width, height) = game.board().rectangle()?;
        LeelaZero::plays_on(width, height).then(|| Evaluator {
            network,
            executor: Executor::new(kernel),
            history: History::new(game),
            planes: Vec::new(),
            turned: Vec::new(),
            raw: Raw::default(),
            logits: Vec::new(),
        })
    }

    /// Evaluates the position at the end of a line, turned by one of eight symmetries. `path` holds
    /// the moves of the line, from the latest back, and `legal` the legal placements. The policy
    /// includes the pass if `can_pass` is true. The score is unknown and set to 0.
    pub fn evaluate(
        &mut self,
        line: &Line<'_, B>,
        path: &[Option<Vertex>],
        legal: &[Vertex],
        can_pass: bool,
        symmetry: usize,
        evaluation: &mut Evaluation,
    ) {
        self.extract(line, path);
        self.turned.clear();
        self.turned.resize(POINTS, 0);
        for (point, &bits) in self.planes.iter().enumerate() {
            if let Some(turned) = self.turned.get_mut(place(point, symmetry)) {
                *turned = bits;
            }
        }
        self.pass();
        let policy = &self.raw.policy;
        self.logits.clear();
        let points = (0..POINTS).map(|point| place(point, symmetry));
        let logits = points.chain([POINTS]).map(|at| policy.get(at).copied());
        self.logits.extend(logits.map(Option::unwrap_or_default));
        if !are_finite(self.logits.iter().chain([&self.raw.value])) {
            // Extreme weights can overflow. Then the network tells nothing.
            self.logits.fill(0.0);
            self.raw.value = 0.0;
        }
        evaluation.distribute(&self.logits, legal, can_pass);
        let win = (1.0 + self.raw.value.tanh()) / 2.0;
        let of_black = self.network.version == 2 && line.to_move() == Color::WHITE;
        evaluation.win = if of_black { 1.0 - win } else { win };
        evaluation.score = 0.0;
    }

    /// Computes the inputs of the position at the end of a line, as [`Evaluator::evaluate`] does.
    pub fn extract(&mut self, line: &Line<'_, B>, path: &[Option<Vertex>]) {
        self.history.extract(line, path, &mut self.planes);
    }

    /// Runs the network on the latest inputs, in their latest symmetry.
    pub fn pass(&mut self) {
        self.executor
            .pass(&self.network.plan, &self.turned, &mut self.raw);
    }
}
