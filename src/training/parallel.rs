//! Games that a folder lacks, played in parallel and stored as they end.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use super::boards::{Boards, Size};
use super::folder::{Folder, FolderError, GameLine};
use super::format::Row;
use crate::playout::Random;
use crate::system::tell;
use crate::text::counted;

/// Time between two progress messages.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Options of every command that plays games into a folder.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Folder for the games (games.jsonl) and their rows (9x9.rows and so on); an existing folder
    /// is continued.
    #[arg(long, visible_alias = "output", value_name = "DIR")]
    pub out: PathBuf,
    /// Total number of games, including those already in the folder.
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..=10_000_000))]
    pub games: u32,
    /// Boards from 5x5 to 19x19, drawn in proportion to their weights.
    #[arg(long, value_name = "SIDE:WEIGHT,…", default_value = "9")]
    pub boards: Boards,
    /// Game records, as for `omnigo rows`, from which games on 19x19 start; held-out games are not
    /// used.
    #[arg(long, value_name = "GAMES")]
    pub from_records: Option<PathBuf>,
    /// Seed of all random numbers; each game derives its own seed from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::whole::<u64>(..))]
    pub seed: u64,
}

/// A finished game, ready for the folder.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its line in the file of games.
    pub line: GameLine,
    /// Its board.
    pub size: Size,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// Contents of a folder after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Number of games.
    pub games: usize,
    /// Number of rows.
    pub rows: u64,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = counted(self.games as u64, "game");
        write!(f, "{games}, {}", counted(self.rows, "row"))
    }
}

/// Reason why games could not be played or stored.
#[derive(Debug, thiserror::Error)]
pub enum ParallelError {
    /// A file cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The system cannot start a thread.
    #[error("{0}")]
    System(#[from] io::Error),
    /// A game cannot be played.
    #[error("{0}")]
    Game(String),
}

/// Returns the random numbers of a game. They depend only on the run's seed and on the number of
/// the game, so a stopped run continues with the same games.
pub fn random(seed: u64, number: u32) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(number))
}

/// Returns the seconds since `start`, in whole milliseconds.
pub(super) fn seconds_since(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
}

/// Stops the threads of a run if the thread that holds it panics. Otherwise, the others would play
/// on for hours before the run fails.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// Plays the games from 1 to `games` that the folder lacks, on `threads` threads. `play` plays the
/// game with a number.
///
/// # Errors
/// If a file cannot be written, a thread cannot be started, or `play` returns an error.
pub fn run(
    folder: &mut Folder,
    games: u32,
    threads: u16,
    play: impl Fn(u32) -> Result<Finished, ParallelError> + Sync,
) -> Result<Total, ParallelError> {
    let done: HashSet<u32> = folder.done.clone();
    let before = folder.count;
    let next = AtomicU32::new(1);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let mut last_report = start;
    let mut result: Result<(), ParallelError> = Ok(());
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let work = || {
                let sender = sender;
                let _stop_on_panic = StopOnPanic(&stop);
                while !stop.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    if number > games {
                        return;
                    }
                    if !done.contains(&number) && sender.send(play(number)).is_err() {
                        return;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                stop.store(true, Relaxed);
                result = Err(error.into());
            }
        }
        drop(sender);
        for played in finished {
            if result.is_ok() {
                result = played.and_then(|Finished { line, size, rows }| {
                    folder.add(&line, size, &rows).map_err(Into::into)
                });
            }
            if result.is_err() {
                stop.store(true, Relaxed);
            }
            if last_report.elapsed() >= REPORT_EVERY {
                last_report = Instant::now();
                let fresh = (folder.count - before) as f64;
                let pace = fresh / start.elapsed().as_secs_f64();
                tell!(
                    "{} of {games} games, {} rows, {pace:.1} rows a second",
                    folder.done.len(),
                    folder.count
                );
            }
        }
    });
    result?;
    Ok(Total {
        games: folder.done.len(),
        rows: folder.count,
    })
}
