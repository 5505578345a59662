//! Commands for the result and its parts: scores, status of chains, and prisoners.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::Status;
use crate::gtp::arguments::Arguments;
use crate::notation::vertex_list;
use crate::rules::Points;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "final_score",
        "",
        "Result of the game: `B+3.5`, `W+2`, or `0`; `B+R` after a resignation; `B+` if the last mover wins; `red+5` with more colors. \
         Judging dead stones takes at most two seconds.",
        final_score,
    ),
    Command::new(
        "scores",
        "",
        "Points of all players, including komi: `black S white T`.",
        scores,
    ),
    Command::new(
        "final_status_list",
        "alive|seki|dead",
        "Chains with this status at the end of the game, one per line. Judging takes at most two seconds, with fewer playouts on large boards. \
        If no playout ends in time, all chains are alive.",
        final_status_list,
    ),
    Command::new(
        "prisoners",
        "",
        "Remaining paid passes of each player, or captured stones if passing is free: `black P white Q`.",
        prisoners,
    ),
];

fn final_score(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    if session.engine.resigned().is_some() {
        return session.engine.result().ok_or(Failure::CannotScore);
    }
    match session.engine.outcome() {
        Ok(outcome) => Ok(outcome.to_string()),
        Err(error) => {
            session.warn(&error.to_string());
            Err(Failure::CannotScore)
        }
    }
}

fn scores(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    match session.engine.scores() {
        Ok(scores) => Ok(by_color(scores)),
        Err(error) => {
            session.warn(&error.to_string());
            Err(Failure::CannotScore)
        }
    }
}

/// Returns a number for each color, in order: `black P white Q`.
pub(super) fn by_color(numbers: Vec<Points>) -> String {
    let named = Color::all(numbers.len())
        .zip(numbers)
        .map(|(color, number)| format!("{color} {number}"));
    named.collect::<Vec<_>>().join(" ")
}

fn final_status_list(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    const EXPECTED: &str = "alive, seki or dead";
    let text = arguments.word("status", EXPECTED)?;
    let status = match text.to_ascii_lowercase().as_str() {
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        "dead" => Status::Dead,
        _ => return Err(Failure::expected("status", text, EXPECTED)),
    };
    let chains = session.engine.chains_with_status(status);
    let goban = session.engine.goban();
    Ok(chains
        .into_iter()
        .map(|chain| vertex_list(goban, chain))
        .collect::<Vec<_>>()
        .join("\n"))
}

fn prisoners(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(by_color(session.engine.prisoners()))
}
