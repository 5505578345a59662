//! Ctrl-C handling: long computations stop and print a partial answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{signals, tell};

/// Sets `stop` when the user presses Ctrl-C, and on Unix also after SIGTERM and SIGHUP. A second
/// signal ends the program. If the system refuses the handler, a signal ends the program
/// immediately, and a warning is printed.
pub fn raise_on_ctrl_c(stop: Arc<AtomicBool>) {
    let raise = move |signal: i32| {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(signals::status(signal));
        }
    };
    if let Err(error) = signals::listen(raise) {
        tell::warn(format_args!("Ctrl-C will lose the partial answer: {error}"));
    }
}
