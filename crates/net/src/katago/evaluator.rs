//! Evaluator of positions with a network of KataGo.

use std::sync::Arc;

use super::KataGo;
use super::execute::{Executor, Raw};
use super::inputs::{Extractor, Facts, Inputs};
use super::output::Output;
use super::profile::Profile;
use crate::evaluator::Evaluation;
use crate::kernels::Kernel;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Number of symmetries of a rectangle as KataGo counts them.
pub const SYMMETRIES: usize = 8;

/// Symmetry and optimism of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Number of the symmetry, less than [`SYMMETRIES`].
    pub symmetry: usize,
    /// Weight of the optimistic policy, if the network has one, 0…1.
    pub optimism: f32,
}

/// Evaluator for one thread and one rectangle.
#[derive(Debug)]
pub struct Evaluator<B: Board> {
    network: Arc<KataGo>,
    kernel: Kernel,
    width: usize,
    height: usize,
    executor: Executor,
    /// Executor of the rectangle with exchanged sides, for symmetries that exchange them.
    turned: Option<Executor>,
    extractor: Extractor<B>,
    inputs: Inputs,
    /// Inputs of the encoder with Black to move and with White to move, if the network has one.
    players: Option<[Vec<f32>; 2]>,
    /// Planes in the order of the network.
    planes: Vec<u32>,
    raw: Raw,
    output: Output,
}

impl<B: Board> Evaluator<B> {
    /// Returns an evaluator for boards like `board`. `None` if the network cannot evaluate them, or
    /// if it imitates players and there is no profile. Other networks ignore the profile.
    pub fn new(
        network: Arc<KataGo>,
        board: &B,
        kernel: Kernel,
        profile: Option<&Profile>,
    ) -> Option<Evaluator<B>> {
        let (width, height) = board.rectangle()?;
        if !KataGo::plays_on(width, height) {
            return None;
        }
        let players = match (network.imitates(), profile) {
            (false, _) => None,
            (true, None) => return None,
            (true, Some(profile)) => {
                let colors = [Color::BLACK, Color::WHITE];
                Some(colors.map(|color| profile.facts(color, width * height)))
            }
        };
        Some(Evaluator {
            executor: Executor::new(&network.plan, kernel, width, height),
            turned: None,
            extractor: Extractor::new(network.plan.life_with_suicide),
            network,
            kernel,
            width,
            height,
            inputs: Inputs::default(),
            players,
            planes: Vec::new(),
            raw: Raw::default(),
            output: Output::default(),
        })
    }

    /// Returns the place of a point among the inputs of the network, which count rows from the top.
    /// Bit 0 of `symmetry` reverses rows, bit 1 columns, and bit 2 exchanges the two.
    fn place(&self, point: usize, symmetry: usize) -> usize {
        let (mut x, mut y) = (point % self.width, self.height - 1 - point / self.width);
        if symmetry & 1 != 0 {
            y = self.height - 1 - y;
        }
        if symmetry & 2 != 0 {
            x = self.width - 1 - x;
        }
        match symmetry & 4 {
            0 => y * self.width + x,
            _ => x * self.height + y,
        }
    }

    /// Runs the network on a position. The optimistic policy has the weight `optimism`, if there is
    /// one. The output stays valid until the next call.
    pub fn run(&mut self, facts: &Facts<'_, B>, symmetry: usize, optimism: f32) -> &Output {
        self.extract(facts);
        self.pass(facts, symmetry, optimism)
    }

    /// Computes the inputs of a position.
    pub fn extract(&mut self, facts: &Facts<'_, B>) {
        self.extractor.extract(facts, &mut self.inputs);
    }

    /// Runs the network on the latest inputs, which must be those of these facts. A network that
    /// imitates players ignores `optimism`, as in KataGo.
    pub fn pass(&mut self, facts: &Facts<'_, B>, symmetry: usize, optimism: f32) -> &Output {
        let points = self.width * self.height;
        let mut planes = std::mem::take(&mut self.planes);
        planes.clear();
        planes.resize(points, 0);
        for (point, &bits) in self.inputs.planes.iter().enumerate() {
            if let Some(place) = planes.get_mut(self.place(point, symmetry)) {
                *place = bits;
            }
        }
        let plan = &self.network.plan;
        let executor = if symmetry & 4 != 0 && self.width != self.height {
            let (width, height) = (self.height, self.width);
            self.turned
                .get_or_insert_with(|| Executor::new(plan, self.kernel, width, height))
        } else {
            &mut self.executor
        };
        let players = self.players.as_ref();
        let player = players.map(|[black, white]| match facts.to_move {
            Color::WHITE => &white[..],
            _ => &black[..],
        });
        let optimism = if player.is_some() { 0.0 } else { optimism };
        executor.pass(plan, &planes, &self.inputs.globals, player, &mut self.raw);
        self.planes = planes;
        let policies = plan.policies();
        let mix = |logits: &[f32]| match *logits {
            [plain, hopeful, ..] => plain + (hopeful - plain) * optimism,
            [plain] => plain,
            [] => f32::MIN,
        };
        let mut output = std::mem::take(&mut self.output);
        output.policy.clear();
        output.ownership.clear();
        for point in 0..points {
            let place = self.place(point, symmetry);
            let logits = self.raw.policy.get(place * policies..);
            let logits = logits.unwrap_or_default();
            output
                .policy
                .push(mix(&logits[..policies.min(logits.len())]));
            let owner = self.raw.ownership.get(place).copied().unwrap_or(0.0);
            output.ownership.push(owner.tanh());
        }
        output.policy.push(mix(&self.raw.pass));
        output.set_values(plan.version, plan.units, facts.rules, &self.raw);
        self.output = output;
        &self.output
    }

    /// Returns the latest output.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Evaluates a position with these legal placements, turned by a symmetry. The policy includes
    /// the pass if `can_pass` is true.
    pub fn evaluate(
        &mut self,
        facts: &Facts<'_, B>,
        legal: &[Vertex],
        can_pass: bool,
        view: View,
        evaluation: &mut Evaluation,
    ) {
        let output = self.run(facts, view.symmetry, view.optimism);
        evaluation.distribute(&output.policy, legal, can_pass);
        evaluation.win = output.win + 0.5 * output.no_result;
        evaluation.score = output.lead;
    }
}
