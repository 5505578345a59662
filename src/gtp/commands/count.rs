//! Commands for exact counts and unconditionally alive chains.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::{Command, Failure, Session};
use crate::engine::Engine;
use crate::exact::count::{Budget, CountError, GamesError, bounds, games, positions};
use crate::graph::Graph;
use crate::gtp::arguments::Arguments;
use crate::notation::vertex_list;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "count_positions",
        "[COLORS]",
        "Number of legal positions of this board with stones of COLORS colors (2 by default). After 10 seconds, fails with proven bounds.",
        count_positions,
    )
    .searching(),
    Command::new(
        "count_games",
        "[LIMIT]",
        "Number of games from the empty board under positional superko with suicide. Fails beyond LIMIT games, and with proven bounds after 10 seconds.",
        count_games,
    )
    .searching(),
    Command::new(
        "perft",
        "DEPTH",
        "Number of sequences of DEPTH turns from the current position, including passes. After 10 seconds, fails with proven bounds.",
        perft,
    )
    .searching(),
    Command::new(
        "unconditional_life",
        "COLOR",
        "Chains of this color that cannot be captured even if it always passes, one per line.",
        unconditional_life,
    ),
];

/// Time limit of a count.
const TIME: Duration = Duration::from_secs(10);
/// Maximum length, in bits, of a power written in digits. Larger powers are written as
/// `base^exponent`.
const MOST_BITS: u64 = 4096;

fn budget<'a>(engine: &Engine, stop: &'a AtomicBool) -> Budget<'a> {
    Budget {
        memory: engine.options().memory_mib << 20,
        stop,
        deadline: Instant::now().checked_add(TIME),
        progress: None,
    }
}

/// Returns the graph of an ordinary board.
fn ordinary_graph(engine: &Engine) -> Result<&Arc<Graph>, Failure> {
    let graph = engine.ordinary_graph();
    graph.map_err(|error| Failure::Refused(error.to_string()))
}

/// Returns the failure that reports proven bounds instead of an answer.
fn unsolved(lower: impl ToString, upper: impl ToString) -> Failure {
    let (lower, upper) = (lower.to_string(), upper.to_string());
    Failure::Refused(format!("unsolved {lower}..{upper}"))
}

/// Returns `base` to the power of `exponent`, in digits if it has at most about [`MOST_BITS`] bits.
fn power(base: u64, exponent: u64) -> String {
    match u32::try_from(exponent) {
        Ok(small) if u64::from(64 - base.leading_zeros()) * exponent <= MOST_BITS => {
            BigUint::from(base).pow(small).to_string()
        }
        Ok(_) | Err(_) => format!("{base}^{exponent}"),
    }
}

fn count_positions(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a number of colors, 0 or more";
    let colors = match arguments.optional() {
        None => 2,
        Some(text) => text
            .parse::<u32>()
            .map_err(|_| Failure::expected("colors", text, EXPECTED))?,
    };
    let engine = &session.engine;
    let graph = ordinary_graph(engine)?;
    let stop = engine.stop_signal();
    match positions(graph, colors, &budget(engine, &stop)) {
        Ok(count) => Ok(count.to_string()),
        Err(error @ (CountError::Memory { .. } | CountError::Stopped)) => {
            session.warn(&error.to_string());
            let (lower, upper) = bounds(graph, colors);
            Err(unsolved(lower, upper))
        }
        Err(error) => Err(Failure::Refused(error.to_string())),
    }
}

fn count_games(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a number of games, 0 or more";
    let read = |text: &str| {
        text.parse::<u128>()
            .map_err(|_| Failure::expected("limit", text, EXPECTED))
    };
    let limit = arguments.optional().map(read).transpose()?;
    let engine = &session.engine;
    let graph = ordinary_graph(engine)?;
    let stop = engine.stop_signal();
    match games(graph, limit, &budget(engine, &stop)) {
        Ok(games) => Ok(games.count.to_string()),
        Err(GamesError::Stopped(lower) | GamesError::Memory(lower)) => {
            // A game is a path that visits no position twice and leaves each in at most 2 ×
            // vertices ways.
            let (_, positions) = bounds(graph, 2);
            let ways = 2 * graph.vertices() as u64;
            let upper = match u64::try_from(&positions) {
                Ok(positions) => power(ways, positions),
                Err(_) => format!("{ways}^{positions}"),
            };
            Err(unsolved(lower, upper))
        }
        Err(error @ (GamesError::More(_) | GamesError::Overflow | GamesError::Large { .. })) => {
            Err(Failure::Refused(error.to_string()))
        }
    }
}

fn perft(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let depth: u32 = arguments.number("depth", "a number of turns, 0 or more")?;
    let engine = &session.engine;
    let stop = engine.stop_signal();
    engine
        .perft(depth, &budget(engine, &stop))
        .map(|count| count.to_string())
        .map_err(|error| {
            let ways = engine.goban().graph.vertices() as u64 + 1;
            unsolved(error.0, power(ways, depth.into()))
        })
}

fn unconditional_life(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let engine = &session.engine;
    let chains = engine
        .unconditional_life(color)
        .map_err(|error| Failure::Refused(engine.life_problem(error)))?;
    let lines = chains
        .into_iter()
        .map(|chain| vertex_list(engine.goban(), chain));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
