//! Output of a command: a file that an option names, or standard output.

use std::io;
use std::path::Path;

use crate::files::{probe, replace};
use crate::system::tell::output;
use crate::text::printable;

/// Writes to the file, or to standard output if there is none.
///
/// # Errors
/// One line, which names the file.
pub(super) fn write(out: Option<&Path>, content: impl AsRef<[u8]>) -> Result<(), String> {
    match out {
        None => output(content.as_ref()).map_err(|error| error.to_string()),
        Some(path) => replace(path, content).map_err(|error| unwritable(path, &error)),
    }
}

/// Checks that [`write`] could write to the file, before long work. Nothing changes.
///
/// # Errors
/// One line, which names the file.
pub(super) fn check(out: Option<&Path>) -> Result<(), String> {
    out.map_or(Ok(()), |path| {
        probe(path).map_err(|error| unwritable(path, &error))
    })
}

/// Returns the message about a file that cannot be written.
fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = printable(&path.display().to_string());
    format!("cannot write '{path}': {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing\nfolder").join("a.svg");
        let message = write(Some(&path), "text").unwrap_err();
        assert!(message.starts_with("cannot write '"), "{message}");
        assert!(message.contains("a.svg'"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(check(Some(&path)).unwrap_err(), message);
    }
}
