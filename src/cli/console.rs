//! Lines that a person types at a terminal, with editing, a history, and completion of command
//! names.
//!
//! The reader thread owns the editor. Answers are printed above the line that is being typed.
//! A quick answer comes before the next prompt, so that a session reads like a conversation. During
//! a long search the prompt is back at once: a person can type `# interrupt` or press Ctrl-C.

use std::env;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};

use crate::gtp::commands;
use crate::gtp::parse;

/// Text before the line that a person types.
const PROMPT: &str = "> ";
/// Maximum number of lines in the history.
const REMEMBERED: usize = 1000;
/// Maximum time from a command to the next prompt. Answers that take longer appear above the
/// prompt.
const PATIENCE: Duration = Duration::from_millis(200);

/// Opens the editor of this terminal. Returns the lines that a person types and the output above
/// them, or `None` if the terminal cannot edit lines. `colors` paints errors.
pub(super) fn open(colors: bool) -> Option<(Lines, impl Write + 'static)> {
    let config = Config::builder()
        .max_history_size(REMEMBERED)
        .ok()?
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::<Names, FileHistory>::with_config(config).ok()?;
    editor.set_helper(Some(Names));
    let printer = editor.create_external_printer().ok()?;
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
        interrupted: false,
        turn: Arc::clone(&turn),
    };
    let above = Above {
        printer,
        text: Vec::new(),
        turn,
        colors,
    };
    Some((lines, above))
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
    /// True from a command to its answer.
    asked: Mutex<bool>,
    answered: Condvar,
}

impl Turn {
    fn set(&self, asked: bool) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = asked;
        self.answered.notify_all();
    }

    /// Waits for the answer, at most [`PATIENCE`].
    fn wait(&self) {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        drop(
            self.answered
                .wait_timeout_while(asked, PATIENCE, |asked| *asked),
        );
    }
}

/// Lines that a person types, as input of a session.
pub(super) struct Lines {
    editor: Editor<Names, FileHistory>,
    history: Option<PathBuf>,
    /// Current line with its line feed.
    line: Vec<u8>,
    /// Number of bytes of the line that have been read.
    used: usize,
    /// True after the last line. The terminal is then no longer read: a read would keep its raw
    /// mode beyond the end of the program.
    ended: bool,
    /// True if the latest key was Ctrl-C.
    interrupted: bool,
    turn: Arc<Turn>,
}

impl Lines {
    /// Reads the next line of the terminal. Ctrl-C interrupts a search, and ends the session if
    /// it comes twice in a row.
    fn next(&mut self) {
        self.turn.wait();
        match self.editor.readline(PROMPT) {
            Ok(text) => {
                self.interrupted = false;
                self.remember(&text);
                let text = parse::clean(text.as_bytes());
                if let Some(request) = parse::request(&text) {
                    self.ended = matches!(request.name, "quit" | "exit");
                    self.turn.set(true);
                }
                self.line = text.into_bytes();
                self.line.push(b'\n');
            }
            Err(ReadlineError::Interrupted) if !self.interrupted => {
                self.interrupted = true;
                self.line = b"# interrupt\n".to_vec();
            }
            Err(_) => {
                self.ended = true;
                self.line.clear();
            }
        }
        self.used = 0;
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

/// Output above the line that is being typed.
struct Above<P> {
    printer: P,
    /// Text since the last flush.
    text: Vec<u8>,
    turn: Arc<Turn>,
    colors: bool,
}

impl<P: ExternalPrinter> Write for Above<P> {
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
        // An empty line ends an answer, and nothing else.
        let ends = text.ends_with("\n\n");
        let text = match self.colors {
            true => with_error_in_red(text),
            false => text,
        };
        self.printer.print(text).map_err(io::Error::other)?;
        if ends {
            self.turn.set(false);
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
    fn answers_end_the_wait() {
        struct Page;
        impl ExternalPrinter for Page {
            fn print(&mut self, _: String) -> rustyline::Result<()> {
                Ok(())
            }
        }
        let turn = Arc::new(Turn::default());
        turn.set(true);
        let mut above = Above {
            printer: Page,
            text: Vec::new(),
            turn: Arc::clone(&turn),
            colors: false,
        };
        above.write_all(b"= \nline\n").unwrap();
        above.flush().unwrap();
        assert!(*turn.asked.lock().unwrap(), "more lines follow");
        above.write_all(b"\n\n").unwrap();
        above.flush().unwrap();
        assert!(!*turn.asked.lock().unwrap());
    }
}
