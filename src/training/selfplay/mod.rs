//! `omnigo selfplay`: games of the engine against itself, as training data for the network.
//!
//! Reading order: [`options`] (command-line arguments), [`game`] (one game and its rows),
//! [`starts`] (initial positions), [`folder`] (storage, and resuming a stopped run). This module
//! plays games in parallel.

pub mod folder;
pub mod game;
pub mod options;
pub mod starts;

pub use options::{Boards, SelfplayArgs};

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::arguments::guidance;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::graph::names::Names;
use crate::notation::move_alias;
use crate::playout::Random;
use crate::points::Points;
use crate::rules::{DeadStones, End, Ruleset, Scoring};
use crate::system::tell;
use crate::vertex::Move;
use folder::{Folder, GameLine};
use game::{Plan, Played};
use options::{Settings, Size};
use starts::{Starts, StartsError};

/// Time between two progress messages.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Reason why games cannot be played or stored, as a message of one line.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The network or the kernel cannot be used.
    #[error("{0}")]
    Network(String),
    /// The rules do not count area with all stones alive.
    #[error(
        "the ruleset '{0}' does not score area with all stones alive, expected one such as cgos or tromp-taylor"
    )]
    Rules(String),
    /// The records cannot be used as initial positions.
    #[error("{0}")]
    Starts(#[from] StartsError),
    /// A file cannot be used.
    #[error("cannot use '{path}': {problem}")]
    File {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: Problem,
    },
    /// The system cannot start a thread.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// Problem with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Error of the system.
    #[error("{0}")]
    System(std::io::Error),
    /// Another process is writing the file.
    #[error("it is in use, expected a different folder for each process")]
    InUse,
    /// The file was written with other settings.
    #[error(
        "it was started with other settings or another network, expected the same ones or another folder"
    )]
    Settings,
    /// A line is not a game.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
    /// The file lacks rows of games in the folder.
    #[error("it lacks some of the {0} rows listed in games.jsonl")]
    Missing(u64),
}

impl SelfplayError {
    fn of(path: &Path, problem: Problem) -> SelfplayError {
        SelfplayError::File {
            path: path.to_owned(),
            problem,
        }
    }
}

/// Contents of a folder after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Number of games.
    pub games: usize,
    /// Number of rows.
    pub rows: u64,
}

/// Plays the games that the folder lacks.
///
/// # Errors
/// If the network, the rules, or the folder cannot be used.
pub fn run(args: &SelfplayArgs) -> Result<Total, SelfplayError> {
    let mut guidance =
        guidance(args.net.as_deref(), args.net_kernel).map_err(SelfplayError::Network)?;
    if let Some(guidance) = &mut guidance {
        guidance.everywhere = true;
    }
    let rules = &args.ruleset.rules;
    if !counts_as_it_stands(rules) {
        return Err(SelfplayError::Rules(rules.to_string()));
    }
    let starts = match &args.from_records {
        Some(path) => Some(Starts::read(path, args.from_share, &args.boards)?),
        None => None,
    };
    let net = guidance.as_ref().and_then(|g| g.network.own());
    let net = net.map(|network| network.hash());
    if guidance.is_some() && net.is_none() {
        let problem = "self-play needs a network in omnigo's own format".to_owned();
        return Err(SelfplayError::Network(problem));
    }
    let settings = Settings::new(args, net, starts.as_ref().map(Starts::description));
    let mut folder = Folder::open(&args.out, &settings)?;
    let plan = Plan {
        guidance,
        rules: rules.clone(),
        playouts: args.playouts,
        quick_playouts: args.quick_playouts,
        recorded: args.recorded,
        noise: args.noise,
        drawn_moves: 0,
        temperature: args.temperature,
        random_moves: args.random_moves,
        resign_below: args.resign_below,
        played_out: args.played_out,
    };
    play(args, &plan, starts.as_ref(), &mut folder)?;
    Ok(Total {
        games: folder.done.len(),
        rows: folder.count,
    })
}

/// Returns true if two colors play for area, the game ends by passes, and all stones on the board
/// count as alive.
fn counts_as_it_stands(rules: &Ruleset) -> bool {
    let area = match rules.scoring {
        Scoring::Area => true,
        Scoring::Territory | Scoring::Stones | Scoring::None => false,
    };
    let stands = match rules.dead {
        DeadStones::None => true,
        DeadStones::Agreed => false,
    };
    let ends = match rules.end {
        End::Passes => true,
        End::Stuck => false,
    };
    area && stands && ends && rules.colors == 2
}

/// Plays the games that the folder lacks, on `args.parallel` threads.
fn play(
    args: &SelfplayArgs,
    plan: &Plan,
    starts: Option<&Starts>,
    folder: &mut Folder,
) -> Result<(), SelfplayError> {
    let done: HashSet<u32> = folder.done.clone();
    let next = AtomicU32::new(1);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let mut last_report = start;
    let mut result = Ok(());
    thread::scope(|scope| {
        let (sender, games) = mpsc::channel();
        for _ in 0..args.parallel {
            let sender = sender.clone();
            let work = || {
                let sender = sender;
                while !stop.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    if number > args.games {
                        return;
                    }
                    if !done.contains(&number)
                        && sender.send(one(args, plan, starts, number)).is_err()
                    {
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
        for (line, size, played) in games {
            if result.is_ok() {
                result = folder.add(&line, size, &played.rows);
            }
            if result.is_err() {
                stop.store(true, Relaxed);
            }
            if last_report.elapsed() >= REPORT_EVERY {
                last_report = Instant::now();
                let fresh = folder.done.len() - done.len();
                let pace = fresh as f64 / start.elapsed().as_secs_f64() * 3600.0;
                tell!(
                    "{} of {} games, {} rows, {pace:.0} games an hour",
                    folder.done.len(),
                    args.games,
                    folder.count
                );
            }
        }
    });
    result
}

/// Plays game `number`. Its random numbers depend only on the run's seed and on this number.
fn one(
    args: &SelfplayArgs,
    plan: &Plan,
    starts: Option<&Starts>,
    number: u32,
) -> (GameLine, Size, Played) {
    let start = Instant::now();
    let seed = args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = Random::new(seed ^ u64::from(number));
    let size = args.boards.draw(&mut random);
    let Some(board) =
        Grid::new(size.width, size.height).and_then(|grid| GridBoard::new(grid, plan.rules.colors))
    else {
        unreachable!("boards of 5x5 to 19x19 can be built")
    };
    let span = 2 * i64::from(args.komi_span);
    let shift = random.below(2 * span as usize + 1) as i64 - span;
    let komi = args.komi.unwrap_or_else(|| size.fair_komi()) + Points::from_halves(shift);
    let drawn = args.drawn_moves.map(|n| n as usize);
    let plan = Plan {
        drawn_moves: drawn.unwrap_or((size.width + size.height) / 2),
        ..plan.clone()
    };
    let given = starts.map_or(&[][..], |starts| starts.draw(size, &mut random));
    let played = plan.play(board, komi, given, &mut random);
    let names = Names::coordinates(size.width, size.height);
    let name = |&mv: &Move| move_alias(&names, mv);
    let line = GameLine {
        game: number,
        board: size.to_string(),
        komi: komi.to_string(),
        result: result(&played),
        begun: played.begun,
        random: played.random,
        moves: played.moves.iter().map(name).collect(),
        rows: played.rows.len() as u64,
        seconds: (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    };
    (line, size, played)
}

/// Returns the result as text, such as `B+3.5`.
fn result(played: &Played) -> String {
    let winner = match played.winner {
        None => return "0".to_owned(),
        Some(Color::BLACK) => "B",
        Some(_) => "W",
    };
    match played.margin {
        None => format!("{winner}+R"),
        Some(margin) if margin < Points::ZERO => format!("{winner}+{}", -margin),
        Some(margin) => format!("{winner}+{margin}"),
    }
}
