//! Options of a command as the definitions of the command line give them.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};

/// Options that a file cannot set.
const EXCLUDED: &[&str] = &["config", "help", "version"];

/// Kind of an option's value in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Option without a value.
    Flag,
    /// `yes` or `no` on the command line.
    Switch,
    Whole,
    Number,
    Text,
    /// Anything that the parser of the option accepts as text.
    Other,
}

impl Kind {
    /// Returns the kind of an option.
    pub(super) fn of(option: &Arg) -> Kind {
        if is_flag(option) {
            return Kind::Flag;
        }
        let parsed = option.get_value_parser().type_id();
        let is = |types: &[TypeId]| types.iter().any(|known| parsed == *known);
        if is(&[TypeId::of::<bool>()]) {
            Kind::Switch
        } else if is(&[
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<u128>(),
            TypeId::of::<usize>(),
        ]) {
            Kind::Whole
        } else if is(&[TypeId::of::<f64>()]) {
            Kind::Number
        } else if is(&[TypeId::of::<String>(), TypeId::of::<PathBuf>()]) {
            Kind::Text
        } else {
            Kind::Other
        }
    }

    /// Returns a description of the values.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Kind::Flag | Kind::Switch => "true or false",
            Kind::Whole => "a whole number",
            Kind::Number => "a number",
            Kind::Text => "text in quotes",
            Kind::Other => "text in quotes or a number",
        }
    }
}

/// Returns true for an option without a value.
pub(super) fn is_flag(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

/// Returns the subcommands that read a file.
pub(super) fn configurable(cli: &Command) -> impl Iterator<Item = &Command> {
    cli.get_subcommands()
        .filter(|command| option(command, "config").is_some())
}

/// Returns the options of a command that a file can set.
pub(super) fn settable(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|option| !is_excluded(option))
}

/// Returns true for an option that a file cannot set.
pub(super) fn is_excluded(option: &Arg) -> bool {
    EXCLUDED.contains(&key(option))
}

/// Returns the key of an option in a file: its name without dashes, or the name of a positional
/// argument.
pub(super) fn key(option: &Arg) -> &str {
    option
        .get_long()
        .unwrap_or_else(|| option.get_id().as_str())
}

/// Returns the option with this key or alias.
pub(super) fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|option| {
        let aliases = option.get_all_aliases().unwrap_or_default();
        key(option) == name || aliases.contains(&name)
    })
}

/// Splits a word at its first `=`. On Unix, the value keeps bytes that are not UTF-8.
pub(super) fn split(word: &OsStr) -> (String, Option<OsString>) {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let mut parts = word.as_bytes().splitn(2, |&byte| byte == b'=');
        let name = String::from_utf8_lossy(parts.next().unwrap_or_default());
        let value = parts
            .next()
            .map(|value| OsStr::from_bytes(value).to_owned());
        (name.into_owned(), value)
    }
    #[cfg(not(unix))]
    {
        let text = word.to_string_lossy();
        match text.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(OsString::from(value))),
            None => (text.to_string(), None),
        }
    }
}

/// Options that the user typed.
#[derive(Debug)]
pub(super) struct Given<'c> {
    options: Vec<&'c Arg>,
    config: Option<OsString>,
}

impl<'c> Given<'c> {
    /// Finds the options and positional arguments in the words after the name of the command.
    pub(super) fn of(command: &'c Command, words: &[OsString]) -> Given<'c> {
        let mut given = Given {
            options: Vec::new(),
            config: None,
        };
        let mut positionals = command.get_positionals();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if *word == "--" {
                given
                    .options
                    .extend(words.zip(positionals).map(|(_, option)| option));
                break;
            }
            let (text, value) = split(word);
            let Some(name) = text.strip_prefix("--") else {
                if text == "-" || !text.starts_with('-') {
                    given.options.extend(positionals.next());
                }
                continue;
            };
            let Some(option) = option(command, name) else {
                continue;
            };
            given.options.push(option);
            let takes_value = option.get_action().takes_values();
            let value = match value {
                None if takes_value => words.next().cloned(),
                value => value,
            };
            if key(option) == "config" {
                given.config = given.config.or(value);
            }
        }
        given
    }

    /// Returns the file that the user typed.
    pub(super) fn config(&self) -> Option<&OsStr> {
        self.config.as_deref()
    }

    /// Returns true if an option of the file gives way to a typed one: the same, or one that
    /// excludes it.
    pub(super) fn rules_out(&self, command: &Command, option: &Arg) -> bool {
        let mut typed = self.options.iter();
        typed.any(|typed| typed.get_id() == option.get_id() || exclude(command, typed, option))
    }
}

/// Returns true if one of two options excludes the other.
pub(super) fn exclude(command: &Command, one: &Arg, other: &Arg) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        let excluded = command.get_arg_conflicts_with(one);
        excluded.iter().any(|arg| arg.get_id() == other.get_id())
    };
    excludes(one, other) || excludes(other, one)
}

#[cfg(test)]
mod tests {
    use super::super::built;
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_path_of_the_file_keeps_bytes_that_are_not_utf8() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let cli = built();
        let gtp = cli.find_subcommand("gtp").unwrap();
        let word = OsString::from_vec(b"--config=\xff=".to_vec());
        let given = Given::of(gtp, &[word]);
        assert_eq!(given.config().unwrap().as_bytes(), b"\xff=");
    }
}
