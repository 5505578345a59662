//! Files in any of the formats of [`crate::formats`].

use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;

use super::{Family, Recipe};
use crate::board_parts::Size;
use crate::formats::{self, MOST};
use crate::spec::SpecError;
use omnigo_base::text::quote;

/// Stores the path. The file is read when the board is built.
pub(super) fn read(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    // Specs are printed on one line, so a path may not contain line breaks.
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(family.refuse(text, "with the path of a file"));
    }
    let path: Arc<str> = text.into();
    Ok(Recipe {
        arguments: text.to_string(),
        size: Size::default(),
        build: Arc::new(move |reading| {
            let refuse = |problem| SpecError::File {
                path: quote(&path),
                problem,
            };
            let bytes = contents(&path).map_err(refuse)?;
            let source = format!("'{}'", quote(&path));
            formats::read(&bytes, &path, &source, reading).map_err(refuse)
        }),
    })
}

fn contents(path: &str) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("it cannot be read: {error}");
    // Check the type before opening the file, because opening a pipe would wait for its other end.
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err("it is not a regular file, expected a graph".to_string());
    }
    let mut bytes = Vec::new();
    // Reading one byte more than allowed detects a file that is too long. Never read more than the
    // reported size. Files that the system generates while they are read, such as its log, report 0
    // and would block the reader.
    File::open(path)
        .map_err(cannot)?
        .take(metadata.len().min(MOST + 1))
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    if bytes.len() as u64 > MOST {
        return Err(format!(
            "it has more than {MOST} bytes, expected a smaller graph"
        ));
    }
    Ok(bytes)
}
