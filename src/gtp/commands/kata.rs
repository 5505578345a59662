//! Search settings under KataGo's names. Parameters of searches that a network guides exist only
//! with a network.

use super::{Command, Failure, Session};
use crate::engine::Parameter as SearchParameter;
use crate::engine::{Guidance, Options, Variety};
use crate::gtp::arguments::Arguments;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kata-list-params",
        "",
        "Names of the settings of kata-get-param and kata-set-param.",
        list,
    ),
    Command::new("kata-get-param", "NAME", "Value of a setting.", get),
    Command::new(
        "kata-get-params",
        "",
        "All settings and their values, as a JSON object.",
        get_all,
    ),
    Command::new("kata-set-param", "NAME VALUE", "Changes a setting.", set),
    Command::new(
        "kata-set-params",
        "JSON",
        "Changes all settings of a JSON object, or none if one is invalid.",
        set_all,
    ),
];

/// Setting: its name, a description of its values, and functions to read and write it.
struct Parameter {
    name: &'static str,
    expected: &'static str,
    get: fn(&Options) -> String,
    /// Returns false if the text is not a valid value.
    set: fn(&mut Options, &str) -> bool,
}

/// KataGo's texts for no profile.
const NO_PROFILE: [&str; 3] = ["", "\"\"", "_"];

/// Number of seconds from which a time counts as unlimited. [`COUNTLESS`] is the same for counts.
const ENDLESS: f64 = 1e20;
const COUNTLESS: u64 = u64::MAX >> 1;

fn count_text(count: Option<u64>) -> String {
    count.unwrap_or(COUNTLESS).to_string()
}

/// Reads a limit: `Some(None)` means unlimited. Returns `None` for a text that is not a number
/// above 0.
fn count(text: &str) -> Option<Option<u64>> {
    let count = text.parse().ok().filter(|&count| count > 0)?;
    Some((count < COUNTLESS).then_some(count))
}

/// Reads true or false, in any letter case. Returns `None` for another text.
fn switch(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

static PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "maxVisits",
        expected: "a number of visits above 0",
        get: |o| count_text(o.visits),
        set: |o, text| count(text).map(|limit| o.visits = limit).is_some(),
    },
    Parameter {
        name: "maxPlayouts",
        expected: "a number of playouts above 0",
        get: |o| count_text(o.playouts),
        set: |o, text| {
            let limit = count(text);
            // The present number leaves the other limit of a level alone.
            if let Some(limit) = limit.filter(|limit| *limit != o.playouts) {
                o.set_playouts(limit);
            }
            limit.is_some()
        },
    },
    Parameter {
        name: "maxTime",
        expected: "seconds above 0",
        get: |o| o.seconds.unwrap_or(ENDLESS).to_string(),
        set: |o, text| {
            let seconds: Option<f64> = text.parse().ok().filter(|s: &f64| *s > 0.0);
            seconds.is_some_and(|seconds| {
                o.seconds = (seconds < ENDLESS).then_some(seconds);
                true
            })
        },
    },
    Parameter {
        name: "numSearchThreads",
        expected: "1 to 1024",
        get: |o| o.threads.to_string(),
        set: |o, text| {
            let threads = text.parse().ok().filter(|n| (1..=1024).contains(n));
            threads.map(|threads| o.threads = threads).is_some()
        },
    },
    Parameter {
        name: "lagBuffer",
        expected: "seconds from 0 to 3600",
        get: |o| o.lag.to_string(),
        set: |o, text| {
            let lag = text.parse().ok().filter(|s| (0.0..=3600.0).contains(s));
            lag.map(|lag| o.lag = lag).is_some()
        },
    },
    Parameter {
        name: "assumeMultipleStartingBlackMovesAreHandicap",
        expected: "true or false",
        get: |o| o.handicap_moves.to_string(),
        set: |o, text| switch(text).map(|on| o.handicap_moves = on).is_some(),
    },
    Parameter {
        name: "ponderingEnabled",
        expected: "true or false",
        get: |o| o.ponders.to_string(),
        set: |o, text| switch(text).map(|on| o.ponders = on).is_some(),
    },
    Parameter {
        name: "chosenMoveTemperatureEarly",
        expected: "a temperature from 0 to 10",
        get: |o| o.variety.temperature.to_string(),
        set: |o, text| {
            let range = 0.0..=Variety::HOTTEST;
            let temperature = text.parse().ok().filter(|t| range.contains(t));
            temperature.map(|t| o.variety.temperature = t).is_some()
        },
    },
    Parameter {
        name: "humanSLChosenMoveProp",
        expected: "a probability from 0 to 1, and a human-style network for more than 0",
        get: |o| o.variety.imitation.to_string(),
        set: |o, text| {
            let most = if o.imitates() { 1.0 } else { 0.0 };
            let share = text.parse().ok().filter(|p| (0.0..=most).contains(p));
            share.map(|share| o.variety.imitation = share).is_some()
        },
    },
    Parameter {
        name: "humanSLProfile",
        expected: "a profile such as rank_5k, and a human-style network",
        get: |o| {
            let profile = o.guidance.as_ref().and_then(|guidance| guidance.profile);
            profile.map_or_else(String::new, |profile| profile.to_string())
        },
        set: |o, text| {
            // `kata-get-params` prints an empty string if there is no profile.
            if NO_PROFILE.contains(&text) && !o.imitates() {
                return true;
            }
            let imitator = o
                .guidance
                .as_mut()
                .filter(|guidance| guidance.network.imitates());
            let profile = text.parse().ok();
            imitator.zip(profile).is_some_and(|(guidance, profile)| {
                guidance.profile = Some(profile);
                true
            })
        },
    },
];

/// Setting of the engine or of the search.
enum Found {
    Engine(&'static Parameter),
    Search(&'static SearchParameter),
}

impl Found {
    /// Returns the settings that exist with this network.
    fn all(guidance: Option<&Guidance>) -> impl Iterator<Item = Found> {
        let search = guidance.map_or(&[][..], |_| SearchParameter::all());
        let engine = PARAMETERS.iter().map(Found::Engine);
        engine.chain(search.iter().map(Found::Search))
    }

    fn name(&self) -> &'static str {
        match self {
            Found::Engine(parameter) => parameter.name,
            Found::Search(parameter) => parameter.name,
        }
    }

    fn expected(&self) -> String {
        match self {
            Found::Engine(parameter) => parameter.expected.to_string(),
            Found::Search(parameter) => parameter.expected(),
        }
    }

    fn get(&self, options: &Options) -> String {
        match self {
            Found::Engine(parameter) => (parameter.get)(options),
            Found::Search(parameter) => {
                let guidance = options.guidance.as_ref();
                guidance.map_or_else(String::new, |one| parameter.get(&one.parameters))
            }
        }
    }

    /// Returns false if the text is not a valid value.
    fn set(&self, options: &mut Options, text: &str) -> bool {
        match self {
            Found::Engine(parameter) => (parameter.set)(options, text),
            Found::Search(parameter) => {
                let guidance = options.guidance.as_mut();
                guidance.is_some_and(|one| parameter.set(&mut one.parameters, text).is_ok())
            }
        }
    }
}

fn list(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let guidance = session.engine.options().guidance.as_ref();
    let names: Vec<&str> = Found::all(guidance).map(|found| found.name()).collect();
    Ok(names.join(" "))
}

/// Expected names of settings, for errors.
const NAMES: &str = "a name from kata-list-params";

fn find(options: &Options, name: &str) -> Result<Found, Failure> {
    let mut all = Found::all(options.guidance.as_ref());
    let found = all.find(|found| found.name() == name);
    found.ok_or_else(|| Failure::expected("parameter", name, NAMES))
}

fn get(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let options = session.engine.options();
    let found = find(options, arguments.word("parameter", NAMES)?)?;
    Ok(found.get(options))
}

fn get_all(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let options = session.engine.options();
    let value = |found: Found| {
        let text = found.get(options);
        let value = serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text));
        (found.name().to_string(), value)
    };
    let all = Found::all(options.guidance.as_ref());
    let object: serde_json::Map<_, _> = all.map(value).collect();
    Ok(serde_json::Value::Object(object).to_string())
}

fn set(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let mut options = session.engine.options().clone();
    let found = find(&options, arguments.word("parameter", NAMES)?)?;
    let text = arguments.word(found.name(), &found.expected())?;
    change(&mut options, &found, text)?;
    session.engine.change_options(options);
    Ok(String::new())
}

fn change(options: &mut Options, found: &Found, text: &str) -> Result<(), Failure> {
    match found.set(options, text) {
        true => Ok(()),
        false => Err(Failure::expected(found.name(), text, &found.expected())),
    }
}

fn set_all(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a valid JSON object of names and values";
    let text = arguments.text();
    if text.is_empty() {
        return Err(Failure::missing("parameters", EXPECTED));
    }
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) else {
        return Err(Failure::expected("parameters", text, EXPECTED));
    };
    let mut options = session.engine.options().clone();
    for (name, value) in object {
        let found = find(&options, &name)?;
        let text = match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        change(&mut options, &found, &text)?;
    }
    session.engine.change_options(options);
    Ok(String::new())
}
