//! Scanner of network files of KataGo and of Leela Zero: words between white space, and arrays of
//! numbers.
//!
//! A file is text. Arrays of weights are decimals, or `@BIN@` followed by little-endian floats. The
//! scanner tells by content which of them follows.
//!
//! Memory grows only with data that was read, never with a size that a file claims.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::RangeInclusive;

use flate2::read::MultiGzDecoder;

use omnigo_base::text::quote;

/// Maximum size of an unpacked file, in bytes: 4 GiB.
const MOST_BYTES: u64 = 4 << 30;
/// A file may unpack to this number of times its size, and to [`FREE_BYTES`] more. Weights hardly
/// compress, so a larger file was made to exhaust the memory.
const EXPANSION: u64 = 16;
/// Bytes that every file may unpack to, whatever its size: 32 MiB.
const FREE_BYTES: u64 = 32 << 20;
/// Maximum number of bytes of a word.
const MOST_LETTERS: usize = 128;
/// Number of floats read at once.
const CHUNK: usize = 1 << 14;

/// Error: the bytes are not a network of KataGo or Leela Zero that this program can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The file does not start like a network.
    #[error("not a network of KataGo, expected a name and a model version at its start")]
    Kind,
    /// The format has another version than this program reads.
    #[error("KataGo model version {0}, expected 8 to 17")]
    Version(usize),
    /// The format of Leela Zero has another version than this program reads.
    #[error(
        "Leela Zero format version {}, expected 1 or 2", .0.as_deref().unwrap_or("missing")
    )]
    LeelaVersion(Option<String>),
    /// A word or a number is unknown or out of range: layer, found, expected.
    #[error("layer '{0}': '{1}', expected {2}")]
    Word(String, String, String),
    /// Two layers do not fit: layer, found, expected.
    #[error("layer '{0}': {1} channels, expected {2}")]
    Channels(String, usize, usize),
    /// The file ends within a layer.
    #[error("layer '{0}': the file ends here, expected more data")]
    Short(String),
    /// A weight is infinite or NaN.
    #[error("layer '{0}': a weight is not a finite number")]
    Weight(String),
    /// The file goes on after the last layer.
    #[error("data after the last layer, expected the end of the file")]
    Long,
    /// The file unpacks to more than this number of MiB.
    #[error("the file unpacks to more than {0} MiB, expected less")]
    Size(u64),
    /// The weights take more than this number of MiB in the order of the kernels.
    #[error("the weights take more than {0} MiB, expected fewer and larger layers")]
    Memory(u64),
    /// The file cannot be unpacked or read.
    #[error("layer '{0}': cannot unpack the file: {1}")]
    Unpack(String, String),
}

/// Reader that fails after a number of bytes.
struct Limited<R> {
    inner: R,
    left: u64,
    limit: u64,
}

/// Error of [`Limited`], carried through [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("too large")]
struct TooLarge(u64);

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other(TooLarge(self.limit)))?;
        Ok(count)
    }
}

/// Scanner of a file.
pub(crate) struct Scanner<'a> {
    input: BufReader<Limited<Box<dyn Read + 'a>>>,
    /// The layer being read, quoted.
    pub(crate) layer: String,
}

impl<'a> Scanner<'a> {
    /// Returns a scanner of a file of `size` bytes, which may be a gzip archive.
    pub(crate) fn new(mut file: impl BufRead + 'a, size: u64) -> Scanner<'a> {
        let packed = file
            .fill_buf()
            .is_ok_and(|start| start.starts_with(&[0x1f, 0x8b]));
        let limit = FREE_BYTES.saturating_add(EXPANSION.saturating_mul(size));
        let limit = limit.min(MOST_BYTES);
        let inner: Box<dyn Read + 'a> = match packed {
            true => Box::new(MultiGzDecoder::new(file)),
            false => Box::new(file),
        };
        let limited = Limited {
            inner,
            left: limit,
            limit,
        };
        Scanner {
            input: BufReader::with_capacity(1 << 16, limited),
            layer: "start".to_owned(),
        }
    }

    /// Converts an error of the reader.
    fn failed(&self, error: &io::Error) -> ModelError {
        let inner = error.get_ref();
        match inner.and_then(|inner| inner.downcast_ref::<TooLarge>()) {
            Some(&TooLarge(limit)) => ModelError::Size(limit >> 20),
            None if error.kind() == io::ErrorKind::UnexpectedEof => {
                ModelError::Short(self.layer.clone())
            }
            None => ModelError::Unpack(self.layer.clone(), quote(&error.to_string())),
        }
    }

    /// Returns the next byte without taking it, or `None` at the end.
    fn peek(&mut self) -> Result<Option<u8>, ModelError> {
        let found = self.input.fill_buf().map(|bytes| bytes.first().copied());
        found.map_err(|error| self.failed(&error))
    }

    /// Skips white space. Returns the byte after it, or `None` at the end.
    fn skip_space(&mut self) -> Result<Option<u8>, ModelError> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.input.consume(1),
                found => return Ok(found),
            }
        }
    }

    /// Returns the error that this word is not what was expected.
    pub(crate) fn unexpected(&self, word: &str, expected: impl Into<String>) -> ModelError {
        ModelError::Word(self.layer.clone(), quote(word), expected.into())
    }

    /// Reads a word.
    pub(super) fn word(&mut self) -> Result<String, ModelError> {
        self.skip_space()?;
        let mut letters = Vec::new();
        self.letters(&mut letters)?;
        if letters.is_empty() {
            return Err(ModelError::Short(self.layer.clone()));
        }
        Ok(String::from_utf8_lossy(&letters).into_owned())
    }

    /// Replaces `letters` by the bytes up to the next white space.
    fn letters(&mut self, letters: &mut Vec<u8>) -> Result<(), ModelError> {
        letters.clear();
        while let Some(byte) = self.peek()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if letters.len() == MOST_LETTERS || !byte.is_ascii_graphic() {
                let start = String::from_utf8_lossy(letters);
                return Err(self.unexpected(&start, "a word of at most 128 letters"));
            }
            letters.push(byte);
            self.input.consume(1);
        }
        Ok(())
    }

    /// Reads the name of a layer, for messages.
    pub(super) fn name(&mut self) -> Result<(), ModelError> {
        let name = self.word()?;
        self.layer = quote(&name);
        Ok(())
    }

    /// Reads a whole number in a range.
    pub(super) fn whole(
        &mut self,
        range: RangeInclusive<usize>,
        what: &str,
    ) -> Result<usize, ModelError> {
        let word = self.word()?;
        let found = word.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        found.ok_or_else(|| self.unexpected(&word, format!("{what} from {least} to {most}")))
    }

    /// Reads the values of options that no known network uses.
    pub(super) fn zeros(&mut self, count: usize) -> Result<(), ModelError> {
        for _ in 0..count {
            let word = self.word()?;
            if word.parse::<i32>() != Ok(0) {
                return Err(self.unexpected(&word, "0 for an option without a meaning"));
            }
        }
        Ok(())
    }

    /// Reads a switch, 0 or 1.
    pub(super) fn switch(&mut self, what: &str) -> Result<bool, ModelError> {
        Ok(self.whole(0..=1, what)? == 1)
    }

    /// Reads a number above 0.
    pub(super) fn positive(&mut self, what: &str) -> Result<f32, ModelError> {
        let word = self.word()?;
        let found = word.parse().ok();
        let found = found.filter(|&number: &f32| number.is_finite() && number > 0.0);
        found.ok_or_else(|| self.unexpected(&word, format!("{what} above 0")))
    }

    /// Reads an array of weights.
    pub(super) fn floats(&mut self, count: usize) -> Result<Vec<f32>, ModelError> {
        let mut floats = Vec::new();
        if self.skip_space()? == Some(b'@') {
            self.binary(count, &mut floats)?;
        } else {
            for _ in 0..count {
                let word = self.word()?;
                let number = word.parse();
                floats.push(number.map_err(|_| self.unexpected(&word, "a number or @BIN@"))?);
            }
        }
        if floats.iter().all(|number| number.is_finite()) {
            Ok(floats)
        } else {
            Err(ModelError::Weight(self.layer.clone()))
        }
    }

    /// Reads the numbers of a line, without empty lines before it. Returns `None` if there are more
    /// than `most`.
    pub(crate) fn line(&mut self, most: usize) -> Result<Option<Vec<f32>>, ModelError> {
        let mut numbers = Vec::new();
        let mut letters = Vec::new();
        loop {
            let next = self.peek()?;
            match next {
                Some(b'\n') | None if !numbers.is_empty() => break,
                None => return Err(ModelError::Short(self.layer.clone())),
                Some(byte) if byte.is_ascii_whitespace() => self.input.consume(1),
                Some(_) if numbers.len() == most => return Ok(None),
                Some(_) => {
                    self.letters(&mut letters)?;
                    let text = String::from_utf8_lossy(&letters);
                    let number = text.parse();
                    numbers.push(number.map_err(|_| self.unexpected(&text, "a number"))?);
                }
            }
        }
        match numbers.iter().all(|number: &f32| number.is_finite()) {
            true => Ok(Some(numbers)),
            false => Err(ModelError::Weight(self.layer.clone())),
        }
    }

    fn binary(&mut self, count: usize, floats: &mut Vec<f32>) -> Result<(), ModelError> {
        const MARK: &[u8] = b"@BIN@";
        let mut mark = [0; MARK.len()];
        self.fill(&mut mark)?;
        if mark != MARK {
            return Err(self.unexpected(&String::from_utf8_lossy(&mark), "a number or @BIN@"));
        }
        let mut bytes = [0; 4 * CHUNK];
        let mut left = count;
        while left > 0 {
            let now = left.min(CHUNK);
            let bytes = &mut bytes[..4 * now];
            self.fill(bytes)?;
            let numbers = bytes.as_chunks().0.iter();
            floats.extend(numbers.map(|&number| f32::from_le_bytes(number)));
            left -= now;
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ModelError> {
        let read = self.input.read_exact(bytes);
        read.map_err(|error| self.failed(&error))
    }

    /// Reads the rest, which must be white space.
    pub(crate) fn end(&mut self) -> Result<(), ModelError> {
        match self.skip_space()? {
            None => Ok(()),
            Some(_) => Err(ModelError::Long),
        }
    }
}
