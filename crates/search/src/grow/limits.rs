//! Limits of a search, and the conditions that end it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Limits of a search. The first limit that is reached ends the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum number of playouts.
    pub playouts: Option<u64>,
    /// Maximum number of playouts of a search without a network. `None` means `playouts`.
    pub unguided: Option<u64>,
    /// Maximum number of root visits, including those of a tree kept from earlier searches.
    pub visits: Option<u64>,
    /// Time limit. Only a search whose best move is unclear may exceed it.
    pub time: Option<Duration>,
    /// Time limit of a search whose best move is unclear. `None` means `time`.
    pub longest: Option<Duration>,
}

impl Limits {
    /// Returns the limits of a search that a network guides, or of one without a network.
    pub(crate) fn with_guidance(self, guided: bool) -> Limits {
        let unguided = self.unguided.filter(|_| !guided);
        Limits {
            playouts: unguided.or(self.playouts),
            ..self
        }
    }

    /// Returns the maximum number of playouts if the root already has `kept` visits, or `None`
    /// without a limit.
    pub(crate) fn playouts_beyond(&self, kept: u32) -> Option<u64> {
        let missing = |visits: u64| visits.saturating_sub(kept.into());
        let visits = self.visits.map(missing);
        [self.playouts, visits].into_iter().flatten().min()
    }
}

/// Budget of a running search.
#[derive(Debug)]
pub(crate) struct Budget<'s> {
    playouts: u64,
    begun: AtomicU64,
    start: Instant,
    deadline: Option<Instant>,
    /// End of the search if the best move is unclear at the deadline.
    latest: Option<Instant>,
    /// Expected duration of a visit in microseconds, if it is worth counting. A visit that would
    /// end after the deadline does not begin.
    visit: AtomicU64,
    /// True if the best move was unclear at the deadline.
    doubtful: AtomicBool,
    over: AtomicBool,
    /// True once the first playout has been evaluated and backed up.
    has_result: AtomicBool,
    stop: &'s AtomicBool,
}

impl<'s> Budget<'s> {
    /// Creates the budget of a search whose root has `kept` visits from earlier searches.
    pub(crate) fn new(
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
            visit: AtomicU64::new(0),
            doubtful: AtomicBool::new(false),
            over: AtomicBool::new(false),
            has_result: AtomicBool::new(false),
            stop,
        }
    }

    /// Takes one playout from the budget. Returns its number, from 0, or `None` if the search is
    /// over.
    ///
    /// The first playout is always granted. `is_unclear` returns true if the best move is unclear.
    /// It is called at the deadline, and only if unclear cases get more time.
    #[inline]
    pub(crate) fn take(&self, is_unclear: impl Fn() -> bool) -> Option<u64> {
        let number = self.begun.fetch_add(1, Relaxed);
        if number == 0 {
            return Some(0);
        }
        let late = || {
            self.is_late()
                && !(self.latest > self.deadline
                    && !self.doubtful.load(Relaxed)
                    && is_unclear()
                    && {
                        self.doubtful.store(true, Relaxed);
                        !self.is_late()
                    })
        };
        // Not marked as over, because another thread may still be about to begin the last playout.
        if number >= self.playouts {
            return None;
        }
        if self.over.load(Relaxed) || self.stop.load(Relaxed) || late() {
            self.over.store(true, Relaxed);
            return None;
        }
        Some(number)
    }

    /// Returns true if a running playout should be cut short: after a stop, or when time is up.
    /// Playout limits never cut a playout short.
    pub(crate) fn cuts_playouts(&self) -> bool {
        self.stop.load(Relaxed) || self.is_late()
    }

    /// Returns the currently expected end of the search, or `None` without a time limit.
    fn end(&self) -> Option<Instant> {
        if self.doubtful.load(Relaxed) {
            self.latest
        } else {
            self.deadline
        }
    }

    fn is_late(&self) -> bool {
        let visit = Duration::from_micros(self.visit.load(Relaxed));
        self.end()
            .is_some_and(|end| end.saturating_duration_since(Instant::now()) <= visit)
    }

    /// Sets the expected duration of a visit. Without it, visits count as short.
    pub(crate) fn expect(&self, visit: Duration) {
        let micros = u64::try_from(visit.as_micros()).unwrap_or(u64::MAX);
        self.visit.store(micros, Relaxed);
    }

    /// Records that a playout of a move is complete.
    pub(crate) fn note_first(&self) {
        self.has_result.store(true, Relaxed);
    }

    /// Returns true once a playout of a move is complete. Until then, all new visits of moves
    /// belong to running playouts.
    pub(crate) fn has_result(&self) -> bool {
        self.has_result.load(Relaxed)
    }

    /// Ends the search.
    pub(crate) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Returns the number of playouts that can still start, at the average pace so far. Returns
    /// `None` without a limit.
    pub(crate) fn expected(&self) -> Option<u64> {
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

    /// Returns true if the rest of a timed search cannot change which move has the most visits.
    /// `visits` holds the visits of each move.
    pub(crate) fn is_settled(&self, visits: impl Iterator<Item = u32>) -> bool {
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

/// A move with a better mean than the most visited move is a rival if it has at least 1/4 of those
/// visits.
const RIVAL: u32 = 4;
/// A move with at least 85 % of the most visited move's visits is a rival, whatever its mean.
const CLOSE: u64 = 85;

/// Returns true if the best move is unclear. `moves` holds the visits and the mean of each move.
///
/// The best move is unclear if the most visited move does not have the best mean. It is also
/// unclear if another move has nearly as many visits. Huang, Coulom and Lin (2010) extend the
/// search in such cases.
pub(crate) fn is_best_unclear(moves: impl Iterator<Item = (u32, f64)> + Clone) -> bool {
    let Some((most, mean)) = moves.clone().reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
        return false;
    };
    let rivals = moves.filter(|&(visits, other)| {
        let better = visits >= most.div_ceil(RIVAL) && other > mean;
        better || u64::from(visits) * 100 >= u64::from(most) * CLOSE
    });
    // The most visited move always counts as a rival of itself.
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
    fn an_unclear_best_move_extends_a_search_once() {
        let stop = AtomicBool::new(false);
        let long = budget(&stop, 0, Some(3_600_000));
        assert_eq!(long.take(|| false), Some(0), "the first is free");
        assert_eq!(long.take(|| true), Some(1));
        assert!(!long.cuts_playouts());
        assert_eq!(long.take(|| unreachable!()), Some(2), "asked once");
        stop.store(true, Relaxed);
        assert_eq!(long.take(|| true), None, "a stop is a stop");
    }

    #[test]
    fn visits_that_would_end_too_late_do_not_begin() {
        let stop = AtomicBool::new(false);
        let budget = budget(&stop, 3_600_000, None);
        assert_eq!(budget.take(|| false), Some(0));
        budget.expect(Duration::from_secs(60));
        assert_eq!(budget.take(|| false), Some(1));
        budget.expect(Duration::from_secs(3601));
        assert_eq!(budget.take(|| false), None);
        let endless = Budget::new(Limits::default(), 0, Instant::now(), &stop);
        endless.expect(Duration::MAX);
        assert_eq!([0, 1].map(|_| endless.take(|| false)), [Some(0), Some(1)]);
    }

    #[test]
    fn a_clear_best_move_or_no_time_left_ends_a_search() {
        let stop = AtomicBool::new(false);
        for (longest, is_unclear) in [(Some(3_600_000), false), (None, true), (Some(0), true)] {
            let budget = budget(&stop, 0, longest);
            assert_eq!(budget.take(|| is_unclear), Some(0));
            assert_eq!(budget.take(|| is_unclear), None, "{longest:?}");
            assert_eq!(budget.take(|| true), None, "over is over");
        }
    }

    #[test]
    fn a_close_or_better_rival_makes_the_best_move_unclear() {
        let doubtful = |moves: &[(u32, f64)]| is_best_unclear(moves.iter().copied());
        assert!(!doubtful(&[]));
        assert!(!doubtful(&[(100, 0.5)]));
        assert!(!doubtful(&[(100, 0.5), (40, 0.4)]));
        assert!(!doubtful(&[(100, 0.5), (10, 0.9)]), "hardly looked at");
        assert!(doubtful(&[(100, 0.5), (40, 0.6)]));
        assert!(doubtful(&[(90, 0.5), (100, 0.6)]), "nearly as many");
    }
}
