//! Processor time: the cost of a computation, independent of other load on the machine.

use std::sync::OnceLock;
use std::time::Instant;

/// Returns the seconds of processor time that this process has used. If the system does not report
/// it, returns the seconds since the first call.
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
