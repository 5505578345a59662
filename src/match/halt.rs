//! What ends a match before all its games are played.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::interrupt::raise_on_ctrl_c;

/// A terminal's Ctrl-C reaches engines and match in any order: an engine that has ended is given so long to have ended by that.
const ALL_INTERRUPTED: Duration = Duration::from_millis(200);

/// Raised once nobody wants the rest of the games.
#[derive(Debug, Default)]
pub(super) struct Halt {
    ended: AtomicBool,
    interrupted: Arc<AtomicBool>,
}

impl Halt {
    /// Raised by Ctrl-C from now on; a second one ends the program.
    pub(super) fn on_ctrl_c() -> Halt {
        let halt = Halt::default();
        raise_on_ctrl_c(Arc::clone(&halt.interrupted));
        halt
    }

    /// Raises it: the match is decided, or cannot go on.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Whether tables should leave their games.
    pub(super) fn is_raised(&self) -> bool {
        self.ended.load(Relaxed) || self.is_interrupted()
    }

    /// Whether somebody pressed Ctrl-C.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Whether an engine that has just ended did so because somebody pressed Ctrl-C.
    pub(super) fn has_taken_engines(&self) -> bool {
        thread::sleep(ALL_INTERRUPTED);
        self.is_interrupted()
    }
}
