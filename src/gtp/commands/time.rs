//! The clock.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::text::quote;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "time_settings",
        "MAIN BYOYOMI STONES",
        "Sets main time, then so many stones in every byo-yomi time, in seconds; byo-yomi without stones means no limit.",
        time_settings,
    ),
    Command::new(
        "time_left",
        "COLOR SECONDS STONES",
        "Tells what a player has left: of the main time where stones is 0, else for so many stones.",
        time_left,
    ),
];

/// More seconds than any game has; greater numbers are taken as this one.
const LONGEST: f64 = 1e9;

fn time_settings(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let main = arguments.seconds("main time")?.min(LONGEST);
    let byo_yomi = arguments.seconds("byo-yomi time")?.min(LONGEST);
    let stones = arguments.number("byo-yomi stones", "a whole number, 0 or more")?;
    session.engine.time_settings(main, byo_yomi, stones);
    Ok(String::new())
}

fn time_left(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a number of seconds";
    let color = arguments.color(session.engine.rules().colors)?;
    let text = arguments.word("time", EXPECTED)?;
    let seconds: f64 = text
        .parse()
        .ok()
        .filter(|t: &f64| t.is_finite())
        .ok_or_else(|| Failure::expected("time", text, EXPECTED))?;
    let stones = arguments.number("stones", "a whole number, 0 or more")?;
    if seconds < 0.0 {
        session.warn(&format!("time {} is taken as 0", quote(text)));
    }
    session
        .engine
        .time_left(color, seconds.clamp(0.0, LONGEST), stones);
    Ok(String::new())
}
