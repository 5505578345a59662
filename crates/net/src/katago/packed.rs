//! Packed copies of KataGo's networks: the unpacked file, and the filter transforms for a kernel.
//!
//! The parts of a copy, in order, with little-endian numbers:
//!
//! - the 8 bytes `omnigoNC`, and the version of the format (u32)
//! - the hash of the original file, and the size of the unpacked file (u64 each)
//! - the unpacked file
//! - the filter transforms of the layers, in the order of `Model::layers`
//! - a checksum of everything before (u64)
//!
//! The sizes of the layers come from the unpacked file, which is checked like any other.

use std::io::{self, BufReader, Read, Write};

use flate2::read::MultiGzDecoder;

use super::model::Model;
use super::{KataGo, ModelError};
use crate::kernels::Kernel;
use omnigo_base::hash::scatter;

/// First bytes of a copy.
const HEADER: &[u8; 8] = b"omnigoNC";
/// Version of the format. It changes whenever the filter transforms change, because copies hold
/// them. The test `transforms_belong_to_the_version` notices such a change.
const VERSION: u32 = 3;
/// Number of bytes read at once.
const CHUNK: usize = 1 << 16;

/// Error: a packed copy cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum PackedError {
    /// Reading or writing failed.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The copy does not have the form that this version writes.
    #[error("it is damaged")]
    Damaged,
    /// The original file changed meanwhile.
    #[error("the network file changed meanwhile")]
    Changed,
}

impl From<ModelError> for PackedError {
    fn from(_: ModelError) -> PackedError {
        PackedError::Damaged
    }
}

/// Hash of bytes for recognizing files and damage, not against forgery. It takes four words at
/// once, so it is as fast as reading.
#[derive(Clone, Debug)]
struct Sum {
    lanes: [u64; 4],
    /// Bytes that wait for the rest of their 32.
    held: Vec<u8>,
    length: u64,
}

impl Sum {
    fn new() -> Sum {
        Sum {
            lanes: [1, 2, 3, 4].map(scatter),
            held: Vec::new(),
            length: 0,
        }
    }

    fn add(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if !self.held.is_empty() {
            let (first, rest) = bytes.split_at(bytes.len().min(32 - self.held.len()));
            self.held.extend_from_slice(first);
            bytes = rest;
            if let Some(words) = self.held.as_chunks::<32>().0.first() {
                mix(&mut self.lanes, words);
                self.held.clear();
            }
        }
        let (whole, rest) = bytes.as_chunks::<32>();
        for words in whole {
            mix(&mut self.lanes, words);
        }
        self.held.extend_from_slice(rest);
    }

    fn finish(&self) -> u64 {
        let mut lanes = self.lanes;
        let mut last = [0; 32];
        for (to, from) in last.iter_mut().zip(&self.held) {
            *to = *from;
        }
        mix(&mut lanes, &last);
        let [a, b, c, d] = lanes;
        let pair = |a: u64, b: u64| scatter(a.wrapping_add(scatter(b)));
        pair(pair(a, b), pair(c, d).wrapping_add(self.length))
    }
}

/// Adds 32 bytes to the lanes, as FNV-1a does with single bytes, and rotates so that upper bits
/// reach lower ones.
fn mix(lanes: &mut [u64; 4], bytes: &[u8; 32]) {
    for (lane, word) in lanes.iter_mut().zip(bytes.as_chunks::<8>().0) {
        let mixed = *lane ^ u64::from_le_bytes(*word);
        *lane = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// Reader or writer that adds all bytes to a sum.
struct Summed<T> {
    inner: T,
    sum: Sum,
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.sum.add(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.sum.add(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns the hash of a network file, for [`KataGo::packed_name`].
///
/// # Errors
/// If the file cannot be read.
pub fn content_hash(file: impl Read) -> io::Result<u64> {
    let mut to = Summed {
        inner: io::sink(),
        sum: Sum::new(),
    };
    io::copy(&mut BufReader::with_capacity(CHUNK, file), &mut to)?;
    Ok(to.sum.finish())
}

/// Returns a reader of the unpacked content of a file, which may be a gzip archive.
fn unpacked<'a>(file: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut file = BufReader::with_capacity(CHUNK, file);
    let packed = io::BufRead::fill_buf(&mut file)?.starts_with(&[0x1f, 0x8b]);
    Ok(match packed {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    })
}

impl KataGo {
    /// Returns the name of the packed copy of a file with this hash, for a kernel.
    pub fn packed_name(hash: u64, kernel: Kernel) -> String {
        let kernel = kernel.for_floats();
        format!("omnigo-net-{VERSION}-{kernel}-{hash:016x}.bin")
    }

    /// Writes a packed copy. `open` opens the file from which the network was read, and `hash` is
    /// its hash.
    ///
    /// # Errors
    /// If the file cannot be read, has another hash now, or the copy cannot be written.
    pub fn write_packed<R: Read>(
        &self,
        open: impl Fn() -> io::Result<R>,
        hash: u64,
        kernel: Kernel,
        to: impl Write,
    ) -> Result<(), PackedError> {
        let length = io::copy(&mut unpacked(open()?)?, &mut io::sink())?;
        let mut to = Summed {
            inner: to,
            sum: Sum::new(),
        };
        to.write_all(HEADER)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&hash.to_le_bytes())?;
        to.write_all(&length.to_le_bytes())?;
        let mut from = Summed {
            inner: open()?,
            sum: Sum::new(),
        };
        let copied = io::copy(&mut unpacked(&mut from)?.take(length), &mut to)?;
        // The reader may leave bytes at the end.
        io::copy(&mut from, &mut io::sink())?;
        if copied != length || from.sum.finish() != hash {
            return Err(PackedError::Changed);
        }
        let kernel = kernel.for_floats();
        for product in self.plan.layers() {
            product.layer.write_transform(kernel, &mut to)?;
        }
        let sum = to.sum.finish();
        to.write_all(&sum.to_le_bytes())?;
        to.flush()?;
        Ok(())
    }

    /// Reads a packed copy of `length` bytes, of a file of `size` bytes with this hash.
    ///
    /// # Errors
    /// If the copy is damaged, or is one of another file.
    pub fn read_packed(
        from: impl Read,
        length: u64,
        size: u64,
        hash: u64,
        kernel: Kernel,
    ) -> Result<KataGo, PackedError> {
        let found = KataGo::read_parts(from, length, size, hash, kernel);
        found.map_err(|error| match error {
            // The copy ends too early.
            PackedError::File(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                PackedError::Damaged
            }
            _ => error,
        })
    }

    /// Reads the parts of a packed copy, as [`KataGo::read_packed`] does. A copy that ends too
    /// early gives an error of the reader.
    fn read_parts(
        from: impl Read,
        length: u64,
        size: u64,
        hash: u64,
        kernel: Kernel,
    ) -> Result<KataGo, PackedError> {
        let mut from = Summed {
            inner: BufReader::with_capacity(CHUNK, from),
            sum: Sum::new(),
        };
        let mut header = [0; 12];
        from.read_exact(&mut header)?;
        let known = [&HEADER[..], &VERSION.to_le_bytes()].concat();
        let mut number = || -> io::Result<u64> {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let (found, inner) = (number()?, number()?);
        if header[..] != known[..] || found != hash || inner > length {
            return Err(PackedError::Damaged);
        }
        let file = BufReader::with_capacity(CHUNK, (&mut from).take(inner));
        let network = KataGo::of(Model::read(file, size)?, size)?;
        let kernel = kernel.for_floats();
        for product in network.plan.layers() {
            product.layer.read_transform(kernel, &mut from)?;
        }
        let sum = from.sum.finish();
        let mut last = Vec::new();
        from.inner.take(9).read_to_end(&mut last)?;
        match last == sum.to_le_bytes() {
            true => Ok(network),
            false => Err(PackedError::Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::execute::{Executor, PassInputs, Raw};
    use super::super::inputs::GLOBALS;
    use super::super::sample::{Kind, Recipe};
    use super::*;
    use crate::layer::Convolution;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Cursor;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn file() -> Vec<u8> {
        let recipe = Recipe {
            version: 15,
            blocks: vec![Kind::Bottleneck, Kind::Pooling, Kind::FeedForward],
            ..Recipe::default()
        };
        recipe.write(3)
    }

    /// Returns the hash of a file and its packed copy.
    fn copy_of(file: &[u8], kernel: Kernel) -> (u64, Vec<u8>) {
        let network = KataGo::read(Cursor::new(file), file.len() as u64).unwrap();
        let hash = content_hash(file).unwrap();
        let mut copy = Vec::new();
        network
            .write_packed(|| Ok(file), hash, kernel, &mut copy)
            .unwrap();
        (hash, copy)
    }

    fn read(copy: &[u8], hash: u64, kernel: Kernel) -> Result<KataGo, PackedError> {
        KataGo::read_packed(copy, copy.len() as u64, 1 << 16, hash, kernel)
    }

    #[test]
    fn copies_compute_the_same() {
        let plain = file();
        let planes: Vec<u32> = (0..81).map(|i| 1 | ((i % 7) << 1)).collect();
        for file in [packed(&plain), plain] {
            for kernel in Kernel::available() {
                let (hash, copy) = copy_of(&file, kernel);
                let network = KataGo::read(Cursor::new(&file), file.len() as u64).unwrap();
                let found = read(&copy, hash, kernel).unwrap();
                let raw = [&network, &found].map(|network| {
                    let mut executor = Executor::new(&network.plan, kernel, 9, 9);
                    let mut raws = [Raw::default()];
                    let inputs = PassInputs {
                        planes: &planes,
                        globals: &[0.5; GLOBALS],
                        facts: None,
                    };
                    executor.pass(&network.plan, &[inputs], &mut raws);
                    raws
                });
                assert_eq!(raw[0], raw[1], "{kernel}");
            }
        }
    }

    #[test]
    fn transforms_belong_to_the_version() {
        let number = |i: usize| ((i * 37 + 11) % 4096) as f32 / 4096.0 - 0.5;
        let weights: Vec<f32> = (0..9 * 40 * 50).map(number).collect();
        let layer = Convolution::from_floats(9, 40, 50, &weights);
        let hash = |kernel| {
            let mut bytes = Vec::new();
            layer.write_transform(kernel, &mut bytes).unwrap();
            content_hash(&bytes[..]).unwrap()
        };
        // If a hash changes, the version must change too, or old copies give wrong numbers.
        let found = (VERSION, hash(Kernel::Avx2), hash(Kernel::Avx2Int16));
        let expected = (3, 0x434a_7659_d2d0_c9c1, 0x8e02_62ab_dcf0_2a98);
        assert_eq!(found, expected);
    }

    #[test]
    fn damaged_and_foreign_copies_are_refused() {
        let file = file();
        let kernel = Kernel::Avx2Int16;
        let (hash, copy) = copy_of(&file, kernel);
        assert!(read(&copy, hash, kernel).is_ok());
        assert!(read(&copy, hash + 1, kernel).is_err());
        assert!(read(&copy, hash, Kernel::Avx2).is_err());
        assert!(read(&copy, hash, Kernel::Portable).is_err());
        for at in (0..copy.len()).step_by(copy.len() / 300) {
            let mut damaged = copy.clone();
            damaged[at] ^= 0x10;
            assert!(read(&damaged, hash, kernel).is_err(), "byte {at}");
            let cut = read(&copy[..at], hash, kernel);
            assert!(matches!(cut, Err(PackedError::Damaged)), "{at} bytes");
        }
        let long = [&copy[..], &[0]].concat();
        assert!(read(&long, hash, kernel).is_err());
        // A size of the unpacked file beyond all limits.
        let mut absurd = copy.clone();
        absurd[20..28].fill(0xff);
        assert!(read(&absurd, hash, kernel).is_err());
    }

    #[test]
    fn a_file_that_changed_gets_no_copy() {
        let file = file();
        let network = KataGo::read(Cursor::new(&file), file.len() as u64).unwrap();
        let mut copy = Vec::new();
        let written = network.write_packed(|| Ok(&file[..]), 7, Kernel::Portable, &mut copy);
        assert!(matches!(written, Err(PackedError::Changed)));
    }

    #[test]
    fn sums_depend_on_every_byte_and_on_no_boundary() {
        let bytes: Vec<u8> = (0..100).map(|i| (i * 7) as u8).collect();
        let whole = content_hash(&bytes[..]).unwrap();
        for at in 0..=bytes.len() {
            let mut sum = Sum::new();
            let (first, second) = bytes.split_at(at);
            let (second, third) = second.split_at(second.len() / 3);
            for part in [first, second, third] {
                sum.add(part);
            }
            assert_eq!(sum.finish(), whole, "{at}");
            assert_ne!(content_hash(first).unwrap() == whole, at < bytes.len());
            let mut other = bytes.clone();
            if let Some(byte) = other.get_mut(at) {
                *byte ^= 0x80;
                assert_ne!(content_hash(&other[..]).unwrap(), whole);
            }
        }
    }
}
