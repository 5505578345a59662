//! A TOML file of options: keys and tables, checked against the options of the commands.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, Command};
use toml::de::{DeTable, DeValue};

use super::file_text;
use super::options::{Kind, exclude, is_excluded, key, option, settable};
use crate::text::{nearest, printable, quote};

/// Checked file.
#[derive(Debug)]
pub(super) struct ConfigFile {
    entries: Vec<Entry>,
}

/// Key with its value.
#[derive(Debug)]
struct Entry {
    /// Table of the key, or `None` before the first table.
    table: Option<String>,
    key: String,
    value: Value,
    /// Path and line, for messages.
    place: String,
}

/// Value of a kind that options have, or the name of another kind.
#[derive(Clone, Debug)]
enum Value {
    Boolean(bool),
    Whole(String),
    Decimal(String),
    Text(String),
    Unsuitable(&'static str),
}

/// Setting of one option.
pub(super) struct Setting<'c> {
    pub(super) option: &'c Arg,
    pub(super) key: String,
    /// Text for the parser of the option. `None` for a flag that is false.
    pub(super) value: Option<String>,
    pub(super) place: String,
}

impl Setting<'_> {
    /// Returns true if the setting states the default of its option.
    pub(super) fn is_default(&self) -> bool {
        let default = self.option.get_default_values().first();
        let value = self.value.as_deref().map(OsStr::new);
        value.is_some() && value == default.map(|default| default.as_os_str())
    }

    /// Returns true if this setting in a command's table replaces a shared one: it sets the same
    /// option, or one that excludes it.
    fn replaces(&self, shared: &Setting<'_>, command: &Command) -> bool {
        let changes = self.value.is_some() && !self.is_default();
        self.option.get_id() == shared.option.get_id()
            || changes && exclude(command, self.option, shared.option)
    }
}

impl ConfigFile {
    /// Reads and checks a file. `commands` are those that read it.
    ///
    /// # Errors
    /// One line, if the file cannot be read, is not TOML, or has an unknown key or a value of
    /// another kind.
    pub(super) fn read(path: &Path, commands: Vec<&Command>) -> Result<ConfigFile, String> {
        let shown = printable(&path.display().to_string());
        let text = file_text(path)?;
        if let Some((line, key)) = katago_key(&text) {
            return Err(format!(
                "'{shown}' line {line}: '{}' is a key of KataGo's format, expected TOML as omnigo \
                 config writes it; -config reads KataGo's format",
                quote(key)
            ));
        }
        let place = |at: usize| {
            let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            format!("'{shown}' line {line}")
        };
        let table = DeTable::parse(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().replace('\n', " ");
            format!("{}: not TOML: {message}", place(at))
        })?;
        let mut file = ConfigFile {
            entries: Vec::new(),
        };
        for (name, value) in table.get_ref() {
            let at = place(name.span().start);
            let name = name.get_ref().as_ref();
            let DeValue::Table(keys) = value.get_ref() else {
                file.add(None, name, value.get_ref(), at, &commands)?;
                continue;
            };
            let Some(command) = commands.iter().find(|command| command.get_name() == name) else {
                let names = commands.iter().map(|command| command.get_name());
                return Err(unknown("table", name, &at, names.collect()));
            };
            for (key, value) in keys {
                let at = place(key.span().start);
                let key = key.get_ref().as_ref();
                file.add(Some(name), key, value.get_ref(), at, &[*command])?;
            }
        }
        Ok(file)
    }

    /// Returns true if the file has no keys.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a key that one of `commands` knows.
    fn add(
        &mut self,
        table: Option<&str>,
        name: &str,
        value: &DeValue<'_>,
        place: String,
        commands: &[&Command],
    ) -> Result<(), String> {
        self.refuse_twice(table, name, &place, commands)?;
        let mut known = commands
            .iter()
            .filter_map(|command| option(command, name))
            .filter(|found| !is_excluded(found))
            .peekable();
        if known.peek().is_none() {
            let keys = commands.iter().flat_map(|command| settable(command));
            return Err(unknown("key", name, &place, keys.map(key).collect()));
        }
        let value = Value::of(value);
        // The kind must suit one of the commands. For the running command it is checked again.
        let texts: Vec<_> = known.map(|option| value.text(option)).collect();
        if let (true, Some(Err(problem))) = (texts.iter().all(Result::is_err), texts.first()) {
            return Err(format!("{place}: {} {problem}", quote(name)));
        }
        self.entries.push(Entry {
            table: table.map(str::to_string),
            key: name.to_string(),
            value,
            place,
        });
        Ok(())
    }

    /// Refuses a second name of an option that the same table has set.
    fn refuse_twice(
        &self,
        table: Option<&str>,
        name: &str,
        place: &str,
        commands: &[&Command],
    ) -> Result<(), String> {
        let id = |command: &Command, key: &str| option(command, key).map(|o| o.get_id().clone());
        let same = |earlier: &&Entry| {
            let in_command = |command: &&Command| {
                let found = id(command, name);
                found.is_some() && found == id(command, &earlier.key)
            };
            earlier.table.as_deref() == table && commands.iter().any(in_command)
        };
        match self.entries.iter().find(same) {
            None => Ok(()),
            Some(earlier) => Err(format!(
                "{place}: {} and {} are one option, expected one of them",
                quote(&earlier.key),
                quote(name)
            )),
        }
    }

    /// Returns the settings of a command: those of its table, and others before the first table
    /// that the table does not exclude.
    ///
    /// # Errors
    /// One line, if a value does not suit the option of this command.
    pub(super) fn settings_of<'c>(&self, command: &'c Command) -> Result<Vec<Setting<'c>>, String> {
        let of_table = |table: Option<&str>| {
            let entries = self.entries.iter();
            let entries = entries.filter(move |entry| entry.table.as_deref() == table);
            let settings =
                entries.filter_map(|entry| Some(entry.setting(option(command, &entry.key)?)));
            settings.collect::<Result<Vec<_>, String>>()
        };
        let mut settings = of_table(Some(command.get_name()))?;
        let mut shared = of_table(None)?;
        shared.retain(|shared| !settings.iter().any(|own| own.replaces(shared, command)));
        settings.append(&mut shared);
        Ok(settings)
    }
}

impl Entry {
    /// Returns the setting of this option.
    ///
    /// # Errors
    /// One line, if the value does not suit the option.
    fn setting<'c>(&self, option: &'c Arg) -> Result<Setting<'c>, String> {
        let value = self.value.text(option);
        let value =
            value.map_err(|problem| format!("{}: {} {problem}", self.place, quote(&self.key)))?;
        Ok(Setting {
            option,
            key: self.key.clone(),
            value,
            place: self.place.clone(),
        })
    }
}

impl Value {
    fn of(value: &DeValue<'_>) -> Value {
        match value {
            DeValue::Boolean(value) => Value::Boolean(*value),
            DeValue::Integer(value) => match i128::from_str_radix(value.as_str(), value.radix()) {
                Ok(number) => Value::Whole(number.to_string()),
                Err(_) => Value::Unsuitable("a number beyond all limits"),
            },
            DeValue::Float(value) => Value::Decimal(value.as_str().to_string()),
            DeValue::String(value) => Value::Text(value.to_string()),
            DeValue::Datetime(_) => Value::Unsuitable("a date"),
            DeValue::Array(_) => Value::Unsuitable("a list"),
            DeValue::Table(_) => Value::Unsuitable("a table"),
        }
    }

    /// Returns the value as it is typed on the command line. `None` for a flag that is false.
    ///
    /// # Errors
    /// The kinds that were found and expected, if they differ.
    fn text(&self, option: &Arg) -> Result<Option<String>, String> {
        let kind = Kind::of(option);
        match (self, kind) {
            (Value::Boolean(value), Kind::Flag) => Ok(value.then(String::new)),
            (Value::Boolean(value), Kind::Switch) => {
                Ok(Some(if *value { "yes" } else { "no" }.to_string()))
            }
            (Value::Whole(number), Kind::Whole | Kind::Number | Kind::Other)
            | (Value::Decimal(number), Kind::Number | Kind::Other) => Ok(Some(number.clone())),
            (Value::Text(text), Kind::Whole | Kind::Number) if text.parse::<f64>().is_err() => {
                // A word such as `random`, which the parser of the option may accept.
                Ok(Some(text.clone()))
            }
            (Value::Text(text), Kind::Switch | Kind::Text | Kind::Other) => Ok(Some(text.clone())),
            _ => Err(format!("is {}, expected {}", self.kind(), kind.expected())),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Boolean(_) => "true or false",
            Value::Whole(_) => "a whole number",
            Value::Decimal(_) => "a decimal number",
            Value::Text(_) => "text",
            Value::Unsuitable(kind) => kind,
        }
    }
}

/// Returns the message about an unknown name, with the most similar known one, if any is close.
fn unknown(what: &str, name: &str, place: &str, known: Vec<&str>) -> String {
    let expected = match nearest(name, known) {
        Some(near) => format!("'{near}'"),
        None => format!("a {what} that omnigo config writes"),
    };
    format!(
        "{place}: unknown {what} '{}', expected {expected}",
        quote(name)
    )
}

/// Returns the line and the name of a key as KataGo writes it, such as `numSearchThreads`. No
/// option of omnigo contains a capital letter.
fn katago_key(text: &str) -> Option<(usize, &str)> {
    let key = |line: &str| -> Option<usize> {
        let (key, _) = line.split_once('=')?;
        let key = key.trim();
        let mut letters = key.chars();
        let small = letters.next().is_some_and(|c| c.is_ascii_lowercase());
        let named = letters.clone().all(|c| c.is_ascii_alphanumeric());
        (small && named && letters.any(|c| c.is_ascii_uppercase())).then_some(key.len())
    };
    text.lines().enumerate().find_map(|(number, line)| {
        let length = key(line)?;
        Some((number + 1, line.trim_start().get(..length)?))
    })
}
