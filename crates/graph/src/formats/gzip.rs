//! Unpacking of gzip files, and recognition of other compressed files.

use std::io::Read;

use flate2::read::MultiGzDecoder;

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

/// First bytes of documents and pictures, and the names of their formats.
const DOCUMENTS: &[(&[u8], &str)] = &[
    (b"%PDF-", "PDF"),
    (b"%!PS", "PostScript"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
];

/// Bytes of a bzip2 file after its first four, which could also begin a text.
const BZIP2: &[u8] = b"1AY&SY";

/// Fails if the bytes are compressed in another way than by gzip, or are a document or a picture.
/// `is_unpacked` is true if they come out of a gzip file.
pub(super) fn refuse_others(bytes: &[u8], is_unpacked: bool) -> Result<(), String> {
    if is_unpacked && bytes.starts_with(&MAGIC) {
        let problem =
            "the file is compressed with gzip twice, expected once: unpack it with gunzip";
        return Err(problem.to_string());
    }
    if let Some((_, name)) = DOCUMENTS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(format!(
            "the file is in the format {name}, expected a graph as text"
        ));
    }
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

/// Reason why bytes cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum Packed {
    /// The bytes begin as gzip, but are not sound.
    #[error("damaged gzip file: {0}")]
    Damaged(#[from] std::io::Error),
    /// They unpack to more than this number of bytes.
    #[error("it unpacks to more than {0} bytes, expected a smaller file")]
    TooLarge(u64),
}

/// Returns the unpacked bytes, at most `most`, or `None` if they are not packed.
///
/// # Errors
/// If the bytes are damaged or unpack to more.
pub fn unpack(bytes: &[u8], most: u64) -> Result<Option<Vec<u8>>, Packed> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(None);
    }
    let mut unpacked = Vec::new();
    // Limit the output, because a small file may unpack to any size.
    MultiGzDecoder::new(bytes)
        .take(most.saturating_add(1))
        .read_to_end(&mut unpacked)?;
    match unpacked.len() as u64 > most {
        true => Err(Packed::TooLarge(most)),
        false => Ok(Some(unpacked)),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn bytes_are_unpacked_within_their_limit() {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&[b' '; 100]).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(unpack(&packed, 100).unwrap().unwrap(), [b' '; 100]);
        assert!(matches!(unpack(&packed, 99), Err(Packed::TooLarge(99))));
        assert!(matches!(
            unpack(&packed[..20], 100),
            Err(Packed::Damaged(_))
        ));
        assert!(unpack(b"a b", 100).unwrap().is_none());
    }
}
