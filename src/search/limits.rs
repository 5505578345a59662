//! When a search stops.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a search may spend; whichever is used up first ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Playouts.
    pub playouts: Option<u64>,
    /// Visits of the root, those that a tree kept from earlier searches has included.
    pub visits: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

impl Limits {
    /// Playouts that may be made where the root has `kept` visits already.
    pub(super) fn playouts_beyond(&self, kept: u32) -> Option<u64> {
        let missing = |visits: u64| visits.saturating_sub(kept.into());
        let visits = self.visits.map(missing);
        [self.playouts, visits].into_iter().flatten().min()
    }
}

/// A running search's account.
#[derive(Debug)]
pub(super) struct Budget<'s> {
    playouts: u64,
    begun: AtomicU64,
    start: Instant,
    deadline: Option<Instant>,
    over: AtomicBool,
    stop: &'s AtomicBool,
}

impl<'s> Budget<'s> {
    /// The account of a search whose root has `kept` visits from earlier ones.
    pub(super) fn new(
        limits: Limits,
        kept: u32,
        start: Instant,
        stop: &'s AtomicBool,
    ) -> Budget<'s> {
        Budget {
            playouts: limits.playouts_beyond(kept).unwrap_or(u64::MAX),
            begun: AtomicU64::new(0),
            start,
            deadline: limits.time.map(|time| start + time),
            over: AtomicBool::new(false),
            stop,
        }
    }

    /// Takes one playout from the budget and returns its number, from 0, or `None` when the search is over.
    /// The first is always granted.
    #[inline]
    pub(super) fn take(&self) -> Option<u64> {
        let number = self.begun.fetch_add(1, Relaxed);
        if number == 0 {
            return Some(0);
        }
        let late = || {
            self.deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        if number >= self.playouts || self.over.load(Relaxed) || self.stop.load(Relaxed) || late() {
            self.over.store(true, Relaxed);
            return None;
        }
        Some(number)
    }

    /// Whether a playout under way should be cut short. Playout limits never do that.
    pub(super) fn presses(&self) -> bool {
        self.stop.load(Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ends the search.
    pub(super) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Playouts that can still be begun, as far as the pace so far tells; `None` when nothing bounds them.
    pub(super) fn expected(&self) -> Option<u64> {
        let begun = self.begun.load(Relaxed);
        let counted = (self.playouts != u64::MAX).then(|| self.playouts.saturating_sub(begun));
        let timed = self.deadline.map(|deadline| {
            let left = deadline
                .saturating_duration_since(Instant::now())
                .as_secs_f64();
            let spent = self.start.elapsed().as_secs_f64().max(1e-6);
            (begun as f64 * left / spent) as u64
        });
        match (counted, timed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Whether what is left of a timed search cannot change which of the moves with these visits has the most.
    pub(super) fn is_settled(&self, visits: impl Iterator<Item = u32>) -> bool {
        if self.deadline.is_none() {
            return false;
        }
        let (mut most, mut second) = (0, 0);
        for visits in visits {
            if visits > most {
                (most, second) = (visits, most);
            } else if visits > second {
                second = visits;
            }
        }
        self.expected()
            .is_some_and(|left| u64::from(most - second) > left)
    }
}
