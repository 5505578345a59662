//! Writer of small random networks in KataGo's format, for tests.

use super::inputs::{GLOBALS, PLANES};
use super::profile::FACTS;
use crate::features::board_reference::Random;

/// A kind of block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Ordinary,
    Pooling,
    /// Contains an ordinary, a pooling, and a nested block of its kind.
    Bottleneck,
    /// Numbers of heads and of groups, and the kind of rotation: 0 none, 1 fixed, 2 learned.
    Attention(usize, usize, usize),
    FeedForward,
}

/// A network to write.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub(super) version: usize,
    pub(super) blocks: Vec<Kind>,
    pub(super) channels: usize,
    /// Side of the filter of the stem.
    pub(super) stem: usize,
    /// Name of the activation without its first word.
    pub(super) activation: &'static str,
    /// Last normalization: `None` by batch, otherwise true for the whole board.
    pub(super) tip: Option<bool>,
    pub(super) encodes: bool,
    /// True for weights in binary.
    pub(super) binary: bool,
    /// Factor of all weights of the residual blocks.
    pub(super) strength: f32,
}

impl Default for Recipe {
    fn default() -> Self {
        Recipe {
            version: 8,
            blocks: vec![Kind::Ordinary, Kind::Pooling],
            channels: 12,
            stem: 3,
            activation: "RELU",
            tip: None,
            encodes: false,
            binary: true,
            strength: 1.0,
        }
    }
}

struct Writer<'a> {
    recipe: &'a Recipe,
    dice: Random,
    bytes: Vec<u8>,
    number: usize,
}

impl Recipe {
    /// Writes the network with weights that depend on the seed.
    pub(super) fn write(&self, seed: u64) -> Vec<u8> {
        let mut writer = Writer {
            recipe: self,
            dice: Random::new(seed),
            bytes: Vec::new(),
            number: 0,
        };
        writer.words(&format!("sample {} {PLANES} {GLOBALS}", self.version));
        if self.version >= 13 {
            writer.words("20 19 18 17 40 0.25 30");
        }
        if self.version >= 15 {
            writer.words(&format!("{} 0 0 0 0 0 0 0", u8::from(self.encodes)));
        }
        writer.trunk();
        writer.policy();
        writer.value();
        writer.bytes
    }
}

impl Writer<'_> {
    fn words(&mut self, words: &str) {
        self.bytes.extend_from_slice(words.as_bytes());
        self.bytes.push(b'\n');
    }

    fn name(&mut self) {
        self.number += 1;
        let name = format!("layer{}", self.number);
        self.words(&name);
    }

    fn floats(&mut self, count: usize, middle: f32, spread: f32) {
        if self.recipe.binary {
            self.bytes.extend_from_slice(b"@BIN@");
        }
        for _ in 0..count {
            let share = self.dice.below(2001) as f32 / 1000.0 - 1.0;
            let value = middle + spread * share;
            if self.recipe.binary {
                self.bytes.extend_from_slice(&value.to_le_bytes());
            } else {
                self.bytes.extend_from_slice(format!("{value} ").as_bytes());
            }
        }
        self.bytes.push(b'\n');
    }

    fn conv(&mut self, side: usize, inputs: usize, outputs: usize, strength: f32) {
        self.name();
        self.words(&format!("{side} {side} {inputs} {outputs} 1 1"));
        let count = side * side * inputs;
        let spread = strength * (3.0 / count as f32).sqrt();
        self.floats(count * outputs, 0.0, spread);
    }

    fn matrix(&mut self, inputs: usize, outputs: usize, strength: f32) {
        self.name();
        self.words(&format!("{inputs} {outputs}"));
        let spread = strength * (3.0 / inputs as f32).sqrt();
        self.floats(inputs * outputs, 0.0, spread);
    }

    fn offsets(&mut self, channels: usize) {
        self.name();
        self.words(&channels.to_string());
        self.floats(channels, 0.0, 0.3);
    }

    fn activation(&mut self) {
        self.name();
        if self.recipe.version >= 11 {
            let word = format!("ACTIVATION_{}", self.recipe.activation);
            self.words(&word);
        }
    }

    fn norm(&mut self, channels: usize) {
        self.name();
        self.words(&format!("{channels} 0.0001 1 1"));
        self.floats(channels, 0.1, 0.3);
        self.floats(channels, 1.0, 0.5);
        self.floats(channels, 1.0, 0.4);
        self.floats(channels, 0.0, 0.3);
        self.activation();
    }

    fn rms(&mut self, channels: usize) {
        self.name();
        self.words(&format!("{channels} 0.00001"));
        self.floats(channels, 1.0, 0.4);
    }

    fn bias(&mut self, channels: usize) {
        self.offsets(channels);
        self.activation();
    }

    fn block(&mut self, kind: Kind, channels: usize, depth: usize) {
        let strength = self.recipe.strength;
        match kind {
            Kind::Ordinary => {
                self.words("ordinary_block block");
                self.norm(channels);
                self.conv(3, channels, channels + 1, 1.0);
                self.norm(channels + 1);
                self.conv(3, channels + 1, channels, strength);
            }
            Kind::Pooling => {
                self.words("gpool_block block");
                self.norm(channels);
                self.conv(3, channels, 7, 1.0);
                self.conv(3, channels, 5, 1.0);
                self.norm(5);
                self.matrix(15, 7, 1.0);
                self.norm(7);
                self.conv(3, 7, channels, strength);
            }
            Kind::Bottleneck => {
                let inner = channels / 2;
                self.words("nested_bottleneck_block block");
                self.words(if depth > 0 { "2" } else { "3" });
                self.norm(channels);
                self.conv(1, channels, inner, 1.0);
                self.block(Kind::Ordinary, inner, depth + 1);
                self.block(Kind::Pooling, inner, depth + 1);
                if depth == 0 {
                    self.block(Kind::Bottleneck, inner, 1);
                }
                self.norm(inner);
                self.conv(1, inner, channels, strength);
            }
            Kind::Attention(heads, groups, rotation) => {
                // Some heads are larger than a block of channels. Rotations need an even size.
                let is_large = heads == groups && rotation == 0;
                let (size, own) = if is_large { (33, 40) } else { (6, 5) };
                self.words("transformer_attention_block block");
                let (rotates, learned) = (rotation.min(1), rotation / 2);
                self.words(&format!(
                    "{heads} {groups} {size} {own} {rotates} {learned}"
                ));
                self.rms(channels);
                self.matrix(channels, heads * size, 1.0);
                self.matrix(channels, groups * size, 1.0);
                self.matrix(channels, groups * own, 1.0);
                self.matrix(heads * own, channels, strength);
                match rotation {
                    1 => self.words("base 100"),
                    2 => {
                        self.words(&format!("frequencies {groups} {} 2", size / 2));
                        self.floats(groups * size, 0.0, 0.5);
                    }
                    _ => {}
                }
            }
            Kind::FeedForward => {
                self.words("transformer_ffn_block block");
                self.words(&format!("{channels} 20 1"));
                self.rms(channels);
                self.matrix(channels, 20, 1.0);
                self.matrix(channels, 20, 1.0);
                self.matrix(20, channels, strength);
            }
        }
    }

    fn trunk(&mut self) {
        let recipe = self.recipe;
        let channels = recipe.channels;
        self.words("trunk");
        self.words(&format!("{} {channels} 9 9 0 5", recipe.blocks.len()));
        if recipe.version >= 15 {
            self.words(&format!("{} 0 0 0 0 0", u8::from(recipe.tip.is_some())));
        }
        self.conv(recipe.stem, PLANES, channels, 1.0);
        self.matrix(GLOBALS, channels, 1.0);
        if recipe.encodes {
            self.name();
            self.words(&FACTS.to_string());
            self.matrix(FACTS, 10, 1.0);
            self.bias(10);
            self.matrix(10, 8, 1.0);
            self.bias(8);
            self.matrix(8, channels, 1.0);
        }
        for &kind in &recipe.blocks {
            self.block(kind, channels, 0);
        }
        match recipe.tip {
            None => self.norm(channels),
            Some(spatial) => {
                self.name();
                self.words(&format!("{channels} 0.00001 {} 0", u8::from(spatial)));
                self.floats(channels, 1.0, 0.4);
                self.floats(channels, 0.0, 0.3);
                self.activation();
            }
        }
    }

    fn policy(&mut self) {
        let (version, channels) = (self.recipe.version, self.recipe.channels);
        let policies = match version {
            0..=11 => 1,
            12..=15 => 2,
            _ => 4,
        };
        self.words("policy");
        if version >= 17 {
            self.words("4 0 0 0");
        }
        self.conv(1, channels, 6, 1.0);
        self.conv(1, channels, 5, 1.0);
        self.norm(5);
        self.matrix(15, 6, 1.0);
        self.norm(6);
        self.conv(1, 6, policies, 1.0);
        if version >= 15 {
            self.matrix(15, 6, 1.0);
            self.bias(6);
            self.matrix(6, policies, 1.0);
        } else {
            self.matrix(15, policies, 1.0);
        }
    }

    fn value(&mut self) {
        let (version, channels) = (self.recipe.version, self.recipe.channels);
        self.words("value");
        if version >= 17 {
            self.words("0 0 0");
        }
        self.conv(1, channels, 8, 1.0);
        self.norm(8);
        self.matrix(24, 10, 1.0);
        self.bias(10);
        self.matrix(10, 3, 1.0);
        self.offsets(3);
        let scores = if version >= 9 { 6 } else { 4 };
        self.matrix(10, scores, 1.0);
        self.offsets(scores);
        self.conv(1, 8, 1, 1.0);
    }
}
