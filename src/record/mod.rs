//! Reading and writing of games in files.

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
pub mod tree;

/// Returns true if a file holds a game in JSON instead of SGF, that is, if it begins with a brace.
pub fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'{')
}
