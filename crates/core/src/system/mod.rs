//! Access to the operating system: memory allocation, processor time, cores, signals, and lines on
//! standard error.

pub mod cpu_time;
pub mod ctrl_c;
pub mod malloc;
pub mod pipes;
pub mod signals;
pub mod tell;

pub use crate::tell;

use std::thread::available_parallelism;

/// Returns the number of cores, or 1 if it is unknown.
pub fn cores() -> usize {
    available_parallelism().map_or(1, |n| n.get())
}
