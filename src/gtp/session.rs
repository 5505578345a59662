//! One conversation: a line in, an answer out, in order.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::arguments::Arguments;
use super::commands;
use super::failure::Failure;
use super::parse::{self, Request};
use super::reader::{self, Inbox, Line};
use super::response::frame;
use super::teams::Teams;
use crate::engine::Engine;

/// The state of a conversation: the engine, and what only the protocol knows.
pub struct Session {
    /// The game, the search and the clock.
    pub engine: Engine,
    /// The graph came from the command line: `boardsize` cannot leave it.
    pub pinned: bool,
    /// Set by `quit`: nothing more is read.
    pub finished: bool,
    /// Who plays the moves of each color.
    pub teams: Teams,
    /// What a server says about the opponent of this game.
    pub opponent: Opponent,
}

/// The other player of a game on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opponent {
    /// Its name.
    pub name: Option<String>,
    /// Its rating, as the server writes it.
    pub rating: Option<String>,
}

impl Session {
    /// A conversation about the present game of `engine`.
    pub fn new(engine: Engine, pinned: bool) -> Session {
        Session {
            engine,
            pinned,
            finished: false,
            teams: Teams::default(),
            opponent: Opponent::default(),
        }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// The failure to answer; the game is as it was.
    pub fn run(&mut self, request: &Request<'_>) -> Result<String, Failure> {
        let command = commands::find(request.name).ok_or(Failure::UnknownCommand)?;
        (command.run)(self, Arguments::new(&request.arguments))
    }

    /// Tells the user something that the protocol has no answer for.
    pub fn warn(&self, text: &str) {
        warn(text);
    }
}

/// A line on standard error, where clients show it to their users. A closed standard error is no reason to stop.
fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "warning: {text}");
}

/// Speaks GTP until `quit` or the end of `input`. Commands that came before the end are answered.
///
/// With `pinned` the engine's graph was chosen on the command line and `boardsize` keeps it. `log` receives every line
/// in, after `> `, and every answer, after `< `.
///
/// # Errors
/// When `output` cannot be written or no thread can be started; a log that cannot be written only ends the log.
pub fn serve(
    engine: Engine,
    pinned: bool,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    log: Option<File>,
) -> io::Result<()> {
    let inbox = Inbox::new(engine.stop_signal());
    reader::start(input, Arc::clone(&inbox), |name| {
        commands::find(name).is_some_and(|c| c.searches)
    })?;
    let mut conversation = Conversation {
        session: Session::new(engine, pinned),
        output,
        log,
    };
    while let Some(line) = inbox.next() {
        conversation.line(&line, &inbox)?;
        if conversation.session.finished {
            break;
        }
    }
    Ok(())
}

struct Conversation<W> {
    session: Session,
    output: W,
    log: Option<File>,
}

impl<W: Write> Conversation<W> {
    fn line(&mut self, line: &Line, inbox: &Inbox) -> io::Result<()> {
        match line {
            Line::TooLong { id } => {
                self.log('>', "(a line beyond the limit)");
                let problem =
                    Failure::Syntax(format!("line longer than {} bytes", reader::MAX_LINE));
                self.answer(id.as_deref(), Err(problem))
            }
            Line::Text(text) => {
                self.log('>', text);
                let Some(request) = parse::request(text) else {
                    return Ok(());
                };
                let searches = commands::find(request.name).is_some_and(|c| c.searches);
                if searches {
                    inbox.begin_search();
                }
                let result = self.run_guarded(&request);
                if searches {
                    inbox.end_search();
                }
                self.answer(request.id, result)
            }
        }
    }

    /// Runs a command so that a fault in it costs one answer and not the session.
    fn run_guarded(&mut self, request: &Request<'_>) -> Result<String, Failure> {
        let session = &mut self.session;
        catch_unwind(AssertUnwindSafe(|| session.run(request))).unwrap_or_else(|_| {
            warn(&format!(
                "internal error in {}; the game may be wrong from here on",
                request.name
            ));
            Err(Failure::Refused("internal error".to_string()))
        })
    }

    fn answer(&mut self, id: Option<&str>, result: Result<String, Failure>) -> io::Result<()> {
        let answer = match result {
            Ok(text) => frame(id, Ok(&text)),
            Err(failure) => frame(id, Err(&failure.to_string())),
        };
        self.output.write_all(answer.as_bytes())?;
        self.output.flush()?;
        self.log('<', answer.trim_end());
        Ok(())
    }

    fn log(&mut self, mark: char, text: &str) {
        let Some(file) = &mut self.log else { return };
        let mut entry = String::with_capacity(text.len() + 3);
        for line in text.split('\n') {
            entry.push(mark);
            entry.push(' ');
            entry.push_str(line);
            entry.push('\n');
        }
        if let Err(error) = file.write_all(entry.as_bytes()) {
            warn(&format!("the log ends here: {error}"));
            self.log = None;
        }
    }
}
