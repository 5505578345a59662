//! Lines that a person types at a terminal, with editing, a history, and completion of command
//! names.
//!
//! The reader thread owns the editor. It shows the prompt once all commands are answered, so that
//! answers never break into a line that is being edited. During a long search, the terminal
//! collects plain lines, such as `# interrupt`, and Ctrl-C is a signal that stops the search.

use std::env;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::gtp::commands;
use crate::gtp::parse;
use crate::system::tell;

/// Text before the line that a person types.
const PROMPT: &str = "> ";
/// Maximum number of lines in the history.
const REMEMBERED: usize = 1000;
/// Time between two looks for a line that a person types during a search.
const GLANCE: Duration = Duration::from_millis(50);

/// Opens the editor of this terminal. Returns the lines that a person types and the output of the
/// answers, or `None` if the terminal cannot edit lines. `colors` paints errors.
pub(super) fn open(colors: bool) -> Option<(Lines, impl Write + 'static)> {
    // The editor reads lines from other terminals too, but without editing.
    if env::var_os("TERM").is_none_or(|term| term == "dumb") {
        return None;
    }
    let config = Config::builder()
        .max_history_size(REMEMBERED)
        .ok()?
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::<Names, FileHistory>::with_config(config).ok()?;
    editor.set_helper(Some(Names));
    let history = history_file();
    if let Some(path) = &history {
        // Without an earlier session there is no file.
        let _ = editor.load_history(path);
    }
    let turn = Arc::new(Turn::default());
    let lines = Lines {
        editor,
        history,
        line: Vec::new(),
        used: 0,
        ended: false,
        turn: Arc::clone(&turn),
    };
    let answers = Answers {
        output: io::stdout(),
        text: Vec::new(),
        turn,
        colors,
    };
    Some((lines, answers))
}

/// Returns the file of the history in the user's folder for state, or `None` without such a
/// folder. Creates the folder.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let home = || set("HOME").filter(|path| path.is_absolute());
    let folder = state.or_else(|| Some(home()?.join(".local/state")))?;
    let folder = folder.join("omnigo");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("gtp-history"))
}

/// Completion of command names.
struct Names;

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completed(line.get(..pos).unwrap_or_default()))
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Validator for Names {}

impl Helper for Names {}

/// Returns the start of the last word of `typed` and the command names that begin with that word.
/// Only the first word, and the word after `help`, are names.
fn completed(typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(' ').map_or(0, |space| space + 1);
    let (before, word) = typed.split_at(start);
    let names = match before.trim() {
        "" | "help" | "known_command" => commands::all()
            .map(|command| command.name)
            .filter(|name| name.starts_with(word))
            .map(str::to_string)
            .collect(),
        _ => Vec::new(),
    };
    (start, names)
}

/// Conversation of a person and the program, in turns.
#[derive(Default)]
struct Turn {
    /// Number of commands without an answer.
    asked: Mutex<usize>,
    answered: Condvar,
}

impl Turn {
    fn ask(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }

    fn answer(&self) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked = asked.saturating_sub(1);
        self.answered.notify_all();
    }

    /// Waits until all commands are answered, at most [`GLANCE`]. Returns true if they are.
    fn is_answered(&self) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let (asked, _) = self
            .answered
            .wait_timeout_while(asked, GLANCE, |asked| *asked > 0)
            .unwrap_or_else(PoisonError::into_inner);
        *asked == 0
    }
}

/// Lines that a person types, as input of a session.
pub(super) struct Lines {
    editor: Editor<Names, FileHistory>,
    history: Option<PathBuf>,
    /// Current lines with their line feeds.
    line: Vec<u8>,
    /// Number of bytes of the lines that have been read.
    used: usize,
    /// True after the last line. The terminal is then no longer read: a read would keep its raw
    /// mode beyond the end of the program.
    ended: bool,
    turn: Arc<Turn>,
}

impl Lines {
    /// Reads the next lines of the terminal.
    fn next(&mut self) {
        while !self.turn.is_answered() {
            if let Some(text) = plain_line() {
                // The key Ctrl-D gives no text.
                self.ended = text.is_empty();
                return self.take(&text);
            }
        }
        let (mut interrupted, mut warned) = (false, false);
        loop {
            match self.editor.readline(PROMPT) {
                Ok(text) => {
                    self.remember(&text);
                    return self.take(&text);
                }
                // The first Ctrl-C clears the line.
                Err(ReadlineError::Interrupted) if !interrupted => interrupted = true,
                // The editor has dropped the line. A key can send several such bytes.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    if !std::mem::replace(&mut warned, true) {
                        tell!("not valid UTF-8, the line is cleared");
                    }
                }
                Err(_) => {
                    self.ended = true;
                    return;
                }
            }
        }
    }

    /// Takes typed text as input. Pasted text can have several lines.
    fn take(&mut self, text: &str) {
        for line in text.lines() {
            self.line.extend_from_slice(line.as_bytes());
            self.line.push(b'\n');
            let line = parse::clean(line.as_bytes());
            if let Some(request) = parse::request(&line) {
                self.ended |= matches!(request.name, "quit" | "exit");
                self.turn.ask();
            }
        }
        // An empty line is one too: it ends an analysis.
        if self.line.is_empty() && !self.ended {
            self.line.push(b'\n');
        }
    }

    /// Adds a line to the history. A history that cannot be written is no error.
    fn remember(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let _ = self.editor.add_history_entry(text);
        if let Some(path) = &self.history {
            let _ = self.editor.append_history(path);
        }
    }
}

/// Returns a line that the terminal has collected without the editor, or `None` if there is none.
/// At the end of input the line is empty.
fn plain_line() -> Option<String> {
    let input = io::stdin();
    let mut ends = [PollFd::new(&input, PollFlags::IN)];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    if !matches!(poll(&mut ends, Some(&now)), Ok(1..)) {
        return None;
    }
    // The terminal gives one line at a time, so no later line enters the buffer.
    let mut line = Vec::new();
    let _ = input.lock().read_until(b'\n', &mut line);
    Some(String::from_utf8_lossy(&line).into_owned())
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used >= self.line.len() {
            self.line.clear();
            self.used = 0;
            if !self.ended {
                self.next();
            }
        }
        Ok(self.line.get(self.used..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.used += amount;
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Output of the answers.
struct Answers<W> {
    output: W,
    /// Text since the last flush.
    text: Vec<u8>,
    turn: Arc<Turn>,
    colors: bool,
}

impl<W: Write> Write for Answers<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.text).into_owned();
        self.text.clear();
        // An empty line ends an answer, and nothing else. After streamed lines it comes alone.
        let ends = text == "\n" || text.ends_with("\n\n");
        let text = match self.colors {
            true => with_error_in_red(text),
            false => text,
        };
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        if ends {
            self.turn.answer();
        }
        Ok(())
    }
}

/// Returns an answer, in red if it is an error, which is one line.
fn with_error_in_red(text: String) -> String {
    let red = Style::new().fg_color(Some(AnsiColor::Red.into()));
    match text.strip_suffix("\n\n") {
        Some(line) if line.starts_with('?') => format!("{red}{line}{red:#}\n\n"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_names_of_commands() {
        let (start, names) = completed("genm");
        assert_eq!(start, 0);
        assert!(names.contains(&"genmove".to_string()));
        assert!(names.iter().all(|name| name.starts_with("genm")));
        assert_eq!(completed("help showb"), (5, vec!["showboard".to_string()]));
        assert_eq!(completed("play bl"), (5, Vec::new()));
    }

    #[test]
    fn only_errors_are_red() {
        let red = with_error_in_red("?3 no\n\n".to_string());
        assert_eq!(red, "\u{1b}[31m?3 no\u{1b}[0m\n\n");
        assert_eq!(with_error_in_red("= ?\n\n".to_string()), "= ?\n\n");
    }

    #[test]
    fn the_prompt_waits_for_all_answers() {
        let turn = Arc::new(Turn::default());
        let mut answers = Answers {
            output: Vec::new(),
            text: Vec::new(),
            turn: Arc::clone(&turn),
            colors: false,
        };
        let mut write = |text: &[u8]| {
            answers.write_all(text).unwrap();
            answers.flush().unwrap();
        };
        assert!(turn.is_answered(), "nothing was asked");
        turn.ask();
        turn.ask();
        write(b"= \nline\n");
        write(b"\n");
        assert!(!turn.is_answered(), "one answer is missing");
        write(b"= 2\n\n");
        assert!(turn.is_answered());
        assert_eq!(answers.output, b"= \nline\n\n= 2\n\n");
    }
}
