//! Ctrl-C handling: long computations stop and print a partial answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tell;

/// Sets `stop` when the user presses Ctrl-C. A second Ctrl-C ends the program. If the system
/// refuses the handler, Ctrl-C ends the program immediately, and a warning is printed.
pub fn raise_on_ctrl_c(stop: Arc<AtomicBool>) {
    let raise = move || {
        if stop.swap(true, Ordering::Relaxed) {
            // Exit status that shells report for programs ended by this signal.
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(raise) {
        tell!("warning: Ctrl-C will lose the partial answer: {error}");
    }
}
