//! JSON analysis: one query per line on standard input, one answer per line on standard output.
//! Answers appear in the order in which they are ready.
//!
//! Queries and answers have the format of KataGo's analysis engine, plus the fields `graph` and
//! `ruleset`. Scripts and programs such as KaTrain can therefore analyze any board. [`query`] reads
//! queries, `work` schedules and searches, `answer` writes answers.

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
mod problem;
pub mod query;
mod settings;
mod work;

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use serde_json::{Map, Value, json};

use crate::engine::Options;
use crate::graph::spec::Spec;
use crate::gtp::warning_file::WarningFile;
use crate::rules::{Points, Ruleset};
pub use problem::{FieldWarning, QueryError};
use query::{Boards, Perspective, Query};
use work::Work;

/// Default values for queries, and settings of their searches.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Board of queries without `graph` and size.
    pub graph: Option<Spec>,
    /// Default ruleset.
    pub rules: Ruleset,
    /// Default komi.
    pub komi: Points,
    /// Default number of playouts per position.
    pub playouts: u64,
    /// Default perspective of the reported values.
    pub perspective: Perspective,
    /// Number of positions searched in parallel.
    pub positions: usize,
    /// Options of each search. The memory is shared by all of them.
    pub options: Options,
}

/// Maximum length of a query, in bytes.
const MAX_LINE: usize = 16 << 20;

/// Event for the thread that accepts queries.
enum Event {
    /// A line, or an error about it.
    Line(Result<String, String>),
    /// The input has ended.
    End(io::Result<()>),
    /// The output is closed.
    Gone,
}

/// Maximum number of lines waiting to be accepted.
const LINES: usize = 64;

/// Output of answers, one per line, from several threads.
struct Printer<W> {
    output: Mutex<W>,
    /// True if an answer could not be written.
    gone: AtomicBool,
    /// Reason why an answer could not be written.
    problem: OnceLock<io::Error>,
    /// Log of queries and answers.
    log: Mutex<Option<WarningFile>>,
    events: SyncSender<Event>,
}

impl<W: Write> Printer<W> {
    /// Writes an answer. Returns false if the output is closed.
    fn print(&self, answer: &Value) -> bool {
        let mut line = answer.to_string();
        self.log('<', &line);
        line.push('\n');
        let written = match self.output.lock() {
            Ok(mut output) if !self.is_gone() => {
                let written = output.write_all(line.as_bytes());
                match written.and_then(|()| output.flush()) {
                    Ok(()) => true,
                    Err(error) => {
                        // The first reason stays.
                        let _ = self.problem.set(error);
                        false
                    }
                }
            }
            Ok(_) | Err(_) => false,
        };
        if !written {
            self.gone.store(true, Ordering::Release);
            // If the channel is full, the receiver still checks `gone` before it takes the next
            // line.
            let _ = self.events.try_send(Event::Gone);
        }
        written
    }

    /// Logs a query after `>`, or an answer after `<`.
    fn log(&self, direction: char, line: &str) {
        // If a thread panicked, its entry may be missing. The log goes on.
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = log.as_mut() {
            log.append(&format!("{direction} {line}\n"));
        }
    }

    fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }
}

/// Reads lines until the input ends or the receiver is gone. The thread may stay blocked on input;
/// the session can end without it.
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

/// Answers queries until the end of `input`, or until `output` cannot be written. At the end of
/// `input`, all queries already read are still answered. `log` gets every query and answer.
///
/// # Errors
/// If `input` cannot be read, no thread can be started, or `output` cannot be written. A reader of
/// `output` that has left is no error.
pub fn serve(
    defaults: &Defaults,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    log: Option<WarningFile>,
) -> io::Result<()> {
    let (events, lines) = sync_channel(LINES);
    let printer = Printer {
        output: Mutex::new(output),
        gone: AtomicBool::new(false),
        problem: OnceLock::new(),
        log: Mutex::new(log),
        events: events.clone(),
    };
    let reader = thread::Builder::new().name("reader".to_string());
    reader.spawn(move || read(input, &events))?;
    let work = Work::new();
    let mut boards = Boards::default();
    let read = thread::scope(|scope| {
        for _ in 0..defaults.positions.max(1) {
            scope.spawn(|| work.run(defaults, &printer));
        }
        let read = loop {
            match next(&lines, &printer) {
                Event::Line(Ok(line)) if line.trim().is_empty() => {}
                Event::Line(Ok(line)) => {
                    printer.log('>', line.trim());
                    take(defaults, &mut boards, &work, &line, &printer);
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
    });
    match printer.problem.into_inner() {
        Some(problem) if problem.kind() != io::ErrorKind::BrokenPipe => Err(problem),
        Some(_) | None => read,
    }
}

/// Waits for the next event.
fn next<W: Write>(lines: &Receiver<Event>, printer: &Printer<W>) -> Event {
    if printer.is_gone() {
        return Event::Gone;
    }
    // The printer holds a sender, so this does not fail.
    lines.recv().unwrap_or(Event::Gone)
}

/// Returns the next line or an error about it; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.len() > MAX_LINE {
        // Skip the rest of the line.
        while line.last() != Some(&b'\n') {
            line.clear();
            if io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)? == 0 {
                break;
            }
        }
        return Ok(Some(Err(format!("line longer than {MAX_LINE} bytes"))));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(line) => Ok(line),
        Err(_) => Err("line is not valid UTF-8, expected JSON".to_string()),
    }))
}

/// Accepts a line. Prints the immediate answers. Warnings about a query come before its search
/// begins, so clients that wait for its last answer see them.
fn take<W: Write>(
    defaults: &Defaults,
    boards: &mut Boards,
    work: &Work,
    line: &str,
    printer: &Printer<W>,
) {
    // Some systems write a byte order mark before the first line.
    let line = line.trim_start_matches('\u{feff}');
    let object: Map<String, Value> = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => {
            let problem = format!("not a JSON object on one line: {error}");
            printer.print(&json!({ "error": problem }));
            return;
        }
    };
    let id = object.get("id");
    let accepted = if object.contains_key("action") {
        action::run(work, defaults.options.guidance.as_ref(), &object).map(|answers| {
            for answer in answers {
                printer.print(&answer);
            }
        })
    } else {
        let read = Query::read(defaults, boards, &object, line.len());
        read.and_then(|(query, warnings)| {
            for FieldWarning { name, problem } in &warnings {
                printer.print(&json!({"id": id, "field": name, "warning": problem}));
            }
            work.add(query)
        })
    };
    if let Err(error) = accepted {
        printer.print(&failure(id, &error));
    }
}

/// Returns the answer to an invalid query.
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

    /// Closed output that counts the attempts to write.
    struct Gone(usize, io::ErrorKind);

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Err(self.1.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Input that neither sends data nor ends.
    struct Silent;

    impl io::Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn serve_stops_if_the_output_is_closed() {
        let defaults = Defaults {
            graph: None,
            rules: crate::rules::presets::find("tromp-taylor")
                .expect("a preset")
                .rules
                .clone(),
            komi: Points::ZERO,
            playouts: 2,
            perspective: Perspective::ToMove,
            positions: 1,
            options: Options {
                threads: 1,
                memory_mib: 16,
                ..Options::default()
            },
        };
        let query: &'static [u8] = br#"{"id":"a","boardXSize":5,"boardYSize":5,"moves":[["B","C3"],["W","B2"]],"analyzeTurns":[0,1,2]}
"#;
        let mut gone = Gone(0, io::ErrorKind::BrokenPipe);
        serve(&defaults, query, &mut gone, None).expect("it can be read");
        assert_eq!(gone.0, 1, "answers to three turns");
        // Also while the input stays open.
        let open = io::BufReader::new(io::Read::chain(query, Silent));
        let mut gone = Gone(0, io::ErrorKind::BrokenPipe);
        serve(&defaults, open, &mut gone, None).expect("it can be read");
        assert_eq!(gone.0, 1);
        // A full disk loses answers, which a reader who leaves does not miss.
        let mut full = Gone(0, io::ErrorKind::StorageFull);
        let problem = serve(&defaults, query, &mut full, None).expect_err("nothing can be written");
        assert_eq!((full.0, problem.kind()), (1, io::ErrorKind::StorageFull));
    }
}
