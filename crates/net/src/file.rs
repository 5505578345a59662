//! Network files: the format of the weights, and reading them.
//!
//! All numbers are little-endian. The parts of a file, in order:
//!
//! - the 8 bytes `omnigoNN`
//! - the version of the format (u32)
//! - the FNV-1a hash of everything that follows (u64)
//! - the numbers of blocks and of channels (u16 each)
//! - the version of the features (u16)
//! - the board sides at which matches have shown that the network helps (u32, one bit per side)
//! - the blocks that have a pooling layer (u64, one bit per block)
//! - the number of positions that the network was trained on (u64)
//! - the layers, in the order of a forward pass
//!
//! A convolution stores its weights `[tap][input][output]` as bf16, then its biases as f32. A dense
//! layer stores its weights `[output][input]` and its biases, all as f32. A block stores two
//! convolutions, then its pooling layer if it has one.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::features::PLANES;
use super::katago::ModelError;
use super::layer::{Convolution, Dense};
use super::layout::BoardLayout;
use super::network::{Block, DENSE, EXTRA, HEAD, Network};
use omnigo_base::hash::fnv1a;

/// First bytes of a file.
pub(super) const HEADER: &[u8] = b"omnigoNN";
/// Version of the format.
pub(super) const VERSION: u32 = 1;
/// Version of the features that this program computes.
pub const FEATURES: u16 = 1;
/// Maximum number of residual blocks.
const MOST_BLOCKS: usize = 64;
/// Maximum number of channels.
const MOST_CHANNELS: usize = 512;

/// Board sides at which matches have tested the network, one bit per side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides(u32);

impl Sides {
    fn contains(self, side: usize) -> bool {
        BoardLayout::SIDES.contains(&side) && self.0 >> side & 1 == 1
    }

    /// Returns true if both sides lie between the smallest and the largest side of this set. A
    /// network that helps on 9 and on 13 is taken to help on the sides between them.
    pub fn span(self, width: usize, height: usize) -> bool {
        let least = (BoardLayout::SIDES)
            .into_iter()
            .find(|&side| self.contains(side));
        let most = (BoardLayout::SIDES)
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
        for side in BoardLayout::SIDES.filter(|&side| self.contains(side)) {
            write!(f, "{}{side}", if first { "" } else { "," })?;
            first = false;
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

/// Error: the bytes are not a network that this program can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The file does not start with `omnigoNN`.
    #[error(
        "not a network file, expected the header 'omnigoNN' or a network of KataGo or Leela Zero"
    )]
    Kind,
    /// The file has no bytes, as after a download that failed.
    #[error("an empty file, expected a network")]
    Empty,
    /// A network of KataGo or Leela Zero cannot be used.
    #[error(transparent)]
    KataGo(#[from] ModelError),
    /// The format has another version than this program reads.
    #[error("network format version {0}, expected {VERSION}")]
    Version(u32),
    /// The network was trained on another version of the features.
    #[error("feature version {0}, expected {FEATURES}")]
    Features(u16),
    /// The number of blocks, of channels, or the size of the weights is out of range.
    #[error(
        "{0} blocks of {1} channels, expected 1 to {MOST_BLOCKS} blocks, a multiple of 32 channels up to {MOST_CHANNELS}, and at most 64 MiB of weights"
    )]
    Shape(usize, usize),
    /// The file has too few or too many bytes: found, expected.
    #[error("{0} bytes, expected {1}")]
    Size(usize, usize),
    /// The content differs from its hash.
    #[error("the content does not match its hash, the file is damaged")]
    Hash,
    /// The file cannot be read: name, reason.
    #[error("cannot read '{0}': {1}")]
    File(String, String),
    /// The file was read, but it is not a valid network: name, reason.
    #[error("'{0}': {1}")]
    Content(String, Box<NetError>),
    /// A weight is infinite or NaN.
    #[error("a weight is not a finite number")]
    Weight,
}

/// Reader of the remaining bytes. Past the end, lists become shorter, and the missing bytes of a
/// number count as zero.
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

/// Returns the size of a convolution in a file, in bytes.
fn convolution_size(taps: usize, inputs: usize, outputs: usize) -> usize {
    2 * taps * inputs * outputs + 4 * outputs
}

/// Returns the size of a dense layer in a file, in bytes.
fn dense_size(inputs: usize, outputs: usize) -> usize {
    4 * (inputs + 1) * outputs
}

/// The weights that are part of the program.
static BUILT_IN: &[u8] = include_bytes!("weights.bin");

/// Maximum size of a network file, in bytes: 64 MiB.
pub(super) const MOST_BYTES: u64 = 64 << 20;

impl Network {
    /// Returns the network that is part of the program; reads it on the first call. `None` if its
    /// bytes are not a valid network.
    pub fn built_in() -> Option<Arc<Network>> {
        static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        NETWORK
            .get_or_init(|| Network::from_bytes(BUILT_IN).ok().map(Arc::new))
            .clone()
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// If the bytes are not a network that this program can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let mut reader = Reader(bytes);
        if reader.bytes(HEADER.len()) != HEADER {
            return Err(NetError::Kind);
        }
        let version = reader.number(4) as u32;
        if version != VERSION {
            return Err(NetError::Version(version));
        }
        let stored_hash = reader.number(8);
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
        if fnv1a(content) != stored_hash {
            return Err(NetError::Hash);
        }
        let network = Network {
            hash: stored_hash,
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
