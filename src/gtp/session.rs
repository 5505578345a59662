//! GTP session: reads lines and answers them in order.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use super::arguments::Arguments;
use super::bot::{Bot, Ending, end_on_signals};
use super::commands;
use super::events::is_genmove;
use super::failure::Failure;
use super::greetings::Greetings;
use super::inbox::{Inbox, Line, MAX_LINE};
use super::last_search::LastSearch;
use super::log::SearchFigures;
use super::output::Output;
use super::parse::{self, Request};
use super::reader;
use super::results::Results;
use super::teams::Teams;
use crate::color::Color;
use crate::engine::Engine;
use crate::graph::formats::Reading;
use crate::graph::goban::Goban;
use crate::system::tell;
use crate::vertex::Vertex;

/// State of a session: the engine and the protocol's own data.
pub struct Session {
    /// Game, search, and clock.
    pub engine: Engine,
    /// True if the board was chosen on the command line: `boardsize` cannot change it.
    pub pinned: bool,
    /// Settings for reading graph files, from the command line, for the whole session.
    pub reading: Reading,
    /// True after `quit`: the session reads no more lines.
    pub finished: bool,
    /// Team members who play each color.
    pub teams: Teams,
    /// Result of the latest search for a move.
    pub last_search: Option<LastSearch>,
    /// True if GoGui displays drawings while a search runs.
    pub draws_for_gogui: bool,
    /// True if GoGui uses this session as the referee of its game.
    pub rules_for_gogui: bool,
    /// Vertices that the engine must not play.
    pub avoided: Avoided,
    /// Server's data about the opponent of this game.
    pub opponent: Opponent,
    /// Words at the beginning and the end of games.
    pub greetings: Greetings,
    /// Name of the program for clients.
    pub name: String,
    /// Output for lines that a command writes before its answer.
    pub output: Output,
    /// Terminal at which a person reads the answers, or `None` for a client.
    pub terminal: Option<Terminal>,
}

/// Terminal at which a person reads the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// True if the terminal shows colors and the user wants them.
    pub colors: bool,
}

/// Vertices of a board that the engine must not play, by order of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Avoided {
    /// Specification of the board. On any other board nothing is avoided.
    pub board: String,
    /// Vertices in index order.
    pub vertices: Vec<Vertex>,
}

impl Avoided {
    /// Returns the avoided vertices of this board.
    pub fn on(&self, goban: &Goban) -> &[Vertex] {
        if self.vertices.is_empty() || self.board != goban.spec.to_string() {
            return &[];
        }
        &self.vertices
    }
}

/// Opponent in a game on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opponent {
    /// Name of the opponent.
    pub name: Option<String>,
    /// Rating of the opponent, in the server's notation.
    pub rating: Option<String>,
}

impl Session {
    /// Returns a session for the current game of `engine`.
    pub fn new(engine: Engine, pinned: bool) -> Session {
        Session {
            reading: engine.goban().spec.how_files_are_read().clone(),
            engine,
            pinned,
            finished: false,
            teams: Teams::default(),
            last_search: None,
            draws_for_gogui: false,
            rules_for_gogui: false,
            avoided: Avoided::default(),
            opponent: Opponent::default(),
            greetings: Greetings::default(),
            name: "omnigo".to_string(),
            output: Output::Detached(String::new()),
            terminal: None,
        }
    }

    /// Runs a command.
    ///
    /// # Errors
    /// The failure to answer. The game is unchanged.
    pub fn run(&mut self, request: &Request<'_>) -> Result<String, Failure> {
        let command = commands::find(request.name).ok_or_else(|| {
            let person = self.terminal.is_some();
            let near = person.then(|| commands::nearest(request.name)).flatten();
            near.map_or(Failure::UnknownCommand, Failure::Misspelled)
        })?;
        let answer = (command.run)(self, Arguments::of(request))?;
        Ok(self.output.gathered(answer))
    }

    /// Prints a warning for the user that does not belong in an answer.
    pub fn warn(&self, text: &str) {
        warn(text);
    }
}

/// Prints a line to standard error, which clients display.
fn warn(text: &str) {
    tell::warn(text);
}

/// Serves GTP until `quit`, the end of `input`, or a signal. Commands that arrived before the end
/// of input are answered.
///
/// If `pinned` is true, the board was chosen on the command line and `boardsize` cannot change it.
/// `bot` receives every input line and every answer.
///
/// # Errors
/// If `output` cannot be written, no thread can be started, or the system refuses to handle
/// signals. A failure to write logs and results is no error.
pub fn serve(
    engine: Engine,
    pinned: bool,
    input: impl BufRead + Send + 'static,
    output: impl Write + 'static,
    bot: Bot,
) -> io::Result<Ending> {
    serve_person(engine, pinned, input, output, bot, None)
}

/// Serves GTP as [`serve`] does, with forms for people if there is a `terminal`: a drawn board,
/// a short `help`, and similar names in errors.
///
/// # Errors
/// As for [`serve`].
pub fn serve_person(
    engine: Engine,
    pinned: bool,
    input: impl BufRead + Send + 'static,
    output: impl Write + 'static,
    bot: Bot,
    terminal: Option<Terminal>,
) -> io::Result<Ending> {
    let inbox = Inbox::new(engine.stop_signal());
    let signal = if bot.ends_on_signals {
        let stop = bot.ctrl_c_stops_searches.then(|| engine.stop_signal());
        end_on_signals(Arc::clone(&inbox), stop)?
    } else {
        Arc::new(AtomicI32::new(0))
    };
    reader::start(input, Arc::clone(&inbox), |name| {
        commands::find(name).and_then(|c| c.search)
    })?;
    let mut session = Session::new(engine, pinned);
    session.output = Output::client(output, bot.log);
    session.greetings = bot.greetings;
    if let Some(name) = bot.name {
        session.name = name;
    }
    session.terminal = terminal;
    let mut conversation = Conversation {
        session,
        results: bot.results,
        moved: false,
    };
    conversation.note(concat!("omnigo ", env!("CARGO_PKG_VERSION"), " starts"));
    let served = conversation.serve(&inbox);
    let ending = match signal.load(Ordering::Acquire) {
        0 => Ending::Client,
        number => Ending::Signal(number),
    };
    conversation.close(ending);
    served.map(|()| ending)
}

struct Conversation {
    session: Session,
    results: Option<Results>,
    /// True if the engine made a move in response to the latest search command.
    moved: bool,
}

impl Conversation {
    /// Answers all lines until the end.
    fn serve(&mut self, inbox: &Inbox) -> io::Result<()> {
        while !self.session.finished {
            self.ponder(inbox);
            let Some(line) = inbox.next() else {
                return Ok(());
            };
            self.line(&line, inbox)?;
        }
        Ok(())
    }

    /// Writes the results and log entries that the end of the session completes.
    fn close(&mut self, ending: Ending) {
        if let Some(results) = &mut self.results {
            results.close();
        }
        match ending {
            Ending::Client => self.note("the client ends the session"),
            Ending::Signal(number) => self.note(&format!("signal {number} ends the session")),
        }
    }

    /// Writes an event to the log.
    fn note(&mut self, event: &str) {
        if let Some(log) = self.session.output.log() {
            log.note(event);
        }
    }

    /// Ponders until any line arrives, if pondering is enabled and the engine has just moved.
    fn ponder(&mut self, inbox: &Inbox) {
        let Session {
            engine, avoided, ..
        } = &mut self.session;
        // Searches with avoided vertices start from an empty tree, so they cannot use pondering.
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
                self.session.output.received("(a line that is too long)");
                self.session.output.begin_answer(id.as_deref());
                let problem = Failure::Syntax(format!("line longer than {} bytes", MAX_LINE));
                self.answer(&Err(problem))
            }
            Line::Text(text) => {
                self.session.output.received(text);
                let Some(request) = parse::request(text) else {
                    return Ok(());
                };
                self.session.output.begin_answer(request.id);
                let searches = commands::find(request.name).is_some_and(|c| c.search.is_some());
                if searches {
                    inbox.begin_search();
                }
                let moves = self.session.engine.turns();
                let to_move = self.session.engine.to_move();
                let start = Instant::now();
                self.prepare(&request);
                let result = self.run_guarded(&request);
                let elapsed = start.elapsed();
                if searches {
                    inbox.end_search();
                    self.moved = self.session.engine.turns() > moves;
                }
                self.conclude(&request, &result);
                self.answer(&result)?;
                // The answer goes first, because judging a finished game may take a moment.
                if let Ok(answer) = &result {
                    self.record(&request, to_move, answer, elapsed);
                }
                Ok(())
            }
        }
    }

    /// Greets before the engine's first move of a game.
    fn prepare(&mut self, request: &Request<'_>) {
        let Session {
            greetings, engine, ..
        } = &mut self.session;
        greetings.before(engine, request);
    }

    /// Says farewell after the end of a game, and passes the figures of a search to the log.
    fn conclude(&mut self, request: &Request<'_>, result: &Result<String, Failure>) {
        let Session {
            engine,
            output,
            greetings,
            last_search,
            ..
        } = &mut self.session;
        let Ok(answer) = result else { return };
        greetings.after(engine, request, answer);
        if is_genmove(request.name)
            && let (Some(log), Some(search)) = (output.log(), last_search)
        {
            log.searched(SearchFigures::of(search, engine.goban()));
        }
    }

    /// Follows the game in the record of results. A panic loses only this step.
    fn record(&mut self, request: &Request<'_>, to_move: Color, answer: &str, elapsed: Duration) {
        let Conversation {
            session, results, ..
        } = self;
        let Some(results) = results else { return };
        let follow =
            AssertUnwindSafe(|| results.follow(session, request, to_move, answer, elapsed));
        if catch_unwind(follow).is_err() {
            warn("internal error in the record of results");
        }
    }

    /// Runs a command. A panic fails only this command, not the session.
    fn run_guarded(&mut self, request: &Request<'_>) -> Result<String, Failure> {
        let session = &mut self.session;
        catch_unwind(AssertUnwindSafe(|| session.run(request))).unwrap_or_else(|_| {
            warn(&format!(
                "internal error in {}; the game may be wrong from now on",
                request.name
            ));
            Err(Failure::Refused("internal error".to_string()))
        })
    }

    fn answer(&mut self, result: &Result<String, Failure>) -> io::Result<()> {
        let output = &mut self.session.output;
        match result {
            Ok(text) => output.answer(Ok(text)),
            Err(failure) => output.answer(Err(&failure.to_string())),
        }
    }
}
