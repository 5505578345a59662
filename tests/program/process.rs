//! The program as a process: its command, its input, and the text of its output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

/// Path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_omnigo");

/// Returns the command of the program, without arguments.
pub fn program() -> Command {
    Command::new(PROGRAM)
}

/// Returns the command of the program with pipes for all three streams.
pub fn piped() -> Command {
    let mut command = program();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Sends a signal such as `INT` to a process. Not every system has the program `kill`, but each
/// shell has the command.
#[cfg(unix)]
pub fn send(signal: &str, process: &std::process::Child) {
    let line = format!("kill -s {signal} {}", process.id());
    let sent = Command::new("sh").args(["-c", &line]).status();
    assert!(sent.unwrap().success(), "{line}");
}

/// Runs the program with these arguments, without input.
pub fn omnigo(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

/// Runs the program with the words of a line as arguments, without input.
pub fn run_line(line: &str) -> Output {
    program().args(line.split_whitespace()).output().unwrap()
}

/// Runs a command whose standard input is a pipe, sends it the input, and waits for its end. A
/// program that refuses its options ends before it reads.
pub fn with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref());
    thread::scope(|scope| {
        // A program that answers while it reads fills its output pipe.
        scope.spawn(move || stdin.write_all(input).is_ok());
        child.wait_with_output().unwrap()
    })
}

/// Runs the program in a folder, with the words of a line as arguments, and sends it the input.
pub fn run_in(folder: &Path, line: &str, input: &str) -> Output {
    let words = line.split_whitespace();
    with_input(piped().args(words).current_dir(folder), input)
}

/// Runs a GTP session in a folder, and returns its answers without blank lines. Fails if the
/// program ends with an error.
pub fn answers(folder: &Path, line: &str, input: &str) -> Vec<String> {
    let output = run_in(folder, line, input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answers = text(&output.stdout);
    let answers = answers.trim_end().split("\n\n");
    answers.map(str::to_string).collect()
}

/// Returns the text of a stream.
pub fn text(stream: &[u8]) -> String {
    String::from_utf8(stream.to_vec()).unwrap()
}
