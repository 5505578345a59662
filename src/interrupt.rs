//! Ctrl-C ends long work with its partial answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raises `stop` when the user presses Ctrl-C, a second time ends the program. Without a handler from the system, Ctrl-C ends the
/// program as ever.
pub fn raise_on_ctrl_c(stop: Arc<AtomicBool>) {
    let raise = move || {
        if stop.swap(true, Ordering::Relaxed) {
            // What the shell says of programs ended by this signal.
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(raise) {
        eprintln!("warning: Ctrl-C will lose the partial answer: {error}");
    }
}
