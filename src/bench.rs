//! Measurements of `omnigo bench`: speed, and a signature of the moves chosen.

pub mod cost;
pub mod machine;
pub mod net;
mod plot;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::Board;
use crate::board::graph::{Adjacency, GraphBoard};
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::game::Game;
use crate::graph::spec::{Spec, SpecError};
use crate::playout::{Random, Style, Trace, lockstep, scored};
use crate::rules::{Points, Ruleset};
use crate::search::{Limits, Searcher, Settings};
use crate::system::cpu_time;
use crate::vertex::Move;

/// Maximum seconds per figure: one day.
pub const MOST_SECONDS: f64 = 86_400.0;

/// Converts the seconds of a figure to a duration of at most [`MOST_SECONDS`].
fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS))
}

/// Results of `omnigo bench`.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Hash of the moves of playouts, and of the best moves and visits of single-threaded searches.
    /// It changes if and only if their choices change.
    pub signature: String,
    /// Playouts from the empty board.
    pub playouts: Vec<PlayoutSpeed>,
    /// Searches from the empty board.
    pub search: Vec<SearchSpeed>,
}

/// Speed of playouts from an empty board on one core.
#[derive(Debug, Serialize)]
pub struct PlayoutSpeed {
    /// Canonical spec.
    pub board: String,
    /// `grid` or `graph`.
    pub path: &'static str,
    /// Style of the playouts: `light`, `tactical`, or `lock step` (light playouts of many games at
    /// once).
    pub style: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// Playouts per second.
    pub per_second: f64,
    /// Placements per playout.
    pub moves_per_game: f64,
    /// Nanoseconds per placement.
    pub ns_per_move: f64,
}

/// Speed of a search from an empty board.
#[derive(Debug, Serialize)]
pub struct SearchSpeed {
    /// Canonical spec.
    pub board: String,
    /// `grid` or `graph`.
    pub path: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// Playouts per second.
    pub per_second: f64,
}

/// Measures everything, for `seconds` seconds per figure, at most [`MOST_SECONDS`].
///
/// # Errors
/// None in practice, because the boards are fixed.
pub fn run(rules: &Ruleset, cores: usize, seconds: f64) -> Result<Report, SpecError> {
    let mut report = Report {
        signature: String::new(),
        playouts: Vec::new(),
        search: Vec::new(),
    };
    let mut digest = Digest::default();
    let mut threads = vec![1, cores];
    threads.dedup();
    for side in [5, 9, 13, 19] {
        let spec = Spec::grid(side, side)?;
        let goban = spec.build()?;
        let board = spec.to_string();
        let adjacency = Adjacency::new(Arc::clone(&goban.graph));
        if let Some(grid) =
            Grid::new(side, side).and_then(|grid| GridBoard::new(grid, rules.colors))
        {
            measure(
                &mut report,
                &mut digest,
                &board,
                "grid",
                &grid,
                rules,
                &threads,
                seconds,
            );
        }
        if let Some(graph) = GraphBoard::new(adjacency, rules.colors) {
            measure(
                &mut report,
                &mut digest,
                &board,
                "graph",
                &graph,
                rules,
                &threads,
                seconds,
            );
        }
    }
    report.signature = format!("{:016x}", digest.0);
    Ok(report)
}

#[allow(clippy::too_many_arguments)]
fn measure<B: Board>(
    report: &mut Report,
    digest: &mut Digest,
    name: &str,
    path: &'static str,
    board: &B,
    rules: &Ruleset,
    threads: &[usize],
    seconds: f64,
) {
    digest.playouts(board);
    digest.search(board, rules);
    for (style, style_name) in [(Style::Light, "light"), (Style::Tactical, "tactical")] {
        let (per_second, moves_per_game) = playouts(board, style, seconds);
        report.playouts.push(PlayoutSpeed {
            board: name.to_owned(),
            path,
            style: style_name,
            threads: 1,
            per_second,
            moves_per_game,
            ns_per_move: 1e9 / (per_second * moves_per_game),
        });
    }
    if let Some(start) = lockstep::Start::of(board, Some(Color::BLACK)) {
        let (per_second, moves_per_game) = in_lock_step(&start, seconds);
        report.playouts.push(PlayoutSpeed {
            board: name.to_owned(),
            path,
            style: "lock step",
            threads: 1,
            per_second,
            moves_per_game,
            ns_per_move: 1e9 / (per_second * moves_per_game),
        });
    }
    for &threads in threads {
        let per_second = search(board, rules, threads, seconds).per_second;
        report.search.push(SearchSpeed {
            board: name.to_owned(),
            path,
            threads,
            per_second,
        });
    }
}

/// Returns the playouts per second on one core and the placements per playout.
pub fn playouts<B: Board>(board: &B, style: Style, seconds: f64) -> (f64, f64) {
    let mut random = Random::new(1);
    let mut end = board.clone();
    let mut trace = Trace::new();
    let (mut games, mut moves) = (0u64, 0usize);
    let start = Instant::now();
    let limit = duration(seconds);
    // Play at least once, so that no figure divides by zero.
    while games == 0 || start.elapsed() < limit {
        for _ in 0..32 {
            scored::from_start(board, &mut end, style, &mut random, &mut trace);
            std::hint::black_box(end.census());
            games += 1;
            moves += trace.len();
        }
    }
    (
        games as f64 / start.elapsed().as_secs_f64(),
        moves as f64 / games as f64,
    )
}

/// Returns the lock-step playouts per second on one core and the placements per playout.
pub fn in_lock_step(start: &lockstep::Start, seconds: f64) -> (f64, f64) {
    let mut random = Random::new(1);
    let (mut games, mut moves) = (0, 0);
    let begin = Instant::now();
    let limit = duration(seconds);
    while games == 0 || begin.elapsed() < limit {
        let sample = lockstep::sample(start, 1024, &mut random);
        games += sample.margins.len();
        moves += sample.moves;
    }
    (
        games as f64 / begin.elapsed().as_secs_f64(),
        moves as f64 / games as f64,
    )
}

/// Measures a search from the position on `board`. Returns playouts per second of wall time and of
/// processor time, the number of playouts, and the searcher with its tree.
pub fn search<B: Board>(board: &B, rules: &Ruleset, threads: usize, seconds: f64) -> Searched {
    let settings = Settings {
        threads,
        seed: 1,
        memory: 1 << 30,
        style: Style::Tactical,
        guidance: None,
    };
    let mut searcher = Searcher::new(settings);
    let game = Game::new(
        board.clone(),
        rules.clone(),
        Points::from_halves(15),
        Color::BLACK,
    );
    let stop = Arc::new(AtomicBool::new(false));
    let alarm = Arc::clone(&stop);
    let (start, used) = (Instant::now(), cpu_time::seconds());
    // Stop by a timer. With a time limit, the search would end once its move is certain.
    let timer = thread::spawn(move || {
        thread::sleep(duration(seconds));
        alarm.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let result = searcher.think(&game, Color::BLACK, Limits::default(), &stop, start);
    let elapsed = start.elapsed().as_secs_f64();
    let _ = timer.join();
    let used = cpu_time::seconds() - used;
    let visits = f64::from(result.visits);
    Searched {
        per_second: visits / elapsed,
        per_processor_second: visits / used.max(1e-6),
        playouts: result.visits,
        searcher,
    }
}

/// Measurements of a search.
#[derive(Debug)]
pub struct Searched {
    /// Playouts per second of wall time.
    pub per_second: f64,
    /// Playouts per second of processor time, independent of other load on the machine.
    pub per_processor_second: f64,
    /// Number of playouts.
    pub playouts: u32,
    /// The searcher, with its tree.
    pub searcher: Searcher,
}

/// FNV-1a hash of the moves that playouts and searches choose.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, value: usize) {
        for byte in (value as u64).to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn playouts<B: Board>(&mut self, board: &B) {
        for style in [Style::Light, Style::Tactical] {
            let mut random = Random::new(7);
            for _ in 0..20 {
                let mut end = board.clone();
                let mut trace = Trace::new();
                scored::from_start(board, &mut end, style, &mut random, &mut trace);
                trace.iter().for_each(|(_, at)| self.add(at.index()));
            }
        }
    }

    fn search<B: Board>(&mut self, board: &B, rules: &Ruleset) {
        let settings = Settings {
            threads: 1,
            seed: 7,
            memory: 1 << 26,
            style: Style::Tactical,
            guidance: None,
        };
        let mut searcher = Searcher::new(settings);
        let mut game = Game::new(
            board.clone(),
            rules.clone(),
            Points::from_halves(15),
            Color::BLACK,
        );
        let stop = AtomicBool::new(false);
        for _ in 0..6 {
            let color = game.to_move();
            let limits = Limits {
                playouts: Some(200),
                ..Limits::default()
            };
            let result = searcher.think(&game, color, limits, &stop, Instant::now());
            let Some(best) = result.best() else { return };
            self.add(best.mv.vertex().map_or(usize::MAX, |at| at.index()));
            self.add(best.visits as usize);
            if best.mv == Move::Pass || game.play(color, best.mv).is_err() {
                return;
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "signature {}", self.signature)?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<12} {:<6} {:<9} {:>7} {:>12} {:>11} {:>8}",
            "board", "path", "playouts", "threads", "per second", "moves/game", "ns/move"
        )?;
        for p in &self.playouts {
            let (rate, moves, ns) = (p.per_second, p.moves_per_game, p.ns_per_move);
            writeln!(
                f,
                "{:<12} {:<6} {:<9} {:>7} {rate:>12.0} {moves:>11.1} {ns:>8.1}",
                p.board, p.path, p.style, p.threads
            )?;
        }
        for s in &self.search {
            writeln!(
                f,
                "{:<12} {:<6} {:<9} {:>7} {:>12.0}",
                s.board, s.path, "search", s.threads, s.per_second
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_seconds_is_a_duration_of_at_most_a_day() {
        for (seconds, expected) in [(-1.0, 0), (0.0, 0), (2.0, 2), (1e30, 86_400)] {
            assert_eq!(
                duration(seconds),
                Duration::from_secs(expected),
                "{seconds}"
            );
        }
    }

    #[test]
    fn a_figure_has_at_least_one_measurement() {
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let start = lockstep::Start::of(&board, Some(Color::BLACK)).unwrap();
        for (rate, moves) in [
            playouts(&board, Style::Light, 1e-30),
            in_lock_step(&start, 1e-30),
        ] {
            assert!(rate > 0.0 && moves > 0.0, "{rate} {moves}");
        }
    }
}
