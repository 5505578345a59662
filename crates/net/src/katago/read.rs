//! Reader of network files of KataGo, model versions 8 to 17.
//!
//! The parts of a file, in order:
//!
//! - the name, the version, and the numbers of input planes and of global inputs
//! - from version 13 on: seven factors of the outputs
//! - from version 15 on: the version of the encoder, a switch about life, and six zeros
//! - the trunk, the policy head, and the value head
//!
//! Each layer has a name, its sizes, and its weights. Names only appear in messages. Everything
//! that this program would compute wrongly is refused: unknown blocks, activations, and options.

use std::io::BufRead;

use super::inputs::{GLOBALS, PLANES};
use super::layers::{Found, MOST_CHANNELS, Reader};
use super::model::{
    Attention, Block, Conv, Encoder, FeedForward, Model, Norm, PolicyHead, Pooling, Rotation, Tip,
    Trunk, Units, ValueHead,
};
use super::profile::FACTS;
use super::scan::{ModelError, Scanner};

/// Maximum number of blocks in a row.
const MOST_BLOCKS: usize = 1024;
/// Maximum number of blocks inside each other.
const MOST_DEPTH: usize = 8;

impl Model {
    /// Reads a network from a file of `size` bytes.
    ///
    /// # Errors
    /// If the file is not a network that this program can use.
    pub fn read<'a>(file: impl BufRead + 'a, size: u64) -> Result<Model, ModelError> {
        let mut scanner = Scanner::new(file, size);
        let kind = |error| match error {
            ModelError::Size(_) | ModelError::Unpack(..) => error,
            _ => ModelError::Kind,
        };
        let name = scanner.word().map_err(kind)?;
        let version = scanner.whole(0..=9999, "a version").map_err(kind)?;
        if !(8..=17).contains(&version) {
            return Err(ModelError::Version(version));
        }
        scanner.layer = "start".to_owned();
        scanner.whole(PLANES..=PLANES, "a number of input planes")?;
        scanner.whole(GLOBALS..=GLOBALS, "a number of global inputs")?;
        let mut reader = Reader { scanner, version };
        let units = reader.units()?;
        let (mut encodes, mut life_with_suicide) = (false, false);
        if version >= 15 {
            encodes = reader.scanner.switch("a version of the encoder")?;
            life_with_suicide = reader.scanner.switch("a switch")?;
            reader.scanner.zeros(6)?;
        }
        let model = Model {
            name,
            version,
            units,
            life_with_suicide,
            trunk: reader.trunk(encodes)?,
            policy: reader.policy()?,
            value: reader.value()?,
        };
        reader.scanner.end()?;
        let channels = model.channels();
        let heads = [
            &model.policy.inner,
            &model.policy.pooled,
            &model.value.inner,
        ];
        for conv in heads {
            reader.fits(conv.inputs, channels)?;
        }
        Ok(model)
    }
}

impl Reader<'_> {
    fn units(&mut self) -> Found<Units> {
        if self.version < 13 {
            return Ok(Units::default());
        }
        let mut next = || self.scanner.positive("a factor of the outputs");
        // The first factor belongs to outputs that exist only in training.
        next()?;
        Ok(Units {
            mean: next()?,
            deviation: next()?,
            lead: next()?,
            time: next()?,
            value_error: next()?,
            score_error: next()?,
        })
    }

    fn blocks(&mut self, count: usize, channels: usize, depth: usize) -> Found<Vec<Block<Conv>>> {
        let mut blocks = Vec::new();
        for _ in 0..count {
            blocks.push(self.block(channels, depth)?);
        }
        Ok(blocks)
    }

    fn block(&mut self, channels: usize, depth: usize) -> Found<Block<Conv>> {
        let kind = self.scanner.word()?;
        self.scanner.name()?;
        let block = match kind.as_str() {
            "ordinary_block" => {
                let first = self.norm(channels)?;
                let inner = self.conv_of(channels)?;
                Block::Ordinary {
                    first,
                    second: self.norm(inner.outputs)?,
                    outer: self.conv_of(inner.outputs)?,
                    inner,
                }
            }
            "gpool_block" => Block::Pooling(Box::new(self.pooling(channels)?)),
            "nested_bottleneck_block" => {
                let count = self.scanner.whole(1..=MOST_BLOCKS, "a number of blocks")?;
                if depth == 0 {
                    return Err(self
                        .scanner
                        .unexpected(&kind, "at most 8 blocks inside each other"));
                }
                let first = self.norm(channels)?;
                let down = self.conv_of(channels)?;
                Block::Bottleneck {
                    first,
                    blocks: self.blocks(count, down.outputs, depth - 1)?,
                    second: self.norm(down.outputs)?,
                    up: self.conv_of(down.outputs)?,
                    down,
                }
            }
            "transformer_attention_block" => Block::Attention(Box::new(self.attention(channels)?)),
            "transformer_ffn_block" => Block::FeedForward(Box::new(self.feed_forward(channels)?)),
            _ => {
                return Err(self.scanner.unexpected(
                    &kind,
                    "a known kind of block, such as ordinary_block or gpool_block",
                ));
            }
        };
        let outputs = match &block {
            Block::Ordinary { outer, .. } => outer.outputs,
            Block::Pooling(pooling) => pooling.outer.outputs,
            Block::Bottleneck { up, .. } => up.outputs,
            Block::Attention(attention) => attention.out.outputs,
            Block::FeedForward(layers) => layers.out.outputs,
        };
        self.fits(outputs, channels)?;
        Ok(block)
    }

    fn pooling(&mut self, channels: usize) -> Found<Pooling<Conv>> {
        let first = self.norm(channels)?;
        let inner = self.conv_of(channels)?;
        let pooled = self.conv_of(channels)?;
        Ok(Pooling {
            first,
            pool: self.norm(pooled.outputs)?,
            to_bias: self.matrix_to(3 * pooled.outputs, inner.outputs)?,
            second: self.norm(inner.outputs)?,
            outer: self.conv_of(inner.outputs)?,
            inner,
            pooled,
        })
    }

    fn attention(&mut self, channels: usize) -> Found<Attention<Conv>> {
        let [heads, groups, key_size, value_size] = [
            self.channels()?,
            self.channels()?,
            self.channels()?,
            self.channels()?,
        ];
        let rotates = self.scanner.switch("a switch")?;
        let learned = self.scanner.switch("a switch")?;
        if !heads.is_multiple_of(groups) {
            let found = groups.to_string();
            return Err(self
                .scanner
                .unexpected(&found, "a divisor of the number of heads"));
        }
        if rotates && !key_size.is_multiple_of(2) {
            let found = key_size.to_string();
            return Err(self
                .scanner
                .unexpected(&found, "an even size of rotated keys"));
        }
        let norm = self.rms_norm(channels)?;
        let query = self.product(channels, heads * key_size)?;
        let key = self.product(channels, groups * key_size)?;
        let value = self.product(channels, groups * value_size)?;
        let out = self.product(heads * value_size, channels)?;
        let rotation = match (rotates, learned) {
            (false, _) => Rotation::None,
            (true, false) => {
                self.scanner.name()?;
                Rotation::Fixed(self.scanner.positive("a base of frequencies")?)
            }
            (true, true) => {
                self.scanner.name()?;
                for expected in [groups, key_size / 2, 2] {
                    let found = self.channels()?;
                    self.fits(found, expected)?;
                }
                Rotation::Learned(self.scanner.floats(groups * key_size)?)
            }
        };
        Ok(Attention {
            heads,
            groups,
            key_size,
            value_size,
            norm,
            query,
            key,
            value,
            out,
            rotation,
        })
    }

    fn feed_forward(&mut self, channels: usize) -> Found<FeedForward<Conv>> {
        let count = self.channels()?;
        self.fits(count, channels)?;
        let hidden = self.channels()?;
        self.scanner.whole(1..=1, "a switch of the gate")?;
        Ok(FeedForward {
            norm: self.rms_norm(channels)?,
            inner: self.product(channels, hidden)?,
            gate: self.product(channels, hidden)?,
            out: self.product(hidden, channels)?,
        })
    }

    fn encoder(&mut self, channels: usize) -> Found<Encoder> {
        self.scanner.name()?;
        self.scanner.whole(FACTS..=FACTS, "a number of facts")?;
        let first = self.matrix(FACTS)?;
        let first_bias = self.bias(first.outputs)?;
        let second = self.matrix(first.outputs)?;
        let second_bias = self.bias(second.outputs)?;
        Ok(Encoder {
            last: self.matrix_to(second.outputs, channels)?,
            first,
            first_bias,
            second,
            second_bias,
        })
    }

    fn trunk(&mut self, encodes: bool) -> Found<Trunk<Conv>> {
        self.scanner.name()?;
        let count = self.scanner.whole(1..=MOST_BLOCKS, "a number of blocks")?;
        let channels = self.channels()?;
        // Sizes of the blocks, which each block repeats.
        for _ in 0..4 {
            self.scanner
                .whole(0..=MOST_CHANNELS, "a number of channels")?;
        }
        let mut rms = false;
        if self.version >= 15 {
            rms = self.scanner.switch("a kind of normalization")?;
            self.scanner.zeros(5)?;
        }
        let stem = self.conv_of(PLANES)?;
        self.fits(stem.outputs, channels)?;
        let globals = self.matrix_to(GLOBALS, channels)?;
        let encoder = match encodes {
            true => Some(self.encoder(channels)?),
            false => None,
        };
        Ok(Trunk {
            stem,
            globals,
            encoder,
            blocks: self.blocks(count, channels, MOST_DEPTH)?,
            tip: match rms {
                true => self.rms_tip(channels)?,
                false => Tip::Batch(self.norm(channels)?),
            },
        })
    }

    fn rms_tip(&mut self, channels: usize) -> Found<Tip> {
        self.scanner.name()?;
        let count = self.channels()?;
        self.fits(count, channels)?;
        let epsilon = self.scanner.positive("an epsilon")?;
        let spatial = self.scanner.switch("a switch")?;
        self.scanner.zeros(1)?;
        Ok(Tip::Rms {
            epsilon,
            spatial,
            norm: Norm {
                scale: self.scanner.floats(count)?,
                offset: self.scanner.floats(count)?,
                activation: self.activation()?,
            },
        })
    }

    fn policy(&mut self) -> Found<PolicyHead<Conv>> {
        self.scanner.name()?;
        let policies = match self.version {
            0..=11 => 1,
            12..=15 => 2,
            16 => 4,
            _ => {
                let count = self.scanner.whole(2..=4, "2 or 4 policy channels,")?;
                if count == 3 {
                    return Err(self.scanner.unexpected("3", "2 or 4 policy channels"));
                }
                self.scanner.zeros(3)?;
                count
            }
        };
        let inner = self.conv()?;
        let pooled = self.conv()?;
        let pool = self.norm(pooled.outputs)?;
        let to_bias = self.matrix_to(3 * pooled.outputs, inner.outputs)?;
        let norm = self.norm(inner.outputs)?;
        let out = self.conv_of(inner.outputs)?;
        self.fits(out.outputs, policies)?;
        let pass = self.matrix(3 * pooled.outputs)?;
        let pass_more = if self.version >= 15 {
            let bias = self.bias(pass.outputs)?;
            Some((bias, self.matrix_to(pass.outputs, policies)?))
        } else {
            self.fits(pass.outputs, policies)?;
            None
        };
        Ok(PolicyHead {
            inner,
            pooled,
            pool,
            to_bias,
            norm,
            out,
            pass,
            pass_more,
        })
    }

    fn value(&mut self) -> Found<ValueHead<Conv>> {
        self.scanner.name()?;
        if self.version >= 17 {
            self.scanner.zeros(3)?;
        }
        let scores = if self.version >= 9 { 6 } else { 4 };
        let inner = self.conv()?;
        let norm = self.norm(inner.outputs)?;
        let hidden = self.matrix(3 * inner.outputs)?;
        let head = ValueHead {
            norm,
            hidden_bias: self.bias(hidden.outputs)?,
            outcome: self.matrix_to(hidden.outputs, 3)?,
            outcome_bias: self.offsets(3)?,
            scores: self.matrix_to(hidden.outputs, scores)?,
            scores_bias: self.offsets(scores)?,
            ownership: self.conv_of(inner.outputs)?,
            inner,
            hidden,
        };
        self.fits(head.ownership.outputs, 1)?;
        Ok(head)
    }
}
