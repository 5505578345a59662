//! Seeing a search while it runs.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Verdict;

/// Somebody who is told what a search has found so far, each time so much time has passed.
pub struct Watch<'w> {
    /// Time between two reports.
    pub interval: Duration,
    /// Is told, in the thread that asked for the search.
    pub report: &'w mut dyn FnMut(&Verdict),
}

/// Tells the watching thread that the search has ended.
#[derive(Default)]
pub(super) struct Ending {
    over: Mutex<bool>,
    changed: Condvar,
}

impl Ending {
    /// Waits for the end until `moment`; whether it has come.
    pub(super) fn wait_until(&self, moment: Instant) -> bool {
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

    /// A token whose drop is the end, whether the search returned or panicked.
    pub(super) fn on_drop(&self) -> impl Drop + '_ {
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
