//! JSON analysis: a query a line on standard input, answers a line on standard output as they finish.
//!
//! Queries and answers are those of KataGo's analysis engine, with `graph` and `ruleset` besides, so that scripts and programs
//! in KaTrain's manner can ask about any board. [`query`] reads, `work` schedules and searches, `answer` writes.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod action;
mod answer;
mod field;
mod options;
mod problem;
pub mod query;
mod work;

pub use options::{AnalysisArgs, run};

use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::{Map, Value, json};

use crate::engine::Options;
use crate::graph::spec::Spec;
use crate::rules::{Points, Ruleset};
pub use problem::{Field, QueryError};
use query::{Boards, Query};
use work::Work;

/// What holds for queries that do not say otherwise, and how they are worked on.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Board, where a query names no board and no size.
    pub graph: Option<Spec>,
    /// Rules.
    pub rules: Ruleset,
    /// Komi.
    pub komi: Points,
    /// Playouts for each position.
    pub playouts: u64,
    /// Positions that are searched at the same time.
    pub positions: usize,
    /// How each is searched; the memory is that of all together.
    pub options: Options,
}

/// The longest query that is read.
const MAX_LINE: usize = 16 << 20;

/// What there is for the thread that takes queries in.
enum Event {
    /// A line, or what is wrong with it.
    Line(Result<String, String>),
    /// No more lines come.
    End(io::Result<()>),
    /// Nobody reads answers any more.
    Gone,
}

/// Lines that wait to be taken in.
const LINES: usize = 64;

/// Where answers go, a line each, from several threads.
struct Printer<W> {
    output: Mutex<W>,
    /// Whether an answer could not be written.
    gone: AtomicBool,
    events: SyncSender<Event>,
}

impl<W: Write> Printer<W> {
    /// Writes an answer, unless nobody reads any more.
    fn print(&self, answer: &Value) -> bool {
        let mut line = answer.to_string();
        line.push('\n');
        let written = match self.output.lock() {
            Ok(mut output) => {
                !self.is_gone()
                    && output
                        .write_all(line.as_bytes())
                        .and_then(|()| output.flush())
                        .is_ok()
            }
            Err(_) => false,
        };
        if !written {
            self.gone.store(true, Ordering::Release);
            // Where there is no room for it, lines wait, and whoever takes them looks here first.
            let _ = self.events.try_send(Event::Gone);
        }
        written
    }

    fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }
}

/// Reads lines until they end or nobody takes them. A line may never come, and the session ends without it.
fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let ends = matches!(event, Event::End(_));
        if events.send(event).is_err() || ends {
            return;
        }
    }
}

/// Answers queries until the end of `input`, and those that were read before it, or until `output` cannot be written.
///
/// # Errors
/// When `input` cannot be read or no thread can be started.
pub fn serve(
    defaults: &Defaults,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
) -> io::Result<()> {
    let (events, lines) = sync_channel(LINES);
    let printer = Printer {
        output: Mutex::new(output),
        gone: AtomicBool::new(false),
        events: events.clone(),
    };
    let reader = thread::Builder::new().name("reader".to_string());
    reader.spawn(move || read(input, &events))?;
    let work = Work::new();
    let mut boards = Boards::default();
    thread::scope(|scope| {
        for _ in 0..defaults.positions.max(1) {
            scope.spawn(|| work.run(defaults, &printer));
        }
        let read = loop {
            match next(&lines, &printer) {
                Event::Line(Ok(line)) if line.trim().is_empty() => {}
                Event::Line(Ok(line)) => {
                    for answer in take(defaults, &mut boards, &work, &line) {
                        printer.print(&answer);
                    }
                }
                Event::Line(Err(problem)) => {
                    printer.print(&json!({ "error": problem }));
                }
                Event::End(read) => break read,
                Event::Gone => {
                    work.terminate(|_| true);
                    break Ok(());
                }
            }
        };
        work.close();
        read
    })
}

/// What comes next.
fn next<W: Write>(lines: &Receiver<Event>, printer: &Printer<W>) -> Event {
    if printer.is_gone() {
        return Event::Gone;
    }
    // The printer holds the other end.
    lines.recv().unwrap_or(Event::Gone)
}

/// The next line, or what is wrong with it; `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.len() > MAX_LINE {
        // The rest of it belongs to no query.
        while line.last() != Some(&b'\n') {
            line.clear();
            if io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)? == 0 {
                break;
            }
        }
        return Ok(Some(Err(format!("a line longer than {MAX_LINE} bytes"))));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(line) => Ok(line),
        Err(_) => Err("a line that is no UTF-8, expected JSON".to_string()),
    }))
}

/// Takes a line in; what is to be said about it at once.
fn take(defaults: &Defaults, boards: &mut Boards, work: &Work, line: &str) -> Vec<Value> {
    // Some systems put a byte order mark before the first line.
    let line = line.trim_start_matches('\u{feff}');
    let object: Map<String, Value> = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => {
            let problem = format!("{error}, expected a JSON object on one line");
            return vec![json!({ "error": problem })];
        }
    };
    let id = object.get("id").cloned();
    if object.contains_key("action") {
        return match action::run(work, defaults.options.guidance.as_ref(), &object) {
            Ok(answers) => answers,
            Err(error) => vec![failure(id.as_ref(), &error)],
        };
    }
    let read = Query::read(defaults, boards, &object, line.len());
    let queued = read.and_then(|(query, warnings)| {
        work.add(query)?;
        Ok(warnings)
    });
    match queued {
        Ok(warnings) => warnings
            .iter()
            .map(|Field { name, problem }| json!({"id": id, "field": name, "warning": problem}))
            .collect(),
        Err(error) => vec![failure(id.as_ref(), &error)],
    }
}

/// The answer to a query that cannot be worked on.
fn failure(id: Option<&Value>, error: &QueryError) -> Value {
    let mut answer = json!({ "error": error.problem });
    if let Some(object) = answer.as_object_mut() {
        if let Some(name) = &error.field {
            object.insert("field".to_string(), json!(name));
        }
        if let Some(id) = id {
            object.insert("id".to_string(), id.clone());
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that has gone: counts what is written to it in vain.
    struct Gone(usize);

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A client that sends nothing more and does not hang up.
    struct Silent;

    impl io::Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn work_ends_where_nobody_reads_answers() {
        let defaults = Defaults {
            graph: None,
            rules: crate::rules::presets::find("tromp-taylor")
                .expect("a preset")
                .rules
                .clone(),
            komi: Points::ZERO,
            playouts: 2,
            positions: 1,
            options: Options {
                threads: 1,
                memory_mib: 16,
                ..Options::default()
            },
        };
        let query: &'static [u8] = br#"{"id":"a","boardXSize":5,"boardYSize":5,"moves":[["B","C3"],["W","B2"]],"analyzeTurns":[0,1,2]}
"#;
        let mut gone = Gone(0);
        serve(&defaults, query, &mut gone).expect("it can be read");
        assert_eq!(gone.0, 1, "answers to three turns");
        // Also where the input stays open.
        let open = io::BufReader::new(io::Read::chain(query, Silent));
        let mut gone = Gone(0);
        serve(&defaults, open, &mut gone).expect("it can be read");
        assert_eq!(gone.0, 1);
    }
}
