//! A session with one line at a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::process::piped;

/// The binary behind pipes.
pub struct Talk {
    child: Child,
    /// `None` after its end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    /// Starts the binary with these options.
    pub fn new(options: &[&str]) -> Talk {
        let mut child = piped().args(options).stderr(Stdio::null()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Talk {
            child,
            input,
            output,
        }
    }

    /// Sends text unchanged.
    pub fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Returns the next answer, including its empty line.
    pub fn answer(&mut self) -> String {
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            let read = self.output.read_line(&mut answer).unwrap();
            assert_ne!(read, 0, "the session ended after {answer:?}");
        }
        answer
    }

    /// Sends text and returns one answer.
    pub fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.answer()
    }

    /// Returns the next line without its line ending.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the end");
        line.trim_end_matches('\n').to_string()
    }

    /// Returns the lines of the next answer without the empty line.
    pub fn lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| Some(self.line()).filter(|line| !line.is_empty())).collect()
    }

    /// Sends text and returns the lines of one answer without the empty line.
    pub fn ask_lines(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.lines()
    }

    /// Waits until the process uses no more processor time. Fails if it is still busy after a
    /// minute.
    #[cfg(target_os = "linux")]
    pub fn wait_until_idle(&self, what: &str) {
        use std::time::{Duration, Instant};
        let ticks = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
            // Fields are counted after the name in parentheses. User and system time are fields 14
            // and 15 of the whole line.
            let (_, rest) = stat.rsplit_once(')').unwrap();
            let fields: Vec<u64> = rest.split(' ').filter_map(|f| f.parse().ok()).collect();
            fields[10] + fields[11]
        };
        let begun = Instant::now();
        loop {
            let before = ticks();
            std::thread::sleep(Duration::from_millis(150));
            if ticks() == before {
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{what:?} does not end it"
            );
        }
    }

    /// Ends the session with `quit`.
    pub fn quit(mut self) {
        assert_eq!(self.ask("quit\n"), "= \n\n");
        self.wait();
    }

    /// Closes the pipe to the binary. Its answers can still be read.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Closes the pipe without `quit`, and waits for the end.
    pub fn close(mut self) {
        self.end_input();
        self.wait();
    }

    /// Waits until the binary ends with success.
    pub fn wait(&mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}
