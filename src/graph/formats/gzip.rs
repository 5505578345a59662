//! Unpacking of gzip files.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::MOST;

/// First bytes of a gzip file.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

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
