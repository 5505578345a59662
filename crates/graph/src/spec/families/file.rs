//! Files in any of the formats of [`crate::formats`].

use std::path::Path;
use std::sync::Arc;

use super::{Family, Recipe};
use crate::formats::{self, MOST};
use crate::model::board_parts::Size;
use crate::spec::SpecError;
use omnigo_base::contents::ReadError;
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
    omnigo_base::contents::contents(Path::new(path), MOST).map_err(|error| match error {
        ReadError::Io(error) => format!("it cannot be read: {error}"),
        ReadError::NotAFile => "it is not a regular file, expected a graph".to_string(),
        ReadError::TooLarge(most) => {
            format!("it has more than {most} bytes, expected a smaller graph")
        }
    })
}
