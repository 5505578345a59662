//! A network of KataGo as its file describes it: layers with their sizes and weights.
//!
//! Batch normalization is stored as one factor and one offset per channel. `L` is the type of the
//! layers that are applied to every point. In a file, it is [`Conv`], also for matrices. `plan`
//! rearranges their weights for the kernels.

/// Function applied to each value after a normalization or a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The value itself.
    Identity,
    /// `max(0, x)`.
    Relu,
    /// `x · tanh(ln(1 + eˣ))`.
    Mish,
    /// `x / (1 + e⁻ˣ)`.
    Silu,
}

/// Convolution without bias. Cells beyond the edge of the board count as zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    /// Rows of the filter, an odd number.
    pub height: usize,
    /// Columns of the filter, an odd number.
    pub width: usize,
    /// Number of input channels.
    pub inputs: usize,
    /// Number of output channels.
    pub outputs: usize,
    /// `[row][column][input][output]`
    pub weights: Vec<f32>,
}

/// A factor and an offset per channel, followed by an activation.
#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    /// `[channel]`
    pub scale: Vec<f32>,
    /// `[channel]`
    pub offset: Vec<f32>,
    /// Function applied last.
    pub activation: Activation,
}

/// Product with a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// `[input][output]`
    pub weights: Vec<f32>,
}

/// Normalization of each point by the root mean square of its channels.
#[derive(Clone, Debug, PartialEq)]
pub struct RmsNorm {
    /// Added to the mean square.
    pub epsilon: f32,
    /// `[channel]`
    pub scale: Vec<f32>,
}

/// Residual block. The result of its layers is added to its input.
#[derive(Clone, Debug, PartialEq)]
pub enum Block<L> {
    /// Two convolutions.
    Ordinary {
        /// Before the first convolution.
        first: Norm,
        /// First convolution.
        inner: L,
        /// Before the second convolution.
        second: Norm,
        /// Second convolution.
        outer: L,
    },
    /// Two convolutions with values pooled over the whole board between them.
    Pooling(Box<Pooling<L>>),
    /// Blocks of fewer channels between two convolutions of one tap.
    Bottleneck {
        /// Before the first convolution.
        first: Norm,
        /// Convolution to fewer channels.
        down: L,
        /// Inner blocks.
        blocks: Vec<Block<L>>,
        /// Before the last convolution.
        second: Norm,
        /// Convolution to the channels of the input.
        up: L,
    },
    /// Attention between all points.
    Attention(Box<Attention<L>>),
    /// Two dense layers with a gate, for each point.
    FeedForward(Box<FeedForward<L>>),
}

/// Block with values pooled over the whole board.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooling<L> {
    /// Before the first convolutions.
    pub first: Norm,
    /// Convolution to the channels that stay on their points.
    pub inner: L,
    /// Convolution to the channels that are pooled.
    pub pooled: L,
    /// Before pooling.
    pub pool: Norm,
    /// Pooled values to a bias of the other channels.
    pub to_bias: Matrix,
    /// Before the last convolution.
    pub second: Norm,
    /// Last convolution.
    pub outer: L,
}

/// Rotation of queries and keys by the coordinates of their points.
#[derive(Clone, Debug, PartialEq)]
pub enum Rotation {
    /// No rotation.
    None,
    /// Half of the pairs turn with the row and half with the column. The frequencies fall
    /// geometrically, and this is the base.
    Fixed(f32),
    /// Frequencies of each pair along columns and rows: `[group][pair][x, y]`.
    Learned(Vec<f32>),
}

/// Attention between all points.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention<L> {
    /// Number of heads.
    pub heads: usize,
    /// Number of groups of heads. The heads of a group share keys and values.
    pub groups: usize,
    /// Number of channels of a query and of a key.
    pub key_size: usize,
    /// Number of channels of a value.
    pub value_size: usize,
    /// Before the products.
    pub norm: RmsNorm,
    /// To the queries of all heads.
    pub query: L,
    /// To the keys of all groups.
    pub key: L,
    /// To the values of all groups.
    pub value: L,
    /// From the values of all heads.
    pub out: L,
    /// Rotation of queries and keys.
    pub rotation: Rotation,
}

/// Two dense layers with a gate: `out(silu(inner(x)) · gate(x))`.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedForward<L> {
    /// Before the products.
    pub norm: RmsNorm,
    /// First layer.
    pub inner: L,
    /// Factors of the first layer's values.
    pub gate: L,
    /// Second layer.
    pub out: L,
}

/// Last normalization of the trunk.
#[derive(Clone, Debug, PartialEq)]
pub enum Tip {
    /// One factor and one offset per channel.
    Batch(Norm),
    /// Division by the root mean square, then a factor and an offset per channel.
    Rms {
        /// Added to the mean square.
        epsilon: f32,
        /// True if the mean square is that of the whole board, false for that of each point.
        spatial: bool,
        /// Factors, offsets and activation.
        norm: Norm,
    },
}

/// Encoder of facts about the players, for networks that imitate people.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoder {
    /// First layer and its bias.
    pub first: Matrix,
    /// Offsets and activation of the first layer.
    pub first_bias: Bias,
    /// Second layer.
    pub second: Matrix,
    /// Offsets and activation of the second layer.
    pub second_bias: Bias,
    /// To a bias of the trunk.
    pub last: Matrix,
}

/// Offsets after a dense layer, followed by an activation.
#[derive(Clone, Debug, PartialEq)]
pub struct Bias {
    /// `[channel]`
    pub offset: Vec<f32>,
    /// Function applied last.
    pub activation: Activation,
}

/// Layers from the input to the heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Trunk<L> {
    /// First convolution.
    pub stem: L,
    /// Global inputs to a bias of the first convolution.
    pub globals: Matrix,
    /// Encoder of facts about the players.
    pub encoder: Option<Encoder>,
    /// Residual blocks.
    pub blocks: Vec<Block<L>>,
    /// Last normalization.
    pub tip: Tip,
}

/// Layers from the trunk to the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyHead<L> {
    /// To the channels that stay on their points.
    pub inner: L,
    /// To the channels that are pooled.
    pub pooled: L,
    /// Before pooling.
    pub pool: Norm,
    /// Pooled values to a bias of the other channels.
    pub to_bias: Matrix,
    /// Before the last convolution.
    pub norm: Norm,
    /// To one logit per point and channel of the policy.
    pub out: L,
    /// Pooled values to the pass.
    pub pass: Matrix,
    /// A second layer for the pass, from version 15 on.
    pub pass_more: Option<(Bias, Matrix)>,
}

/// Layers from the trunk to the outcome, the scores and the ownership.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueHead<L> {
    /// To the channels that are pooled.
    pub inner: L,
    /// Before pooling.
    pub norm: Norm,
    /// Pooled values to a hidden layer.
    pub hidden: Matrix,
    /// Offsets and activation of the hidden layer.
    pub hidden_bias: Bias,
    /// To the logits of win, loss, and no result.
    pub outcome: Matrix,
    /// Offsets of the outcome.
    pub outcome_bias: Vec<f32>,
    /// To the scores.
    pub scores: Matrix,
    /// Offsets of the scores.
    pub scores_bias: Vec<f32>,
    /// To the ownership of each point.
    pub ownership: L,
}

/// Factors that convert outputs to points and moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Of the mean score.
    pub mean: f32,
    /// Of the standard deviation of the score.
    pub deviation: f32,
    /// Of the score lead.
    pub lead: f32,
    /// Of the time until the outcome is known.
    pub time: f32,
    /// Of the squared short-term error of the value.
    pub value_error: f32,
    /// Of the squared short-term error of the score.
    pub score_error: f32,
}

impl Default for Units {
    fn default() -> Self {
        Units {
            mean: 20.0,
            deviation: 20.0,
            lead: 20.0,
            time: 40.0,
            value_error: 0.25,
            score_error: 30.0,
        }
    }
}

/// A network of KataGo.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<L = Conv> {
    /// Name in the file.
    pub name: String,
    /// Version of the format, 8 to 17.
    pub version: usize,
    /// Factors of the outputs.
    pub units: Units,
    /// True if unconditional life is computed as if suicide were legal.
    pub life_with_suicide: bool,
    /// Layers from the input to the heads.
    pub trunk: Trunk<L>,
    /// Layers from the trunk to the policy.
    pub policy: PolicyHead<L>,
    /// Layers from the trunk to the outcome.
    pub value: ValueHead<L>,
}

impl<L> Block<L> {
    fn add_layers<'a>(&'a self, found: &mut Vec<&'a L>) {
        match self {
            Block::Ordinary { inner, outer, .. } => found.extend([inner, outer]),
            Block::Pooling(block) => found.extend([&block.inner, &block.pooled, &block.outer]),
            Block::Bottleneck {
                down, blocks, up, ..
            } => {
                found.extend([down, up]);
                for block in blocks {
                    block.add_layers(found);
                }
            }
            Block::Attention(block) => {
                found.extend([&block.query, &block.key, &block.value, &block.out]);
            }
            Block::FeedForward(block) => found.extend([&block.inner, &block.gate, &block.out]),
        }
    }
}

impl<L> Model<L> {
    /// Returns the number of channels of the trunk.
    pub fn channels(&self) -> usize {
        self.trunk.globals.outputs
    }

    /// Returns all layers on points.
    pub fn layers(&self) -> Vec<&L> {
        let mut found = vec![&self.trunk.stem];
        for block in &self.trunk.blocks {
            block.add_layers(&mut found);
        }
        let (policy, value) = (&self.policy, &self.value);
        found.extend([&policy.inner, &policy.pooled, &policy.out]);
        found.extend([&value.inner, &value.ownership]);
        found
    }

    /// Returns the number of outputs per move: 1, 2 with the optimistic policy, or 4.
    pub fn policies(&self) -> usize {
        let last = self.policy.pass_more.as_ref();
        last.map_or(self.policy.pass.outputs, |(_, matrix)| matrix.outputs)
    }
}
