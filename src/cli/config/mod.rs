//! Options from a file: `--config FILE`, and `omnigo config`, which writes such a file.
//!
//! Both follow the definitions of the command line, so a new option needs no change here. A file
//! becomes words of the command line. Options that the user typed win over those of the file.
//! `katago` reads the options and files of KataGo.

mod file;
mod katago;
mod options;
mod rules;
mod template;

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, FromArgMatches};

use super::end::{CliError, Report};
use super::output::write;
use super::{Cli, definitions, help};
use crate::files;
use crate::system::tell;
use crate::text::{printable, quote};
use file::{ConfigFile, Setting};
use katago::Translated;
use options::{Given, configurable, exclude, option};

/// Arguments of `omnigo config`.
#[derive(Debug, Args)]
pub(super) struct TemplateArgs {
    /// Write to this file [default: standard output].
    #[arg(long, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also replace an existing file that is not a file of options.
    #[arg(long, requires = "out")]
    force: bool,
}

/// Writes a file with the options of the commands that read one, and their defaults.
///
/// # Errors
/// One line, if the file cannot be written, or is there and is not a file of options.
pub(super) fn run(arguments: &TemplateArgs) -> Result<Report, CliError> {
    let cli = built();
    let text = template::text(&cli);
    match &arguments.out {
        None => Ok(Report::from(text.trim_end().to_string())),
        Some(path) => {
            if !arguments.force && holds_other_data(path, &cli) {
                return Err(CliError::Arguments(format!(
                    "--out '{}' is not a file of options, expected another file, or --force to \
                     replace this one",
                    printable(&path.display().to_string())
                )));
            }
            write(Some(path), &text)?;
            Ok(Report::done())
        }
    }
}

/// Returns true if a file is there that `omnigo config` has not written: it has content, and is
/// not a file of options.
fn holds_other_data(path: &Path, cli: &Command) -> bool {
    // Devices and pipes keep nothing.
    let Ok(there) = std::fs::metadata(path) else {
        return false;
    };
    let has_options =
        || ConfigFile::read(path, configurable(cli).collect()).is_ok_and(|file| !file.is_empty());
    there.is_file() && there.len() > 0 && !has_options()
}

/// Maximum size of a file of options, in bytes.
const LARGEST: u64 = 1 << 20;

/// Returns the text of a file of options. It may also be a pipe, such as `<(COMMAND)` in a shell.
///
/// # Errors
/// One line, if the file cannot be read or is too long.
fn file_text(path: &Path) -> Result<String, String> {
    files::text(path, LARGEST).map_err(|error| {
        let path = printable(&path.display().to_string());
        format!("cannot read '{path}': {error}")
    })
}

/// Reason why a command line is refused.
#[derive(Debug)]
pub(super) enum Refusal {
    /// One line about the file of `--config`.
    File(String),
    /// Message about the command line, or help.
    CommandLine(clap::Error),
}

/// Parses a command line, with the options of its `--config`.
pub(super) fn parse(words: Vec<OsString>) -> Result<Cli, Refusal> {
    let merged = merge(&built(), words).map_err(Refusal::File)?;
    for warning in &merged.warnings {
        tell::warn(warning);
    }
    let mut command = help::command();
    let matches = command.try_get_matches_from_mut(merged.words);
    let parsed = matches.and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches);
        cli.map_err(|error| error.format(&mut command))
    });
    parsed.map_err(|error| {
        let blamed = merged.origins.iter().find(|origin| origin.caused(&error));
        match blamed {
            Some(origin) => Refusal::File(origin.message(&error)),
            None => Refusal::CommandLine(error),
        }
    })
}

/// Returns a command line without the words of KataGo.
///
/// # Errors
/// One line, if these words are wrong.
pub(super) fn without_katago(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    katago::rewrite(words).map(|rewritten| rewritten.words)
}

/// Returns the definitions of the command line.
fn built() -> Command {
    let mut command = definitions();
    command.build();
    command
}

/// Command line with the options of a file.
#[derive(Debug)]
struct Merged {
    words: Vec<OsString>,
    origins: Vec<Origin>,
    /// Settings without an effect.
    warnings: Vec<String>,
}

/// Place of an option in a file.
#[derive(Debug)]
struct Origin {
    /// Path and line.
    place: String,
    key: String,
    value: String,
    /// Option as messages of clap show it.
    shown: String,
}

impl Origin {
    /// Returns true if the error is about the value of this option, or about the option beside
    /// another one.
    fn caused(&self, error: &clap::Error) -> bool {
        let blamed = matches!(
            error.kind(),
            ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::ArgumentConflict
        );
        let argument = error.get(ContextKind::InvalidArg);
        blamed && matches!(argument, Some(ContextValue::String(shown)) if *shown == self.shown)
    }

    /// Returns the error as one line.
    fn message(&self, error: &clap::Error) -> String {
        if let Some(other) = other_option(error) {
            let (place, key) = (&self.place, &self.key);
            return format!("{place}: {key} excludes {other}, expected one of them");
        }
        let reason = match (error.source(), error.get(ContextKind::ValidValue)) {
            (Some(source), _) => source.to_string(),
            (None, Some(ContextValue::Strings(values))) => {
                format!("expected one of {}", values.join(", "))
            }
            (None, _) => "expected another value".to_string(),
        };
        let line = reason.lines().next().unwrap_or_default();
        format!(
            "{}: {} '{}': {line}",
            self.place,
            self.key,
            quote(&self.value)
        )
    }
}

/// Returns the option that conflicts with another one, such as `--graph`, or `None` for another
/// error.
fn other_option(error: &clap::Error) -> Option<&str> {
    let shown = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(shown) => shown,
        ContextValue::Strings(shown) => shown.first()?,
        _ => return None,
    };
    shown.split_whitespace().next()
}

/// Adds the options of the file that `--config` names, after the name of the subcommand.
fn merge(cli: &Command, words: Vec<OsString>) -> Result<Merged, String> {
    let mut rewritten = katago::rewrite(words)?;
    let mut merged = Merged {
        words: std::mem::take(&mut rewritten.words),
        origins: Vec::new(),
        warnings: Vec::new(),
    };
    let named = merged.words.get(1).and_then(|word| word.to_str());
    let subcommand = named.and_then(|name| cli.find_subcommand(name));
    let mut start = if subcommand.is_some() { 2 } else { 1 };
    // Without a subcommand, the program speaks GTP.
    let command = subcommand.or(cli.find_subcommand("gtp"));
    let Some(command) = command.filter(|command| option(command, "config").is_some()) else {
        if rewritten.has_settings() {
            return Err(
                "this command takes no settings of KataGo, only gtp does and others with \
                        --config"
                    .to_string(),
            );
        }
        merged.warnings = rewritten.warnings;
        return Ok(merged);
    };
    let given = Given::of(command, merged.words.get(start..).unwrap_or_default());
    let mut settings = match given.config() {
        Some(path) => {
            ConfigFile::read(path.as_ref(), configurable(cli).collect())?.settings_of(command)?
        }
        None => Vec::new(),
    };
    let is_ruleset = |setting: &&Setting<'_>| options::key(setting.option) == katago::RULESET;
    let ruleset = settings.iter().find(is_ruleset);
    let ruleset = ruleset.and_then(|setting| setting.value.as_deref());
    let has_typed_rules =
        option(command, katago::RULESET).is_some_and(|option| given.rules_out(command, option));
    let mut translated = rewritten.options_of(command, ruleset, has_typed_rules)?;
    merged.warnings = rewritten.warnings;
    join_parameters(&mut settings, &mut translated);
    let katago = settings_of_katago(command, &given, translated, &mut merged.warnings);
    settings.retain(|setting| {
        !katago.iter().any(|one| {
            one.option.get_id() == setting.option.get_id()
                || one.value.is_some() && exclude(command, one.option, setting.option)
        })
    });
    let kept = settings.iter().filter(|setting| {
        !given.rules_out(command, setting.option) && !gives_way(command, setting, &settings)
    });
    let mut added: Vec<OsString> = Vec::new();
    let mut last: Vec<OsString> = Vec::new();
    for setting in katago.iter().chain(kept) {
        let Some(value) = &setting.value else {
            continue;
        };
        merged.origins.push(Origin {
            place: setting.place.clone(),
            key: setting.key.clone(),
            value: value.clone(),
            shown: setting.option.to_string(),
        });
        match setting.option.is_positional() {
            true => last.push(value.into()),
            false => added.push(word(setting.option, value)),
        }
    }
    start = start.min(merged.words.len());
    if subcommand.is_none() && !last.is_empty() {
        // Only the subcommand has positional arguments.
        merged.words.insert(start, command.get_name().into());
        start += 1;
    }
    merged.words.splice(start..start, added);
    merged.words.extend(last);
    Ok(merged)
}

/// Puts the search parameters of the TOML file before those of KataGo, which win.
fn join_parameters(settings: &mut [Setting<'_>], translated: &mut Vec<Translated>) {
    let is_theirs = |one: &Translated| one.name == katago::PARAMETERS;
    let is_own = |one: &&mut Setting<'_>| options::key(one.option) == katago::PARAMETERS;
    let own = settings.iter_mut().find(is_own).map(|one| &mut one.value);
    let Some(Some(own)) = own else { return };
    let mut theirs = translated.extract_if(.., |one| is_theirs(one));
    if let Some(theirs) = theirs.next().and_then(|theirs| theirs.value) {
        own.push(',');
        own.push_str(&theirs);
    }
}

/// Returns the settings of KataGo that the user has not replaced by typed options.
fn settings_of_katago<'c>(
    command: &'c Command,
    given: &Given<'_>,
    translated: Vec<Translated>,
    warnings: &mut Vec<String>,
) -> Vec<Setting<'c>> {
    let mut settings = Vec::new();
    for one in translated {
        let Some(option) = option(command, one.name) else {
            continue;
        };
        if !given.rules_out(command, option) {
            settings.push(Setting {
                option,
                key: one.key,
                value: one.value,
                place: one.place,
            });
        } else if one.name == katago::PARAMETERS {
            warnings.push(format!(
                "{}: parameters of the search are ignored beside --{}",
                one.place, one.name
            ));
        }
    }
    settings
}

/// Returns an option as a word of the command line.
fn word(option: &Arg, value: &str) -> OsString {
    let long = option.get_long().unwrap_or_default();
    match options::is_flag(option) {
        true => format!("--{long}").into(),
        false => format!("--{long}={value}").into(),
    }
}

/// Returns true for a default that another option of the file excludes. The written file states all
/// defaults.
fn gives_way(command: &Command, setting: &Setting<'_>, settings: &[Setting<'_>]) -> bool {
    let mut others = settings.iter();
    setting.is_default() && others.any(|other| exclude(command, setting.option, other.option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    /// Returns the parsed command line as text, without the path of the file.
    fn parsed(line: &str, path: &Path) -> Result<String, String> {
        match parse(words(line)) {
            Ok(cli) => {
                let path = format!("Some({:?})", path.display().to_string());
                Ok(format!("{cli:?}").replace(&path, "None"))
            }
            Err(Refusal::File(line)) => Err(line),
            Err(Refusal::CommandLine(error)) => panic!("{error}"),
        }
    }

    /// Returns a file with this text, and its folder.
    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.toml");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    /// Returns the message about a file, without the path.
    fn refusal(command: &str, text: &str) -> String {
        let (_folder, path) = file(text);
        let line = format!("{command} --config {}", path.display());
        let message = parsed(&line, &path).unwrap_err();
        assert_eq!(message.lines().count(), 1, "{message}");
        let (_, rest) = message.split_once("bot.toml' ").unwrap();
        rest.to_string()
    }

    #[test]
    fn the_written_file_gives_exactly_the_defaults() {
        let (_folder, path) = file(&template::text(&built()));
        let games = "omnigo match --black a --white b --games 2";
        for command in [
            "omnigo",
            "omnigo gtp",
            "omnigo analysis",
            "omnigo play",
            games,
        ] {
            let with = format!("{command} --config {}", path.display());
            assert_eq!(parsed(&with, &path), parsed(command, &path), "{command}");
        }
    }

    #[test]
    fn the_written_file_has_every_option() {
        let text = template::text(&built());
        let cli = built();
        let commands: Vec<&str> = configurable(&cli).map(Command::get_name).collect();
        for name in ["gtp", "analysis", "play", "match"] {
            assert!(commands.contains(&name), "{name}");
        }
        let mut tables = text.split("\n[").skip(1);
        for command in configurable(&cli) {
            let table = tables.next().unwrap();
            assert!(table.starts_with(&format!("{}]\n", command.get_name())));
            for option in command
                .get_arguments()
                .filter(|option| !option.is_hide_set())
            {
                let key = options::key(option);
                let has = |mark: &str| table.contains(&format!("\n{mark}{key} = "));
                let excluded = ["config", "help", "version"].contains(&key);
                assert_eq!(has("") || has("# "), !excluded, "{key}");
            }
        }
    }

    #[test]
    fn rules_and_parameters_that_a_typed_option_replaces_are_named() {
        let rule = |key: &str| format!("'{key}' is");
        let parameters = "parameters of the search are".to_string();
        for (typed, settings, expected) in [
            ("--ruleset chinese", "koRule=SIMPLE", vec![rule("koRule")]),
            (
                "--ruleset chinese",
                "rules=japanese,koRule=SIMPLE,taxRule=ALL",
                vec![rule("taxRule"), rule("koRule")],
            ),
            ("--ruleset chinese", "rules=japanese", vec![]),
            ("--komi 7", "koRule=SIMPLE", vec![]),
            (
                "--net-parameters cpuctExploration=1",
                "fpuReductionMax=0.1",
                vec![parameters],
            ),
        ] {
            let line = format!("omnigo gtp {typed} -override-config {settings}");
            let warnings = merge(&built(), words(&line)).unwrap().warnings;
            let option = typed.split_once(' ').unwrap().0;
            let ignored = |what| format!("-override-config: {what} ignored beside {option}");
            let expected: Vec<_> = expected.iter().map(ignored).collect();
            assert_eq!(warnings, expected, "{line}");
        }
    }

    #[test]
    fn typed_options_win_over_a_table_and_a_table_over_the_rest() {
        let text = "playouts = 5\nthreads = 2\nseed = 7\nparallel = 3\nsize = 9\nkomi = -0.5\n\
                    [gtp]\nthreads = 3\nponder = true\nhandicap-moves = false\n\
                    [analysis]\nthreads = 4\n";
        let (_folder, path) = file(text);
        let line = format!("--config {} --playouts 6", path.display());
        let same =
            "--playouts 6 --threads 3 --seed 7 --size 9 --komi -0.5 --ponder --handicap-moves no";
        assert_eq!(
            parsed(&format!("omnigo {line}"), &path),
            parsed(&format!("omnigo {same}"), &path)
        );
        assert_eq!(
            parsed(&format!("omnigo analysis {line}"), &path),
            parsed(
                "omnigo analysis --playouts 6 --threads 4 --seed 7 --komi -0.5",
                &path
            )
        );
        // A typed board excludes the size in the file.
        assert_eq!(
            parsed(&format!("omnigo gtp {line} --graph path:3"), &path),
            parsed(
                "omnigo gtp --graph path:3 --playouts 6 --threads 3 --seed 7 --komi -0.5 --ponder \
                 --handicap-moves no",
                &path
            )
        );
    }

    #[test]
    fn a_board_in_the_file_is_the_argument_of_the_page() {
        let (_folder, path) = file("[play]\nboard = \"petersen\"\n");
        let config = format!("--config {}", path.display());
        assert_eq!(
            parsed(&format!("omnigo play {config}"), &path),
            parsed("omnigo play petersen", &path)
        );
        assert_eq!(
            parsed(&format!("omnigo play {config} path:3"), &path),
            parsed("omnigo play path:3", &path)
        );
        assert_eq!(
            parsed(&format!("omnigo play {config} --graph path:3"), &path),
            parsed("omnigo play --graph path:3", &path)
        );
    }

    #[test]
    fn a_board_as_an_argument_excludes_the_other_boards() {
        let (_folder, path) = file("[gtp]\nboard = \"petersen\"\n");
        let config = format!("--config {}", path.display());
        // GTP is the default, but only the subcommand takes its board as an argument.
        for command in ["omnigo", "omnigo gtp"] {
            assert_eq!(
                parsed(&format!("{command} {config}"), &path),
                parsed("omnigo gtp petersen", &path)
            );
        }
        let (_folder, path) = file("size = 9\ngraph = \"petersen\"\n");
        let config = format!("--config {}", path.display());
        for command in ["omnigo gtp", "omnigo analysis"] {
            assert_eq!(
                parsed(&format!("{command} path:3 {config}"), &path),
                parsed(&format!("{command} path:3"), &path)
            );
        }
    }

    #[test]
    fn a_table_excludes_shared_options_as_typed_ones_do() {
        let (_folder, path) = file("graph = \"petersen\"\n[gtp]\nsize = 9\n");
        assert_eq!(
            parsed(&format!("omnigo gtp --config {}", path.display()), &path),
            parsed("omnigo gtp --size 9", &path)
        );
    }

    #[test]
    fn katago_turns_options_of_the_file_off() {
        let text = "[gtp]\nponder = true\ntime = 0.1\nresign-below = 0.2\n";
        let (_folder, path) = file(text);
        let line = format!("omnigo gtp --config {} -override-config ", path.display());
        for (settings, same) in [
            ("ponderingEnabled=false,maxTime=1e20", "--resign-below 0.2"),
            (
                "maxTime=1e20,allowResignation=true",
                "--ponder --resign-below 0.2",
            ),
            (
                "ponderingEnabled=false,allowResignation=false",
                "--time 0.1 --resign-below 0",
            ),
        ] {
            assert_eq!(
                parsed(&format!("{line}{settings}"), &path),
                parsed(&format!("omnigo gtp {same}"), &path),
                "{settings}"
            );
        }
        // A typed option wins over both.
        assert_eq!(
            parsed(
                &format!("{line}ponderingEnabled=false --ponder --time 3"),
                &path
            ),
            parsed("omnigo gtp --ponder --time 3 --resign-below 0.2", &path)
        );
    }

    #[test]
    fn parameters_of_both_kinds_of_files_are_joined() {
        let (_folder, path) = file("net-parameters = \"lcbStdevs=4,cpuctExploration=1.5\"\n");
        let line = format!("omnigo gtp --config {}", path.display());
        assert_eq!(
            parsed(
                &format!("{line} -override-config cpuctExploration=0.9"),
                &path
            ),
            parsed(
                "omnigo gtp --net-parameters lcbStdevs=4,cpuctExploration=1.5,cpuctExploration=0.9",
                &path
            )
        );
    }

    #[test]
    fn a_default_in_the_file_gives_way_to_another_board_in_it() {
        let (_folder, path) = file(
            "[play]\nboard = \"grid:9\"\ngraph = \"petersen\"\n\
             [match]\ngraph = \"grid:9x9\"\nboard = \"petersen\"\n",
        );
        let config = format!("--config {}", path.display());
        assert_eq!(
            parsed(&format!("omnigo play {config}"), &path),
            parsed("omnigo play --graph petersen", &path)
        );
        let games = "omnigo match --black a --white b --games 2";
        assert_eq!(
            parsed(&format!("{games} {config}"), &path),
            parsed(&format!("{games} petersen"), &path)
        );
    }

    #[test]
    fn wrong_files_are_refused_in_one_line() {
        for (text, message) in [
            (
                "\nplayout = 5\n",
                "line 2: unknown key 'playout', expected 'playouts'",
            ),
            (
                "[gtp]\nparallel = 5\n",
                "line 2: unknown key 'parallel', expected ",
            ),
            (
                "[match]\nponder = true\n",
                "line 2: unknown key 'ponder', expected ",
            ),
            ("[gpt]\n", "line 1: unknown table 'gpt', expected 'gtp'"),
            (
                "config = \"x\"\n",
                "line 1: unknown key 'config', expected ",
            ),
            (
                "playouts = \"5\"\n",
                "line 1: playouts is text, expected a whole number",
            ),
            (
                "playouts = 5.5\n",
                "line 1: playouts is a decimal number, expected a whole number",
            ),
            (
                "ponder = 1\n",
                "line 1: ponder is a whole number, expected true or false",
            ),
            (
                "log = 5\n",
                "line 1: log is a whole number, expected text in quotes",
            ),
            (
                "log = [\"a\"]\n",
                "line 1: log is a list, expected text in quotes",
            ),
            (
                "playouts = true\n",
                "line 1: playouts is true or false, expected a whole number",
            ),
            ("playouts = 0\n", "line 1: playouts '0': "),
            (
                "ruleset = \"ggg\"\nrules = \"chinese\"\n",
                "line 1: rules and ruleset are one option, expected one of them",
            ),
            (
                "[gtp]\nsize = 9\ngraph = \"petersen\"\n",
                "line 3: graph excludes --size, expected one of them",
            ),
            ("\ngraph = \"gird:9\"\n", "line 2: graph 'gird:9': "),
            ("style = \"heavy\"\n", "line 1: style 'heavy': "),
            ("ruleset = chinese\n", "line 1: not TOML: "),
            (
                "maxVisits = 500\n",
                "line 1: 'maxVisits' is a key of KataGo's format, expected TOML",
            ),
            (
                "# x\nrules = tromp-taylor\nnumSearchThreads = 6\n",
                "line 3: 'numSearchThreads' is a key of KataGo's format, expected TOML",
            ),
        ] {
            let found = refusal("omnigo gtp", text);
            assert!(found.starts_with(message), "{text}: {found}");
            assert!(found.matches(" expected ").count() < 2, "{found}");
        }
        for text in ["playouts\n", "[gtp\n", "playouts = [1\n", "a = \"b\n"] {
            let found = refusal("omnigo gtp", text);
            assert!(found.contains(": not TOML: "), "{text}: {found}");
            assert!(found.matches(" expected ").count() < 2, "{found}");
        }
    }

    #[test]
    fn text_is_accepted_where_an_option_has_words_for_some_values() {
        let (_folder, path) = file("seed = \"random\"\n");
        assert!(parsed(&format!("omnigo gtp --config {}", path.display()), &path).is_ok());
    }
}
