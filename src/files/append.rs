//! Files that grow by whole lines for months: logs and lists of results.
//!
//! Each entry reaches the file in one write, so a program that is killed loses no earlier entry.
//! Several processes may append to one file. After a failure, the next entry tries again.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::system::pipes::is_pipe;

/// Number of old files that rotation keeps: `FILE.1`, the newest, to `FILE.5`.
pub const OLD_FILES: u32 = 5;

/// Time that an entry waits for a slow reader of a pipe.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two attempts to write to a full pipe.
const PAUSE: Duration = Duration::from_millis(5);

/// File that receives whole lines at its end. It is opened at the first entry.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    /// Size in bytes beyond which a new file begins. `None` for no limit.
    limit: Option<u64>,
    open: Option<Open>,
    /// True if the latest entry failed. The next one then waits for no reader.
    failed: bool,
    /// True if a pipe has received only a part of the latest entry.
    cut: bool,
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
            failed: false,
            cut: false,
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
        let patience = match self.failed {
            true => Duration::ZERO,
            false => PATIENCE,
        };
        let open = self.opened()?;
        let mut text = String::new();
        if open.torn {
            // A full disk has cut an earlier line. This line must stand alone.
            text.push('\n');
        }
        text.push_str(lines);
        let (written, result) = write_within(&mut open.file, text.as_bytes(), patience);
        self.failed = result.is_err();
        if self.failed {
            // The next entry opens the file again, and finds out where it ends.
            self.open = None;
            self.cut |= written > 0;
        } else if let Some(open) = &mut self.open {
            open.torn = false;
            open.size += text.len() as u64;
            self.cut = false;
        }
        result
    }

    fn opened(&mut self) -> io::Result<&mut Open> {
        if self.open.is_none() {
            let mut open = Open::at(&self.path)?;
            open.torn |= self.cut && !open.is_regular;
            self.open = Some(open);
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
        let file = open_at_once(path)?;
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

/// Opens a file at its end. A pipe without a reader is an error, because waiting for one would stop
/// the game.
fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    if is_pipe(path) {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

/// Writes all bytes. Waits at most `patience` for a reader that is slower. Returns the number of
/// bytes that were written.
fn write_within(
    file: &mut impl Write,
    bytes: &[u8],
    patience: Duration,
) -> (usize, io::Result<()>) {
    let start = Instant::now();
    let mut written = 0;
    while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
        match file.write(rest) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if start.elapsed() >= patience {
                    let problem = "the reader of the pipe is too slow";
                    return (written, Err(io::Error::other(problem)));
                }
                thread::sleep(PAUSE);
            }
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_without_a_fast_reader_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let mut file = LineFile::new(&path, None);
        assert!(file.append("a\n").is_err(), "no reader");
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = OpenOptions::new();
        let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let mut reader = options.read(true).custom_flags(flags).open(&path).unwrap();
        let mut drain = || {
            let mut read = Vec::new();
            // The pipe stays open, so the end is an error.
            let _ = reader.read_to_end(&mut read);
            String::from_utf8(read).unwrap()
        };
        file.append("b\n").unwrap();
        let long = "x".repeat(1 << 20) + "\n";
        assert!(file.append(&long).is_err(), "nobody reads");
        let start = Instant::now();
        assert!(file.append("c\n").is_err());
        assert!(
            start.elapsed() < PATIENCE,
            "the second failure takes no time"
        );
        assert!(drain().starts_with("b\nxx"));
        file.append("d\n").unwrap();
        assert_eq!(drain(), "\nd\n", "a line of its own");
    }
}
