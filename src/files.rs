//! Files that users name: how graphs in them are read, and how what is written gets there.

use std::fs;
use std::io;
use std::path::Path;

use clap::Args;

use crate::graph::formats::{Format, Reading};

/// Options of every command that takes a board.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Format of the files that boards are read from, where their content and ending do not tell.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub from: Option<&'static Format>,
    /// Take arcs of directed graphs as edges.
    #[arg(long)]
    pub symmetrize: bool,
}

impl ReadingArgs {
    /// How files are read.
    pub fn reading(&self) -> Reading {
        Reading {
            from: self.from,
            symmetrize: self.symmetrize,
        }
    }
}

/// The format of this name.
///
/// # Errors
/// Names those that there are.
pub fn format(name: &str) -> Result<&'static Format, String> {
    Format::find(name).ok_or_else(|| {
        let names: Vec<&str> = Format::names().collect();
        format!("expected one of {}", names.join(" "))
    })
}

/// Writes a new file or replaces one.
///
/// # Errors
/// When the path leads to anything but a regular file, such as a link, a device or a pipe, or cannot be written.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::write(path, content)
}
