//! Reading of game files, up to their maximum size.

use std::path::Path;

use crate::contents::{self, ReadError};

/// Maximum size of a file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// Returns the content of a file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// If there is no such file, if it is not a regular file, or if it is too large.
pub fn contents(path: &Path) -> Result<Vec<u8>, ReadError> {
    contents::contents(path, MAX_FILE)
}
