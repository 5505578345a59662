//! Files that gzip packed.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::MOST;

/// What such a file begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// What is packed in these bytes; `None` where they are not packed.
pub(super) fn unpack(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(None);
    }
    let mut unpacked = Vec::new();
    // A small file may unpack to any size.
    MultiGzDecoder::new(bytes)
        .take(MOST + 1)
        .read_to_end(&mut unpacked)
        .map_err(|error| format!("a broken gzip file, {error}"))?;
    if unpacked.len() as u64 > MOST {
        return Err(format!(
            "it unpacks to more than {MOST} bytes, expected a graph of at most that"
        ));
    }
    Ok(Some(unpacked))
}
