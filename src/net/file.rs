//! Files of weights.
//!
//! All little-endian. `omnigoNN`, the version (u32), a hash over all that follows (u64, FNV-1a), then: blocks and channels
//! (u16 each), the version of the features (u16), the sides of boards on which it has shown its worth (u32, a bit each), the
//! blocks that pool (u64, a bit each), the positions it was trained on (u64), and the layers in the order of a pass. A
//! convolution is its weights `[tap][input][output]` as bf16, then its biases as f32; a dense layer its weights
//! `[output][input]` and its biases, all f32. A block is two convolutions, then its pooling layer where it has one.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::features::PLANES;
use super::layer::{Convolution, Dense};
use super::network::{Block, DENSE, EXTRA, HEAD, Network};
use super::shape::Shape;
use crate::hash::fnv1a;

/// Version of the format.
const VERSION: u32 = 1;
/// Version of the features that this program computes.
pub const FEATURES: u16 = 1;
/// No network is larger.
const MOST_BLOCKS: usize = 64;
const MOST_CHANNELS: usize = 512;

/// Sides of boards on which matches have shown what a network is worth, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides(u32);

impl Sides {
    fn contains(self, side: usize) -> bool {
        Shape::SIDES.contains(&side) && self.0 >> side & 1 == 1
    }

    /// Whether both sides of a rectangle lie between the smallest of these and the largest: what holds for 9 and 13 holds for
    /// what lies between.
    pub fn span(self, width: usize, height: usize) -> bool {
        let least = (Shape::SIDES).into_iter().find(|&side| self.contains(side));
        let most = (Shape::SIDES)
            .into_iter()
            .rfind(|&side| self.contains(side));
        let Some((least, most)) = least.zip(most) else {
            return false;
        };
        let sides = least..=most;
        sides.contains(&width) && sides.contains(&height)
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for side in Shape::SIDES.filter(|&side| self.contains(side)) {
            write!(f, "{}{side}", if first { "" } else { "," })?;
            first = false;
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

/// The bytes are no network that this program can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// Something else altogether.
    #[error("no network: expected a file that begins with omnigoNN")]
    Kind,
    /// Written for another program version.
    #[error("version {0} of the network format, expected {VERSION}")]
    Version(u32),
    /// Trained on other features.
    #[error("version {0} of the features, expected {FEATURES}")]
    Features(u16),
    /// Not a shape that a network can have.
    #[error(
        "{0} blocks of {1} channels, expected 1 to {MOST_BLOCKS} of a multiple of 32 up to {MOST_CHANNELS}, and at most 64 MiB of weights"
    )]
    Shape(usize, usize),
    /// Bytes are missing or too many.
    #[error("{0} bytes, expected {1}")]
    Size(usize, usize),
    /// Some bytes were changed.
    #[error("the content does not match its hash, the file is damaged")]
    Hash,
    /// The file cannot be read.
    #[error("cannot read '{0}': {1}")]
    File(String, String),
    /// The file was read, but is no network.
    #[error("'{0}': {1}")]
    Content(String, Box<NetError>),
    /// A weight is infinite or not a number.
    #[error("a weight is no finite number")]
    Weight,
}

/// Bytes still to be read; past the end, zeros.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        head
    }

    fn number(&mut self, bytes: usize) -> u64 {
        self.bytes(bytes)
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        let bytes = self.bytes(4 * count).as_chunks::<4>().0;
        bytes.iter().map(|&b| f32::from_le_bytes(b)).collect()
    }

    fn convolution(&mut self, taps: usize, inputs: usize, outputs: usize) -> Convolution {
        let bytes = self.bytes(2 * taps * inputs * outputs).as_chunks::<2>().0;
        let weights: Vec<u16> = bytes.iter().map(|&b| u16::from_le_bytes(b)).collect();
        let bias = self.floats(outputs);
        Convolution::new(taps, inputs, &weights, bias)
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        let weights = self.floats(inputs * outputs);
        Dense::new(&weights, self.floats(outputs))
    }
}

/// Bytes of a convolution and of a dense layer.
fn convolution_size(taps: usize, inputs: usize, outputs: usize) -> usize {
    2 * taps * inputs * outputs + 4 * outputs
}

fn dense_size(inputs: usize, outputs: usize) -> usize {
    4 * (inputs + 1) * outputs
}

/// The weights that come with the program.
static BUILT_IN: &[u8] = include_bytes!("weights.bin");

/// No file is larger.
const MOST_BYTES: u64 = 64 << 20;

impl Network {
    /// The network that comes with the program, read at its first use.
    pub fn built_in() -> Option<Arc<Network>> {
        static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        NETWORK
            .get_or_init(|| Network::from_bytes(BUILT_IN).ok().map(Arc::new))
            .clone()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is not a network that this program can use.
    pub fn read(path: &Path) -> Result<Network, NetError> {
        let name = crate::text::quote(&path.display().to_string());
        let bytes = File::open(path).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(MOST_BYTES).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        match bytes {
            Ok(bytes) => Network::from_bytes(&bytes)
                .map_err(|error| NetError::Content(name, Box::new(error))),
            Err(error) => Err(NetError::File(name, error.to_string())),
        }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are not a network that this program can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let mut reader = Reader(bytes);
        if reader.bytes(8) != b"omnigoNN" {
            return Err(NetError::Kind);
        }
        let version = reader.number(4) as u32;
        if version != VERSION {
            return Err(NetError::Version(version));
        }
        let told = reader.number(8);
        let content = reader.0;
        let (blocks, channels) = (reader.number(2) as usize, reader.number(2) as usize);
        let features = reader.number(2) as u16;
        if features != FEATURES {
            return Err(NetError::Features(features));
        }
        let sides = Sides(reader.number(4) as u32);
        let pooling = reader.number(8);
        let positions = reader.number(8);
        if !(1..=MOST_BLOCKS).contains(&blocks)
            || !(32..=MOST_CHANNELS).contains(&channels)
            || !channels.is_multiple_of(32)
        {
            return Err(NetError::Shape(blocks, channels));
        }
        let pools = |block: usize| pooling >> block & 1 == 1;
        let pooling_blocks = (0..blocks).filter(|&block| pools(block)).count();
        let expected = bytes.len() - reader.0.len()
            + convolution_size(9, PLANES, channels)
            + 2 * blocks * convolution_size(9, channels, channels)
            + pooling_blocks * dense_size(2 * channels, channels)
            + convolution_size(1, channels, 2 * HEAD)
            + dense_size(4 * HEAD, HEAD)
            + 2 * dense_size(HEAD, 1)
            + dense_size(4 * HEAD + EXTRA, DENSE)
            + dense_size(DENSE + EXTRA, 3);
        if expected as u64 > MOST_BYTES {
            return Err(NetError::Shape(blocks, channels));
        }
        if bytes.len() != expected {
            return Err(NetError::Size(bytes.len(), expected));
        }
        if fnv1a(content) != told {
            return Err(NetError::Hash);
        }
        let network = Network {
            hash: told,
            sides,
            positions,
            stem: reader.convolution(9, PLANES, channels),
            blocks: (0..blocks)
                .map(|block| Block {
                    first: reader.convolution(9, channels, channels),
                    second: reader.convolution(9, channels, channels),
                    pool: pools(block).then(|| reader.dense(2 * channels, channels)),
                })
                .collect(),
            head: reader.convolution(1, channels, 2 * HEAD),
            policy_bias: reader.dense(4 * HEAD, HEAD),
            policy: reader.dense(HEAD, 1),
            ownership: reader.dense(HEAD, 1),
            dense: reader.dense(4 * HEAD + EXTRA, DENSE),
            outcome: reader.dense(DENSE + EXTRA, 3),
        };
        if network.is_finite() {
            Ok(network)
        } else {
            Err(NetError::Weight)
        }
    }

    fn is_finite(&self) -> bool {
        let convolution = Convolution::is_finite;
        let dense = |d: &Dense| d.weights.iter().chain(&d.bias).all(|w| w.is_finite());
        let block = |b: &Block| {
            convolution(&b.first) && convolution(&b.second) && b.pool.as_ref().is_none_or(dense)
        };
        let heads = [
            &self.policy_bias,
            &self.policy,
            &self.ownership,
            &self.dense,
            &self.outcome,
        ];
        convolution(&self.stem)
            && self.blocks.iter().all(block)
            && convolution(&self.head)
            && heads.into_iter().all(dense)
    }
}
