//! Signals that end the program: Ctrl-C everywhere, and on Unix also SIGTERM and SIGHUP.

use std::io;

/// Number of Ctrl-C as a signal, on every system.
pub const CTRL_C: i32 = 2;

/// Calls `act` with the number of each signal, in a thread of its own. Programs that were started
/// to survive the end of their terminal, such as by `nohup`, keep ignoring SIGHUP.
///
/// # Errors
/// If the system refuses the handler or the thread.
#[cfg(unix)]
pub fn listen(mut act: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut wanted = vec![SIGINT, SIGTERM];
    if !ignores_hangups() {
        wanted.push(SIGHUP);
    }
    let mut signals = Signals::new(wanted)?;
    let forward = move || signals.forever().for_each(&mut act);
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(forward)
        .map(drop)
}

/// Calls `act` with [`CTRL_C`] each time the user presses Ctrl-C or Ctrl-Break.
///
/// # Errors
/// If the system refuses the handler.
#[cfg(not(unix))]
pub fn listen(mut act: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || act(CTRL_C)).map_err(io::Error::other)
}

/// Returns the exit status that shells report for a program that this signal has ended.
pub fn status(signal: i32) -> i32 {
    128 + signal
}

/// Returns true if the program was started with SIGHUP ignored. Without knowledge, this is true:
/// the system's own action for the signal then stays.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status).is_none_or(|ignored| ignored & 1 != 0)
}

/// Returns the set of ignored signals in the text of `/proc/PID/status`. Signal 1 is bit 0.
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    u64::from_str_radix(line?.trim(), 16).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_set_of_ignored_signals_is_hexadecimal() {
        let status = "Name:\tomnigo\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tomnigo\n"), None);
        assert_eq!(status_of_term(), 143);
    }

    fn status_of_term() -> i32 {
        status(signal_hook::consts::SIGTERM)
    }
}
