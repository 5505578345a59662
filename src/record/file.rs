//! Files of games, read no further than they say they are.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// As the system says.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Not a file with an end.
    #[error("not a regular file")]
    NotAFile,
    /// More than [`MAX_FILE`] bytes.
    #[error("more than {} MiB", MAX_FILE >> 20)]
    TooLarge,
}

/// What a file holds.
///
/// # Errors
/// When there is no such file, or it is too large.
pub fn contents(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?
        // No more than the file says it has: a file made up as it is read would keep the reader waiting.
        .take(metadata.len().min(MAX_FILE + 1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(FileError::TooLarge);
    }
    Ok(bytes)
}
