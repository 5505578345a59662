//! Progress reports of a running search.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::SearchResult;

/// Receiver of intermediate results at regular intervals.
pub struct Watch<'w> {
    /// Time between two reports.
    pub interval: Duration,
    /// Receives each report. Runs in the thread that started the search.
    pub report: &'w mut dyn FnMut(&SearchResult),
}

/// Signal to the watching thread that the search has ended.
#[derive(Default)]
pub(crate) struct Ending {
    over: Mutex<bool>,
    changed: Condvar,
}

impl Ending {
    /// Waits for the end of the search, at most until `moment`. Returns true if the search has
    /// ended.
    pub(crate) fn wait_until(&self, moment: Instant) -> bool {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = moment.saturating_duration_since(Instant::now());
            if *over || left.is_zero() {
                return *over;
            }
            over = self
                .changed
                .wait_timeout(over, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Returns a token that signals the end when it is dropped, whether the search returned or
    /// panicked.
    pub(crate) fn on_drop(&self) -> impl Drop + '_ {
        struct Ends<'e>(&'e Ending);
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                *self.0.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
                self.0.changed.notify_all();
            }
        }
        Ends(self)
    }
}

/// Runs `search` in a new thread. Meanwhile, this thread reports intermediate results to `watch`,
/// as soon as `so_far` returns any.
pub(crate) fn watched(
    search: impl FnOnce() + Send,
    start: Instant,
    watch: Watch<'_>,
    so_far: impl Fn() -> Option<SearchResult>,
) {
    let ending = Ending::default();
    thread::scope(|scope| {
        let ends = ending.on_drop();
        scope.spawn(move || {
            let _ends = ends;
            search();
        });
        let mut next = start + watch.interval;
        while !ending.wait_until(next) {
            if let Some(result) = so_far() {
                (watch.report)(&result);
            }
            // If a report takes longer than the interval, skip the reports that are overdue.
            next = (next + watch.interval).max(Instant::now());
        }
    });
}
