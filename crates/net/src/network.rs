//! The network: its layers, and one forward pass.
//!
//! Plain residual blocks without normalization. In some blocks, values pooled over the whole board
//! are added to the second convolution's bias. The heads compute the policy (each point and the
//! pass), the value, the score lead, and the ownership.

use super::features::{KOMI, PLANES};
use super::file::Sides;
use super::functions::are_finite;
use super::heads::OutputHeads;
use super::kernels::{Arithmetic, Job};
use super::layer::{Convolution, Dense};
use super::layout::BoardLayout;

/// Channels of the heads' common layer that serve the policy. The other outputs use the same
/// number.
pub(super) const HEAD: usize = 32;
/// Width of the dense layer before the outcomes.
pub(super) const DENSE: usize = 64;
/// Inputs of the outcomes in addition to the pooled values: the summed ownership and the komi.
pub(super) const EXTRA: usize = 2;

/// A network with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Identity of the weights: a hash of the file's content.
    pub(super) hash: u64,
    /// Board sides at which matches have shown that the network helps.
    pub(super) sides: Sides,
    /// Number of positions that the network was trained on.
    pub(super) positions: u64,
    pub(super) stem: Convolution,
    pub(super) blocks: Vec<Block>,
    pub(super) head: Convolution,
    pub(super) policy_bias: Dense,
    pub(super) policy: Dense,
    pub(super) ownership: Dense,
    pub(super) dense: Dense,
    /// Outputs: the pass's logit, the value, and the score lead.
    pub(super) outcome: Dense,
}

/// Residual block: two convolutions whose result is added to the block's input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) first: Convolution,
    pub(super) second: Convolution,
    /// Maps the means and maxima of the first convolution's output to biases of the second.
    pub(super) pool: Option<Dense>,
}

/// Outputs of the network for a position, from the point of view of the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Logits of a placement on each point, in index order, then of the pass.
    pub policy: Vec<f32>,
    /// Logit of winning.
    pub value: f32,
    /// Score lead of the player to move in points, komi included.
    pub score: f32,
    /// Ownership of each point, in index order: from 1 (the player to move) to −1 (the opponent).
    pub ownership: Vec<f32>,
}

impl Output {
    /// Returns true if all outputs are finite numbers. Those of extreme weights may be infinite.
    pub fn is_finite(&self) -> bool {
        let outcomes = [&self.value, &self.score];
        are_finite(self.policy.iter().chain(&self.ownership).chain(outcomes))
    }

    /// Makes outputs that are not finite neutral: all moves, points, and results are even.
    pub(super) fn neutralize(&mut self) {
        if !self.is_finite() {
            self.policy.fill(0.0);
            self.ownership.fill(0.0);
            (self.value, self.score) = (0.0, 0.0);
        }
    }
}

/// Working space of a pass. The data start at a cache line, so that each row of an AMX tile lies in
/// one line.
#[derive(Debug, Default)]
pub(super) struct Space<C> {
    cells: [Vec<C>; 4],
    raw: Vec<f32>,
    pooled: Vec<f32>,
    bias: Vec<f32>,
    layout: Option<BoardLayout>,
}

/// Returns `count` numbers of `cells`, starting at a cache line.
fn aligned<C>(cells: &mut [C], count: usize) -> &mut [C] {
    let skip = cells.as_ptr().align_offset(64).min(64);
    &mut cells[skip..skip + count]
}

impl Network {
    /// Returns the identity of the weights.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the board sides at which matches have shown that the network helps.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// Returns the number of positions that the network was trained on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the number of residual blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the number of channels of the residual blocks.
    pub fn channels(&self) -> usize {
        self.stem.outputs
    }

    /// Computes the network's outputs for a position. `planes` are the bits of each point, as
    /// written by [`Extractor`](super::features::Extractor). `komi` is the value of
    /// [`komi_input`](super::features::komi_input).
    pub(super) fn pass<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        layout: &BoardLayout,
        planes: &[u32],
        komi: f32,
        space: &mut Space<A::Cell>,
        output: &mut Output,
    ) {
        let channels = self.channels();
        space.fit(layout, channels.max(PLANES));
        let Space {
            cells,
            raw,
            pooled,
            bias,
            ..
        } = space;
        let all = layout.all_cells();
        let [input, a, b, c] = cells;
        let input = aligned(input, all * PLANES);
        let [mut here, mut there, inner] = [a, b, c].map(|cells| aligned(cells, all * channels));

        let plain_komi = komi;
        let (on, komi) = (A::cell(1.0), A::cell(komi));
        arithmetic.with_target_features(InputLayer {
            layout,
            planes,
            on,
            komi,
            input: &mut *input,
        });
        arithmetic.convolve(&self.stem, layout, input, &self.stem.bias, None, here);
        for block in &self.blocks {
            arithmetic.convolve(&block.first, layout, here, &block.first.bias, None, inner);
            bias.clear();
            bias.extend_from_slice(&block.second.bias);
            if let Some(pool) = &block.pool {
                pooled.resize(2 * channels, 0.0);
                arithmetic.pool(layout, channels, inner, pooled);
                arithmetic.with_target_features(PooledBias {
                    layer: pool,
                    inputs: pooled,
                    outputs: &mut *bias,
                });
            }
            arithmetic.convolve(&block.second, layout, inner, bias, Some(here), there);
            (here, there) = (there, here);
        }
        raw.resize(layout.cells() * 2 * HEAD, 0.0);
        arithmetic.convolve_raw(&self.head, layout, here, raw);
        arithmetic.end();
        arithmetic.with_target_features(OutputHeads {
            network: self,
            layout,
            raw,
            pooled,
            komi: plain_komi,
            output,
        });
    }
}

/// Job that writes the bits of each point, and the komi, as activations.
struct InputLayer<'a, C> {
    layout: &'a BoardLayout,
    planes: &'a [u32],
    on: C,
    komi: C,
    input: &'a mut [C],
}

impl<C: Copy + Default> Job for InputLayer<'_, C> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let layout = self.layout;
        for (point, &bits) in self.planes.iter().enumerate() {
            let at = (layout.margin() + layout.cell(point)) * PLANES;
            if let Some(cells) = self.input[at..].first_chunk_mut::<PLANES>() {
                for (plane, cell) in cells.iter_mut().enumerate() {
                    *cell = if bits & 1 << plane != 0 {
                        self.on
                    } else {
                        C::default()
                    };
                }
                cells[KOMI as usize] = self.komi;
            }
        }
    }
}

/// Job that applies a dense layer.
struct PooledBias<'a> {
    layer: &'a Dense,
    inputs: &'a [f32],
    outputs: &'a mut [f32],
}

impl Job for PooledBias<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        self.layer.add_to(self.inputs, self.outputs);
    }
}

impl<C: Copy + Default> Space<C> {
    /// Makes room for this layout. Fills the space with zeros if the layout differs from the last
    /// one.
    fn fit(&mut self, layout: &BoardLayout, channels: usize) {
        if self.layout.as_ref() == Some(layout) {
            return;
        }
        for cells in &mut self.cells {
            cells.clear();
            cells.resize(layout.all_cells() * channels + 64, C::default());
        }
        self.layout = Some(layout.clone());
    }
}
