//! The file that `omnigo config` writes: the options of the commands that read it, with their
//! effects and defaults.

use clap::{Arg, Command};

use super::options::{Kind, configurable, key, settable};

/// Maximum number of columns of a line.
const COLUMNS: usize = 98;

/// Lines at the beginning of the file.
const HEAD: &str = "\
# Options of omnigo. Read them with --config FILE, for example: omnigo gtp --config FILE
#
# Options on the command line win over this file, and this file wins over the defaults. A key
# before the first table holds for all commands that have the option. A key in the table of a
# command holds for that command. Lines without # state the defaults.
";

/// Returns the text of the file.
pub(super) fn text(cli: &Command) -> String {
    let mut text = HEAD.to_string();
    for command in configurable(cli) {
        text.push_str(&format!("\n[{}]\n", command.get_name()));
        for option in settable(command).filter(|option| !option.is_hide_set()) {
            text.push('\n');
            describe(option, &mut text);
            text.push_str(&line(option));
            text.push('\n');
        }
    }
    text
}

/// Appends the help of an option as comments.
fn describe(option: &Arg, text: &mut String) {
    let help = option.get_long_help().or(option.get_help());
    let words = help.map(ToString::to_string).unwrap_or_default();
    // The positional argument has a key here.
    let mut words = words.replace("Same as SPEC", "Same as board");
    if words.ends_with(|c: char| c.is_alphanumeric() || c == ')') {
        words.push('.');
    }
    if option.is_required_set() {
        words.push_str(" Required.");
    }
    let values = option.get_possible_values();
    if !values.is_empty() && !matches!(Kind::of(option), Kind::Flag | Kind::Switch) {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        words.push_str(&format!(" One of {}.", names.join(", ")));
    }
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            text.push_str(&line);
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    if line != "#" {
        text.push_str(&line);
        text.push('\n');
    }
}

/// Returns the line that sets an option to its default. Without a default, the line is a comment.
fn line(option: &Arg) -> String {
    let key = key(option);
    let kind = Kind::of(option);
    if kind == Kind::Flag {
        return format!("{key} = false");
    }
    match option.get_default_values().first() {
        Some(default) => format!("{key} = {}", value(&default.to_string_lossy(), kind)),
        None => {
            let names = option.get_value_names().unwrap_or_default();
            let name = names.first().map_or("VALUE", |name| name.as_str());
            match kind {
                Kind::Whole | Kind::Number => format!("# {key} = {name}"),
                _ => format!("# {key} = {}", value(name, Kind::Text)),
            }
        }
    }
}

/// Returns a value in TOML.
fn value(text: &str, kind: Kind) -> String {
    let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
    match (kind, text) {
        (Kind::Switch, "yes") => "true".to_string(),
        (Kind::Switch, "no") => "false".to_string(),
        (Kind::Whole | Kind::Number | Kind::Other, _) if is_number => text.to_string(),
        // A string of JSON is a string of TOML.
        _ => serde_json::Value::from(text).to_string(),
    }
}
