//! Queue of input lines between the reader thread and the command loop. It also decides which lines
//! stop a search.
//!
//! Commands are answered in order, and a client may send the next one during a search. Lines affect
//! searches as follows:
//!
//! - The comment line `# interrupt` stops the first search that was read but not answered. That
//!   search may be running or still waiting behind other commands. Without such a search the line
//!   is ignored.
//! - `quit`, its alias `exit`, and the end of input stop a search that has been running for at
//!   least 100 ms.
//! - Every later line stops an analysis, even a blank line or a comment. So does the end of input.
//! - Any line and the end of input stop pondering too.
//!
//! Lines that were read together enter the queue together. A session that takes the first of them
//! therefore sees that others are waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::parse;

/// Maximum length of a line in bytes. Longer lines are refused.
pub const MAX_LINE: usize = 16 << 20;
/// Maximum number of waiting lines. The reader blocks at this number …
const MAX_WAITING: usize = 1 << 16;
/// … or at this many bytes of waiting lines.
const MAX_BYTES: usize = 4 * MAX_LINE;

/// Line that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Text cleaned by [`parse::clean`]. It may be blank or a comment.
    Text(String),
    /// Line longer than [`MAX_LINE`] bytes without a comment sign. Only its id is kept.
    TooLong {
        /// Digits at the beginning of the line.
        id: Option<String>,
    },
}

/// Queue shared by the reader thread and the session.
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
    /// One entry for each search that was read but not answered, and one for pondering.
    searches: VecDeque<Search>,
    /// Start time of the first search in `searches`, or `None` if it has not started.
    running: Option<Instant>,
}

/// Search that was read but not answered, or pondering.
#[derive(Clone, Copy, Debug)]
struct Search {
    ended_by: EndedBy,
    /// True if the search has to stop.
    interrupted: bool,
    /// True if no line requested the search.
    pondering: bool,
}

/// Input that stops a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The line `# interrupt`.
    Interrupt,
    /// Any line.
    AnyLine,
}

impl State {
    /// A line that arrives within this time after the start of a search counts as part of the same
    /// script.
    const SCRIPT: Duration = Duration::from_millis(100);

    /// Marks every search that any line stops.
    fn disturb(&mut self) {
        for search in &mut self.searches {
            search.interrupted |= search.ended_by == EndedBy::AnyLine;
        }
    }

    /// Marks the first requested search as stopped. Pondering is not a requested search.
    fn interrupt(&mut self) {
        let mut asked = self.searches.iter_mut().filter(|s| !s.pondering);
        if let Some(search) = asked.next() {
            search.interrupted = true;
        }
    }

    /// Stops all searches if one has been running for a while. `quit` or the end of input has
    /// arrived, and the client no longer needs the answers.
    ///
    /// A client may also send a whole script at once and expect all answers. Therefore, a search
    /// continues if `quit` or the end of input arrives shortly after its start.
    fn leave(&mut self) {
        let long = |since: Instant| since.elapsed() >= Self::SCRIPT;
        if self.running.is_some_and(long) {
            for search in &mut self.searches {
                search.interrupted = true;
            }
        }
    }

    /// Returns true if the running search has to stop.
    fn stops(&self) -> bool {
        self.running.is_some() && self.searches.front().is_some_and(|s| s.interrupted)
    }
}

impl Inbox {
    /// Returns an empty inbox. It sets `stop` to end the running search.
    pub fn new(stop: Arc<AtomicBool>) -> Arc<Inbox> {
        Arc::new(Inbox {
            state: Mutex::default(),
            arrived: Condvar::new(),
            taken: Condvar::new(),
            stop,
        })
    }

    /// Returns the number of lines that are waiting, including blank lines and comments.
    #[cfg(test)]
    fn waiting(&self) -> usize {
        self.lock().lines.len()
    }

    /// Waits for the next line and returns it; `None` at the end of input.
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

    /// Records that the first search among the taken lines starts now.
    pub fn begin_search(&self) {
        let mut state = self.lock();
        state.running = Some(Instant::now());
        let interrupted = state.searches.front().is_some_and(|s| s.interrupted);
        self.stop.store(interrupted, Ordering::Release);
    }

    /// Records that pondering starts now. Returns false if a line is already waiting or the input
    /// has ended.
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

    /// Records that the latest search has ended.
    pub fn end_search(&self) {
        let mut state = self.lock();
        state.searches.pop_front();
        state.running = None;
        self.stop.store(false, Ordering::Release);
    }

    /// Adds `lines` to the queue, all at once if there is room. `searches` returns the input that
    /// stops a command's search, or `None` for a command without a search.
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
            // Stop the search before waiting for room: the room may appear only after the search.
            self.stop_if_needed(&state);
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
            if state.closed {
                // The session has ended while this line was waiting for room.
                return;
            }
            state.bytes += size(&line);
            state.lines.push_back(line);
            self.stop_if_needed(&state);
            self.arrived.notify_one();
        }
    }

    /// Records the end of input. `ended` is false if reading failed.
    pub fn close(&self, ended: bool) {
        let mut state = self.lock();
        state.closed = true;
        if ended {
            state.leave();
        }
        state.disturb();
        self.stop_if_needed(&state);
        drop(state);
        self.arrived.notify_one();
    }

    /// Ends the session: stops the running search, drops waiting lines, and reports the end of
    /// input.
    pub fn end(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.lines.clear();
        state.bytes = 0;
        for search in &mut state.searches {
            search.interrupted = true;
        }
        self.stop_if_needed(&state);
        drop(state);
        self.arrived.notify_one();
        self.taken.notify_one();
    }

    /// Sends the stop signal if the running search has to stop.
    fn stop_if_needed(&self, state: &State) {
        if state.stops() {
            self.stop.store(true, Ordering::Release);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each state change completes before anything can panic, so a poisoned lock holds a valid
        // state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Effect of a line on running and waiting searches.
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
            Some("quit" | "exit") => Kind::Quit,
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

    /// Delivers one line.
    fn deliver(inbox: &Inbox, line: &str) {
        inbox.deliver(vec![text(line)], |name| match name {
            "genmove" => Some(EndedBy::Interrupt),
            "kata-analyze" | "lz-analyze" => Some(EndedBy::AnyLine),
            _ => None,
        });
    }

    #[test]
    fn does_not_ponder_while_a_line_is_queued() {
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
    fn lines_beyond_the_capacity_arrive_in_order() {
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
    fn an_interrupt_applies_to_the_queued_search_not_to_pondering() {
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
    fn the_end_stops_the_search_and_drops_waiting_lines() {
        let stop = Arc::new(AtomicBool::new(false));
        let inbox = Inbox::new(Arc::clone(&stop));
        deliver(&inbox, "genmove b");
        deliver(&inbox, "name");
        assert!(inbox.next().is_some());
        inbox.begin_search();
        assert!(!stop.load(Ordering::Acquire));
        inbox.end();
        assert!(stop.load(Ordering::Acquire));
        inbox.end_search();
        assert_eq!(inbox.next(), None);
        deliver(&inbox, "name");
        assert_eq!(inbox.next(), None);
        assert!(!inbox.begin_pondering());
    }

    #[test]
    fn the_end_stops_a_search_that_has_not_begun() {
        let stop = Arc::new(AtomicBool::new(false));
        let inbox = Inbox::new(Arc::clone(&stop));
        deliver(&inbox, "genmove b");
        assert!(inbox.next().is_some());
        inbox.end();
        inbox.begin_search();
        assert!(stop.load(Ordering::Acquire));
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
    fn any_line_ends_an_analysis_but_no_other_search() {
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
