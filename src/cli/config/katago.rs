//! Options as KataGo has them: `-model`, `-config`, and `-override-config`, with files in KataGo's
//! format. Clients start engines with these words.
//!
//! The words are rewritten before the command line is parsed, and settings become options of
//! omnigo. Other settings are named once on standard error.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Command;

use super::file_text;
use super::options::{is_flag, option, split};
use super::rules;
use crate::analysis::query::Perspective;
use crate::engine::{Parameter, Parameters};
use crate::net::katago::Profile;
use crate::system::cores;
use crate::text::{printable, quote};

/// Maximum number of files, with those that `@include` names.
const FILES: usize = 16;
/// Maximum number of settings without an effect that are named, each in a line.
const NAMED: usize = 32;
/// Time in seconds above which a search has no limit. KataGo's default is 10^20.
const ENDLESS: f64 = 1e9;
/// Settings that limit a search. Both hold in KataGo, so the lower one counts if they stand for the
/// same option.
const LIMITS: &[&str] = &["maxVisits", "maxPlayouts"];
/// Option of omnigo that takes search parameters under KataGo's names.
pub(super) const PARAMETERS: &str = "net-parameters";
/// Option of omnigo that takes rules.
pub(super) const RULESET: &str = "ruleset";

/// Command line without the words of KataGo, and the settings that they give.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) words: Vec<OsString>,
    /// Settings in the order of their weight: a later one replaces an earlier one of the same key.
    entries: Vec<Entry>,
    /// Words without an effect.
    pub(super) warnings: Vec<String>,
}

/// Setting of KataGo.
#[derive(Clone, Debug)]
struct Entry {
    key: String,
    value: String,
    /// Path and line, or the option that gives the setting.
    place: String,
}

/// Option of omnigo that a setting of KataGo stands for.
#[derive(Debug, PartialEq)]
pub(super) struct Translated {
    /// Name of the option without dashes.
    pub(super) name: &'static str,
    /// Value, empty for a flag. `None` turns the option off, also one of another file.
    pub(super) value: Option<String>,
    pub(super) key: String,
    pub(super) place: String,
}

impl Translated {
    /// Returns true if both limit the same search, and this limit is lower.
    fn is_lower_limit(&self, other: &Translated) -> bool {
        let is_limit = |one: &Translated| LIMITS.contains(&one.key.as_str());
        let number = |one: &Translated| match &one.value {
            Some(value) => value.parse::<f64>().ok(),
            None => Some(f64::INFINITY),
        };
        let lower = number(self).zip(number(other)).is_some_and(|(a, b)| a < b);
        self.name == other.name && is_limit(self) && is_limit(other) && lower
    }
}

/// Effect of a setting on its option.
#[derive(Debug, PartialEq)]
enum Effect {
    /// The option gets this value.
    Value(String),
    /// The option is not given.
    Off,
    /// The option stays as it is.
    Nothing,
}

/// Conversion of a value of KataGo, or the expected values.
type Conversion = fn(&str) -> Result<Effect, &'static str>;

/// Settings of KataGo, the options of omnigo that mean the same, and the conversion of the value.
/// Of several options, the first one that a command has counts.
const SETTINGS: &[(&str, &[&str], Conversion)] = &[
    ("maxVisits", &["visits", "playouts"], as_it_is),
    ("maxPlayouts", &["playouts"], as_it_is),
    ("maxTime", &["time"], time),
    ("numSearchThreads", &["threads"], threads),
    ("numSearchThreadsPerAnalysisThread", &["threads"], threads),
    ("numAnalysisThreads", &["positions"], threads),
    ("ponderingEnabled", &["ponder"], flag),
    ("lagBuffer", &["lag"], as_it_is),
    ("defaultBoardSize", &["size"], as_it_is),
    ("rules", &[RULESET], as_it_is),
    ("resignThreshold", &["resign-below"], win_probability),
    ("allowResignation", &["resign-below"], resignation),
    ("logFile", &["log"], as_it_is),
    ("humanSLProfile", &["human-profile"], profile),
    ("reportAnalysisWinratesAs", &["perspective"], perspective),
    ("humanSLChosenMoveProp", &["human-moves"], as_it_is),
    (
        "chosenMoveTemperatureEarly",
        &["opening-temperature"],
        as_it_is,
    ),
    (
        "assumeMultipleStartingBlackMovesAreHandicap",
        &["handicap-moves"],
        switch,
    ),
];

fn as_it_is(value: &str) -> Result<Effect, &'static str> {
    match value.is_empty() {
        true => Err("a value"),
        false => Ok(Effect::Value(value.to_string())),
    }
}

fn boolean(value: &str) -> Result<bool, &'static str> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("true or false"),
    }
}

fn number(value: &str) -> Result<f64, &'static str> {
    let number = value.parse().ok().filter(|number: &f64| !number.is_nan());
    number.ok_or("a number")
}

fn flag(value: &str) -> Result<Effect, &'static str> {
    Ok(match boolean(value)? {
        true => Effect::Value(String::new()),
        false => Effect::Off,
    })
}

fn switch(value: &str) -> Result<Effect, &'static str> {
    let word = if boolean(value)? { "yes" } else { "no" };
    Ok(Effect::Value(word.to_string()))
}

fn time(value: &str) -> Result<Effect, &'static str> {
    Ok(match number(value)? < ENDLESS {
        true => Effect::Value(value.to_string()),
        false => Effect::Off,
    })
}

/// KataGo's threads serve a graphics card. More threads than cores only weaken a search here.
fn threads(value: &str) -> Result<Effect, &'static str> {
    let count: usize = value.parse().map_err(|_| "a whole number")?;
    Ok(Effect::Value(count.min(cores()).to_string()))
}

fn profile(value: &str) -> Result<Effect, &'static str> {
    Ok(match Profile::is_no_profile(value) {
        true => Effect::Off,
        false => Effect::Value(value.to_string()),
    })
}

fn perspective(value: &str) -> Result<Effect, &'static str> {
    let read = value.parse::<Perspective>();
    read.map_err(|_| Perspective::WORDS)?;
    Ok(Effect::Value(value.to_string()))
}

/// KataGo's values reach from −1, a certain loss, to 1.
fn win_probability(value: &str) -> Result<Effect, &'static str> {
    Ok(Effect::Value(((1.0 + number(value)?) / 2.0).to_string()))
}

/// With resignation, the threshold stays.
fn resignation(value: &str) -> Result<Effect, &'static str> {
    Ok(match boolean(value)? {
        true => Effect::Nothing,
        false => Effect::Value("0".to_string()),
    })
}

/// Takes the words of KataGo out of a command line.
///
/// # Errors
/// One line, if a word lacks its value, or if a file cannot be read.
pub(super) fn rewrite(words: Vec<OsString>) -> Result<Rewritten, String> {
    let mut rewritten = Rewritten::default();
    let mut overrides = Vec::new();
    let mut files = 0;
    let mut words = words.into_iter();
    rewritten.words.extend(words.next());
    while let Some(word) = words.next() {
        if word == "--" {
            rewritten.words.push(word);
            rewritten.words.extend(words);
            break;
        }
        let (name, own) = split(&word);
        let mut value = |what: &str| {
            let value = own.clone().or_else(|| words.next());
            value.ok_or_else(|| format!("{name} has no value, expected {what}"))
        };
        match name.as_str() {
            "-model" => {
                let path = value("a file with a network")?;
                rewritten.words.extend(["--net".into(), path]);
            }
            "-config" => {
                let path = value("a file in KataGo's format")?;
                read(path.as_ref(), &mut files, &mut rewritten.entries)?;
            }
            "-override-config" => {
                let list = value("KEY=VALUE,KEY=VALUE")?;
                for item in list.to_string_lossy().split(',') {
                    overrides.extend(entry(item, "-override-config")?);
                }
            }
            "-analysis-threads" => overrides.push(Entry {
                key: "numAnalysisThreads".to_string(),
                value: value("a number")?.to_string_lossy().into_owned(),
                place: "-analysis-threads".to_string(),
            }),
            "-quit-without-waiting" => {
                let line = format!("{name} has no effect");
                if !rewritten.warnings.contains(&line) {
                    rewritten.warnings.push(line);
                }
            }
            "-human-model" => {
                return Err(format!(
                    "{name} is not supported, expected -model with that network and humanSLProfile"
                ));
            }
            _ => rewritten.words.push(word),
        }
    }
    // As in KataGo, the name of rules and single rules replace each other.
    let single = |entry: &Entry| rules::place(&entry.key).is_some();
    let named = |entry: &Entry| entry.key == "rules";
    if overrides.iter().any(named) {
        rewritten.entries.retain(|entry| !single(entry));
    }
    if overrides.iter().any(single) {
        rewritten.entries.retain(|entry| !named(entry));
    }
    rewritten.entries.extend(overrides);
    Ok(rewritten)
}

/// Reads a file in KataGo's format, and the files that it includes.
fn read(path: &Path, files: &mut usize, entries: &mut Vec<Entry>) -> Result<(), String> {
    let shown = printable(&path.display().to_string());
    *files += 1;
    if *files > FILES {
        return Err(format!(
            "'{shown}' is file {files}, expected at most {FILES}"
        ));
    }
    for (number, line) in file_text(path)?.lines().enumerate() {
        let place = format!("'{shown}' line {}", number + 1);
        let line = without_comment(line);
        let included = line.strip_prefix("@include");
        if let Some(name) = included.filter(|name| name.starts_with([' ', '\t', '"'])) {
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
            read(&folder.join(unquoted(name.trim())), files, entries)?;
            continue;
        }
        if line.starts_with('[') {
            return Err(format!(
                "{place}: '{}' is TOML, expected KataGo's format; --config reads TOML",
                quote(line)
            ));
        }
        entries.extend(entry(line, &place)?);
    }
    Ok(())
}

/// Returns a line without its comment and the blanks around it.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == '#' && !quoted
    });
    line.get(..end.unwrap_or(line.len())).unwrap_or(line).trim()
}

fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value)
}

/// Reads `KEY = VALUE`. `None` for a blank text.
fn entry(text: &str, place: &str) -> Result<Option<Entry>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let key = key.trim();
    let named = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if key.is_empty() || !named || !text.contains('=') {
        return Err(format!(
            "{place}: '{}' is no setting, expected KEY = VALUE in KataGo's format",
            quote(text.trim())
        ));
    }
    Ok(Some(Entry {
        key: key.to_string(),
        value: unquoted(value.trim()).to_string(),
        place: place.to_string(),
    }))
}

impl Entry {
    /// Returns the line that refuses the value.
    fn refusal(&self, expected: &str) -> String {
        let value = quote(&self.value);
        format!(
            "{}: {} '{value}', expected {expected}",
            self.place, self.key
        )
    }

    /// Adds the value of a search parameter to the option that has all of them.
    ///
    /// # Errors
    /// One line, if the value is out of range.
    fn add_parameter(
        &self,
        parameter: &Parameter,
        found: &mut Vec<Translated>,
    ) -> Result<(), String> {
        let checked = parameter.set(&mut Parameters::katago(), &self.value);
        checked.map_err(|expected| self.refusal(&expected))?;
        let item = format!("{}={}", self.key, self.value);
        let mut others = found.iter_mut().filter(|one| one.name == PARAMETERS);
        match others.find_map(|one| one.value.as_mut()) {
            Some(all) => {
                all.push(',');
                all.push_str(&item);
            }
            None => found.push(Translated {
                name: PARAMETERS,
                value: Some(item),
                key: self.key.clone(),
                place: self.place.clone(),
            }),
        }
        Ok(())
    }

    /// Changes one rule in the value of `--ruleset`. If no setting gave one before, it changes
    /// `ruleset`.
    ///
    /// # Errors
    /// One line, if the rule has no such value.
    fn add_rule(&self, ruleset: Option<&str>, found: &mut Vec<Translated>) -> Result<(), String> {
        let mut others = found.iter_mut().filter(|one| one.name == RULESET);
        let known = others.next();
        let before = known.as_ref().and_then(|one| one.value.as_deref());
        let changed = rules::with_rule(before.or(ruleset), &self.key, &self.value);
        // An unknown ruleset stays as it is. Later it is refused with the place of `rules`.
        let Some(text) = changed.map_err(|expected| self.refusal(&expected))? else {
            return Ok(());
        };
        match known {
            Some(known) => known.value = Some(text),
            None => found.push(Translated {
                name: RULESET,
                value: Some(text),
                key: self.key.clone(),
                place: self.place.clone(),
            }),
        }
        Ok(())
    }
}

impl Rewritten {
    /// Returns true if there is a setting.
    pub(super) fn has_settings(&self) -> bool {
        !self.entries.is_empty()
    }

    /// Returns the options of a command that the settings stand for, at most one of each name. Adds
    /// a warning for each setting without an option. Single rules change `ruleset` unless there are
    /// `rules`. With `has_typed_rules`, the command line names rules, and settings of them have no
    /// effect.
    ///
    /// # Errors
    /// One line, if a value does not suit its setting.
    pub(super) fn options_of(
        &mut self,
        command: &Command,
        ruleset: Option<&str>,
        has_typed_rules: bool,
    ) -> Result<Vec<Translated>, String> {
        let mut found: Vec<Translated> = Vec::new();
        let mut seen = BTreeSet::new();
        let backwards = self.entries.iter().rev();
        let mut latest: Vec<&Entry> = backwards
            .filter(|entry| seen.insert(rules::present_name(&entry.key)))
            .collect();
        latest.reverse();
        let mut ignored = 0;
        let takes_parameters = option(command, PARAMETERS).is_some();
        let takes_rules = option(command, RULESET).is_some();
        // A game without resignation has no threshold. Single rules change the named ones.
        latest.sort_by_key(|entry| (entry.key == "allowResignation", rules::place(&entry.key)));
        for entry in latest {
            let row = SETTINGS.iter().find(|(key, ..)| *key == entry.key);
            let named = row.and_then(|&(_, names, conversion)| {
                let mut names = names.iter().copied();
                let name = names.find(|name| option(command, name).is_some())?;
                Some((name, conversion))
            });
            let parameter = Parameter::find(&entry.key).filter(|_| takes_parameters);
            if let Some(parameter) = parameter {
                entry.add_parameter(parameter, &mut found)?;
                continue;
            }
            if takes_rules && rules::place(&entry.key).is_some() {
                match has_typed_rules {
                    true => self.warnings.push(format!(
                        "{}: '{}' is ignored beside --{RULESET}",
                        entry.place, entry.key
                    )),
                    false => entry.add_rule(ruleset, &mut found)?,
                }
                continue;
            }
            let Some((name, conversion)) = named else {
                ignored += 1;
                if ignored <= NAMED {
                    self.warnings.push(format!(
                        "{}: setting '{}' of KataGo has no effect",
                        entry.place,
                        quote(&entry.key)
                    ));
                }
                continue;
            };
            let converted = conversion(&entry.value);
            let value = match converted.map_err(|expected| entry.refusal(expected))? {
                Effect::Value(value) => Some(value),
                Effect::Off => None,
                Effect::Nothing => continue,
            };
            let translated = Translated {
                name,
                value,
                key: entry.key.clone(),
                place: entry.place.clone(),
            };
            if !found
                .iter()
                .any(|earlier| earlier.is_lower_limit(&translated))
            {
                found.retain(|earlier| earlier.name != name);
                found.push(translated);
            }
        }
        if ignored > NAMED {
            let more = ignored - NAMED;
            let line = format!("{more} more settings of KataGo have no effect");
            self.warnings.push(line);
        }
        debug_assert!(found.iter().all(|one| {
            let option = option(command, one.name);
            let fits = |value: &String, option| is_flag(option) == value.is_empty();
            option.is_some_and(|option| one.value.iter().all(|value| fits(value, option)))
        }));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::built;
    use super::*;

    /// Returns the rewritten words and the options of a command line.
    fn rewritten(line: &str, command: &str) -> Result<(String, Vec<String>, Vec<String>), String> {
        let words = line.split_whitespace().map(OsString::from).collect();
        let mut rewritten = rewrite(words)?;
        let cli = built();
        let options = rewritten.options_of(cli.find_subcommand(command).unwrap(), None, false)?;
        let words: Vec<_> = rewritten
            .words
            .iter()
            .map(|w| w.to_string_lossy())
            .collect();
        let text = |o: &Translated| Some(format!("{}={}", o.name, o.value.as_ref()?));
        let options = options.iter().filter_map(text);
        Ok((words.join(" "), options.collect(), rewritten.warnings))
    }

    fn file(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gtp.cfg");
        std::fs::write(&path, text).unwrap();
        (folder, path.display().to_string())
    }

    #[test]
    fn words_of_katago_become_options() {
        let text = "# comment\nlogDir = gtp_logs # more\nrules = \"japanese\"\n\nmaxVisits = 500\n\
                    numSearchThreads = 1\nresignThreshold = -0.90\nmaxTime = 1e20\n\
                    ponderingEnabled=true\nmaxVisits = 600\n";
        let (_folder, path) = file(text);
        let line = format!("omnigo gtp -model b6.bin.gz -config {path} --komi 6");
        let (words, options, warnings) = rewritten(&line, "gtp").unwrap();
        assert_eq!(words, "omnigo gtp --net b6.bin.gz --komi 6");
        let mut expected = ["ruleset=japanese", "visits=600", "threads=1", "ponder="].to_vec();
        expected.insert(2, "resign-below=0.04999999999999999");
        let mut options = options;
        options.sort_unstable();
        expected.sort_unstable();
        assert_eq!(options, expected);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].ends_with("line 2: setting 'logDir' of KataGo has no effect"));
    }

    #[test]
    fn single_rules_join_the_named_ones() {
        let line = "omnigo gtp -override-config koRule=SITUATIONAL,rules=chinese,\
                    multiStoneSuicideLegal=true";
        let (_, options, warnings) = rewritten(line, "gtp").unwrap();
        assert_eq!(options, ["ruleset=chinese,ko=situational,suicide=yes"]);
        assert!(warnings.is_empty(), "{warnings:?}");
        let line = "omnigo gtp -override-config \
                    koRule=POSITIONAL,scoringRule=AREA,taxRule=NONE,multiStoneSuicideLegal=false";
        let (_, options, _) = rewritten(line, "gtp").unwrap();
        // The rules of CGOS are Tromp-Taylor rules without suicide.
        assert_eq!(options, ["ruleset=cgos"]);
        // An override of either kind replaces the other kind in a file.
        for (text, list, expected) in [
            ("koRule = SITUATIONAL", "rules=japanese", "japanese"),
            ("rules = chinese", "koRule=SIMPLE", "tromp-taylor,ko=simple"),
        ] {
            let (_folder, path) = file(text);
            let line = format!("omnigo gtp -override-config {list} -config {path}");
            let (_, options, _) = rewritten(&line, "gtp").unwrap();
            assert_eq!(options, [format!("ruleset={expected}")]);
        }
    }

    #[test]
    fn the_lower_one_of_two_limits_counts() {
        let playouts = |settings: &str, command: &str| {
            let line = format!("omnigo {command} -override-config {settings}");
            rewritten(&line, command).unwrap().1
        };
        for settings in [
            "maxVisits=500,maxPlayouts=20",
            "maxPlayouts=20,maxVisits=500",
        ] {
            assert_eq!(playouts(settings, "analysis"), ["playouts=20"]);
        }
        let settings = "maxVisits=20,maxPlayouts=500";
        assert_eq!(playouts(settings, "analysis"), ["playouts=20"]);
        assert_eq!(playouts(settings, "gtp"), ["visits=20", "playouts=500"]);
    }

    #[test]
    fn overrides_win_and_no_resignation_wins_over_a_threshold() {
        let (_folder, path) = file("maxVisits = 500\nallowResignation = false\n");
        let line = format!(
            "omnigo analysis -override-config maxVisits=7,resignThreshold=-0.5 -config={path} \
             -analysis-threads 1 -quit-without-waiting"
        );
        let (words, options, warnings) = rewritten(&line, "analysis").unwrap();
        assert_eq!(words, "omnigo analysis");
        assert_eq!(options, ["playouts=7", "positions=1"]);
        // A query resigns never, so both settings have no effect.
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        let line = "omnigo gtp -override-config allowResignation=false,resignThreshold=-0.5";
        assert_eq!(rewritten(line, "gtp").unwrap().1, ["resign-below=0"]);
    }

    #[test]
    fn search_parameters_become_one_option() {
        let (_folder, path) = file("cpuctExploration = 0.9\nuseLcbForSelection = False\n");
        let line = format!("omnigo gtp -config {path} -override-config cpuctExploration=1.25");
        let (_, options, warnings) = rewritten(&line, "gtp").unwrap();
        let joined = "net-parameters=useLcbForSelection=False,cpuctExploration=1.25";
        assert_eq!(options, [joined]);
        assert!(warnings.is_empty(), "{warnings:?}");
        for (item, expected) in [
            (
                "cpuctExploration=11",
                "'11', expected a number from 0 to 10",
            ),
            ("lcbStdevs=x", "'x', expected a number from 1 to 12"),
            ("useUncertainty=2", "'2', expected true or false"),
        ] {
            let line = format!("omnigo gtp -override-config {item}");
            let problem = rewritten(&line, "gtp").unwrap_err();
            assert!(problem.starts_with("-override-config: "), "{problem}");
            assert!(problem.ends_with(expected), "{problem}");
            assert_eq!(problem.lines().count(), 1);
        }
        // A command without a search has no such option.
        let (_, options, warnings) = rewritten(&line, "match").unwrap();
        assert!(options.is_empty(), "{options:?}");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn files_include_others_up_to_a_limit() {
        let (folder, path) = file("@include other.cfg\nmaxVisits = 3\n");
        std::fs::write(folder.path().join("other.cfg"), "lagBuffer = 0.5\n").unwrap();
        let (_, options, _) = rewritten(&format!("omnigo -config {path}"), "gtp").unwrap();
        assert_eq!(options, ["lag=0.5", "visits=3"]);
        std::fs::write(folder.path().join("other.cfg"), "@include gtp.cfg\n").unwrap();
        let endless = rewritten(&format!("omnigo -config {path}"), "gtp").unwrap_err();
        assert!(endless.ends_with("expected at most 16"), "{endless}");
    }

    #[test]
    fn wrong_settings_are_refused_in_one_line() {
        for (text, message) in [
            (
                "[gtp]\n",
                "line 1: '[gtp]' is TOML, expected KataGo's format",
            ),
            (
                "log-json = x\n",
                "line 1: 'log-json = x' is no setting, expected KEY",
            ),
            (
                "@includes x\n",
                "line 1: '@includes x' is no setting, expected KEY",
            ),
            (
                "@include\n",
                "line 1: '@include' is no setting, expected KEY",
            ),
            (
                "\nmaxVisits\n",
                "line 2: 'maxVisits' is no setting, expected KEY",
            ),
            (
                "ponderingEnabled = 2\n",
                "line 1: ponderingEnabled '2', expected true",
            ),
            (
                "maxTime = soon\n",
                "line 1: maxTime 'soon', expected a number",
            ),
            (
                "numSearchThreads = -1\n",
                "line 1: numSearchThreads '-1', expected a whole",
            ),
            ("rules =\n", "line 1: rules '', expected a value"),
            (
                "koRule = SOMETIMES\n",
                "line 1: koRule 'SOMETIMES', expected SIMPLE, POSITIONAL or",
            ),
        ] {
            let (_folder, path) = file(text);
            let problem = rewritten(&format!("omnigo gtp -config {path}"), "gtp").unwrap_err();
            let (_, rest) = problem.split_once("gtp.cfg' ").unwrap();
            assert!(rest.starts_with(message), "{text}: {problem}");
            assert_eq!(problem.lines().count(), 1);
        }
        for (line, message) in [
            ("omnigo gtp -model", "-model has no value, expected a file"),
            (
                "omnigo gtp -config missing.cfg",
                "cannot read 'missing.cfg'",
            ),
            ("omnigo gtp -human-model x", "-human-model is not supported"),
            (
                "omnigo gtp -override-config x",
                "-override-config: 'x' is no setting",
            ),
        ] {
            let problem = rewritten(line, "gtp").unwrap_err();
            assert!(problem.starts_with(message), "{problem}");
        }
    }

    #[test]
    fn many_settings_give_few_warnings_and_the_last_value_counts() {
        let unknown: String = (0..70_000).map(|i| format!("a{i}=1\n")).collect();
        let (_folder, path) = file(&format!("\u{feff}maxVisits = 3\n{unknown}maxVisits = 4\n"));
        let (_, options, warnings) = rewritten(&format!("omnigo -config {path}"), "gtp").unwrap();
        assert_eq!(options, ["visits=4"]);
        assert_eq!(warnings.len(), NAMED + 1);
        let last = warnings.last().unwrap();
        assert_eq!(last, "69968 more settings of KataGo have no effect");
        let twice = "omnigo -quit-without-waiting -quit-without-waiting";
        assert_eq!(rewritten(twice, "gtp").unwrap().2.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn paths_keep_bytes_that_are_not_utf8() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let word = OsString::from_vec(b"-model=a=\xff".to_vec());
        let words = rewrite(vec!["omnigo".into(), word]).unwrap().words;
        assert_eq!(words[1], "--net");
        assert_eq!(words[2].as_bytes(), b"a=\xff");
    }

    #[test]
    fn every_option_of_the_table_exists() {
        let cli = built();
        let commands: Vec<_> = ["gtp", "analysis"].map(|c| cli.find_subcommand(c)).into();
        for (key, names, _) in SETTINGS {
            for name in *names {
                let known = commands.iter().flatten().any(|c| option(c, name).is_some());
                assert!(known, "{key}: --{name}");
            }
        }
    }
}
