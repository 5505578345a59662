//! Settings of a session that runs as a bot for months: logs, results, greetings, and signals.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

use super::greetings::Greetings;
use super::inbox::Inbox;
use super::log::SessionLog;
use super::results::Results;
use crate::system::signals;

/// Settings of a bot. The default has none of them.
#[derive(Debug, Default)]
pub struct Bot {
    /// Logs of all lines.
    pub log: SessionLog,
    /// Record of finished games.
    pub results: Option<Results>,
    /// Words at the beginning and the end of games.
    pub greetings: Greetings,
    /// Name of the program for clients, or `None` for its own.
    pub name: Option<String>,
    /// True if signals end the session. Otherwise they end the process at once.
    pub ends_on_signals: bool,
    /// True if Ctrl-C only stops the running search, because a person types at an editor of lines.
    pub ctrl_c_stops_searches: bool,
}

/// Event that ended a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `quit`, or the end of input.
    Client,
    /// A signal with this number.
    Signal(i32),
}

/// Maximum time from a signal to the end of the process. A command that is still running then has
/// no answer.
const GRACE: Duration = Duration::from_secs(2);

/// Ends the session at the first signal: the running command is answered early, and waiting
/// commands are dropped. The second signal ends the process at once. Returns the number of the
/// first signal, 0 until it arrives.
///
/// With the stop signal of an engine, Ctrl-C only sets that signal, and ends the process if it is
/// still set.
pub(super) fn end_on_signals(
    inbox: Arc<Inbox>,
    stop: Option<Arc<AtomicBool>>,
) -> io::Result<Arc<AtomicI32>> {
    let caught = Arc::new(AtomicI32::new(0));
    let first = Arc::clone(&caught);
    signals::listen(move |signal| {
        let stop = stop.as_ref().filter(|_| signal == signals::CTRL_C);
        if stop.is_some_and(|stop| !stop.swap(true, Ordering::AcqRel)) {
            return;
        }
        if first.swap(signal, Ordering::AcqRel) != 0 {
            process::exit(signals::status(signal));
        }
        inbox.end();
        let late = thread::Builder::new().spawn(move || {
            thread::sleep(GRACE);
            process::exit(signals::status(signal));
        });
        if late.is_err() {
            process::exit(signals::status(signal));
        }
    })?;
    Ok(caught)
}
