//! Weights in the order of the kernels: every layer on points becomes a [`Product`].
//!
//! Numbers of channels are filled up to a multiple of 32. The additional channels are always zero.

use super::attend::Turns;
use super::model::{
    Attention, Block, Conv, FeedForward, Model, Norm, PolicyHead, Pooling, RmsNorm, Tip, Trunk,
    ValueHead,
};
use crate::layer::{BLOCK, Convolution};

/// Returns the number of stored channels of a layer with this number of channels.
pub(crate) fn stored(channels: usize) -> usize {
    channels.next_multiple_of(BLOCK)
}

/// Returns the number of bytes that a layer takes in the order of the kernels.
pub(crate) fn size(conv: &Conv) -> u64 {
    let taps = conv.height * conv.width;
    // Filters of nine taps are also stored at 36 pairs of interpolation points, others as 16-bit
    // integers.
    let (bytes, inputs) = match (conv.height, conv.width) {
        (1, 1) => (4 + 2, conv.inputs),
        (3, 3) => (4 * (9 + 36), conv.inputs),
        _ => (4 + 2, taps * conv.inputs),
    };
    let weights = (stored(inputs) as u64).saturating_mul(stored(conv.outputs) as u64);
    weights.saturating_mul(bytes)
}

/// Returns the number of bytes of the rotations of all blocks with attention.
fn rotations_size(blocks: &[Block<Conv>]) -> u64 {
    let sizes = blocks.iter().map(|block| match block {
        Block::Attention(attention) => Turns::most_bytes(attention),
        Block::Bottleneck { blocks, .. } => rotations_size(blocks),
        Block::Ordinary { .. } | Block::Pooling(_) | Block::FeedForward(_) => 0,
    });
    sizes.fold(0, u64::saturating_add)
}

/// A convolution as the kernels compute it.
#[derive(Clone, Debug)]
pub(super) struct Product {
    /// Layer of the kernels, of one or nine taps.
    pub(super) layer: Convolution,
    /// Rows and columns of the filter, if the kernels do not know it. Then the inputs of all taps
    /// become the inputs of one tap.
    pub(super) filter: Option<[usize; 2]>,
    /// Number of input channels of a tap.
    pub(super) inputs: usize,
}

impl Product {
    fn new(conv: Conv) -> Product {
        let Conv {
            height,
            width,
            inputs,
            outputs,
            weights,
        } = conv;
        let taps = height * width;
        let known = matches!((height, width), (1, 1) | (3, 3));
        let layer = match known {
            true => Convolution::from_floats(taps, inputs, outputs, &weights),
            false => Convolution::from_floats(1, taps * inputs, outputs, &weights),
        };
        Product {
            layer,
            filter: (!known).then_some([height, width]),
            inputs,
        }
    }

    /// Returns the numbers of rows and columns of the filter.
    pub(super) fn sides(&self) -> [usize; 2] {
        match (self.filter, self.layer.taps) {
            (Some(sides), _) => sides,
            (None, 9) => [3, 3],
            (None, _) => [1, 1],
        }
    }

    /// Returns the number of rows of weights per tap of the filter.
    pub(super) fn step(&self) -> usize {
        match self.filter {
            Some(_) => self.inputs,
            None => self.layer.inputs,
        }
    }

    /// Returns the number of stored output channels.
    pub(super) fn outputs(&self) -> usize {
        self.layer.outputs
    }
}

/// A network whose layers the kernels can compute.
pub(super) type Plan = Model<Product>;

impl Model {
    /// Returns the number of bytes that the layers take in the order of the kernels, with the
    /// rotations of attention on the largest board.
    pub(super) fn planned_size(&self) -> u64 {
        let layers = self.layers();
        let sizes = layers.into_iter().map(size);
        sizes.fold(rotations_size(&self.trunk.blocks), u64::saturating_add)
    }

    /// Rearranges the weights for the kernels.
    pub(super) fn plan(self) -> Plan {
        let Trunk {
            stem,
            globals,
            encoder,
            blocks: stack,
            tip,
        } = self.trunk;
        let policy = self.policy;
        let value = self.value;
        Model {
            name: self.name,
            version: self.version,
            units: self.units,
            life_with_suicide: self.life_with_suicide,
            trunk: Trunk {
                stem: Product::new(stem),
                globals,
                encoder,
                blocks: blocks(stack),
                tip: match tip {
                    Tip::Batch(norm) => Tip::Batch(filled(norm)),
                    Tip::Rms {
                        epsilon,
                        spatial,
                        norm,
                    } => Tip::Rms {
                        epsilon,
                        spatial,
                        norm: filled(norm),
                    },
                },
            },
            policy: PolicyHead {
                inner: Product::new(policy.inner),
                pooled: Product::new(policy.pooled),
                pool: filled(policy.pool),
                to_bias: policy.to_bias,
                norm: filled(policy.norm),
                out: Product::new(policy.out),
                pass: policy.pass,
                pass_more: policy.pass_more,
            },
            value: ValueHead {
                inner: Product::new(value.inner),
                norm: filled(value.norm),
                hidden: value.hidden,
                hidden_bias: value.hidden_bias,
                outcome: value.outcome,
                outcome_bias: value.outcome_bias,
                scores: value.scores,
                scores_bias: value.scores_bias,
                ownership: Product::new(value.ownership),
            },
        }
    }
}

/// Returns the normalization with zeros for additional channels.
pub(crate) fn filled(mut norm: Norm) -> Norm {
    let count = stored(norm.scale.len());
    norm.scale.resize(count, 0.0);
    norm.offset.resize(count, 0.0);
    norm
}

fn blocks(stack: Vec<Block<Conv>>) -> Vec<Block<Product>> {
    stack.into_iter().map(block).collect()
}

fn block(block: Block<Conv>) -> Block<Product> {
    match block {
        Block::Ordinary {
            first,
            inner,
            second,
            outer,
        } => Block::Ordinary {
            first: filled(first),
            inner: Product::new(inner),
            second: filled(second),
            outer: Product::new(outer),
        },
        Block::Pooling(pooling) => {
            let pooling = *pooling;
            Block::Pooling(Box::new(Pooling {
                first: filled(pooling.first),
                inner: Product::new(pooling.inner),
                pooled: Product::new(pooling.pooled),
                pool: filled(pooling.pool),
                to_bias: pooling.to_bias,
                second: filled(pooling.second),
                outer: Product::new(pooling.outer),
            }))
        }
        Block::Bottleneck {
            first,
            down,
            blocks: stack,
            second,
            up,
        } => Block::Bottleneck {
            first: filled(first),
            down: Product::new(down),
            blocks: blocks(stack),
            second: filled(second),
            up: Product::new(up),
        },
        Block::Attention(attention) => {
            let attention = *attention;
            Block::Attention(Box::new(Attention {
                heads: attention.heads,
                groups: attention.groups,
                key_size: attention.key_size,
                value_size: attention.value_size,
                norm: rms_filled(attention.norm),
                query: Product::new(attention.query),
                key: Product::new(attention.key),
                value: Product::new(attention.value),
                out: Product::new(attention.out),
                rotation: attention.rotation,
            }))
        }
        Block::FeedForward(layers) => {
            let layers = *layers;
            Block::FeedForward(Box::new(FeedForward {
                norm: rms_filled(layers.norm),
                inner: Product::new(layers.inner),
                gate: Product::new(layers.gate),
                out: Product::new(layers.out),
            }))
        }
    }
}

/// Returns the normalization with zeros for additional channels.
fn rms_filled(mut norm: RmsNorm) -> RmsNorm {
    norm.scale.resize(stored(norm.scale.len()), 0.0);
    norm
}
