//! Reading of game files, up to their maximum size.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;

use crate::contents::{self, ReadError};

/// Maximum size of a file that is read, in bytes. Files packed by gzip have it unpacked too.
pub const MAX_FILE: u64 = 16 << 20;

/// First bytes of a file packed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Returns the content of a file of at most [`MAX_FILE`] bytes, as [`plain`] bytes.
///
/// # Errors
/// If there is no such file, if it is not a regular file, if it is too large, or if it is damaged.
pub fn contents(path: &Path) -> Result<Vec<u8>, ReadError> {
    plain(contents::contents(path, MAX_FILE)?)
}

/// Returns the bytes of a file, unpacked if gzip has packed them. Text in UTF-16 with a byte-order
/// mark becomes UTF-8.
///
/// # Errors
/// If the packed bytes are damaged, or unpack to more than [`MAX_FILE`] bytes.
pub fn plain(bytes: Vec<u8>) -> Result<Vec<u8>, ReadError> {
    let bytes = match bytes.starts_with(&GZIP) {
        true => unpacked(&bytes)?,
        false => bytes,
    };
    let marked = Encoding::for_bom(&bytes).filter(|(encoding, _)| *encoding != UTF_8);
    let decoded = marked.map(|(encoding, _)| encoding.decode(&bytes).0);
    Ok(decoded
        .map(Cow::into_owned)
        .map_or(bytes, String::into_bytes))
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut unpacked = Vec::new();
    // Limit the output, because a small file may unpack to any size.
    let packed = MultiGzDecoder::new(bytes).take(MAX_FILE + 1);
    let read = { packed }.read_to_end(&mut unpacked);
    read.map_err(|error| io::Error::other(format!("damaged gzip file: {error}")))?;
    match unpacked.len() as u64 > MAX_FILE {
        true => Err(ReadError::TooLarge(MAX_FILE)),
        false => Ok(unpacked),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn packed_games_are_unpacked_within_limits() {
        assert_eq!(plain(packed(b"(;SZ[9])")).unwrap(), b"(;SZ[9])");
        let large = packed(&vec![b' '; MAX_FILE as usize + 1]);
        assert!(matches!(plain(large), Err(ReadError::TooLarge(MAX_FILE))));
        let mut cut = packed(b"(;SZ[9])");
        cut.pop();
        let problem = plain(cut).unwrap_err().to_string();
        assert!(problem.starts_with("damaged gzip file: "), "{problem}");
    }

    #[test]
    fn utf_16_becomes_utf_8() {
        let text = "\u{feff}{\"a\": \"\u{e9}\"}";
        let little = text.encode_utf16().flat_map(u16::to_le_bytes);
        assert_eq!(plain(little.collect()).unwrap(), &text.as_bytes()[3..]);
        let latin = b"(;PB[\xe9])".to_vec();
        assert_eq!(plain(latin.clone()).unwrap(), latin);
    }
}
