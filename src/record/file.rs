//! Reading of game files, up to their maximum size.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use crate::contents::{self, ReadError};
use crate::graph::formats::gzip::{Packed, unpack};

/// Maximum size of a file that is read, in bytes. Files packed by gzip have it unpacked too.
pub const MAX_FILE: u64 = 16 << 20;

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
    let unpacked = unpack(&bytes, MAX_FILE).map_err(|problem| match problem {
        Packed::TooLarge(most) => ReadError::TooLarge(most),
        Packed::Damaged(_) => io::Error::other(problem).into(),
    })?;
    let bytes = unpacked.unwrap_or(bytes);
    let marked = Encoding::for_bom(&bytes).filter(|(encoding, _)| *encoding != UTF_8);
    let decoded = marked.map(|(encoding, _)| encoding.decode(&bytes).0);
    Ok(decoded
        .map(Cow::into_owned)
        .map_or(bytes, String::into_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_games_are_unpacked() {
        let mut packed = include_bytes!("../../gtp-tests/protocol/torus-utf16.json.gz").to_vec();
        let text = plain(packed.clone()).unwrap();
        assert!(text.starts_with(b"{"), "{}", String::from_utf8_lossy(&text));
        packed.pop();
        let problem = plain(packed).unwrap_err().to_string();
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
