//! The lines that wait for their answers, and the searches among them.
//!
//! Commands are answered in order, so a client may send the next one while a search runs; only the comment line
//! `# interrupt` acts at once. It is meant for the first search that was read and not yet answered, whether that has begun
//! or still waits its turn behind quick commands; where there is none, it is ignored. `quit` and the end of input end a
//! search that has been running for a while.
//!
//! Lines that were read together are handed over together: who has taken the first of them sees that others wait.
//!
//! Analyses go on until the client has something else to say: every line that comes after one ends it, blank ones and
//! comments too, and so does the end of input. So does pondering, which nobody asked for.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::parse;

/// The most bytes of a line that are kept; a longer line is refused.
pub const MAX_LINE: usize = 16 << 20;
/// No line finds room while this many are unanswered …
const MAX_WAITING: usize = 1 << 16;
/// … or lines of this many bytes together.
const MAX_BYTES: usize = 4 * MAX_LINE;

/// A line that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The text, through [`parse::clean`]; it may be a comment or blank.
    Text(String),
    /// More than [`MAX_LINE`] bytes without a comment sign: only the id is left.
    TooLong {
        /// Digits at the beginning of the line.
        id: Option<String>,
    },
}

/// What the reader and the session share.
pub struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
    taken: Condvar,
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    closed: bool,
    /// One entry for each search read and not yet answered.
    searches: VecDeque<Search>,
    /// Since when the first of them runs, if it has begun.
    running: Option<Instant>,
}

/// A search that was read and not yet answered.
#[derive(Clone, Copy, Debug)]
struct Search {
    ended_by: EndedBy,
    /// Whether that has come.
    interrupted: bool,
    /// Whether no line asked for it.
    pondering: bool,
}

/// What ends a search before it has ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The line `# interrupt`.
    Interrupt,
    /// Any line.
    AnyLine,
}

impl State {
    /// Lines that arrive this soon after a search has begun were sent together with its command.
    const SCRIPT: Duration = Duration::from_millis(100);

    /// Notes that a line or the end of input came in.
    fn disturb(&mut self) {
        for search in &mut self.searches {
            search.interrupted |= search.ended_by == EndedBy::AnyLine;
        }
    }

    /// Notes that the first search that was asked for is to end.
    fn interrupt(&mut self) {
        let mut asked = self.searches.iter_mut().filter(|s| !s.pondering);
        if let Some(search) = asked.next() {
            search.interrupted = true;
        }
    }

    /// Ends the running search, and those that wait for it, because nobody waits for them any more: `quit` or the end of input
    /// came while it ran.
    ///
    /// Lines that came together are a script whose every answer is wanted; only what comes well after a search has begun
    /// is a client that leaves.
    fn leave(&mut self) {
        let long = |since: Instant| since.elapsed() >= Self::SCRIPT;
        if self.running.is_some_and(long) {
            for search in &mut self.searches {
                search.interrupted = true;
            }
        }
    }

    /// Whether the search that runs is to end.
    fn stops(&self) -> bool {
        self.running.is_some() && self.searches.front().is_some_and(|s| s.interrupted)
    }
}

impl Inbox {
    /// An empty inbox; `stop` is the signal that ends a running search.
    pub fn new(stop: Arc<AtomicBool>) -> Arc<Inbox> {
        Arc::new(Inbox {
            state: Mutex::default(),
            arrived: Condvar::new(),
            taken: Condvar::new(),
            stop,
        })
    }

    /// Number of lines that came in and were not taken yet, blank ones and comments included.
    #[cfg(test)]
    fn waiting(&self) -> usize {
        self.lock().lines.len()
    }

    /// The next line, waiting for it; `None` at the end of input.
    pub fn next(&self) -> Option<Line> {
        let mut state = self.lock();
        loop {
            if let Some(line) = state.lines.pop_front() {
                state.bytes -= size(&line);
                self.taken.notify_one();
                return Some(line);
            }
            if state.closed {
                return None;
            }
            state = self
                .arrived
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells that the first search among the lines taken begins now.
    pub fn begin_search(&self) {
        let mut state = self.lock();
        state.running = Some(Instant::now());
        let interrupted = state.searches.front().is_some_and(|s| s.interrupted);
        self.stop.store(interrupted, Ordering::Release);
    }

    /// Tells that the time until the next line is used to think; `false` where a line waits already.
    pub fn begin_pondering(&self) -> bool {
        let mut state = self.lock();
        if state.closed || !state.lines.is_empty() {
            return false;
        }
        state.searches.push_front(Search {
            ended_by: EndedBy::AnyLine,
            interrupted: false,
            pondering: true,
        });
        state.running = Some(Instant::now());
        self.stop.store(false, Ordering::Release);
        true
    }

    /// Tells that the search begun last has ended.
    pub fn end_search(&self) {
        let mut state = self.lock();
        state.searches.pop_front();
        state.running = None;
        self.stop.store(false, Ordering::Release);
    }

    /// Puts `lines` in, as one where there is room for all; `searches` tells which commands search, and what ends them.
    pub fn deliver(&self, lines: Vec<Line>, searches: fn(&str) -> Option<EndedBy>) {
        let kind = |line: Line| (Kind::of(&line, searches), line);
        let lines: Vec<(Kind, Line)> = lines.into_iter().map(kind).collect();
        let mut state = self.lock();
        for (kind, line) in lines {
            match kind {
                Kind::Interrupt => state.interrupt(),
                Kind::Quit => state.leave(),
                Kind::Search(_) | Kind::Other => {}
            }
            // What has come is told before the line itself finds room: that may take as long as the search.
            self.tell(&state);
            while state.lines.len() >= MAX_WAITING || state.bytes >= MAX_BYTES {
                state = self
                    .taken
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            state.disturb();
            if let Kind::Search(ended_by) = kind {
                state.searches.push_back(Search {
                    ended_by,
                    interrupted: false,
                    pondering: false,
                });
            }
            state.bytes += size(&line);
            state.lines.push_back(line);
            self.tell(&state);
            self.arrived.notify_one();
        }
    }

    /// Notes that no more lines come; `ended` unless reading failed.
    pub fn close(&self, ended: bool) {
        let mut state = self.lock();
        state.closed = true;
        if ended {
            state.leave();
        }
        state.disturb();
        self.tell(&state);
        drop(state);
        self.arrived.notify_one();
    }

    /// Passes on to the running search that it is to end.
    fn tell(&self, state: &State) {
        if state.stops() {
            self.stop.store(true, Ordering::Release);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the state is complete before anything can fail, so a poisoned lock holds a sound state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a line means to the search that runs, and to those that wait.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Interrupt,
    Quit,
    Search(EndedBy),
    Other,
}

impl Kind {
    fn of(line: &Line, searches: fn(&str) -> Option<EndedBy>) -> Kind {
        let Line::Text(text) = line else {
            return Kind::Other;
        };
        if parse::is_interrupt(text) {
            return Kind::Interrupt;
        }
        match parse::request(text).map(|request| request.name) {
            Some("quit") => Kind::Quit,
            Some(name) => searches(name).map_or(Kind::Other, Kind::Search),
            None => Kind::Other,
        }
    }
}

fn size(line: &Line) -> usize {
    match line {
        Line::Text(text) => text.len(),
        Line::TooLong { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn text(text: &str) -> Line {
        Line::Text(text.to_string())
    }

    /// One line arrives.
    fn deliver(inbox: &Inbox, line: &str) {
        inbox.deliver(vec![text(line)], |name| match name {
            "genmove" => Some(EndedBy::Interrupt),
            "kata-analyze" | "lz-analyze" => Some(EndedBy::AnyLine),
            _ => None,
        });
    }

    #[test]
    fn who_takes_the_first_of_two_lines_never_ponders() {
        let inbox = Inbox::new(Arc::default());
        let taker = Arc::clone(&inbox);
        let taking = thread::spawn(move || {
            let mut pondered = 0;
            while taker.next().is_some() {
                pondered += usize::from(taker.begin_pondering());
                taker.next();
            }
            pondered
        });
        for _ in 0..5_000 {
            inbox.deliver(vec![text("genmove b"), text("")], |_| None);
            while inbox.waiting() > 0 {
                thread::yield_now();
            }
        }
        inbox.close(true);
        assert_eq!(taking.join().unwrap(), 0);
    }

    #[test]
    fn more_lines_than_there_is_room_for_arrive_in_order() {
        let inbox = Inbox::new(Arc::default());
        let names = || (0..MAX_WAITING + 10).map(|number| text(&number.to_string()));
        let giver = Arc::clone(&inbox);
        let giving = thread::spawn(move || {
            giver.deliver(names().collect(), |_| None);
            giver.close(true);
        });
        assert!(std::iter::from_fn(|| inbox.next()).eq(names()));
        giving.join().unwrap();
    }

    #[test]
    fn an_interrupt_does_not_mean_what_is_pondered() {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = || stop.load(Ordering::Acquire);
        let inbox = Inbox::new(Arc::clone(&stop));
        assert!(inbox.begin_pondering());
        let burst = vec![text("genmove w"), text("# interrupt")];
        inbox.deliver(burst, |name| {
            (name == "genmove").then_some(EndedBy::Interrupt)
        });
        assert!(raised(), "any line ends it");
        inbox.end_search();
        inbox.begin_search();
        assert!(raised(), "the move was meant");
        inbox.end_search();
    }

    #[test]
    fn an_interrupt_ends_the_first_search_unanswered() {
        let stop = Arc::new(AtomicBool::new(false));
        let inbox = Inbox::new(Arc::clone(&stop));
        deliver(&inbox, "# interrupt");
        assert!(!stop.load(Ordering::Acquire), "nothing to interrupt");

        deliver(&inbox, "genmove b");
        deliver(&inbox, "genmove w");
        inbox.begin_search();
        assert!(
            !stop.load(Ordering::Acquire),
            "an early interrupt is forgotten"
        );
        deliver(&inbox, "# interrupt");
        assert!(stop.load(Ordering::Acquire));
        inbox.end_search();
        assert!(!stop.load(Ordering::Acquire));
        inbox.begin_search();
        assert!(
            !stop.load(Ordering::Acquire),
            "the second search was not meant"
        );
        inbox.end_search();
    }

    #[test]
    fn an_interrupt_waits_for_a_search_that_has_not_begun() {
        let stop = Arc::new(AtomicBool::new(false));
        let inbox = Inbox::new(Arc::clone(&stop));
        deliver(&inbox, "genmove b");
        deliver(&inbox, "# interrupt");
        assert!(!stop.load(Ordering::Acquire));
        inbox.begin_search();
        assert!(stop.load(Ordering::Acquire));
        inbox.end_search();
    }

    #[test]
    fn any_line_ends_an_analysis_and_no_other_search() {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = || stop.load(Ordering::Acquire);
        let inbox = Inbox::new(Arc::clone(&stop));
        deliver(&inbox, "genmove b");
        deliver(&inbox, "kata-analyze b");
        deliver(&inbox, "");
        inbox.begin_search();
        assert!(!raised(), "a move is thought about whatever comes");
        inbox.end_search();
        inbox.begin_search();
        assert!(raised(), "something came after the analysis");
        inbox.end_search();

        deliver(&inbox, "lz-analyze");
        inbox.begin_search();
        assert!(!raised(), "its own line does not end it");
        deliver(&inbox, "# nothing");
        assert!(raised());
        inbox.end_search();

        while inbox.waiting() > 0 {
            inbox.next();
        }
        assert!(inbox.begin_pondering());
        assert!(!raised());
        inbox.close(true);
        assert!(raised(), "the end of input counts");
        inbox.end_search();
        assert!(!inbox.begin_pondering(), "nobody is there any more");
    }
}
