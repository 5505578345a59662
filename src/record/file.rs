//! Reading of game files, no further than the size that the system reports.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Maximum size of a file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// Error: a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Error of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Not a regular file, so it may have no end.
    #[error("not a regular file")]
    NotAFile,
    /// More than [`MAX_FILE`] bytes.
    #[error("more than {} MiB", MAX_FILE >> 20)]
    TooLarge,
}

/// Returns the content of a file.
///
/// # Errors
/// If there is no such file, if it is not a regular file, or if it is too large.
pub fn contents(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?
        // Read at most the reported size. A file that is generated during reading could keep the
        // reader waiting.
        .take(metadata.len().min(MAX_FILE + 1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(FileError::TooLarge);
    }
    Ok(bytes)
}
