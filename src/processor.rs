//! Processor time: what a computation costs however busy the machine is.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds of processor time that this process has used; where the system does not tell, the seconds since this was first asked.
pub fn seconds() -> f64 {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let used = clock_gettime(ClockId::ProcessCPUTime);
        if used.tv_sec >= 0 {
            return used.tv_sec as f64 + used.tv_nsec as f64 / 1e9;
        }
    }
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
