//! Settings of KataGo for single rules, such as `koRule`. They change the ruleset that `rules`
//! names, or Tromp-Taylor rules.

use serde_json::Value;

use crate::rules::kata::{self, UnknownRules};
use crate::rules::{Ruleset, RulesetText};

/// White's points for handicap stones.
const BONUS: &str = "whiteHandicapBonus";
/// Its name in old files, with 0 or 1 point for each handicap stone.
const OLD_BONUS: &str = "whiteBonusPerHandicapStone";
/// Settings for single rules in the order in which they are applied, and KataGo's keys of them in
/// JSON. A tax replaces that of the scoring, so it comes later.
const KEYS: &[(&str, &str)] = &[
    ("scoringRule", "scoring"),
    ("taxRule", "tax"),
    ("koRule", "ko"),
    ("multiStoneSuicideLegal", "suicide"),
    (BONUS, BONUS),
    (OLD_BONUS, BONUS),
    ("friendlyPassOk", "friendlyPassOk"),
    ("hasButton", "hasButton"),
];

/// Returns the name that replaced an old name of a setting, or the name itself.
pub(super) fn present_name(setting: &str) -> &str {
    match setting {
        OLD_BONUS => BONUS,
        _ => setting,
    }
}

/// Returns the place of a setting in the order of single rules, or `None` for another setting.
pub(super) fn place(setting: &str) -> Option<usize> {
    KEYS.iter().position(|(name, _)| *name == setting)
}

/// Returns a ruleset with one rule changed, as `--ruleset` takes it. `None` if the text before the
/// change is no ruleset.
///
/// # Errors
/// The error describes the expected value.
pub(super) fn with_rule(
    before: Option<&str>,
    setting: &str,
    value: &str,
) -> Result<Option<String>, String> {
    let Ok(before) = before.unwrap_or("tromp-taylor").parse::<RulesetText>() else {
        return Ok(None);
    };
    let mut rules = before.rules;
    let value = match (setting, value) {
        (OLD_BONUS, "0") => "0",
        (OLD_BONUS, "1") => "N",
        (OLD_BONUS, _) => return Err("0 or 1".to_string()),
        _ => value,
    };
    if let Some((_, key)) = KEYS.iter().find(|(name, _)| *name == setting) {
        let scoring = rules.scoring;
        rules = checked(kata::with_key(&rules, key, Value::from(value)))?;
        if rules.scoring != scoring {
            rules = checked(kata::with_usual_tax(&rules))?;
        }
    }
    let text = rules.to_string().replace(' ', ",");
    Ok(Some(match before.komi {
        Some(komi) => format!("{text},komi={komi}"),
        None => text,
    }))
}

/// Returns changed rules, or the description of what was expected.
fn checked(changed: Option<Result<Ruleset, UnknownRules>>) -> Result<Ruleset, String> {
    let changed = changed.ok_or("one of KataGo's rulesets beside it")?;
    changed.map_err(|error| error.expected().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_rules_change_the_named_ones() {
        let with = |before, setting, value| with_rule(before, setting, value).unwrap();
        let first = with(None, "koRule", "SIMPLE").unwrap();
        assert_eq!(first, "tromp-taylor,ko=simple");
        let second = with(Some(&first), "multiStoneSuicideLegal", "false").unwrap();
        assert_eq!(second, "tromp-taylor,ko=simple,suicide=no");
        let same = with(Some("chinese"), "taxRule", "none").unwrap();
        assert_eq!(same, "chinese");
        assert_eq!(with(Some("nothing"), "taxRule", "NONE"), None);
        let komi = with(Some("chinese,komi=3"), "koRule", "SITUATIONAL").unwrap();
        assert_eq!(komi.parse::<RulesetText>().unwrap().komi, "3".parse().ok());
    }

    #[test]
    fn the_tax_follows_the_scoring() {
        let territory = with_rule(None, "scoringRule", "TERRITORY").unwrap();
        let territory = territory.unwrap().parse::<RulesetText>().unwrap().rules;
        let json = kata::to_json(&territory).unwrap();
        assert_eq!(json["tax"], "SEKI");
        let area = with_rule(Some("japanese"), "scoringRule", "AREA").unwrap();
        let area = area.unwrap().parse::<RulesetText>().unwrap().rules;
        assert_eq!(kata::to_json(&area).unwrap()["tax"], "NONE");
    }

    #[test]
    fn wrong_values_and_other_rules_are_refused() {
        for (before, setting, value, expected) in [
            (None, "koRule", "SOMETIMES", "SIMPLE, POSITIONAL or"),
            (None, "koRule", "", "SIMPLE, POSITIONAL or"),
            (None, "hasButton", "2", "true or false"),
            (None, "whiteBonusPerHandicapStone", "2", "0 or 1"),
            (
                Some("conway"),
                "koRule",
                "SIMPLE",
                "one of KataGo's rulesets",
            ),
        ] {
            let problem = with_rule(before, setting, value).unwrap_err();
            assert!(problem.starts_with(expected), "{setting}: {problem}");
        }
    }

    #[test]
    fn every_setting_has_an_effect_on_some_rules() {
        let changes = [
            ("scoringRule", "TERRITORY"),
            ("taxRule", "ALL"),
            ("koRule", "SITUATIONAL"),
            ("multiStoneSuicideLegal", "false"),
            ("whiteHandicapBonus", "N-1"),
            ("whiteBonusPerHandicapStone", "1"),
            ("friendlyPassOk", "true"),
            ("hasButton", "true"),
        ];
        assert_eq!(changes.len(), KEYS.len());
        for (setting, value) in changes {
            let text = with_rule(None, setting, value).unwrap().unwrap();
            assert_ne!(text, "tromp-taylor", "{setting}");
            assert!(text.parse::<RulesetText>().is_ok(), "{text}");
        }
    }
}
