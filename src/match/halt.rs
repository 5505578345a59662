//! Early end of a match.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::system::ctrl_c::raise_on_ctrl_c;

/// Waiting time for a Ctrl-C after an engine has ended. The terminal sends Ctrl-C to engines and
/// match in any order, so it may have ended the engine.
const ALL_INTERRUPTED: Duration = Duration::from_millis(200);

/// Signal that no more games are needed.
#[derive(Debug, Default)]
pub(super) struct Halt {
    ended: AtomicBool,
    interrupted: Arc<AtomicBool>,
}

impl Halt {
    /// Returns a signal that Ctrl-C sets. A second Ctrl-C ends the program.
    pub(super) fn on_ctrl_c() -> Halt {
        let halt = Halt::default();
        raise_on_ctrl_c(Arc::clone(&halt.interrupted));
        halt
    }

    /// Sets the signal: the match is decided, or cannot continue.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Returns true if games should stop.
    pub(super) fn is_raised(&self) -> bool {
        self.ended.load(Relaxed) || self.is_interrupted()
    }

    /// Returns true if the user has pressed Ctrl-C.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Returns true if Ctrl-C probably ended an engine that has just exited. Waits for
    /// [`ALL_INTERRUPTED`].
    pub(super) fn has_ended_engines(&self) -> bool {
        thread::sleep(ALL_INTERRUPTED);
        self.is_interrupted()
    }
}
