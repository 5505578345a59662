//! Unpacking of gzip files, and recognition of other compressed files.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::MOST;

/// First bytes of a gzip file.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// First bytes of compressed files that are not read, and the names of their formats.
const OTHERS: &[(&[u8], &str)] = &[
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
];

/// Bytes of a bzip2 file after its first four, which could also begin a text.
const BZIP2: &[u8] = b"1AY&SY";

/// Fails if the bytes are compressed in another way than by gzip.
pub(super) fn refuse_others(bytes: &[u8]) -> Result<(), String> {
    let is_bzip2 =
        bytes.starts_with(b"BZh") && bytes.get(4..).is_some_and(|rest| rest.starts_with(BZIP2));
    let other = OTHERS.iter().find(|(magic, _)| bytes.starts_with(magic));
    match other.map(|(_, name)| *name).or(is_bzip2.then_some("bzip2")) {
        Some(name) => Err(format!(
            "the file is compressed with {name}, expected text or a file compressed with gzip"
        )),
        None => Ok(()),
    }
}

/// Returns the unpacked bytes, or `None` if they are not packed. Fails for broken files and above
/// [`MOST`] bytes.
pub(super) fn unpack(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(None);
    }
    let mut unpacked = Vec::new();
    // Limit the output, because a small file may unpack to any size.
    MultiGzDecoder::new(bytes)
        .take(MOST + 1)
        .read_to_end(&mut unpacked)
        .map_err(|error| format!("damaged gzip file: {error}"))?;
    if unpacked.len() as u64 > MOST {
        return Err(format!(
            "it unpacks to more than {MOST} bytes, expected a smaller graph"
        ));
    }
    Ok(Some(unpacked))
}
