//! One conversation: a line in, an answer out, in order.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::arguments::Arguments;
use super::commands;
use super::failure::Failure;
use super::found::Found;
use super::inbox::{Inbox, Line, MAX_LINE};
use super::output::Output;
use super::parse::{self, Request};
use super::reader;
use super::teams::Teams;
use crate::engine::Engine;
use crate::graph::formats::Reading;
use crate::graph::goban::Goban;
use crate::vertex::Vertex;

/// The state of a conversation: the engine, and what only the protocol knows.
pub struct Session {
    /// The game, the search and the clock.
    pub engine: Engine,
    /// The graph came from the command line: `boardsize` cannot leave it.
    pub pinned: bool,
    /// How files of graphs are read, as the command line says for the whole session.
    pub reading: Reading,
    /// Set by `quit`: nothing more is read.
    pub finished: bool,
    /// Who plays the moves of each color.
    pub teams: Teams,
    /// What the latest search for a move found.
    pub found: Option<Found>,
    /// Whether GoGui shows what is drawn while a search runs.
    pub draws_for_gogui: bool,
    /// Whether GoGui takes this session for the board of its game.
    pub rules_for_gogui: bool,
    /// Vertices that the engine keeps off.
    pub avoided: Avoided,
    /// What a server says about the opponent of this game.
    pub opponent: Opponent,
    /// Where commands say what cannot wait for their answers.
    pub output: Output,
}

/// Vertices of a board that the user has the engine keep off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Avoided {
    /// The board, as a spec; on another one nothing is avoided.
    pub board: String,
    /// The vertices in index order.
    pub vertices: Vec<Vertex>,
}

impl Avoided {
    /// The vertices of this board.
    pub fn on(&self, goban: &Goban) -> &[Vertex] {
        if self.vertices.is_empty() || self.board != goban.spec.to_string() {
            return &[];
        }
        &self.vertices
    }
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
            reading: engine.goban().spec.how_files_are_read().clone(),
            engine,
            pinned,
            finished: false,
            teams: Teams::default(),
            found: None,
            draws_for_gogui: false,
            rules_for_gogui: false,
            avoided: Avoided::default(),
            opponent: Opponent::default(),
            output: Output::Detached(String::new()),
        }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// The failure to answer; the game is as it was.
    pub fn run(&mut self, request: &Request<'_>) -> Result<String, Failure> {
        let command = commands::find(request.name).ok_or(Failure::UnknownCommand)?;
        let answer = (command.run)(self, Arguments::of(request))?;
        Ok(self.output.gathered(answer))
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
    output: impl Write + 'static,
    log: Option<File>,
) -> io::Result<()> {
    let inbox = Inbox::new(engine.stop_signal());
    reader::start(input, Arc::clone(&inbox), |name| {
        commands::find(name).and_then(|c| c.search)
    })?;
    let mut session = Session::new(engine, pinned);
    session.output = Output::client(output, log);
    let mut conversation = Conversation {
        session,
        moved: false,
    };
    loop {
        conversation.ponder(&inbox);
        let Some(line) = inbox.next() else {
            return Ok(());
        };
        conversation.line(&line, &inbox)?;
        if conversation.session.finished {
            return Ok(());
        }
    }
}

struct Conversation {
    session: Session,
    /// Whether the latest line had the engine make a move.
    moved: bool,
}

impl Conversation {
    /// Thinks in the opponent's time, until any line comes, where that is wanted and the opponent is to move.
    fn ponder(&mut self, inbox: &Inbox) {
        let Session {
            engine, avoided, ..
        } = &mut self.session;
        // Searches that keep off some vertices begin anew: pondering would serve nothing.
        let serves = engine.options().ponders && avoided.on(engine.goban()).is_empty();
        let due = std::mem::take(&mut self.moved) && serves && !engine.is_over();
        if due && inbox.begin_pondering() {
            if catch_unwind(AssertUnwindSafe(|| engine.ponder())).is_err() {
                warn("internal error while pondering");
            }
            inbox.end_search();
        }
    }

    fn line(&mut self, line: &Line, inbox: &Inbox) -> io::Result<()> {
        match line {
            Line::TooLong { id } => {
                self.session.output.received("(a line beyond the limit)");
                self.session.output.expect(id.as_deref());
                let problem = Failure::Syntax(format!("line longer than {} bytes", MAX_LINE));
                self.answer(Err(problem))
            }
            Line::Text(text) => {
                self.session.output.received(text);
                let Some(request) = parse::request(text) else {
                    return Ok(());
                };
                self.session.output.expect(request.id);
                let searches = commands::find(request.name).is_some_and(|c| c.search.is_some());
                if searches {
                    inbox.begin_search();
                }
                let moves = self.session.engine.turns();
                let result = self.run_guarded(&request);
                if searches {
                    inbox.end_search();
                    self.moved = self.session.engine.turns() > moves;
                }
                self.answer(result)
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

    fn answer(&mut self, result: Result<String, Failure>) -> io::Result<()> {
        let output = &mut self.session.output;
        match result {
            Ok(text) => output.answer(Ok(&text)),
            Err(failure) => output.answer(Err(&failure.to_string())),
        }
    }
}
