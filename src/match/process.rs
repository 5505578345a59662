//! An engine as a child process: commands in, answers out, and a limit on the wait.
//!
//! One thread writes, one reads and one listens to what the engine complains about, so that no engine, whatever it does
//! with its pipes, can hold up a match longer than the limit.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{self, Answer};
use super::command_line::CommandLine;
use crate::text::quote;

/// Answers that may wait unread, before the engine has to.
const UNREAD: usize = 4;
/// How long an engine may take to go after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long to wait for the last words of an engine that ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The engine is of no more use. A verb first, for sentences about the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// The process closed its output.
    #[error("ended{0}")]
    Ended(String),
    /// No answer within the limit.
    #[error("gave no answer within {0} s")]
    Silent(String),
    /// More than anybody can want to know.
    #[error("answered with more than {} MiB", answer::MAX_ANSWER >> 20)]
    TooLong,
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    /// `None` once the engine was told to go.
    commands: Option<Sender<String>>,
    answers: Receiver<io::Result<Answer>>,
    last_words: Receiver<String>,
    timeout: Duration,
    broken: bool,
}

impl Process {
    /// Starts an engine that gets `timeout` for each answer.
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
        // From here on a failure drops the process and with it the child.
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

    /// Sends a command and waits for its answer. After a fault the process is of no more use.
    pub(super) fn ask(&mut self, command: &str) -> Result<Answer, Fault> {
        // Answers that nobody asked for must not stand for the next one.
        while self.answers.try_recv().is_ok() {}
        if let Some(commands) = &self.commands {
            // An engine that is gone shows in the missing answer.
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

    /// The last line that the engine wrote on its standard error, as an insertion.
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

/// Writes every command; closes the pipe when there are no more or the engine is gone.
fn write_all(mut pipe: impl Write, commands: &Receiver<String>) {
    for command in commands {
        if pipe.write_all(command.as_bytes()).is_err() || pipe.flush().is_err() {
            break;
        }
    }
}

/// Reads every answer until the output ends, an answer is refused, or nobody listens.
fn read_all(mut pipe: impl BufRead, heard: &SyncSender<io::Result<Answer>>) {
    while let Some(answer) = answer::read(&mut pipe).transpose() {
        let last = answer.is_err();
        if heard.send(answer).is_err() || last {
            break;
        }
    }
}

/// Keeps the last line, or its beginning, until the engine closes its standard error.
fn listen(mut pipe: ChildStderr, complaint: &Sender<String>) {
    const MOST: usize = 400;
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
            } else {
                line.clear();
            }
        }
    }
    if !line.trim_ascii().is_empty() {
        last = line;
    }
    if !last.is_empty() {
        let _ = complaint.send(String::from_utf8_lossy(last.trim_ascii()).into_owned());
    }
}
