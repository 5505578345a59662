//! Forward pass of a network of KataGo.
//!
//! The kernels compute the convolutions. Filters other than 1×1 and 3×3 become products of
//! matrices. Some kernels round the operands of layers, but not those of attention: `avx2int16`,
//! `avx2vnni`, and `avx512int16` to 16-bit integers, and `amx` to bf16.

use super::attend::{Attend, Desk, Turns};
use super::inputs::GLOBALS;
use super::jobs::{Add, Gate, Normalize, Pool, Rescale, Scale, add_bias, encode, multiply};
use super::model::{Attention, Block, FeedForward, Matrix, Norm, Pooling, Tip};
use super::plan::{Plan, Product, stored};
use super::planes::{ConvolvePlanes, OnBoardSums};
use crate::kernels::products::LayerProduct;
use crate::kernels::{Arithmetic, Float, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;

/// Maximum number of unused buffers. Networks have about ten lengths of buffers. Those with more
/// would take memory for each.
const MOST_SPARES: usize = 16;

/// Outputs of the heads before they become probabilities and points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raw {
    /// Logits of the placements: `[point][policy]`.
    pub policy: Vec<f32>,
    /// Logits of the pass: `[policy]`.
    pub pass: Vec<f32>,
    /// Logits of win, loss, and no result.
    pub outcome: Vec<f32>,
    /// Four or six scores.
    pub scores: Vec<f32>,
    /// Ownership of each point before `tanh`.
    pub ownership: Vec<f32>,
}

/// Executor for one rectangle and one thread.
#[derive(Clone, Debug)]
pub(super) struct Executor {
    arithmetic: Float,
    layout: BoardLayout,
    /// Rotations of the blocks with attention, in the order of a pass.
    turns: Vec<Turns>,
    /// Number of the next block with attention.
    next: usize,
    desk: Desk,
    /// Part of the first layer that all positions have.
    on_board: OnBoardSums,
    /// Working space of the first layer.
    chosen: Vec<u32>,
    /// Unused working space. A buffer of the same length is used again, because it need not be
    /// cleared.
    spare: Vec<Vec<f32>>,
}

/// Adds the rotations of all blocks with attention, in the order of a pass.
fn find_turns<L>(blocks: &[Block<L>], layout: &BoardLayout, turns: &mut Vec<Turns>) {
    for block in blocks {
        match block {
            Block::Attention(attention) => {
                turns.push(Turns::new(attention, layout.width(), layout.height()));
            }
            Block::Bottleneck { blocks, .. } => find_turns(blocks, layout, turns),
            Block::Ordinary { .. } | Block::Pooling(_) | Block::FeedForward(_) => {}
        }
    }
}

impl Executor {
    /// Returns an executor for a rectangle.
    pub(super) fn new(plan: &Plan, kernel: Kernel, width: usize, height: usize) -> Executor {
        let layout = BoardLayout::any(width, height);
        let mut turns = Vec::new();
        find_turns(&plan.trunk.blocks, &layout, &mut turns);
        Executor {
            arithmetic: Float::new(kernel.for_floats()),
            on_board: OnBoardSums::new(&plan.trunk.stem, &layout),
            chosen: Vec::new(),
            layout,
            turns,
            next: 0,
            desk: Desk::default(),
            spare: Vec::new(),
        }
    }

    /// Computes the outputs for a position. `planes` are the bits of each point, row by row from
    /// the top. `facts` are the inputs of the encoder, if the network has one.
    pub(super) fn pass(
        &mut self,
        plan: &Plan,
        planes: &[u32],
        globals: &[f32; GLOBALS],
        facts: Option<&[f32]>,
        raw: &mut Raw,
    ) {
        self.next = 0;
        let trunk = &plan.trunk;
        let mut bias = vec![0.0; trunk.stem.outputs()];
        multiply(&trunk.globals, globals, &mut bias);
        if let Some((encoder, facts)) = trunk.encoder.as_ref().zip(facts) {
            encode(encoder, facts, &mut bias);
        }
        let mut here = self.rows(trunk.stem.outputs());
        self.arithmetic.with_target_features(ConvolvePlanes {
            layout: &self.layout,
            product: &trunk.stem,
            on_board: &self.on_board,
            planes,
            bias: &bias,
            chosen: &mut self.chosen,
            rows: &mut here,
        });
        self.blocks(&trunk.blocks, &mut here);
        let operand = self.tip(&trunk.tip, plan.channels(), here);
        self.policy(plan, &operand, raw);
        self.value(plan, &operand, raw);
        self.give(operand);
    }

    /// Takes working space of a length. Its content is arbitrary.
    fn take(&mut self, length: usize) -> Vec<f32> {
        let same = self.spare.iter().position(|space| space.len() == length);
        let any = (self.spare.len() >= MOST_SPARES).then_some(0);
        let mut space = match same.or(any) {
            Some(at) => self.spare.swap_remove(at),
            None => Vec::new(),
        };
        space.resize(length, 0.0);
        space
    }

    fn give(&mut self, space: Vec<f32>) {
        self.spare.push(space);
    }

    /// Takes working space for rows with this number of stored channels.
    fn rows(&mut self, channels: usize) -> Vec<f32> {
        self.take(self.layout.cells() * channels)
    }

    /// Takes working space for an operand with this number of stored channels.
    fn operand(&mut self, channels: usize) -> Vec<f32> {
        self.take(self.layout.all_cells() * channels)
    }

    /// Writes the product of an operand to rows.
    fn product(&mut self, product: &Product, operand: &[f32], rows: &mut [f32]) {
        self.multiply(product, operand, rows, false);
    }

    /// Writes the product of an operand to rows, or adds it to them.
    fn multiply(&mut self, product: &Product, operand: &[f32], rows: &mut [f32], adds: bool) {
        let Some(filter) = product.filter else {
            self.convolve(&product.layer, operand, rows, adds);
            return;
        };
        // Collect the inputs of all taps at each point.
        let (inputs, all) = (product.inputs, product.layer.inputs);
        let from = stored(inputs);
        let mut collected = self.operand(all);
        collected.fill(0.0);
        let layout = &self.layout;
        let margin = layout.margin();
        for point in 0..layout.points() {
            let taps = &mut collected[(margin + layout.cell(point)) * all..][..all];
            layout.each_tap(filter, point, |tap, other| {
                let cell = margin + layout.cell(other);
                taps[tap * inputs..][..inputs].copy_from_slice(&operand[cell * from..][..inputs]);
            });
        }
        self.convolve(&product.layer, &collected, rows, adds);
        self.give(collected);
    }

    /// Writes the convolution of an operand to rows, or adds it to them.
    fn convolve(&mut self, layer: &Convolution, operand: &[f32], rows: &mut [f32], adds: bool) {
        let computed = self.arithmetic.multiply(LayerProduct {
            layer,
            layout: &self.layout,
            input: operand,
            output: rows,
            adds,
        });
        if computed {
            return;
        }
        if !adds {
            self.arithmetic
                .convolve_raw(layer, &self.layout, operand, rows);
            return;
        }
        let mut sums = self.rows(layer.outputs);
        self.arithmetic
            .convolve_raw(layer, &self.layout, operand, &mut sums);
        self.arithmetic.with_target_features(Add {
            layout: &self.layout,
            channels: layer.outputs,
            from: &sums,
            to: rows,
        });
        self.give(sums);
    }

    /// Normalizes rows and returns them as an operand.
    fn normalize(&mut self, norm: &Norm, bias: Option<&[f32]>, rows: &[f32]) -> Vec<f32> {
        let mut operand = self.operand(norm.scale.len());
        self.arithmetic.with_target_features(Normalize {
            layout: &self.layout,
            norm,
            bias,
            rows,
            operand: &mut operand,
        });
        operand
    }

    /// Adds the product of an operand to rows, and takes the operand.
    fn add_product(&mut self, product: &Product, operand: Vec<f32>, here: &mut [f32]) {
        self.multiply(product, &operand, here, true);
        self.give(operand);
    }

    fn blocks(&mut self, blocks: &[Block<Product>], here: &mut [f32]) {
        for block in blocks {
            match block {
                Block::Ordinary {
                    first,
                    inner,
                    second,
                    outer,
                } => {
                    let rows = self.apply(first, inner, here);
                    let operand = self.normalize(second, None, &rows);
                    self.give(rows);
                    self.add_product(outer, operand, here);
                }
                Block::Pooling(pooling) => self.pooling(pooling, here),
                Block::Bottleneck {
                    first,
                    down,
                    blocks,
                    second,
                    up,
                } => {
                    let mut rows = self.apply(first, down, here);
                    self.blocks(blocks, &mut rows);
                    let operand = self.normalize(second, None, &rows);
                    self.give(rows);
                    self.add_product(up, operand, here);
                }
                Block::Attention(attention) => self.attention(attention, here),
                Block::FeedForward(layers) => self.feed_forward(layers, here),
            }
        }
    }

    /// Normalizes rows and returns the rows of a product.
    fn apply(&mut self, norm: &Norm, product: &Product, here: &[f32]) -> Vec<f32> {
        let operand = self.normalize(norm, None, here);
        let mut rows = self.rows(product.outputs());
        self.product(product, &operand, &mut rows);
        self.give(operand);
        rows
    }

    fn pooling(&mut self, pooling: &Pooling<Product>, here: &mut [f32]) {
        let operand = self.normalize(&pooling.first, None, here);
        let mut rows = self.rows(pooling.inner.outputs());
        self.product(&pooling.inner, &operand, &mut rows);
        let mut pooled = self.rows(pooling.pooled.outputs());
        self.product(&pooling.pooled, &operand, &mut pooled);
        self.give(operand);
        let (_, bias) = self.pooled_bias(&pooling.pool, &pooling.to_bias, pooled);
        let operand = self.normalize(&pooling.second, Some(&bias), &rows);
        self.give(rows);
        self.add_product(&pooling.outer, operand, here);
    }

    /// Takes rows, and returns their pooled values and the bias that a matrix makes of them.
    fn pooled_bias(
        &mut self,
        norm: &Norm,
        to_bias: &Matrix,
        rows: Vec<f32>,
    ) -> (Vec<f32>, Vec<f32>) {
        let operand = self.normalize(norm, None, &rows);
        self.give(rows);
        let values = self.pool(&operand, norm.scale.len(), to_bias.inputs / 3, true);
        self.give(operand);
        let mut bias = vec![0.0; stored(to_bias.outputs)];
        multiply(to_bias, &values, &mut bias);
        (values, bias)
    }

    /// Returns the pooled values of an operand: the means, and the means weighted by the size of
    /// the board. The last third are the maxima, or a second weighting of the means.
    fn pool(&self, operand: &[f32], stored: usize, channels: usize, maxima: bool) -> Vec<f32> {
        let (mut sums, mut most) = (vec![0.0; stored], vec![0.0; stored]);
        self.arithmetic.with_target_features(Pool {
            layout: &self.layout,
            channels: stored,
            operand,
            sums: &mut sums,
            maxima: &mut most,
        });
        let points = self.layout.points() as f32;
        let size = points.sqrt() - 14.0;
        let means = || sums.iter().take(channels).map(move |sum| sum / points);
        let mut values: Vec<f32> = means().collect();
        values.extend(means().map(|mean| mean * size * 0.1));
        if maxima {
            values.extend_from_slice(&most[..channels]);
        } else {
            values.extend(means().map(|mean| mean * (size * size * 0.01 - 0.1)));
        }
        values
    }

    fn attention(&mut self, attention: &Attention<Product>, here: &mut [f32]) {
        let mut operand = self.operand(attention.norm.scale.len());
        self.arithmetic.with_target_features(Scale {
            layout: &self.layout,
            channels: attention.query.inputs,
            epsilon: attention.norm.epsilon,
            scale: &attention.norm.scale,
            rows: here,
            operand: &mut operand,
        });
        let [queries, keys, values] =
            [&attention.query, &attention.key, &attention.value].map(|product| {
                let mut rows = self.rows(product.outputs());
                self.product(product, &operand, &mut rows);
                rows
            });
        self.give(operand);
        let mut operand = self.operand(attention.out.layer.inputs);
        let none = Turns::default();
        let turns = self.turns.get(self.next).unwrap_or(&none);
        self.next += 1;
        let attend = Attend {
            arithmetic: &self.arithmetic,
            layout: &self.layout,
            attention,
            turns,
            queries: &queries,
            keys: &keys,
            values: &values,
            operand: &mut operand,
            desk: &mut self.desk,
        };
        self.arithmetic.with_target_features(attend);
        for rows in [queries, keys, values] {
            self.give(rows);
        }
        self.add_product(&attention.out, operand, here);
    }

    fn feed_forward(&mut self, layers: &FeedForward<Product>, here: &mut [f32]) {
        let mut operand = self.operand(layers.norm.scale.len());
        self.arithmetic.with_target_features(Scale {
            layout: &self.layout,
            channels: layers.inner.inputs,
            epsilon: layers.norm.epsilon,
            scale: &layers.norm.scale,
            rows: here,
            operand: &mut operand,
        });
        let [rows, gate] = [&layers.inner, &layers.gate].map(|product| {
            let mut rows = self.rows(product.outputs());
            self.product(product, &operand, &mut rows);
            rows
        });
        self.give(operand);
        let channels = layers.inner.outputs();
        let mut operand = self.operand(channels);
        self.arithmetic.with_target_features(Gate {
            layout: &self.layout,
            channels,
            rows: &rows,
            gate: &gate,
            operand: &mut operand,
        });
        self.give(rows);
        self.give(gate);
        self.add_product(&layers.out, operand, here);
    }

    /// Takes the rows of the trunk and returns them normalized, as an operand.
    fn tip(&mut self, tip: &Tip, channels: usize, mut here: Vec<f32>) -> Vec<f32> {
        let norm = match tip {
            Tip::Batch(norm) => norm,
            Tip::Rms {
                epsilon,
                spatial,
                norm,
            } => {
                self.arithmetic.with_target_features(Rescale {
                    layout: &self.layout,
                    channels,
                    stored: stored(channels),
                    epsilon: *epsilon,
                    spatial: *spatial,
                    rows: &mut here,
                });
                norm
            }
        };
        let operand = self.normalize(norm, None, &here);
        self.give(here);
        operand
    }

    fn policy(&mut self, plan: &Plan, trunk: &[f32], raw: &mut Raw) {
        let head = &plan.policy;
        let mut pooled = self.rows(head.pooled.outputs());
        self.product(&head.pooled, trunk, &mut pooled);
        let (values, bias) = self.pooled_bias(&head.pool, &head.to_bias, pooled);
        let mut rows = self.rows(head.inner.outputs());
        self.product(&head.inner, trunk, &mut rows);
        let operand = self.normalize(&head.norm, Some(&bias), &rows);
        self.give(rows);
        let policies = plan.policies();
        self.outputs(&head.out, operand, policies, &mut raw.policy);
        raw.pass.clear();
        raw.pass.resize(head.pass.outputs, 0.0);
        multiply(&head.pass, &values, &mut raw.pass);
        if let Some((bias, matrix)) = &head.pass_more {
            let mut hidden = std::mem::take(&mut raw.pass);
            add_bias(bias, &mut hidden);
            raw.pass.resize(matrix.outputs, 0.0);
            multiply(matrix, &hidden, &mut raw.pass);
        }
    }

    fn value(&mut self, plan: &Plan, trunk: &[f32], raw: &mut Raw) {
        let head = &plan.value;
        let mut rows = self.rows(head.inner.outputs());
        self.product(&head.inner, trunk, &mut rows);
        let operand = self.normalize(&head.norm, None, &rows);
        self.give(rows);
        let values = self.pool(
            &operand,
            head.norm.scale.len(),
            head.hidden.inputs / 3,
            false,
        );
        let mut hidden = vec![0.0; head.hidden.outputs];
        multiply(&head.hidden, &values, &mut hidden);
        add_bias(&head.hidden_bias, &mut hidden);
        raw.outcome.clone_from(&head.outcome_bias);
        multiply(&head.outcome, &hidden, &mut raw.outcome);
        raw.scores.clone_from(&head.scores_bias);
        multiply(&head.scores, &hidden, &mut raw.scores);
        self.outputs(&head.ownership, operand, 1, &mut raw.ownership);
    }

    /// Writes the first channels of a product at each point, and takes the operand.
    fn outputs(&mut self, product: &Product, operand: Vec<f32>, count: usize, to: &mut Vec<f32>) {
        let mut rows = self.rows(product.outputs());
        self.product(product, &operand, &mut rows);
        to.clear();
        for point in 0..self.layout.points() {
            let from = self.layout.cell(point) * product.outputs();
            to.extend_from_slice(&rows[from..from + count]);
        }
        self.give(rows);
        self.give(operand);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::katago::model::Model;
    use crate::katago::sample::Recipe;
    use std::io::Cursor;

    #[test]
    fn unused_buffers_are_few() {
        let file = Recipe::default().write(1);
        let model = Model::read(Cursor::new(&file[..]), file.len() as u64).unwrap();
        let mut executor = Executor::new(&model.plan(), Kernel::Portable, 5, 5);
        for length in 1..1000 {
            let space = executor.take(length);
            assert_eq!(space.len(), length);
            executor.give(space);
        }
        assert_eq!(executor.spare.len(), MOST_SPARES);
        let space = executor.take(999);
        assert_eq!((space.len(), executor.spare.len()), (999, MOST_SPARES - 1));
    }
}
