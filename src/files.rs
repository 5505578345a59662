//! Files that users name: how graphs in them are read, and how what is written gets there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

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
            ..Reading::default()
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

/// Writes a new file or replaces one in one step.
///
/// # Errors
/// When the path leads to anything but a regular file, such as a link, a device or a pipe, or cannot be written. What was
/// there is unchanged then.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    replace(path, content)
}

/// Writes a file in one step, and anything that is no regular file, such as a device or a pipe, as it comes.
///
/// # Errors
/// When it cannot be written. A regular file that was there is unchanged then.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(content.as_ref())?;
    output.finish()
}

/// A file that is being written. Its content goes to a new file beside it, which takes its name at the end, so that
/// neither a full disk nor a reader at the wrong moment meets half a file. Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct Output {
    file: File,
    /// The new file, and the name that it takes at the end; none where the content goes straight to its place.
    renaming: Option<(PathBuf, PathBuf)>,
}

impl Output {
    /// Begins to write a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<Output> {
        let there = fs::metadata(path).ok();
        let is_link = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
        // A link in these folders names what is open already, also where that is a file: /dev/stdout is one after `>`.
        let is_open = is_link && ["/dev", "/proc"].iter().any(|top| path.starts_with(top));
        let is_file = there.as_ref().is_none_or(fs::Metadata::is_file);
        if is_open || !is_file || there.is_none() && is_link {
            return Ok(Output {
                file: File::create(path)?,
                renaming: None,
            });
        }
        // A link stays; what it leads to is replaced.
        let target = match is_link {
            true => fs::canonicalize(path)?,
            false => path.to_owned(),
        };
        if there.is_some() {
            // A file that may not be written is not replaced either.
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

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When that is not possible, or what was written does not reach the disk.
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

/// A new file in the folder of another, with its path.
fn beside(target: &Path) -> io::Result<(File, PathBuf)> {
    const MOST: u32 = 1000;
    if target.file_name().is_none() {
        return Err(io::Error::other("not the name of a file"));
    }
    let mut number = 0;
    loop {
        // Not made of the name of the file, which may be as long as a name can be.
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

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("omnigo-files-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let folder = folder("unfinished");
        let path = folder.join("game.json");
        replace(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"ne").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(&folder).len(), 2);
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(&folder), ["game.json"]);
        replace(&path, "new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(&folder), ["game.json"]);
        assert!(replace(&folder, "x").is_err());
        assert!(replace(&folder.join("none/x"), "x").is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (path, link) = (folder.join("a"), folder.join("b"));
        replace(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        replace(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(save(&link, "x").is_err());
        assert_eq!(names(&folder), ["a", "b"]);
        replace(Path::new("/dev/null"), "x").unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
