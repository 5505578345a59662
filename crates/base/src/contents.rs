//! Reading of files that users name: regular files only, and no further than a maximum size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Error: a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Not a regular file, so it may have no end.
    #[error("not a regular file")]
    NotAFile,
    /// More than this number of bytes.
    #[error("more than {} MiB", .0 >> 20)]
    TooLarge(u64),
}

/// Returns the content of a file of at most `most` bytes.
///
/// # Errors
/// If there is no such file, if it is not a regular file, or if it is too large.
pub fn contents(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    // Check the type before opening the file, because opening a pipe would wait for its other end.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile);
    }
    let mut bytes = Vec::new();
    // One byte more than allowed detects a file that is too large. Never read more than the
    // reported size. Files that the system generates while they are read, such as its log, report 0
    // and would block the reader.
    File::open(path)?
        .take(metadata.len().min(most.saturating_add(1)))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge(most));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_up_to_the_maximum_size_are_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let size = fs::metadata(&path).unwrap().len();
        assert_eq!(contents(&path, size).unwrap().len() as u64, size);
        assert!(
            matches!(contents(&path, size - 1), Err(ReadError::TooLarge(most)) if most == size - 1)
        );
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(matches!(contents(folder, size), Err(ReadError::NotAFile)));
        assert!(matches!(
            contents(&folder.join("none"), size),
            Err(ReadError::Io(_))
        ));
        assert_eq!(
            ReadError::TooLarge(16 << 20).to_string(),
            "more than 16 MiB"
        );
    }
}
