//! Forward pass of a network of KataGo.
//!
//! The kernels compute the convolutions. Filters other than 1×1 and 3×3 become products of
//! matrices. Some kernels round the operands of layers, but not those of attention: `avx2int16`,
//! `avx2vnni`, and `avx512int16` to 16-bit integers, and `amx` to bf16.

mod heads;

use super::attend::{Attend, Desk, Turns};
use super::inputs::GLOBALS;
use super::jobs::{Add, Gate, Normalize, Pool, Rescale, Scale, encode, multiply};
use super::model::{Attention, Block, FeedForward, Matrix, Norm, Pooling, Tip};
use super::plan::{Plan, Product, stored};
use super::planes::{ConvolvePlanes, OnBoardSums};
use crate::kernels::products::LayerProduct;
use crate::kernels::{Arithmetic, Float, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;

/// Maximum number of unused buffers. Networks have about ten lengths of buffers for each number of
/// positions. Those with more would take memory for each.
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

/// Inputs of a pass for one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassInputs<'a> {
    /// Planes of each point as bits, row by row from the top.
    pub(super) planes: &'a [u32],
    /// Global inputs.
    pub(super) globals: &'a [f32; GLOBALS],
    /// Inputs of the encoder, if the network has one.
    pub(super) facts: Option<&'a [f32]>,
}

/// Executor for rectangles of one size and one thread. It computes one or several positions at
/// once.
#[derive(Clone, Debug)]
pub(super) struct Executor {
    arithmetic: Float,
    /// Layout of the boards of the latest pass.
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
    /// Planes of all positions.
    planes: Vec<u32>,
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
            planes: Vec::new(),
            layout,
            turns,
            next: 0,
            desk: Desk::default(),
            spare: Vec::new(),
        }
    }

    /// Computes the outputs for one or several positions. Kernels of 16-bit integers round by the
    /// largest activation of all of them.
    pub(super) fn pass(&mut self, plan: &Plan, positions: &[PassInputs<'_>], raws: &mut [Raw]) {
        let count = positions.len().min(raws.len());
        let (positions, raws) = (&positions[..count], &mut raws[..count]);
        if count == 0 {
            return;
        }
        if count != self.layout.boards() {
            let (width, height) = (self.layout.width(), self.layout.height());
            self.layout = BoardLayout::stack(width, height, count);
        }
        self.next = 0;
        let trunk = &plan.trunk;
        let outputs = trunk.stem.outputs();
        let mut bias = vec![0.0; count * outputs];
        self.planes.clear();
        for (position, bias) in positions.iter().zip(bias.chunks_exact_mut(outputs)) {
            multiply(&trunk.globals, position.globals, bias);
            if let Some((encoder, facts)) = trunk.encoder.as_ref().zip(position.facts) {
                encode(encoder, facts, bias);
            }
            self.planes.extend_from_slice(position.planes);
        }
        let mut here = self.rows(outputs);
        self.arithmetic.with_target_features(ConvolvePlanes {
            layout: &self.layout,
            product: &trunk.stem,
            on_board: &self.on_board,
            planes: &self.planes,
            bias: &bias,
            chosen: &mut self.chosen,
            rows: &mut here,
        });
        self.blocks(&trunk.blocks, &mut here);
        let operand = self.tip(&trunk.tip, plan.channels(), here);
        self.policy(plan, &operand, raws);
        self.value(plan, &operand, raws);
        self.give(operand);
    }

    /// Takes working space of a length. Its content is arbitrary.
    fn take(&mut self, length: usize) -> Vec<f32> {
        let same = self.spare.iter().position(|space| space.len() == length);
        // The first passes leave a buffer of each length, so that later ones clear none.
        let any = || {
            let has_room = |space: &Vec<f32>| space.capacity() >= length;
            let is_full = self.spare.len() >= MOST_SPARES;
            is_full.then(|| self.spare.iter().position(has_room).unwrap_or(0))
        };
        let mut space = match same.or_else(any) {
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

    /// Takes rows, and returns the pooled values of each board and the biases that a matrix makes
    /// of them: `[board][channel]`.
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
        let outputs = stored(to_bias.outputs);
        let mut bias = vec![0.0; self.layout.boards() * outputs];
        let boards = values.chunks_exact(values.len() / self.layout.boards());
        for (values, bias) in boards.zip(bias.chunks_exact_mut(outputs)) {
            multiply(to_bias, values, bias);
        }
        (values, bias)
    }

    /// Returns the pooled values of each board of an operand: the means, and the means weighted by
    /// the size of the board. The last third are the maxima, or a second weighting of the means.
    fn pool(&self, operand: &[f32], stored: usize, channels: usize, maxima: bool) -> Vec<f32> {
        let (mut sums, mut most) = (vec![0.0; stored], vec![0.0; stored]);
        let points = self.layout.board_points() as f32;
        let size = points.sqrt() - 14.0;
        let mut values = Vec::with_capacity(self.layout.boards() * channels * 3);
        for board in 0..self.layout.boards() {
            self.arithmetic.with_target_features(Pool {
                layout: &self.layout,
                board,
                channels: stored,
                operand,
                sums: &mut sums,
                maxima: &mut most,
            });
            let means = || sums.iter().take(channels).map(|sum| sum / points);
            values.extend(means());
            values.extend(means().map(|mean| mean * size * 0.1));
            if maxima {
                values.extend_from_slice(&most[..channels]);
            } else {
                values.extend(means().map(|mean| mean * (size * size * 0.01 - 0.1)));
            }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::board_reference::Random;
    use crate::katago::model::Model;
    use crate::katago::sample::Recipe;
    use crate::katago::tests::{assert_same, inputs, read, recipes};
    use crate::kernels::products::checks::tolerance;
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

    #[test]
    fn several_positions_at_once_are_evaluated_like_single_ones() {
        let mut dice = Random::new(5);
        for (number, recipe) in recipes().iter().enumerate() {
            let model = read(&recipe.write(number as u64 + 1)).unwrap();
            let plan = model.clone().plan();
            for (sides, count) in [([9, 9], 4), ([3, 3], 7), ([7, 4], 3), ([19, 13], 2)] {
                let points = sides[0] * sides[1];
                let all: Vec<_> = (0..count).map(|_| inputs(&mut dice, points)).collect();
                let positions: Vec<PassInputs> = all
                    .iter()
                    .map(|(planes, globals, facts)| PassInputs {
                        planes,
                        globals,
                        facts: recipe.encodes.then_some(&facts[..]),
                    })
                    .collect();
                for kernel in Kernel::available() {
                    let mut executor = Executor::new(&plan, kernel, sides[0], sides[1]);
                    let single: Vec<Raw> = positions
                        .iter()
                        .map(|position| {
                            let mut raw = [Raw::default()];
                            executor.pass(&plan, &[*position], &mut raw);
                            let [raw] = raw;
                            raw
                        })
                        .collect();
                    // Passes of other numbers of positions leave numbers in the working space.
                    for _ in 0..2 {
                        let mut raws = vec![Raw::default(); count];
                        executor.pass(&plan, &positions, &mut raws);
                        for (at, (found, expected)) in raws.iter().zip(&single).enumerate() {
                            let what = format!("{number} {sides:?} {kernel} {at}");
                            if kernel.is_precise() {
                                assert_eq!(found, expected, "{what}");
                            }
                            // Both differ from the exact outputs.
                            let tolerance = 2.0 * tolerance(kernel);
                            assert_same(found, expected, tolerance, &what);
                        }
                        let mut one = [Raw::default()];
                        executor.pass(&plan, &positions[..1], &mut one);
                        assert_eq!(one[0], single[0]);
                    }
                }
            }
        }
    }
}
