//! Scheduling of positions, and the threads that search them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::answer::{answer, nothing};
use super::problem::QueryError;
use super::query::Query;
use super::{Defaults, Printer};
use crate::engine::{Analysis, AnalysisRequest};

/// Position to search.
pub(super) struct Job {
    pub(super) query: Arc<Query>,
    pub(super) turn: usize,
    priority: i64,
    /// Order of arrival. Jobs of equal priority run in this order.
    number: u64,
    stop: Arc<AtomicBool>,
    /// Releases the memory of the query after its last job.
    _memory: Arc<Held>,
}

/// Memory of a query.
struct Held {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Job {
    fn rank(&self) -> (i64, Reverse<u64>) {
        (self.priority, Reverse(self.number))
    }
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Job {}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Waiting and running jobs.
pub(super) struct Work {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Job>,
    running: Vec<Arc<Job>>,
    taken: u64,
    closed: bool,
    /// Approximate memory of all queries, in bytes.
    held: Arc<AtomicUsize>,
}

/// Maximum number of waiting positions.
const MOST: usize = 1 << 17;
/// Maximum approximate memory of all queries, in bytes.
const MOST_BYTES: usize = 1 << 30;

impl Work {
    pub(super) fn new() -> Work {
        Work {
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each state change completes before anything can panic, so a poisoned lock holds a valid
        // state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the turns of a query. Returns an error if the limits are exceeded.
    pub(super) fn add(&self, query: Query) -> Result<(), QueryError> {
        let query = Arc::new(query);
        let mut state = self.lock();
        if state.waiting.len() + query.turns.len() > MOST {
            let problem = format!("too many queued positions, expected at most {MOST}");
            return Err(QueryError {
                field: None,
                problem,
            });
        }
        let bytes = query.bytes;
        let held = state.held.fetch_add(bytes, Ordering::Relaxed);
        let memory = Arc::new(Held {
            bytes,
            all: Arc::clone(&state.held),
        });
        if held.saturating_add(bytes) > MOST_BYTES {
            let problem = format!(
                "queued queries would take {} MiB with this one, expected at most {}",
                held.saturating_add(bytes) >> 20,
                MOST_BYTES >> 20
            );
            return Err(QueryError {
                field: None,
                problem,
            });
        }
        for &(turn, priority) in &query.turns {
            state.taken += 1;
            let number = state.taken;
            state.waiting.push(Job {
                query: Arc::clone(&query),
                turn,
                priority,
                number,
                stop: Arc::default(),
                _memory: Arc::clone(&memory),
            });
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the matching jobs. Running jobs answer with their current results. Returns the answers
    /// of waiting jobs.
    pub(super) fn terminate(&self, meant: impl Fn(&Job) -> bool) -> Vec<Value> {
        let mut state = self.lock();
        for job in state.running.iter().filter(|job| meant(job)) {
            job.stop.store(true, Ordering::Release);
        }
        let waiting = std::mem::take(&mut state.waiting).into_vec();
        let (ended, left): (Vec<Job>, Vec<Job>) = waiting.into_iter().partition(|job| meant(job));
        state.waiting = left.into();
        let answers = ended.iter().map(|job| nothing(&job.query, job.turn));
        answers.collect()
    }

    /// Records that no more queries will arrive.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Searches one position after another until the queue is closed and empty.
    pub(super) fn run<W: Write>(&self, defaults: &Defaults, printer: &Printer<W>) {
        while let Some(job) = self.next() {
            let worked = catch_unwind(AssertUnwindSafe(|| self.search(defaults, &job, printer)));
            let error = match worked {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.problem),
                Err(_) => Some("internal error".to_string()),
            };
            if let Some(error) = error {
                printer.print(&json!({"id": job.query.id, "turnNumber": job.turn, "error": error}));
            }
            let mut state = self.lock();
            state.running.retain(|other| !Arc::ptr_eq(other, &job));
        }
    }

    fn next(&self) -> Option<Arc<Job>> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop() {
                let job = Arc::new(job);
                state.running.push(Arc::clone(&job));
                return Some(job);
            }
            if state.closed {
                return None;
            }
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Searches a position and prints the results. If the output is closed, ends all jobs.
    fn search<W: Write>(
        &self,
        defaults: &Defaults,
        job: &Job,
        printer: &Printer<W>,
    ) -> Result<(), QueryError> {
        let query = &job.query;
        let mut engine = query.engine(job.turn)?;
        engine.set_stop_signal(Arc::clone(&job.stop));
        let mut analysis_request = AnalysisRequest::for_color(engine.to_move());
        analysis_request.restrictions = query.restrictions.clone();
        analysis_request.interval = query.report_every.map(Duration::from_secs_f64);
        analysis_request.playouts = Some(query.playouts);
        analysis_request.seconds = query.seconds.or(defaults.options.seconds);
        analysis_request.moves_ownership = query.moves_ownership;
        analysis_request.ownership = query.ownership || query.ownership_deviation;
        engine.analyze(&analysis_request, &mut |analysis: &Analysis<'_>, last| {
            if !printer.print(&answer(query, job.turn, analysis, last)) {
                self.terminate(|_| true);
            }
        });
        Ok(())
    }
}
