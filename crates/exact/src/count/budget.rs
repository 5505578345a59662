//! Limits of a count, and the errors that end it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use num_bigint::BigUint;

use super::cut::MOST_CLASSES;

/// Progress of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of vertices done.
    pub done: usize,
    /// Total number of vertices.
    pub of: usize,
    /// Number of states in memory.
    pub states: usize,
}

/// Limits of a count, and its progress callback.
pub struct Budget<'a> {
    /// Maximum size of the tables in bytes, approximately.
    pub memory: usize,
    /// Stop flag. Setting it ends the count.
    pub stop: &'a AtomicBool,
    /// Time at which the count ends.
    pub deadline: Option<Instant>,
    /// Called before each vertex.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// Reason why a count failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// No order of the vertices was found for which the masks fit in a word.
    #[error(
        "a component of {vertices} vertices is too wide to count, expected a vertex order with a frontier of at most {MOST_CLASSES} vertices"
    )]
    Wide {
        /// Number of vertices of the component.
        vertices: usize,
    },
    /// The count would exceed its memory, by an estimate made in advance.
    #[error(
        "counting with a frontier of {classes} vertices takes more than {limit} MiB by an estimate, expected a limit of at least {} MiB or a narrower graph",
        power(*exponent)
    )]
    Costly {
        /// Maximum number of classes at once in the best order found.
        classes: usize,
        /// Binary logarithm of the least limit in MiB with which the count starts.
        exponent: u32,
        /// Memory limit in MiB.
        limit: usize,
    },
    /// The count exceeded its memory.
    #[error(
        "out of memory with {states} states at vertex {vertex} of {vertices}, expected more than {limit} MiB or a narrower graph"
    )]
    Memory {
        /// Number of states in memory when the count stopped.
        states: usize,
        /// Memory limit in MiB.
        limit: usize,
        /// Position of the current vertex in the order, from 1.
        vertex: usize,
        /// Number of vertices of the component.
        vertices: usize,
    },
    /// The method enumerates positions one by one, and there are too many.
    #[error(
        "{vertices} vertices have at least {positions} positions, too many to enumerate: expected at most {most} vertices"
    )]
    Many {
        /// Number of vertices of the graph.
        vertices: usize,
        /// Lower bound of the number of positions.
        positions: BigUint,
        /// Maximum number of vertices.
        most: usize,
    },
    /// The stop flag was set, or the deadline passed.
    #[error("the count was not finished in time")]
    Stopped,
}

/// Returns a power of two as text, written out if it is not too large.
fn power(exponent: u32) -> String {
    match 1u64.checked_shl(exponent) {
        Some(number) if exponent <= 30 => number.to_string(),
        Some(_) | None => format!("2^{exponent}"),
    }
}

impl Budget<'_> {
    /// Returns true if the deadline has passed or the stop flag is set.
    pub(super) fn is_over(&self) -> bool {
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        late || self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn report(&self, done: usize, of: usize, states: usize) {
        if let Some(tell) = self.progress {
            tell(Progress { done, of, states });
        }
    }

    /// Returns the maximum number of states per layer, for entries of `entry` bytes. Two layers
    /// exist at a time, and the hash table adds one byte per entry.
    pub(super) fn states(&self, entry: usize) -> usize {
        self.memory / (entry + 1) / 2
    }

    /// Returns the memory limit in MiB.
    pub(super) fn mib(&self) -> usize {
        self.memory >> 20
    }
}
