//! Commands for the clock.

use super::{Command, Failure, Session};
use crate::engine::TimeSettings;
use crate::gtp::arguments::Arguments;
use crate::text::one_of;
use crate::text::quote;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "time_settings",
        "MAIN BYOYOMI STONES",
        "Sets main time, then STONES stones per BYOYOMI period, in seconds. A period with 0 stones means no time limit.",
        time_settings,
    ),
    Command::new(
        "time_left",
        "COLOR SECONDS STONES",
        "Sets a player's remaining time: main time if STONES is 0, otherwise the time for STONES stones.",
        time_left,
    ),
    Command::new(
        "kgs-time_settings",
        "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES",
        "Sets the time system by its KGS name. With byoyomi, time_left counts periods instead of stones.",
        kgs_time_settings,
    ),
    Command::new(
        "kata-list_time_settings",
        "",
        "Names of the time systems of kata-time_settings.",
        kata_list_time_settings,
    ),
    Command::new(
        "kata-time_settings",
        "SYSTEM [SECONDS …]",
        "Sets a time system of kgs-time_settings, fischer MAIN INCREMENT, or fischer-capped MAIN INCREMENT MAX_MAIN MAX_PER_MOVE, where -1 means no limit.",
        kata_time_settings,
    ),
];

/// Maximum number of seconds. Larger values are reduced to it.
const LONGEST: f64 = 1e9;

fn time_settings(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let main = arguments.seconds("main time")?.min(LONGEST);
    let byo_yomi = arguments.seconds("byo-yomi time")?.min(LONGEST);
    let stones = arguments.count("byo-yomi stones")?;
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
    let stones = arguments.count("stones")?;
    if seconds < 0.0 {
        session.warn(&format!("time {} was changed to 0", quote(text)));
    }
    session
        .engine
        .time_left(color, seconds.clamp(0.0, LONGEST), stones);
    Ok(String::new())
}

const KGS: &[&str] = &["none", "absolute", "byoyomi", "canadian"];
const KATA: &[&str] = &[
    "none",
    "absolute",
    "byoyomi",
    "canadian",
    "fischer",
    "fischer-capped",
];

fn kgs_time_settings(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    set_system(session, arguments, KGS)
}

fn kata_list_time_settings(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(KATA.join(" "))
}

fn kata_time_settings(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    set_system(session, arguments, KATA)
}

fn set_system(
    session: &mut Session,
    mut arguments: Arguments<'_>,
    systems: &[&str],
) -> Result<String, Failure> {
    let expected = one_of(systems.iter().map(|system| system.to_string()));
    let name = arguments.word("time system", &expected)?;
    let unknown = || Failure::expected("time system", name, &expected);
    let lower = name.to_ascii_lowercase();
    let system = *systems.iter().find(|s| **s == lower).ok_or_else(unknown)?;
    let mut seconds = |what| Ok(arguments.seconds(what)?.min(LONGEST));
    let settings = match system {
        "none" => TimeSettings::None,
        "absolute" => TimeSettings::Absolute {
            main: seconds("main time")?,
        },
        "byoyomi" | "canadian" => {
            let main = seconds("main time")?;
            let period = seconds("period")?;
            let what = if system == "byoyomi" {
                "periods"
            } else {
                "stones"
            };
            match arguments.count(what)? {
                // No periods or stones: only main time is left.
                0 => TimeSettings::Absolute { main },
                periods if system == "byoyomi" => TimeSettings::Byoyomi {
                    main,
                    period,
                    periods,
                },
                stones => TimeSettings::Canadian {
                    main,
                    period,
                    stones,
                },
            }
        }
        "fischer" | "fischer-capped" => {
            let main = seconds("main time")?;
            let increment = seconds("increment")?;
            let mut most = |what| match system {
                "fischer" => Ok(f64::INFINITY),
                _ => limit(&mut arguments, what),
            };
            TimeSettings::Fischer {
                main,
                increment,
                most: most("maximum main time")?,
                most_a_move: most("maximum time per move")?,
            }
        }
        _ => return Err(unknown()),
    };
    session.engine.set_time(settings);
    Ok(String::new())
}

/// Reads a number of seconds, or -1 for no limit.
fn limit(arguments: &mut Arguments<'_>, what: &str) -> Result<f64, Failure> {
    const EXPECTED: &str = "seconds above 0, or -1 for no limit";
    let text = arguments.word(what, EXPECTED)?;
    match text.parse::<f64>() {
        Ok(-1.0) => Ok(f64::INFINITY),
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds.min(LONGEST)),
        Ok(_) | Err(_) => Err(Failure::expected(what, text, EXPECTED)),
    }
}
