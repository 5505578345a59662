//! Commands for the current ruleset.

use serde_json::Value;

use super::setup::set_komi;
use super::{Command, Failure, Session};
use crate::engine::EngineError;
use crate::gtp::arguments::Arguments;
use crate::rules::kata::{self, UnknownRules};
use crate::rules::{Ruleset, RulesetText, Sides, presets};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_ruleset",
        "NAME [KEY=VALUE …]",
        "Continues the game under a named ruleset, with optional changes to single rules. Board, position, history, and komi stay.",
        set_ruleset,
    ),
    Command::new(
        "get_ruleset",
        "",
        "Ruleset in its shortest form that set_ruleset reads.",
        get_ruleset,
    ),
    Command::new(
        "list_rulesets",
        "",
        "Names of all rulesets, one per line.",
        list_rulesets,
    ),
    Command::new(
        "kata-get-rules",
        "",
        "Rules as a JSON object with KataGo's seven keys. Fails if these keys cannot express the rules.",
        kata_get_rules,
    ),
    Command::new(
        "kata-set-rules",
        "NAME|JSON",
        "Continues the game under a named ruleset or a JSON object. Missing keys of an object default to Tromp-Taylor rules; its komi, if given, is set too.",
        kata_set_rules,
    ),
    Command::new(
        "kata-set-rule",
        "KEY VALUE",
        "Changes one key of kata-get-rules. Rules for which KataGo has no key stay.",
        kata_set_rule,
    ),
    Command::new(
        "kgs-rules",
        "japanese|chinese|aga|new_zealand",
        "Continues the game under the rules with this name on KGS.",
        kgs_rules,
    ),
];

fn set_ruleset(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let words = arguments.rest();
    if words.is_empty() {
        return Err(Failure::missing(
            "ruleset",
            "a name from list_rulesets, such as tromp-taylor",
        ));
    }
    take_ruleset(session, &words.join(" "))?;
    Ok(String::new())
}

/// Sets a ruleset, including the komi in its text, and prints its warnings.
pub(super) fn take_ruleset(session: &mut Session, text: &str) -> Result<(), Failure> {
    let read = text.parse::<RulesetText>();
    let read = read.map_err(|error| Failure::Syntax(error.to_string()))?;
    take(session, read.rules)?;
    if let Some(komi) = read.komi {
        session.engine.set_komi(komi);
    }
    for warning in &read.warnings {
        session.warn(warning);
    }
    Ok(())
}

fn get_ruleset(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.rules().to_string())
}

fn list_rulesets(_: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(presets::all()
        .iter()
        .map(|preset| preset.rules.name)
        .collect::<Vec<_>>()
        .join("\n"))
}

fn kata_get_rules(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let rules = session.engine.rules();
    let object = kata::to_json(rules).ok_or_else(|| not_of_katago(rules))?;
    Ok(object.to_string())
}

fn not_of_katago(rules: &Ruleset) -> Failure {
    Failure::Refused(format!(
        "ruleset '{rules}' cannot be written with KataGo's keys, expected pass=free, end=passes, \
         neutral=none, and score=area or score=territory with dead=agreed"
    ))
}

fn kata_set_rules(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let words = arguments.rest();
    if words.is_empty() {
        let expected = "a name such as tromp-taylor or japanese, or a JSON object";
        return Err(Failure::missing("rules", expected));
    }
    let text = words.join(" ");
    let Ok(mut object @ Value::Object(_)) = serde_json::from_str(&text) else {
        return set(session, kata::from_text(&text));
    };
    let written = object.get("komi").map(Value::to_string);
    let komi = kata::take_komi(&mut object).map_err(refused)?;
    set(session, kata::from_json(&object))?;
    if let Some((komi, rounded)) = komi {
        set_komi(session, &written.unwrap_or_default(), komi, rounded);
    }
    Ok(String::new())
}

fn kata_set_rule(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let key = arguments.word("key", "a key from kata-get-rules, such as ko")?;
    let value = arguments.word("value", "a value for this key")?;
    let key = if key == "score" { "scoring" } else { key };
    let value = value.trim_matches('"');
    let value = match value.to_ascii_lowercase().parse::<bool>() {
        Ok(yes) => Value::from(yes),
        Err(_) => Value::from(value),
    };
    let present = session.engine.rules();
    let rules = kata::with_key(present, key, value).ok_or_else(|| not_of_katago(present))?;
    set(session, rules)
}

fn kgs_rules(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let name = arguments.word("rules", "japanese, chinese, aga or new_zealand")?;
    // KGS uses Chinese rules with superko.
    let meant = match name.to_ascii_lowercase().as_str() {
        "chinese" => "chinese-kgs",
        _ => name,
    };
    set(session, kata::from_text(meant))
}

fn set(session: &mut Session, rules: Result<Ruleset, UnknownRules>) -> Result<String, Failure> {
    take(session, rules.map_err(refused)?)?;
    Ok(String::new())
}

/// Continues the game under these rules, for its number of colors.
fn take(session: &mut Session, rules: Ruleset) -> Result<(), Failure> {
    let among_all = Ruleset {
        colors: session.engine.rules().colors,
        sides: Sides::ALONE,
        ..rules.clone()
    };
    let needs_two = rules.flaw().is_none() && among_all.flaw().is_some();
    session
        .engine
        .set_rules(rules)
        .map_err(|error| match error {
            EngineError::Ruleset(_) if needs_two => {
                Failure::Refused(format!("{error} (set_players 2)"))
            }
            _ => refused(error),
        })
}

fn refused(error: impl std::error::Error) -> Failure {
    Failure::Refused(error.to_string())
}
