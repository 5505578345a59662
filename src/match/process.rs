//! Engine as a child process, with a time limit for each answer.
//!
//! Separate threads write commands, read answers, and read standard error. Therefore, no engine can
//! block a match longer than the limit.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{self, Answer};
use crate::arguments::command_line::CommandLine;
use crate::text::quote;

/// Maximum number of unread answers before the engine is blocked.
const UNREAD: usize = 4;
/// Maximum time for an engine to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// Maximum waiting time for the error output of an engine that ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Reason why the engine can no longer be used. The message starts with a verb; its subject is the
/// engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// The process closed its output.
    #[error("ended{0}")]
    Ended(String),
    /// There was no answer within the time limit.
    #[error("gave no answer within {0} s")]
    Silent(String),
    /// The answer was too long.
    #[error("answered with more than {} MiB", answer::MAX_ANSWER >> 20)]
    TooLong,
}

/// Running engine.
pub(super) struct Process {
    child: Child,
    /// `None` after the engine was told to quit.
    commands: Option<Sender<String>>,
    answers: Receiver<io::Result<Answer>>,
    last_words: Receiver<String>,
    timeout: Duration,
    broken: bool,
}

impl Process {
    /// Starts an engine with `timeout` for each answer.
    pub(super) fn start(command: &CommandLine, timeout: Duration) -> io::Result<Process> {
        let mut child = Command::new(command.program())
            .args(command.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (commands, to_write) = mpsc::channel();
        let (heard, answers) = mpsc::sync_channel(UNREAD);
        let (complaint, last_words) = mpsc::channel();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process {
            child,
            commands: Some(commands),
            answers,
            last_words,
            timeout,
            broken: false,
        };
        // From here on, an error drops the process, which ends the child.
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let spawn = |job: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(job);
            spawn(Box::new(move || write_all(stdin, &to_write)))?;
            spawn(Box::new(move || {
                read_all(BufReader::new(stdout), &heard);
            }))?;
            spawn(Box::new(move || listen(stderr, &complaint)))?;
        }
        Ok(process)
    }

    /// Sends a command and waits for its answer. After a fault the process cannot be used again.
    pub(super) fn ask(&mut self, command: &str) -> Result<Answer, Fault> {
        // Discard unexpected answers, which would be taken for the next one.
        while self.answers.try_recv().is_ok() {}
        if let Some(commands) = &self.commands {
            // If the engine has ended, the missing answer shows it.
            let _ = commands.send(format!("{command}\n"));
        }
        let fault = match self.answers.recv_timeout(self.timeout) {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => Fault::TooLong,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Fault::Ended(self.complaint()),
            Err(RecvTimeoutError::Timeout) => Fault::Silent(self.timeout.as_secs_f64().to_string()),
        };
        self.broken = true;
        Err(fault)
    }

    /// Returns the complaint on the engine's standard error, in parentheses, or an empty string.
    fn complaint(&self) -> String {
        match self.last_words.recv_timeout(LAST_WORDS) {
            Ok(line) => format!(" (it said: {})", quote(&line)),
            Err(_) => String::new(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(commands) = self.commands.take()
            && !self.broken
        {
            let _ = commands.send("quit\n".to_owned());
        }
        let deadline = Instant::now() + FAREWELL;
        while !self.broken && Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes all commands. Closes the pipe after the last one or when the engine has ended.
fn write_all(mut pipe: impl Write, commands: &Receiver<String>) {
    for command in commands {
        if pipe.write_all(command.as_bytes()).is_err() || pipe.flush().is_err() {
            break;
        }
    }
}

/// Reads answers until the output ends, an answer is invalid, or the receiver is gone.
fn read_all(mut pipe: impl BufRead, heard: &SyncSender<io::Result<Answer>>) {
    while let Some(answer) = answer::read(&mut pipe).transpose() {
        let last = answer.is_err();
        if heard.send(answer).is_err() || last {
            break;
        }
    }
}

/// Reads standard error to its end, and sends the last line that is not blank, cut to 400 bytes.
/// If that line only points to the help, sends the error before it.
fn listen(mut pipe: impl Read, complaint: &Sender<String>) {
    const MOST: usize = 400;
    /// Last line of messages about command lines, as omnigo and many programs write them.
    const POINTER: &[u8] = b"For more information, try '--help'.";
    let mut error = Vec::new();
    let mut chunk = [0; 4096];
    let (mut line, mut last) = (Vec::new(), Vec::new());
    loop {
        let read = match pipe.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        for &byte in chunk.iter().take(read) {
            if byte != b'\n' {
                if line.len() < MOST {
                    line.push(byte);
                }
            } else if !line.trim_ascii().is_empty() {
                last = std::mem::take(&mut line);
                if last.starts_with(b"error:") {
                    error.clone_from(&last);
                }
            } else {
                line.clear();
            }
        }
    }
    if !line.trim_ascii().is_empty() {
        last = line;
    }
    if last.trim_ascii() == POINTER && !error.is_empty() {
        last = error;
    }
    if !last.is_empty() {
        let _ = complaint.send(String::from_utf8_lossy(last.trim_ascii()).into_owned());
    }
}
