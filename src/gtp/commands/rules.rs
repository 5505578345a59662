//! The ruleset in force.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::rules::RulesetText;
use crate::rules::presets;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_ruleset",
        "NAME [KEY=VALUE …]",
        "Plays on under other rules: a named set, with single rules changed; board, position, history and komi stay.",
        set_ruleset,
    ),
    Command::new(
        "get_ruleset",
        "",
        "The ruleset as set_ruleset takes it, in its shortest form.",
        get_ruleset,
    ),
    Command::new(
        "list_rulesets",
        "",
        "The names of all rulesets, one a line.",
        list_rulesets,
    ),
];

fn set_ruleset(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let words = arguments.rest();
    if words.is_empty() {
        return Err(Failure::missing(
            "ruleset",
            "a name of list_rulesets such as tromp-taylor",
        ));
    }
    let read = words.join(" ").parse::<RulesetText>();
    let read = read.map_err(|error| Failure::Syntax(error.to_string()))?;
    session
        .engine
        .set_rules(read.rules)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    if let Some(komi) = read.komi {
        session.engine.set_komi(komi);
    }
    for warning in &read.warnings {
        session.warn(warning);
    }
    Ok(String::new())
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
