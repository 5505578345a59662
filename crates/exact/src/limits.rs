//! Limits of an exact search, and the reasons why it ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use omnigo_core::game::Outcome;

/// Bounds proved so far by a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Black reaches at least this.
    pub lower: Outcome,
    /// Black reaches at most this.
    pub upper: Outcome,
    /// Number of situations searched.
    pub nodes: u64,
}

/// Callback that receives proven bounds while a search runs.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// Limits of an exact search. The first one that is exceeded ends it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Maximum time; `None` is unlimited.
    pub time: Option<Duration>,
    /// Maximum number of situations; `None` is unlimited. Unlike a time limit, it gives the same
    /// answer on every machine.
    pub nodes: Option<u64>,
    /// Maximum size of the tables in bytes.
    pub memory: usize,
    /// Stop flag. Setting it ends the search.
    pub stop: &'a AtomicBool,
    /// Callback for improved bounds.
    pub report: Option<Report<'a>>,
}

impl<'a> Limits<'a> {
    /// Default size of the tables in bytes.
    pub const MEMORY: usize = 1 << 30;

    /// Creates limits without a time limit and with [`Limits::MEMORY`] bytes.
    pub fn new(stop: &'a AtomicBool) -> Limits<'a> {
        Limits {
            time: None,
            nodes: None,
            memory: Limits::MEMORY,
            stop,
            report: None,
        }
    }

    /// Returns the same limits with a time limit.
    pub fn within(self, time: Duration) -> Limits<'a> {
        Limits {
            time: Some(time),
            ..self
        }
    }
}

/// Reason why a search has bounds but no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The time limit was exceeded.
    #[error("out of time")]
    Time,
    /// The node limit was exceeded.
    #[error("out of nodes")]
    Nodes,
    /// The tables were full.
    #[error("out of memory")]
    Memory,
    /// The stop flag was set.
    #[error("interrupted")]
    Interrupted,
    /// The search is complete. Under simple ko, play can cycle forever, and the rules do not assign
    /// a value to that.
    #[error("under ko=simple, play can cycle forever, and the value depends on how that counts")]
    Cycles,
    /// The search is complete. The value depends on an agreement about dead stones.
    #[error("the value depends on an agreement about dead stones")]
    Agreement,
    /// The search is complete. White's handicap bonus may still change, and the solver counts only
    /// the bonus of the current position.
    #[error(
        "White's bonus can still change with the handicap stones that Black plays, expected bonus=0"
    )]
    Bonus,
}

impl Stopped {
    /// Returns true if a limit ended the search, so that a longer search could prove more.
    pub fn is_limit(self) -> bool {
        match self {
            Stopped::Time | Stopped::Nodes | Stopped::Memory | Stopped::Interrupted => true,
            Stopped::Cycles | Stopped::Agreement | Stopped::Bonus => false,
        }
    }
}

/// Resources used by a running search.
pub(super) struct Meter<'a> {
    deadline: Option<Instant>,
    memory: usize,
    /// Bytes of tables that other methods hold.
    held: usize,
    stop: &'a AtomicBool,
    report: Option<Report<'a>>,
    nodes: u64,
    most: u64,
    /// Number of nodes between checks of the clock.
    stride: u64,
}

impl<'a> Meter<'a> {
    /// Number of steps between checks of the clock. A node has about one step for each point.
    const STEPS: u64 = 1024;

    /// Creates the meter of a search on a board with `points` points.
    pub(super) fn new(limits: &Limits<'a>, points: usize) -> Meter<'a> {
        Meter {
            // A time limit beyond the range of the clock counts as unlimited.
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            memory: limits.memory,
            held: 0,
            stop: limits.stop,
            report: limits.report,
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
            stride: (Self::STEPS / (points.max(1) as u64)).max(1),
        }
    }

    /// Counts a node. Returns an error if a limit is exceeded.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(Stopped::Nodes);
        }
        if self.nodes.is_multiple_of(self.stride) {
            self.check()
        } else {
            Ok(())
        }
    }

    /// Counts nodes that were searched elsewhere. Returns an error if a limit is exceeded.
    pub(super) fn add(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.most {
            return Err(Stopped::Nodes);
        }
        self.check()
    }

    /// Returns the number of nodes left, or `None` without a node limit.
    pub(super) fn nodes_left(&self) -> Option<u64> {
        (self.most != u64::MAX).then(|| self.most.saturating_sub(self.nodes))
    }

    /// Checks the clock and the stop flag now.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Time),
            Some(_) | None => Ok(()),
        }
    }

    /// Sets the bytes of tables that other methods than the next one hold.
    pub(super) fn hold(&mut self, bytes: usize) {
        self.held = bytes;
    }

    /// Returns the maximum size in bytes of the tables of the running method: what the other
    /// methods leave.
    pub(super) fn memory(&self) -> usize {
        self.memory.saturating_sub(self.held)
    }

    /// Returns the number of nodes counted so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Reports proven bounds to the callback.
    pub(super) fn report(&self, lower: Outcome, upper: Outcome) {
        if let Some(report) = self.report {
            let nodes = self.nodes;
            report(Progress {
                lower,
                upper,
                nodes,
            });
        }
    }
}
