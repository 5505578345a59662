//! Forward pass of a network of Leela Zero, by the kernels for networks of KataGo.

use super::inputs::PLANES;
use super::read::{Layer, Model};
use super::{POINTS, SIDE};
use crate::katago::jobs::{Join, Normalize};
use crate::katago::model::Norm;
use crate::katago::plan::{filled, stored};
use crate::kernels::products::LayerProduct;
use crate::kernels::{Arithmetic, Float, Kernel};
use crate::layer::{Convolution, Dense};
use crate::layout::BoardLayout;

/// A convolution in the order of the kernels, and its normalization.
#[derive(Clone, Debug)]
pub(super) struct Step {
    layer: Convolution,
    norm: Norm,
    /// Number of output channels without those that are always zero.
    outputs: usize,
}

impl Step {
    fn new(layer: Layer) -> Step {
        let Layer { conv, norm } = layer;
        let taps = conv.height * conv.width;
        Step {
            layer: Convolution::from_floats(taps, conv.inputs, conv.outputs, &conv.weights),
            norm: filled(norm),
            outputs: conv.outputs,
        }
    }
}

/// A network whose layers the kernels can compute.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Number of channels of the blocks.
    pub(super) channels: usize,
    stem: Step,
    pub(super) blocks: Vec<[Step; 2]>,
    policy: Step,
    policy_out: Dense,
    value: Step,
    hidden: Dense,
    value_out: Dense,
}

impl Plan {
    /// Rearranges the weights for the kernels.
    pub(super) fn new(model: Model) -> Plan {
        let blocks = model.blocks.into_iter();
        Plan {
            channels: model.stem.conv.outputs,
            stem: Step::new(model.stem),
            blocks: blocks.map(|block| block.map(Step::new)).collect(),
            policy: Step::new(model.policy),
            policy_out: model.policy_out,
            value: Step::new(model.value),
            hidden: model.hidden,
            value_out: model.value_out,
        }
    }
}

/// Outputs of the heads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Raw {
    /// Logits of the points, then of the pass.
    pub(super) policy: Vec<f32>,
    /// Value before `tanh`.
    pub(super) value: f32,
}

/// Executor for one thread.
#[derive(Clone, Debug)]
pub(super) struct Executor {
    arithmetic: Float,
    layout: BoardLayout,
    /// Operand of the input planes.
    input: Vec<f32>,
    /// Operand of the trunk.
    here: Vec<f32>,
    /// Operand within a block or a head.
    inner: Vec<f32>,
    /// Rows of the latest convolution.
    rows: Vec<f32>,
}

impl Executor {
    /// Returns an executor.
    pub(super) fn new(kernel: Kernel) -> Executor {
        Executor {
            arithmetic: Float::new(kernel.for_floats()),
            layout: BoardLayout::any(SIDE, SIDE),
            input: Vec::new(),
            here: Vec::new(),
            inner: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Computes the outputs for a position. `planes` are the bits of each point, row by row.
    pub(super) fn pass(&mut self, plan: &Plan, planes: &[u32], raw: &mut Raw) {
        let channels = stored(PLANES);
        self.input.clear();
        self.input.resize(self.layout.all_cells() * channels, 0.0);
        for (point, bits) in planes.iter().take(POINTS).enumerate() {
            let cell = self.layout.margin() + self.layout.cell(point);
            let values = &mut self.input[cell * channels..][..PLANES];
            for (plane, value) in values.iter_mut().enumerate() {
                *value = (bits >> plane & 1) as f32;
            }
        }
        let input = std::mem::take(&mut self.input);
        let mut here = std::mem::take(&mut self.here);
        self.step(&plan.stem, &input, &mut here);
        self.input = input;
        let mut inner = std::mem::take(&mut self.inner);
        for [first, second] in &plan.blocks {
            self.step(first, &here, &mut inner);
            self.convolve(second, &inner);
            self.arithmetic.with_target_features(Join {
                layout: &self.layout,
                norm: &second.norm,
                rows: &self.rows,
                operand: &mut here,
            });
        }
        self.step(&plan.policy, &here, &mut inner);
        let found = self.collect(&plan.policy, &inner);
        raw.policy.clear();
        raw.policy.resize(plan.policy_out.bias.len(), 0.0);
        plan.policy_out.add_to(&found, &mut raw.policy);
        self.step(&plan.value, &here, &mut inner);
        let found = self.collect(&plan.value, &inner);
        let mut hidden = vec![0.0; plan.hidden.bias.len()];
        plan.hidden.add_to(&found, &mut hidden);
        for value in &mut hidden {
            *value = value.max(0.0);
        }
        let mut value = [0.0];
        plan.value_out.add_to(&hidden, &mut value);
        [raw.value] = value;
        self.here = here;
        self.inner = inner;
    }

    /// Writes the convolution of an operand to the rows.
    fn convolve(&mut self, step: &Step, operand: &[f32]) {
        self.rows
            .resize(self.layout.cells() * step.layer.outputs, 0.0);
        let computed = self.arithmetic.multiply(LayerProduct {
            layer: &step.layer,
            layout: &self.layout,
            input: operand,
            output: &mut self.rows,
            adds: false,
        });
        if !computed {
            self.arithmetic
                .convolve_raw(&step.layer, &self.layout, operand, &mut self.rows);
        }
    }

    /// Writes a layer's output to an operand.
    fn step(&mut self, step: &Step, operand: &[f32], to: &mut Vec<f32>) {
        self.convolve(step, operand);
        to.resize(self.layout.all_cells() * step.layer.outputs, 0.0);
        self.arithmetic.with_target_features(Normalize {
            layout: &self.layout,
            norm: &step.norm,
            bias: None,
            rows: &self.rows,
            operand: to,
        });
    }

    /// Returns the channels of an operand at the points, `[channel][point]`.
    fn collect(&self, step: &Step, operand: &[f32]) -> Vec<f32> {
        let stored = step.layer.outputs;
        let mut found = Vec::with_capacity(step.outputs * POINTS);
        for channel in 0..step.outputs {
            found.extend((0..POINTS).map(|point| {
                let cell = self.layout.margin() + self.layout.cell(point);
                operand[cell * stored + channel]
            }));
        }
        found
    }
}
