//! Games in files.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

pub mod file;
pub mod json;
pub mod sgf;

/// Whether a file holds a game in JSON, not in SGF: its first sign says so.
pub fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'{')
}
