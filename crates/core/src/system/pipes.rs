//! Pipes with a path. Opening one waits for a program at its other end.

use std::path::Path;

/// Returns true for a pipe. Only Unix has pipes with paths.
#[cfg(unix)]
pub fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|there| there.file_type().is_fifo())
}

/// Returns false: only Unix has pipes with paths.
#[cfg(not(unix))]
pub fn is_pipe(_: &Path) -> bool {
    false
}

/// Returns true for a pipe that is not open yet. The shell has opened those in `/dev` and `/proc`.
pub fn is_named_pipe(path: &Path) -> bool {
    is_pipe(path) && !["/dev", "/proc"].iter().any(|top| path.starts_with(top))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn named_pipes_are_told_from_files_and_open_pipes() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("omnigo-pipe-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        assert!(is_pipe(&path) && is_named_pipe(&path));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_pipe(&path) && !is_pipe(&folder));
        assert!(!is_named_pipe(Path::new("/dev/stdin")));
    }
}
