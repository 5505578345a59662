//! Access to the operating system: memory allocation, processor time, and Ctrl-C.

pub mod cpu_time;
pub mod ctrl_c;
pub mod malloc;
