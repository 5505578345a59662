//! The network itself: its layers, and one pass through them.
//!
//! Plain residual blocks without normalisation; in some of them what the whole board pools to is added to the second
//! convolution's bias. The heads: a policy of each point and the pass, who wins, by how much, who owns what.

use super::features::{KOMI, PLANES};
use super::file::Sides;
use super::heads::Conclude;
use super::kernels::{Arithmetic, Job};
use super::layer::{Convolution, Dense};
use super::shape::Shape;

/// Channels of the heads' common layer: so many for the policy, as many for the rest.
pub(super) const HEAD: usize = 32;
/// Width of the dense layer behind the outcomes.
pub(super) const DENSE: usize = 64;
/// What the outcomes are told beside what is pooled: the sum of the ownership, and the komi.
pub(super) const EXTRA: usize = 2;

/// A network of a certain shape with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Identity of the weights: a hash over the file's content.
    pub(super) hash: u64,
    /// Boards on which a match has shown that the network helps.
    pub(super) sides: Sides,
    /// Positions that it was trained on.
    pub(super) positions: u64,
    pub(super) stem: Convolution,
    pub(super) blocks: Vec<Block>,
    pub(super) head: Convolution,
    pub(super) policy_bias: Dense,
    pub(super) policy: Dense,
    pub(super) ownership: Dense,
    pub(super) dense: Dense,
    /// Pass, winner, score.
    pub(super) outcome: Dense,
}

/// Two convolutions around which the input is added.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) first: Convolution,
    pub(super) second: Convolution,
    /// From means and maxima of the first one's output to biases of the second.
    pub(super) pool: Option<Dense>,
}

/// What a network says about a position, all from the side of the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Logits of a move on each point, in index order, then of a pass.
    pub policy: Vec<f32>,
    /// Logit of winning.
    pub value: f32,
    /// Points by which the player wins, komi included.
    pub score: f32,
    /// Who owns each point, in index order: 1 the player to move, −1 the opponent.
    pub ownership: Vec<f32>,
}

/// Working space of a pass; the alignment keeps a row of a tile in one line of the cache.
#[derive(Debug, Default)]
pub(super) struct Space<C> {
    cells: [Vec<C>; 4],
    raw: Vec<f32>,
    pooled: Vec<f32>,
    bias: Vec<f32>,
    shape: Option<Shape>,
}

/// The part of a vector that begins on a line of the cache.
fn aligned<C>(cells: &mut [C], count: usize) -> &mut [C] {
    let skip = cells.as_ptr().align_offset(64).min(64);
    &mut cells[skip..skip + count]
}

impl Network {
    /// Identity of the weights.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Boards on which a match has shown that the network helps.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// Positions that it was trained on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Residual blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Channels of the trunk.
    pub fn channels(&self) -> usize {
        self.stem.outputs
    }

    /// Computes what it says about a position: the bits of each point as
    /// [`Extractor`](super::features::Extractor) writes them, and the komi as
    /// [`komi_input`](super::features::komi_input) has it.
    pub(super) fn pass<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        shape: &Shape,
        planes: &[u32],
        komi: f32,
        space: &mut Space<A::Cell>,
        output: &mut Output,
    ) {
        let channels = self.channels();
        space.fit(shape, channels.max(PLANES));
        let Space {
            cells,
            raw,
            pooled,
            bias,
            ..
        } = space;
        let all = shape.all_cells();
        let [input, a, b, c] = cells;
        let input = aligned(input, all * PLANES);
        let [mut here, mut there, inner] = [a, b, c].map(|cells| aligned(cells, all * channels));

        let plain_komi = komi;
        let (on, komi) = (A::cell(1.0), A::cell(komi));
        arithmetic.widely(Spread {
            shape,
            planes,
            on,
            komi,
            input: &mut *input,
        });
        arithmetic.convolve(&self.stem, shape, input, &self.stem.bias, None, here);
        for block in &self.blocks {
            arithmetic.convolve(&block.first, shape, here, &block.first.bias, None, inner);
            bias.clear();
            bias.extend_from_slice(&block.second.bias);
            if let Some(pool) = &block.pool {
                pooled.resize(2 * channels, 0.0);
                arithmetic.pool(shape, channels, inner, pooled);
                arithmetic.widely(Add {
                    layer: pool,
                    inputs: pooled,
                    outputs: &mut *bias,
                });
            }
            arithmetic.convolve(&block.second, shape, inner, bias, Some(here), there);
            (here, there) = (there, here);
        }
        raw.resize(shape.cells() * 2 * HEAD, 0.0);
        arithmetic.convolve_raw(&self.head, shape, here, raw);
        arithmetic.end();
        arithmetic.widely(Conclude {
            network: self,
            shape,
            raw,
            pooled,
            komi: plain_komi,
            output,
        });
    }
}

/// Writes the bits of each point as cells, and the komi.
struct Spread<'a, C> {
    shape: &'a Shape,
    planes: &'a [u32],
    on: C,
    komi: C,
    input: &'a mut [C],
}

impl<C: Copy + Default> Job for Spread<'_, C> {
    #[inline(always)]
    fn run(self) {
        let shape = self.shape;
        for (point, &bits) in self.planes.iter().enumerate() {
            let at = (shape.margin() + shape.cell(point)) * PLANES;
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

/// A dense layer.
struct Add<'a> {
    layer: &'a Dense,
    inputs: &'a [f32],
    outputs: &'a mut [f32],
}

impl Job for Add<'_> {
    #[inline(always)]
    fn run(self) {
        self.layer.add_to(self.inputs, self.outputs);
    }
}

impl<C: Copy + Default> Space<C> {
    /// Room for this shape, all zero where it is another one than before.
    fn fit(&mut self, shape: &Shape, channels: usize) {
        if self.shape.as_ref() == Some(shape) {
            return;
        }
        for cells in &mut self.cells {
            cells.clear();
            cells.resize(shape.all_cells() * channels + 64, C::default());
        }
        self.shape = Some(shape.clone());
    }
}
