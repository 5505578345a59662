//! Files of lines that a session writes for the operator: logs and results.
//!
//! A file that cannot be written never stops the game. The first failure prints one warning, and
//! later entries try again.

use std::path::Path;

use serde::Serialize;

use crate::files::append::LineFile;
use crate::system::tell;
use crate::text::quote;

/// File of lines whose first failure prints one warning.
#[derive(Debug)]
pub struct WarningFile {
    file: LineFile,
    option: &'static str,
    warned: bool,
}

impl WarningFile {
    /// Opens the file that the option `option` names, with a warning if that fails. A new file
    /// begins at `limit` bytes.
    pub fn new(option: &'static str, path: &Path, limit: Option<u64>) -> WarningFile {
        let mut file = WarningFile {
            file: LineFile::new(path, limit),
            option,
            warned: false,
        };
        file.append("");
        file
    }

    /// Appends lines that end with a line feed, if that is possible.
    pub(crate) fn append(&mut self, lines: &str) {
        let Err(error) = self.file.append(lines) else {
            return;
        };
        if !std::mem::replace(&mut self.warned, true) {
            tell::warn(format_args!(
                "{} '{}' cannot be written, the session goes on without it: {error}",
                self.option,
                quote(&self.file.path().display().to_string())
            ));
        }
    }

    /// Appends one JSON object as a line.
    pub(super) fn append_json(&mut self, entry: &impl Serialize) {
        // Entries hold text and finite numbers, so they can always be written as JSON.
        if let Ok(mut line) = serde_json::to_string(entry) {
            line.push('\n');
            self.append(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unwritable_file_warns_once() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be opened for lines.
        let mut file = WarningFile::new("--log", folder.path(), None);
        assert!(file.warned, "the start tries to open it");
        file.append("name\n");
        assert!(file.warned);
        let mut good = WarningFile::new("--log", &folder.path().join("log"), None);
        good.append_json(&[1, 2]);
        assert!(!good.warned);
        let text = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!(text, "[1,2]\n");
    }
}
