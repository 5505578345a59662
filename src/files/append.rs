//! Files that grow by whole lines for months: logs and lists of results.
//!
//! Each entry reaches the file in one write, so a program that is killed loses no earlier entry.
//! Several processes may append to one file. After a failure, the next entry tries again.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Number of old files that rotation keeps: `FILE.1`, the newest, to `FILE.5`.
pub const OLD_FILES: u32 = 5;

/// File that receives whole lines at its end. It is opened at the first entry.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    /// Size in bytes beyond which a new file begins. `None` for no limit.
    limit: Option<u64>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Size in bytes, as far as this process knows.
    size: u64,
    /// False for devices and pipes, which are never renamed.
    is_regular: bool,
    /// True if the file ends in the middle of a line.
    torn: bool,
}

impl LineFile {
    /// Returns the file at `path`. An entry that would exceed `limit` bytes begins a new file, and
    /// the old one is kept as `FILE.1`.
    pub fn new(path: &Path, limit: Option<u64>) -> LineFile {
        LineFile {
            path: path.to_owned(),
            limit,
            open: None,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends `lines`, which end with a line feed.
    ///
    /// # Errors
    /// If the lines cannot be written, or the full file cannot be renamed. In the second case the
    /// lines are in the full file.
    pub fn append(&mut self, lines: &str) -> io::Result<()> {
        let rotated = self.rotate_before(lines.len() as u64);
        let written = self.write(lines);
        written.and(rotated)
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let open = self.opened()?;
        let mut text = String::new();
        if open.torn {
            // A full disk has cut an earlier line. This line must stand alone.
            text.push('\n');
        }
        text.push_str(lines);
        match open.file.write_all(text.as_bytes()) {
            Ok(()) => {
                open.torn = false;
                open.size += text.len() as u64;
                Ok(())
            }
            Err(error) => {
                // The next entry opens the file again, and finds out where it ends.
                self.open = None;
                Err(error)
            }
        }
    }

    fn opened(&mut self) -> io::Result<&mut Open> {
        if self.open.is_none() {
            self.open = Some(Open::at(&self.path)?);
        }
        self.open
            .as_mut()
            .ok_or_else(|| io::Error::other("the file is closed"))
    }

    /// Begins a new file if `more` bytes would exceed the limit.
    fn rotate_before(&mut self, more: u64) -> io::Result<()> {
        let Some(limit) = self.limit else {
            return Ok(());
        };
        let open = self.opened()?;
        let full = |size: u64| size > 0 && size.saturating_add(more) > limit;
        if !open.is_regular || !full(open.size) {
            return Ok(());
        }
        // Another process may have renamed the file meanwhile.
        let there = fs::metadata(&self.path).map_or(0, |there| there.len());
        if full(there) {
            for number in (1..OLD_FILES).rev() {
                rename(&self.old(number), &self.old(number + 1))?;
            }
            rename(&self.path, &self.old(1))?;
        }
        self.open = None;
        Ok(())
    }

    /// Returns the path of an old file: 1 for the newest.
    fn old(&self, number: u32) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(format!(".{number}"));
        PathBuf::from(name)
    }
}

impl Open {
    fn at(path: &Path) -> io::Result<Open> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let there = file.metadata()?;
        let is_regular = there.is_file();
        Ok(Open {
            file,
            size: there.len(),
            is_regular,
            // A file that cannot be read counts as whole.
            torn: is_regular && there.len() > 0 && ends_within_a_line(path).unwrap_or(false),
        })
    }
}

fn ends_within_a_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Renames a file. A missing file is no error.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_full_file_is_kept_under_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut file = LineFile::new(&path, Some(8));
        for number in 0..8 {
            file.append(&format!("line {number}\n")).unwrap();
        }
        assert_eq!(read(&path), "line 7\n");
        for number in 1..=OLD_FILES {
            assert_eq!(read(&file.old(number)), format!("line {}\n", 7 - number));
        }
        assert!(!file.old(OLD_FILES + 1).exists(), "older files are deleted");
        // One entry above the limit still gets a file.
        file.append("a line that is too long\n").unwrap();
        assert_eq!(read(&path), "a line that is too long\n");
    }

    #[test]
    fn two_writers_share_a_file_and_its_rotation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut files = [0, 1].map(|_| LineFile::new(&path, Some(20)));
        for number in 0..4 {
            for file in &mut files {
                file.append(&format!("line {number}\n")).unwrap();
            }
        }
        let mut all = String::new();
        for number in (1..=OLD_FILES).rev() {
            all += &fs::read_to_string(files[0].old(number)).unwrap_or_default();
        }
        all += &read(&path);
        let mut lines: Vec<&str> = all.lines().collect();
        lines.sort_unstable();
        let expected = [
            "line 0", "line 0", "line 1", "line 1", "line 2", "line 2", "line 3", "line 3",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_line_after_a_cut_line_stands_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        fs::write(&path, "whole\ncu").unwrap();
        let mut file = LineFile::new(&path, None);
        file.append("new\n").unwrap();
        file.append("next\n").unwrap();
        assert_eq!(read(&path), "whole\ncu\nnew\nnext\n");
    }

    #[test]
    fn a_failure_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none").join("log");
        let mut file = LineFile::new(&path, None);
        assert!(file.append("lost\n").is_err());
        fs::create_dir(folder.path().join("none")).unwrap();
        file.append("kept\n").unwrap();
        assert_eq!(read(&path), "kept\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let mut file = LineFile::new(Path::new("/dev/full"), Some(1));
        for _ in 0..2 {
            assert!(file.append("x\n").is_err());
        }
    }
}
