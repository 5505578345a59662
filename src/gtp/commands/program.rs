//! Commands about the program: processor time, random seed, memory, and description.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::system::cpu_time;
use crate::text::quote;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "cputime",
        "",
        "Processor time of all threads since the start, in seconds.",
        cputime,
    ),
    Command::new("gomill-cpu_time", "", "Same as cputime.", cputime),
    Command::new(
        "get_random_seed",
        "",
        "Seed of all random choices.",
        get_random_seed,
    ),
    Command::new(
        "set_random_seed",
        "SEED",
        "Sets the seed of all random choices: a whole number, 0 or more.",
        set_random_seed,
    ),
    Command::new(
        "clear_cache",
        "",
        "Discards the results of earlier searches.",
        clear_cache,
    ),
    Command::new(
        "stop",
        "",
        "Stops an analysis, as any input line does.",
        stop,
    ),
    Command::new(
        "gomill-describe_engine",
        "",
        "Name, version, board, rules, and settings, one per line.",
        describe,
    ),
];

fn cputime(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(format!("{:.3}", cpu_time::seconds()))
}

fn get_random_seed(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.options().seed.to_string())
}

fn set_random_seed(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let mut options = session.engine.options().clone();
    options.seed = arguments.number("seed", "a whole number, 0 or more")?;
    session.engine.set_options(options);
    Ok(String::new())
}

fn clear_cache(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.engine.forget_search();
    Ok(String::new())
}

fn stop(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(String::new())
}

fn describe(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let engine = &session.engine;
    let options = engine.options();
    let mut lines = vec![
        format!("omnigo {}", env!("CARGO_PKG_VERSION")),
        format!("board {}", quote(&engine.goban().spec.to_string())),
        format!("ruleset {}, komi {}", engine.rules(), engine.komi()),
    ];
    let limits = [
        options.playouts.map(|n| format!("{n} playouts per move")),
        options.visits.map(|n| format!("{n} visits per move")),
        options.seconds.map(|s| format!("{s} seconds per move")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if !limits.is_empty() {
        lines.push(limits.join(", "));
    }
    lines.push(format!(
        "threads {}, seed {}, memory {} MiB",
        options.threads, options.seed, options.memory_mib
    ));
    let opponent = &session.opponent;
    if opponent.name.is_some() || opponent.rating.is_some() {
        let name = opponent.name.as_deref().unwrap_or("without a name");
        let rating = opponent.rating.as_deref().unwrap_or("unknown");
        lines.push(format!("opponent {name}, rating {rating}"));
    }
    Ok(lines.join("\n"))
}
