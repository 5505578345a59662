//! What an exact search may spend, and why it ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::Outcome;

/// What a solver has proved so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Black reaches at least this.
    pub lower: Outcome,
    /// Black reaches at most this.
    pub upper: Outcome,
    /// Situations looked at.
    pub nodes: u64,
}

/// Where proven bounds are reported while a search runs.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// What an exact search may spend; whichever is used up first ends it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Time; without it, as long as it takes.
    pub time: Option<Duration>,
    /// Situations to be looked at; without it, as many as it takes. Unlike time it gives the same answer everywhere.
    pub nodes: Option<u64>,
    /// Bytes of tables.
    pub memory: usize,
    /// Raised from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Where bounds are reported as they improve.
    pub report: Option<Report<'a>>,
}

impl<'a> Limits<'a> {
    /// The bytes that tables take where nobody says otherwise.
    pub const MEMORY: usize = 1 << 30;

    /// No limit of time, [`Limits::MEMORY`] of memory.
    pub fn new(stop: &'a AtomicBool) -> Limits<'a> {
        Limits {
            time: None,
            nodes: None,
            memory: Limits::MEMORY,
            stop,
            report: None,
        }
    }

    /// The same with a limit of time.
    pub fn within(self, time: Duration) -> Limits<'a> {
        Limits {
            time: Some(time),
            ..self
        }
    }
}

/// Why a search has bounds and no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// Its time was up.
    #[error("out of time")]
    Time,
    /// It looked at as many situations as it was given.
    #[error("out of nodes")]
    Nodes,
    /// Its tables were full.
    #[error("out of memory")]
    Memory,
    /// Somebody raised the signal.
    #[error("interrupted")]
    Interrupted,
    /// It is complete: under simple ko, play can go round for ever, and no rule says what that is worth.
    #[error(
        "play can go round for ever under ko=simple, and the value hangs on what that is worth"
    )]
    Cycles,
    /// It is complete: which stones are dead is a matter of agreement, and the value hangs on that.
    #[error("dead stones are a matter of agreement, and the value hangs on it")]
    Agreement,
}

/// A running search's account.
pub(super) struct Meter<'a> {
    deadline: Option<Instant>,
    memory: usize,
    stop: &'a AtomicBool,
    report: Option<Report<'a>>,
    nodes: u64,
    most: u64,
}

impl<'a> Meter<'a> {
    /// Nodes between looks at the clock.
    const STRIDE: u64 = 256;

    pub(super) fn new(limits: &Limits<'a>) -> Meter<'a> {
        Meter {
            // A time too long for the clock is no limit.
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            memory: limits.memory,
            stop: limits.stop,
            report: limits.report,
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
        }
    }

    /// Counts a node.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(Stopped::Nodes);
        }
        if self.nodes.is_multiple_of(Self::STRIDE) {
            self.look()
        } else {
            Ok(())
        }
    }

    /// Counts nodes that were looked at elsewhere.
    pub(super) fn add(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.most {
            return Err(Stopped::Nodes);
        }
        self.look()
    }

    /// Nodes that may still be looked at, where there is a limit.
    pub(super) fn nodes_left(&self) -> Option<u64> {
        (self.most != u64::MAX).then(|| self.most.saturating_sub(self.nodes))
    }

    /// Looks at the clock and the signal now.
    pub(super) fn look(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Time),
            Some(_) | None => Ok(()),
        }
    }

    /// Bytes that tables may take.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Nodes counted so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Tells what has been proved.
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
