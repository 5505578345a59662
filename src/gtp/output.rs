//! Output of answers, whole or line by line while a command runs.

use std::io::{self, Write};

use anstream::adapter::strip_str;

use super::log::SessionLog;
use super::response::{self, frame};

/// Destination of the answers of a session.
pub enum Output {
    /// No client. Lines that a command writes while it runs are collected and put before its
    /// answer.
    Detached(String),
    /// A client.
    Client(Box<Client>),
}

/// Client that reads answers, and the log of the session.
pub struct Client {
    output: Box<dyn Write>,
    log: SessionLog,
    /// Id of the current command.
    id: Option<String>,
    /// True if the answer to the current command has been started.
    begun: bool,
    /// Error that stopped the output, if any.
    broken: Option<io::Error>,
}

impl Output {
    /// Returns the output to a client. `log` receives every input line and every answer.
    pub fn client(output: impl Write + 'static, log: SessionLog) -> Output {
        Output::Client(Box::new(Client {
            output: Box::new(output),
            log,
            id: None,
            begun: false,
            broken: None,
        }))
    }

    /// Writes one line of the current command's answer; more lines follow. Returns false if the
    /// output is broken.
    pub fn line(&mut self, text: &str) -> bool {
        match self {
            Output::Detached(lines) => {
                // The first line of the answer stays empty, as when a client reads the lines.
                lines.push('\n');
                lines.push_str(text);
                true
            }
            Output::Client(client) => client.line(text),
        }
    }

    /// Writes lines of the current command's answer that may contain escape sequences for colors.
    /// The text must have no blank line, because it is not filtered. Returns false if the output is
    /// broken.
    pub fn painted(&mut self, text: &str) -> bool {
        debug_assert!(!text.contains("\n\n"), "a blank line ends the answer");
        match self {
            Output::Detached(_) => self.line(text),
            Output::Client(client) => client.stream(&format!("{text}\n"), text),
        }
    }

    /// Returns true if a client reads the answers.
    pub fn has_client(&self) -> bool {
        matches!(self, Output::Client(_))
    }

    /// Returns the lines collected without a client, followed by `answer`.
    pub(super) fn gathered(&mut self, answer: String) -> String {
        match self {
            Output::Detached(lines) if !lines.is_empty() => {
                let mut lines = std::mem::take(lines);
                if !answer.is_empty() {
                    lines.push('\n');
                    lines.push_str(&answer);
                }
                lines
            }
            Output::Detached(_) | Output::Client(_) => answer,
        }
    }

    /// Logs an input line.
    pub(super) fn received(&mut self, text: &str) {
        if let Output::Client(client) = self {
            client.log.received(text);
        }
    }

    /// Returns the log of the session, or `None` without a client.
    pub(super) fn log(&mut self) -> Option<&mut SessionLog> {
        match self {
            Output::Detached(_) => None,
            Output::Client(client) => Some(&mut client.log),
        }
    }

    /// Starts the answer to a command with this id.
    pub(super) fn begin_answer(&mut self, id: Option<&str>) {
        if let Output::Client(client) = self {
            client.id = id.map(str::to_string);
            client.begun = false;
        }
    }

    /// Ends the answer to the current command.
    ///
    /// # Errors
    /// If the answer, or an earlier line of it, cannot be written.
    pub(super) fn answer(&mut self, result: Result<&str, &str>) -> io::Result<()> {
        match self {
            Output::Detached(_) => Ok(()),
            Output::Client(client) => client.answer(result),
        }
    }
}

impl Client {
    fn line(&mut self, text: &str) -> bool {
        let mut lines = String::new();
        response::push_lines(&mut lines, text);
        if !lines.is_empty() {
            lines.push('\n');
        }
        self.stream(&lines, &lines)
    }

    /// Writes `lines` as a part of the current answer, and `logged` to the log without escape
    /// sequences.
    fn stream(&mut self, lines: &str, logged: &str) -> bool {
        if self.broken.is_some() {
            return false;
        }
        let mut head = String::new();
        if !self.begun {
            head = format!("={} \n", self.id.as_deref().unwrap_or_default());
            self.begun = true;
        }
        let logged = strip_str(logged).to_string();
        match self.write(&format!("{head}{lines}"), &format!("{head}{logged}")) {
            Ok(()) => self.log.line(&logged),
            Err(error) => self.broken = Some(error),
        }
        self.broken.is_none()
    }

    fn answer(&mut self, result: Result<&str, &str>) -> io::Result<()> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        let answer = if self.begun {
            // An error is sent inside the `=` answer, because its head is already written.
            let (Ok(text) | Err(text)) = result;
            let mut rest = String::new();
            response::push_lines(&mut rest, text);
            if !rest.is_empty() {
                rest.push('\n');
            }
            rest.push('\n');
            rest
        } else {
            frame(self.id.as_deref(), result)
        };
        self.begun = false;
        self.write(&answer, &answer)?;
        self.log.answered(result);
        Ok(())
    }

    fn write(&mut self, text: &str, logged: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        self.log.sent(logged);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn streamed_lines_and_their_answer_form_one_response() {
        let page = Page::default();
        let mut output = Output::client(page.clone(), SessionLog::default());
        output.begin_answer(Some("7"));
        assert!(output.line("info a"));
        assert!(output.line("\n"));
        assert!(output.line("info b"));
        output.answer(Ok("play D4")).unwrap();
        output.begin_answer(None);
        output.line("info c");
        output.answer(Ok("")).unwrap();
        output.begin_answer(None);
        output.answer(Ok("2")).unwrap();
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        assert_eq!(
            text,
            "=7 \ninfo a\ninfo b\nplay D4\n\n= \ninfo c\n\n= 2\n\n"
        );
    }

    #[test]
    fn colors_reach_the_terminal() {
        let page = Page::default();
        let mut output = Output::client(page.clone(), SessionLog::default());
        output.begin_answer(None);
        assert!(output.painted("\u{1b}[1mX\u{1b}[0m"));
        output.answer(Ok("")).unwrap();
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text, "= \n\u{1b}[1mX\u{1b}[0m\n\n");
    }

    #[test]
    fn without_a_client_lines_precede_the_answer() {
        let mut output = Output::Detached(String::new());
        output.line("info a");
        assert_eq!(output.gathered("play D4".into()), "\ninfo a\nplay D4");
        assert_eq!(output.gathered("2".into()), "2");
    }
}
