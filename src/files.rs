//! Files named by users: options for reading graphs, and safe writing.

pub mod append;
pub mod lines;
pub mod networks;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use clap::Args;

use crate::graph::formats::{Format, Reading};
use crate::system::pipes::is_named_pipe;
use crate::text::did_you_mean;

/// Options of every command that reads a board.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Format of board files [default: detected from content and extension].
    #[arg(long, help_heading = "Board", value_name = "FORMAT", value_parser = format)]
    pub from: Option<&'static Format>,
    /// Read the arcs of directed graphs as edges.
    #[arg(long, help_heading = "Board")]
    pub symmetrize: bool,
}

impl ReadingArgs {
    /// Returns the settings for reading files.
    pub fn reading(&self) -> Reading {
        Reading {
            from: self.from,
            symmetrize: self.symmetrize,
            ..Reading::default()
        }
    }
}

/// Returns the format with this name.
///
/// # Errors
/// If no format has this name. The message lists all formats.
fn format(name: &str) -> Result<&'static Format, String> {
    Format::find(name).ok_or_else(|| {
        let names: Vec<&str> = Format::names().collect();
        let near = did_you_mean(name, names.iter().copied());
        format!("expected one of {}{near}", names.join(" "))
    })
}

/// Returns the bytes of a file, at most `most`. A named pipe is refused, because opening it would
/// wait for a writer. Pipes that the shell has opened are read.
///
/// # Errors
/// If there is no such file, or it is longer, or a named pipe.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if is_named_pipe(path) {
        return Err(io::Error::other("a named pipe, expected a file"));
    }
    let mut file = File::open(path)?;
    let there = file.metadata()?;
    // Refuse a long file before it fills the memory.
    if there.is_file() && there.len() > most {
        return Err(too_long(most));
    }
    rest(&mut file, most)
}

fn too_long(most: u64) -> io::Error {
    let mib = most >> 20;
    io::Error::other(format!("the file is too long, expected at most {mib} MiB"))
}

/// Returns what is left of an open file, at most `most` bytes.
///
/// # Errors
/// If it is longer, or cannot be read.
pub fn rest(file: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_long(most));
    }
    Ok(bytes)
}

/// Returns the text of a file of at most `most` bytes, without a byte order mark. Reads the same
/// files as [`bytes`].
///
/// # Errors
/// As for [`bytes`], or if the file is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(bytes(path, most)?)
        .map_err(|_| io::Error::other("not valid UTF-8, expected a text file"))?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

/// Writes a new file, or replaces a regular file in one step. A link stays, and its target is
/// replaced. Writes directly to anything else, such as a device or a pipe.
///
/// # Errors
/// If the file cannot be written. An existing regular file then stays unchanged.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(content.as_ref())?;
    output.finish()
}

/// Checks that [`replace`] could write a file, before long work. Nothing changes.
///
/// # Errors
/// If the file cannot be written.
pub fn probe(path: &Path) -> io::Result<()> {
    let is_file = |there: fs::Metadata| there.is_file() || there.is_dir();
    // Opening a pipe or a device has effects. A link to nothing would create its target.
    let fit = fs::metadata(path).map_or(fs::symlink_metadata(path).is_err(), is_file);
    match fit {
        true => Output::create(path).map(drop),
        false => Ok(()),
    }
}

/// Returns true if both paths lead to one file that exists, or are equal.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| fs::canonicalize(path).ok();
    one == other || whole(one).is_some_and(|one| Some(one) == whole(other))
}

/// File being written. The content goes to a temporary file in the same folder, which is renamed at
/// the end. A full disk or a concurrent reader therefore never produces or sees half a file.
/// Dropping the value before [`Output::finish`] removes the temporary file.
#[derive(Debug)]
pub struct Output {
    file: File,
    /// Paths of the temporary file and of the final file. `None` if the content is written directly
    /// to the final path.
    renaming: Option<(PathBuf, PathBuf)>,
}

impl Output {
    /// Opens a file for writing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Output> {
        let there = fs::metadata(path).ok();
        let is_link = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
        // A link in these folders leads to something already open, even if that is a file.
        // `/dev/stdout` is such a link after the shell's `>`.
        let is_open = is_link && ["/dev", "/proc"].iter().any(|top| path.starts_with(top));
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::other("a folder, expected a file"));
        }
        let is_file = there.as_ref().is_none_or(fs::Metadata::is_file);
        if is_open || !is_file || there.is_none() && is_link {
            return Ok(Output {
                file: File::create(path)?,
                renaming: None,
            });
        }
        // Keep a link, and replace its target.
        let target = match is_link {
            true => fs::canonicalize(path)?,
            false => path.to_owned(),
        };
        if there.is_some() {
            // Do not replace a write-protected file.
            OpenOptions::new().write(true).open(&target)?;
        }
        let (file, fresh) = beside(&target)?;
        let output = Output {
            file,
            renaming: Some((fresh, target)),
        };
        if let Some(there) = there {
            output.file.set_permissions(there.permissions())?;
        }
        Ok(output)
    }

    /// Moves the file to its final path.
    ///
    /// # Errors
    /// If the rename fails, or the content cannot be written to the disk.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some((fresh, target)) = &self.renaming {
            self.file.sync_all()?;
            fs::rename(fresh, target)?;
            self.renaming = None;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((fresh, _)) = &self.renaming {
            let _ = fs::remove_file(fresh);
        }
    }
}

/// Creates a temporary file in the folder of `target`. Returns the file and its path.
fn beside(target: &Path) -> io::Result<(File, PathBuf)> {
    const MOST: u32 = 1000;
    if target.file_name().is_none() {
        return Err(io::Error::other("not a file name"));
    }
    let mut number = 0;
    loop {
        // The name does not contain the target's name, which may already have the maximum length.
        let fresh = target.with_file_name(format!(".omnigo-{}-{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&fresh) {
            Ok(file) => return Ok((file, fresh)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn an_unfinished_file_keeps_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("game.json");
        replace(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"ne").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder).len(), 2);
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder), ["game.json"]);
        replace(&path, "new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder), ["game.json"]);
        assert!(replace(folder, "x").is_err());
        assert!(replace(&folder.join("none/x"), "x").is_err());
    }

    #[test]
    fn a_file_is_probed_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("a");
        probe(&path).unwrap();
        assert!(names(folder).is_empty());
        replace(&path, "old").unwrap();
        probe(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(probe(folder).is_err());
        assert!(probe(&folder.join("none/x")).is_err());
        assert!(is_same(&path, &folder.join(".").join("a")));
        assert!(!is_same(&path, &folder.join("b")));
    }

    #[test]
    fn texts_are_bounded_and_lose_their_mark() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("a");
        replace(&path, "\u{feff}abc").unwrap();
        assert_eq!(text(&path, 6).unwrap(), "abc");
        assert!(text(&path, 5).unwrap_err().to_string().contains("too long"));
        assert_eq!(bytes(&path, 6).unwrap(), b"\xef\xbb\xbfabc");
        let problem = bytes(&path, 5).unwrap_err().to_string();
        assert!(problem.contains("too long"), "{problem}");
        let mut open = File::open(&path).unwrap();
        open.read_exact(&mut [0; 3]).unwrap();
        assert_eq!(rest(&mut open, 3).unwrap(), b"abc");
        replace(&path, b"\xff").unwrap();
        assert!(text(&path, 5).unwrap_err().to_string().contains("UTF-8"));
        assert!(text(folder, 5).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_without_a_writer_are_refused_and_endless_files_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("pipe");
        let made = process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let problem = text(&path, 5).unwrap_err().to_string();
        assert_eq!(problem, "a named pipe, expected a file");
        assert!(text(Path::new("/dev/zero"), 5).is_err());
        assert!(bytes(Path::new("/dev/zero"), 5).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn replacing_a_file_keeps_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (path, link) = (folder.join("a"), folder.join("b"));
        replace(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        replace(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        // A link to nothing creates its target.
        symlink("c", folder.join("d")).unwrap();
        replace(&folder.join("d"), "new").unwrap();
        assert_eq!(fs::read(folder.join("c")).unwrap(), b"new");
        fs::remove_file(folder.join("c")).unwrap();
        fs::remove_file(folder.join("d")).unwrap();
        assert_eq!(names(folder), ["a", "b"]);
        replace(Path::new("/dev/null"), "x").unwrap();
    }
}
