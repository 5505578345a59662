//! What a count may spend, and why there may be none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use num_bigint::BigUint;

use super::cut::MOST_CLASSES;

/// How far a count is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Vertices done.
    pub done: usize,
    /// Of how many.
    pub of: usize,
    /// States held.
    pub states: usize,
}

/// What a count may spend, and whom it tells how far it is.
pub struct Budget<'a> {
    /// Bytes of its tables, more or less.
    pub memory: usize,
    /// Raised from outside to end it.
    pub stop: &'a AtomicBool,
    /// When to end it.
    pub deadline: Option<Instant>,
    /// Told before each vertex.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// Why there is no count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// No order of the vertices keeps the masks within a word.
    #[error(
        "a component of {vertices} vertices is too wide to count, expected one whose vertices have an order in which at most {MOST_CLASSES} later vertices are told apart at a time"
    )]
    Wide {
        /// Vertices of the component.
        vertices: usize,
    },
    /// It would need more memory than it may take, as its width tells beforehand.
    #[error(
        "counting with a frontier of {classes} vertices would take about 10^{exponent} MiB, expected at most {limit} MiB: narrower graphs take less"
    )]
    Costly {
        /// The most classes at once in the best order found.
        classes: usize,
        /// Decimal logarithm of the MiB expected, rounded down.
        exponent: u32,
        /// What may be taken, in MiB.
        limit: usize,
    },
    /// It came to need more memory than it may take.
    #[error(
        "{states} states at vertex {vertex} of {vertices} and more to come, expected what fits into {limit} MiB: narrower graphs take less"
    )]
    Memory {
        /// States held when it was given up.
        states: usize,
        /// What may be taken, in MiB.
        limit: usize,
        /// The vertex in order, from 1.
        vertex: usize,
        /// Vertices of the component.
        vertices: usize,
    },
    /// It goes through positions one by one, and there are too many.
    #[error(
        "{vertices} vertices have at least {positions} positions to go through one by one, expected at most {most} vertices"
    )]
    Many {
        /// Vertices of the graph.
        vertices: usize,
        /// Positions at least.
        positions: BigUint,
        /// The most vertices.
        most: usize,
    },
    /// It was ended from outside or by its deadline.
    #[error("the count was not finished in time")]
    Stopped,
}

impl Budget<'_> {
    /// Whether it is time to end.
    pub(super) fn is_over(&self) -> bool {
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        late || self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn report(&self, done: usize, of: usize, states: usize) {
        if let Some(tell) = self.progress {
            tell(Progress { done, of, states });
        }
    }

    /// States that a layer may have: two layers are held at a time, each entry beside a byte of its table.
    pub(super) fn states(&self, entry: usize) -> usize {
        self.memory / (entry + 1) / 2
    }

    /// The memory in MiB.
    pub(super) fn mib(&self) -> usize {
        self.memory >> 20
    }
}
