//! Engines that examples watch from outside: processes behind pipes, and their memory.

use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Starts an engine with these options behind pipes for its input and output.
///
/// # Errors
/// A line that names the program and the reason, if it cannot be started.
pub fn start(path: &str, options: &[&str]) -> Result<(Child, ChildStdin, ChildStdout), String> {
    let mut child = Command::new(path)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start '{path}': {error}"))?;
    let input = child.stdin.take().ok_or("no pipe to the engine")?;
    let output = child.stdout.take().ok_or("no pipe from the engine")?;
    Ok((child, input, output))
}

/// Returns the resident memory of an engine in KiB.
///
/// # Errors
/// One line, if the system does not report the memory.
pub fn memory(engine: &Child) -> Result<u64, String> {
    let path = format!("/proc/{}/status", engine.id());
    let status = std::fs::read_to_string(path)
        .map_err(|error| format!("the system does not report memory: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| "the system does not report memory".to_string())
}
