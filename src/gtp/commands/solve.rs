//! Commands for exact values.

use std::time::Duration;

use super::{Command, Failure, Session};
use crate::engine::Wish;
use crate::gtp::arguments::Arguments;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "solve",
        "[SECONDS]",
        "Value of the current position and its history under perfect play: `B+9`, `W+1`, `0`, `B+`, `W+`. After SECONDS (10 by default), fails with proven bounds: `unsolved LOWER..UPPER`.",
        solve,
    )
    .searching(),
    Command::new(
        "komi_parameter",
        "[SECONDS]",
        "Largest komi with which Black wins on the empty board under famine rules. After SECONDS (10 by default), fails with proven bounds: `unsolved LOWER..UPPER`.",
        komi_parameter,
    )
    .searching(),
];

/// Default time limit, in seconds.
const SECONDS: f64 = 10.0;
/// Maximum time limit, in seconds. Larger values are reduced to it.
const LONGEST: f64 = 1e9;

/// Reads the optional time limit of a command.
fn time(arguments: &mut Arguments<'_>) -> Result<Option<Duration>, Failure> {
    let given = arguments.clone().optional().is_some();
    let seconds = if given {
        arguments.seconds("time")?.min(LONGEST)
    } else {
        SECONDS
    };
    Ok(Some(Duration::from_secs_f64(seconds)))
}

fn solve(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let time = time(&mut arguments)?;
    let answer = session
        .engine
        .solve(time, Wish::default(), None)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    match answer.bounds.value() {
        Some(value) => Ok(value.to_string()),
        None => {
            let (lower, upper) = (answer.bounds.lower, answer.bounds.upper);
            // If the bounds are exact but there is still no value, report the reason.
            let reason = answer
                .no_value()
                .map_or(String::new(), |why| format!(": {why}"));
            Err(Failure::Refused(format!(
                "unsolved {lower}..{upper}{reason}"
            )))
        }
    }
}

fn komi_parameter(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let time = time(&mut arguments)?;
    let found = session
        .engine
        .komi_parameter(time)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    match found.value() {
        Some(komi) => Ok(komi.to_string()),
        None => {
            let upper = found.upper.map_or(String::new(), |upper| upper.to_string());
            Err(Failure::Refused(format!(
                "unsolved {}..{upper}",
                found.lower
            )))
        }
    }
}
