//! Frame of a pass: turns a position into inputs in the order of the network, and the outputs back
//! into the order of the board. It does not depend on where the network is computed.

use std::sync::Arc;

use super::KataGo;
use super::execute::Raw;
use super::inputs::{Extractor, Facts, GLOBALS, Inputs};
use super::output::Output;
use omnigo_base::symmetry::turned;
use omnigo_core::board::Board;
use omnigo_core::rules::Ruleset;

/// Bit of the symmetries that exchange columns and rows.
pub(super) const TRANSPOSED: usize = 4;

/// Inputs of a pass, in the order of the network.
#[derive(Clone, Copy, Debug)]
pub struct Turned<'a> {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Planes of each point as bits, row by row from the top: bit `i` is plane `i`.
    pub planes: &'a [u32],
    /// Global inputs.
    pub globals: &'a [f32; GLOBALS],
}

/// Frame for one thread and one rectangle.
#[derive(Clone, Debug)]
pub struct Frame<B: Board> {
    network: Arc<KataGo>,
    width: usize,
    height: usize,
    extractor: Extractor<B>,
    inputs: Inputs,
    planes: Vec<u32>,
    output: Output,
}

impl<B: Board> Frame<B> {
    /// Returns a frame for boards like `board`. `None` if the network cannot evaluate them.
    pub fn new(network: Arc<KataGo>, board: &B) -> Option<Frame<B>> {
        let (width, height) = board.rectangle()?;
        KataGo::plays_on(width, height).then(|| Frame {
            extractor: Extractor::new(network.plan.life_with_suicide),
            network,
            width,
            height,
            inputs: Inputs::default(),
            planes: Vec::new(),
            output: Output::default(),
        })
    }

    /// Returns the network.
    pub fn network(&self) -> &Arc<KataGo> {
        &self.network
    }

    /// Returns true if the boards have as many columns as rows.
    pub(super) fn is_square(&self) -> bool {
        self.width == self.height
    }

    /// Computes the inputs of a position.
    pub fn extract(&mut self, facts: &Facts<'_, B>) {
        self.extractor.extract(facts, &mut self.inputs);
    }

    /// Returns the latest inputs, turned by a symmetry of [`omnigo_base::symmetry`].
    pub fn turn(&mut self, symmetry: usize) -> Turned<'_> {
        self.planes.clear();
        self.planes.resize(self.width * self.height, 0);
        for (point, &bits) in self.inputs.planes.iter().enumerate() {
            let place = place(point, [self.width, self.height], symmetry);
            if let Some(place) = self.planes.get_mut(place) {
                *place = bits;
            }
        }
        let (width, height) = match symmetry & TRANSPOSED {
            0 => (self.width, self.height),
            _ => (self.height, self.width),
        };
        Turned {
            width,
            height,
            planes: &self.planes,
            globals: &self.inputs.globals,
        }
    }

    /// Converts what the network made of the inputs turned by this symmetry. The optimistic policy
    /// has the weight `optimism`, if there is one. The output stays valid until the next call.
    pub fn finish(
        &mut self,
        raw: &Raw,
        rules: &Ruleset,
        symmetry: usize,
        optimism: f32,
    ) -> &Output {
        let plan = &self.network.plan;
        let policies = plan.policies();
        let mix = |logits: &[f32]| match *logits {
            [plain, hopeful, ..] => plain + (hopeful - plain) * optimism,
            [plain] => plain,
            [] => f32::MIN,
        };
        let output = &mut self.output;
        output.policy.clear();
        output.ownership.clear();
        for point in 0..self.width * self.height {
            let place = place(point, [self.width, self.height], symmetry);
            let logits = raw.policy.get(place * policies..).unwrap_or_default();
            output
                .policy
                .push(mix(&logits[..policies.min(logits.len())]));
            let owner = raw.ownership.get(place).copied().unwrap_or(0.0);
            output.ownership.push(owner.tanh());
        }
        output.policy.push(mix(&raw.pass));
        output.set_values(plan.version, plan.units, rules, raw);
        output
    }

    /// Makes the latest output neutral if it is not finite.
    pub fn neutralize(&mut self) {
        self.output.neutralize();
    }

    /// Returns the latest output.
    pub fn output(&self) -> &Output {
        &self.output
    }
}

/// Returns the place of a point among the inputs of the network, which count rows from the top.
fn place(point: usize, [width, height]: [usize; 2], symmetry: usize) -> usize {
    turned(
        [point % width, height - 1 - point / width],
        [width, height],
        symmetry,
    )
}
