//! GoGui parameter dialogs: one line `[type] key value` per parameter. The same command with a key
//! and a value sets a parameter.
//!
//! GoGui saves a dialog as the commands that set its values, in the order of the lines. Each line
//! must be valid after the earlier lines. Therefore, the ruleset comes before its axes (its single
//! rules).

use super::rules::take_ruleset;
use super::setup::take_komi;
use super::{Command, Failure, Session};
use crate::engine::{Options, Variety};
use crate::gtp::arguments::Arguments;
use crate::rules::{AxisText, presets};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "omnigo-param_search",
        "[KEY VALUE]",
        "Search settings, one per line. With arguments, sets one of them; `none` means no limit.",
        search,
    ),
    Command::new(
        "omnigo-param_rules",
        "[KEY VALUE]",
        "Ruleset, komi, and single rules, one per line. With arguments, sets one of them.",
        rules,
    ),
    super::avoid::COMMAND,
];

const NO_LIMIT: &str = "none";

fn search(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let options = session.engine.options().clone();
    let Some(key) = arguments.optional() else {
        return Ok(search_lines(&options));
    };
    let mut options = options;
    // GoGui sends no value for an empty field of the dialog.
    let value = arguments.optional().unwrap_or(NO_LIMIT);
    match key {
        "playouts" => {
            const EXPECTED: &str = "a number of playouts above 0 or none";
            options.set_playouts(limit(key, value, EXPECTED, |&n| n > 0)?);
        }
        "seconds" => {
            options.seconds = limit(key, value, "seconds above 0 or none", |&s: &f64| {
                s.is_finite() && s > 0.0
            })?;
        }
        "threads" => options.threads = number(key, value, "1 to 1024", |n| (1..=1024).contains(n))?,
        "seed" => options.seed = number(key, value, "a whole number, 0 or more", |_| true)?,
        "resign_below" => {
            options.resign_below = number(key, value, "a probability from 0 to 1", |p| {
                (0.0..=1.0).contains(p)
            })?;
        }
        "memory_mib" => {
            options.memory_mib =
                number(key, value, "16 to 1048576", |n| (16..=1 << 20).contains(n))?;
        }
        "opening_temperature" => {
            let expected = format!("a number from 0 to {}", Variety::HOTTEST);
            options.variety.temperature = number(key, value, &expected, |t| {
                (0.0..=Variety::HOTTEST).contains(t)
            })?;
        }
        "opening_moves" => {
            options.variety.moves =
                limit(key, value, "a whole number, 0 or more, or none", |_| true)?;
        }
        _ => {
            const KEYS: &str = "playouts, seconds, threads, seed, resign_below, memory_mib, opening_temperature or \
                 opening_moves";
            return Err(Failure::expected("parameter", key, KEYS));
        }
    }
    match key {
        "seed" => session.engine.set_options(options),
        _ => session.engine.change_options(options),
    }
    Ok(String::new())
}

fn search_lines(options: &Options) -> String {
    let playouts = options.playouts.map(|n| n.to_string());
    let seconds = options.seconds.map(|s| s.to_string());
    let moves = options.variety.moves.map(|n| n.to_string());
    let limit = |text: Option<String>| text.unwrap_or_else(|| NO_LIMIT.to_string());
    [
        ("playouts", limit(playouts)),
        ("seconds", limit(seconds)),
        ("threads", options.threads.to_string()),
        ("seed", options.seed.to_string()),
        ("resign_below", options.resign_below.to_string()),
        ("memory_mib", options.memory_mib.to_string()),
        (
            "opening_temperature",
            options.variety.temperature.to_string(),
        ),
        ("opening_moves", limit(moves)),
    ]
    .map(|(key, value)| format!("[string] {key} {value}"))
    .join("\n")
}

fn number<T: std::str::FromStr>(
    key: &str,
    value: &str,
    expected: &str,
    holds: impl Fn(&T) -> bool,
) -> Result<T, Failure> {
    let number = value.parse().ok().filter(holds);
    number.ok_or_else(|| Failure::expected(key, value, expected))
}

fn limit<T: std::str::FromStr>(
    key: &str,
    value: &str,
    expected: &str,
    holds: impl Fn(&T) -> bool,
) -> Result<Option<T>, Failure> {
    match value {
        NO_LIMIT => Ok(None),
        value => number(key, value, expected, holds).map(Some),
    }
}

fn rules(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let Some(key) = arguments.optional() else {
        return Ok(rules_lines(session));
    };
    let words = arguments.rest();
    let Some(value) = words.first() else {
        return Err(Failure::missing("value", "a value from omnigo-param_rules"));
    };
    if key == "komi" {
        take_komi(session, value)?;
        return Ok(String::new());
    }
    let text = if key == "ruleset" {
        words.join(" ")
    } else {
        // The dialog writes keys with `_` instead of `-`, and booleans as numbers.
        let key = key.replace('_', "-");
        let rules = session.engine.rules();
        let boolean = rules
            .axes()
            .any(|axis| axis.key == key && is_boolean(&axis));
        let value = match *value {
            "1" if boolean => "yes",
            "0" if boolean => "no",
            value => value,
        };
        format!("{rules} {key}={value}")
    };
    take_ruleset(session, &text)?;
    Ok(String::new())
}

fn rules_lines(session: &Session) -> String {
    let rules = session.engine.rules();
    // Write the ruleset as one word, because it is an item of a list. A modified ruleset becomes an
    // extra item.
    let present = rules.to_string().replace(' ', ",");
    let mut names: Vec<&str> = presets::all()
        .iter()
        .map(|preset| preset.rules.name)
        .collect();
    if !names.contains(&present.as_str()) {
        names.push(&present);
    }
    let mut lines = vec![
        format!("[list/{}] ruleset {present}", names.join("/")),
        format!("[string] komi {}", session.engine.komi()),
    ];
    for axis in rules.axes() {
        let key = axis.key.replace('-', "_");
        lines.push(if is_boolean(&axis) {
            format!("[bool] {key} {}", u8::from(axis.value == "yes"))
        } else {
            format!("[list/{}] {key} {}", axis.values.join("/"), axis.value)
        });
    }
    lines.join("\n")
}

fn is_boolean(axis: &AxisText) -> bool {
    axis.values == ["yes", "no"]
}
