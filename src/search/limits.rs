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
    /// Time where it would end in doubt about the best move; no more than `time` where nobody says.
    pub longest: Option<Duration>,
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
    /// When a search ends that is in doubt at its deadline.
    latest: Option<Instant>,
    /// Whether it was.
    doubtful: AtomicBool,
    over: AtomicBool,
    /// True once the first playout has been evaluated and backed up.
    has_result: AtomicBool,
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
            latest: limits
                .time
                .map(|time| start + limits.longest.unwrap_or(time).max(time)),
            doubtful: AtomicBool::new(false),
            over: AtomicBool::new(false),
            has_result: AtomicBool::new(false),
            stop,
        }
    }

    /// Takes one playout from the budget and returns its number, from 0, or `None` when the search is over.
    /// The first is always granted. `doubts` tells whether the best move is in doubt; it is asked at the deadline, where there
    /// is more time for doubtful cases.
    #[inline]
    pub(super) fn take(&self, doubts: impl Fn() -> bool) -> Option<u64> {
        let number = self.begun.fetch_add(1, Relaxed);
        if number == 0 {
            return Some(0);
        }
        let late = || {
            self.is_late()
                && !(self.latest > self.deadline && !self.doubtful.load(Relaxed) && doubts() && {
                    self.doubtful.store(true, Relaxed);
                    !self.is_late()
                })
        };
        if number >= self.playouts || self.over.load(Relaxed) || self.stop.load(Relaxed) || late() {
            self.over.store(true, Relaxed);
            return None;
        }
        Some(number)
    }

    /// Whether a playout under way should be cut short. Playout limits never do that.
    pub(super) fn presses(&self) -> bool {
        self.stop.load(Relaxed) || self.is_late()
    }

    /// When the search ends, as far as is known now.
    fn end(&self) -> Option<Instant> {
        if self.doubtful.load(Relaxed) {
            self.latest
        } else {
            self.deadline
        }
    }

    fn is_late(&self) -> bool {
        self.end().is_some_and(|end| Instant::now() >= end)
    }

    /// Notes that the first playout is complete.
    pub(super) fn note_first(&self) {
        self.has_result.store(true, Relaxed);
    }

    /// Returns true once a playout is complete. Until then visits are those of a playout under way.
    pub(super) fn has_result(&self) -> bool {
        self.has_result.load(Relaxed)
    }

    /// Ends the search.
    pub(super) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Playouts that can still be begun, as far as the pace so far tells; `None` when nothing bounds them.
    pub(super) fn expected(&self) -> Option<u64> {
        let begun = self.begun.load(Relaxed);
        let counted = (self.playouts != u64::MAX).then(|| self.playouts.saturating_sub(begun));
        let timed = self.end().map(|end| {
            let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
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

/// A move with at least one visit in so many of the best one's is a rival where its mean is better …
const RIVAL: u32 = 4;
/// … and whatever its mean, where it has nearly as many: so many in a hundred.
const CLOSE: u64 = 85;

/// Whether these moves, visits and mean of each, leave in doubt which is the best: the most visited one has not the best mean,
/// or is closely followed (Huang, Coulom and Lin 2010 think on in such cases).
pub(super) fn are_doubtful(moves: impl Iterator<Item = (u32, f64)> + Clone) -> bool {
    let Some((most, mean)) = moves.clone().reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
        return false;
    };
    let rivals = moves.filter(|&(visits, other)| {
        let better = visits >= most.div_ceil(RIVAL) && other > mean;
        better || u64::from(visits) * 100 >= u64::from(most) * CLOSE
    });
    // The best itself is close to itself.
    rivals.count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(stop: &AtomicBool, time: u64, longest: Option<u64>) -> Budget<'_> {
        let limits = Limits {
            time: Some(Duration::from_millis(time)),
            longest: longest.map(Duration::from_millis),
            ..Limits::default()
        };
        Budget::new(limits, 0, Instant::now(), stop)
    }

    #[test]
    fn doubt_prolongs_a_search_once() {
        let stop = AtomicBool::new(false);
        let long = budget(&stop, 0, Some(3_600_000));
        assert_eq!(long.take(|| false), Some(0), "the first is free");
        assert_eq!(long.take(|| true), Some(1));
        assert!(!long.presses());
        assert_eq!(long.take(|| unreachable!()), Some(2), "asked once");
        stop.store(true, Relaxed);
        assert_eq!(long.take(|| true), None, "a stop is a stop");
    }

    #[test]
    fn no_doubt_or_no_more_time_ends_it() {
        let stop = AtomicBool::new(false);
        for (longest, doubts) in [(Some(3_600_000), false), (None, true), (Some(0), true)] {
            let budget = budget(&stop, 0, longest);
            assert_eq!(budget.take(|| doubts), Some(0));
            assert_eq!(budget.take(|| doubts), None, "{longest:?}");
            assert_eq!(budget.take(|| true), None, "over is over");
        }
    }

    #[test]
    fn what_is_doubtful() {
        let doubtful = |moves: &[(u32, f64)]| are_doubtful(moves.iter().copied());
        assert!(!doubtful(&[]));
        assert!(!doubtful(&[(100, 0.5)]));
        assert!(!doubtful(&[(100, 0.5), (40, 0.4)]));
        assert!(!doubtful(&[(100, 0.5), (10, 0.9)]), "hardly looked at");
        assert!(doubtful(&[(100, 0.5), (40, 0.6)]));
        assert!(doubtful(&[(90, 0.5), (100, 0.6)]), "nearly as many");
    }
}
