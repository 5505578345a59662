//! Rules in KataGo's formats: names, and JSON objects with seven keys.

use serde_json::{Map, Value, json};

use super::{
    Bonus, Button, DeadStones, End, Ko, KomiUse, Neutral, Passing, Points, Ruleset, Scoring,
    Suicide, Tax, presets,
};
use omnigo_base::text::quote;

/// Error: the text does not describe any rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Unknown rules '{text}', expected {expected}")]
pub struct UnknownRules {
    text: String,
    expected: String,
}

impl UnknownRules {
    /// Returns the expected value.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    fn new(text: &str, expected: impl Into<String>) -> UnknownRules {
        UnknownRules {
            text: quote(text),
            expected: expected.into(),
        }
    }
}

const KEYS: &str =
    "the keys ko, scoring, tax, suicide, hasButton, whiteHandicapBonus, friendlyPassOk";

/// Returns these rules as a JSON object, or `None` if KataGo's format cannot express one of them.
///
/// ```
/// use omnigo_core::rules::{kata, presets};
/// assert_eq!(
///     kata::to_json(&presets::find("japanese").unwrap().rules).unwrap().to_string(),
///     r#"{"friendlyPassOk":false,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}"#
/// );
/// assert_eq!(kata::to_json(&presets::find("famine").unwrap().rules), None);
/// ```
pub fn to_json(rules: &Ruleset) -> Option<Value> {
    // The pattern and each `match` list everything: the compiler reports new axes and values.
    let Ruleset {
        ko,
        suicide,
        passing,
        end,
        scoring,
        neutral,
        tax,
        bonus,
        button,
        dead,
        komi_use,
        name: _,
        referee: _,
        stuck: _,
        first: _,
        black_passes: _,
        white_passes: _,
        colors: _,
        sides: _,
    } = rules;
    match (passing, end, neutral, komi_use) {
        (Passing::Free, End::Passes, Neutral::None, KomiUse::Score) => {}
        (
            Passing::Free | Passing::Prisoners | Passing::Never,
            End::Passes | End::Stuck,
            Neutral::Both | Neutral::None,
            KomiUse::Score | KomiUse::Passes | KomiUse::Ignored,
        ) => return None,
    }
    let (scoring, friendly_pass) = match (scoring, dead) {
        (Scoring::Area, DeadStones::Agreed) => ("AREA", true),
        (Scoring::Area, DeadStones::None) => ("AREA", false),
        (Scoring::Territory, DeadStones::Agreed) => ("TERRITORY", false),
        (Scoring::Territory, DeadStones::None) | (Scoring::Stones | Scoring::None, _) => {
            return None;
        }
    };
    Some(json!({
        "ko": match ko {
            Ko::Simple => "SIMPLE",
            Ko::Positional => "POSITIONAL",
            Ko::Situational => "SITUATIONAL",
        },
        "scoring": scoring,
        "tax": match tax {
            Tax::None => "NONE",
            Tax::Seki => "SEKI",
            Tax::All => "ALL",
        },
        "suicide": match suicide {
            Suicide::Allowed => true,
            Suicide::Forbidden => false,
        },
        "hasButton": match button {
            Button::None => false,
            Button::HalfPoint => true,
        },
        "whiteHandicapBonus": match bonus {
            Bonus::None => "0",
            Bonus::AllButOne => "N-1",
            Bonus::All => "N",
        },
        "friendlyPassOk": friendly_pass,
    }))
}

/// Parses a name of rules or a JSON object. Missing keys have the value of Tromp-Taylor rules.
/// Under territory scoring, a missing `tax` is `SEKI`, and dead stones are always removed.
///
/// # Errors
/// The error names the expected value.
///
/// ```
/// use omnigo_core::rules::kata;
/// assert_eq!(kata::from_text("Tromp_Taylor").unwrap().name, "tromp-taylor");
/// let rules = kata::from_text(r#"{"scoring":"TERRITORY", "ko":"SIMPLE", "suicide":false}"#).unwrap();
/// assert_eq!(rules.to_string(), "japanese");
/// assert_eq!(kata::from_text("koSIMPLEscoreTERRITORYtaxSEKIsui0").unwrap().name, "japanese");
/// assert!(kata::from_text(r#"{"komi":7}"#).is_err());
/// ```
pub fn from_text(text: &str) -> Result<Ruleset, UnknownRules> {
    if let Some(object) = in_one_word(text.trim()) {
        return from_object(&object, text);
    }
    if !text.trim_start().starts_with('{') {
        let preset = presets::find(text.trim()).ok_or_else(|| {
            UnknownRules::new(
                text,
                "a name such as tromp-taylor or japanese, or a JSON object",
            )
        })?;
        return Ok(preset.rules.clone());
    }
    match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(object) => from_object(&object, text),
        Err(error) => Err(UnknownRules::new(text, format!("a JSON object: {error}"))),
    }
}

/// Parses a text such as `koPOSITIONALscoreAREAtaxNONEsui0whbN`, which KataGo writes into game
/// records. Returns its keys and values, or `None` if the text has another form.
fn in_one_word(text: &str) -> Option<Map<String, Value>> {
    const SWITCH: &[&str] = &["0", "1"];
    const KEYS: [(&str, &str, &[&str]); 7] = [
        ("ko", "ko", &["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
        ("score", "scoring", &["AREA", "TERRITORY"]),
        ("tax", "tax", &["NONE", "SEKI", "ALL"]),
        ("sui", "suicide", SWITCH),
        ("button", "hasButton", SWITCH),
        ("whb", "whiteHandicapBonus", &["0", "N-1", "N"]),
        ("fpok", "friendlyPassOk", SWITCH),
    ];
    let mut object = Map::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut keys = KEYS.iter();
        let (key, values, behind) =
            keys.find_map(|(short, key, values)| Some((key, *values, rest.strip_prefix(short)?)))?;
        let mut values_of = values.iter();
        let (value, behind) =
            values_of.find_map(|value| Some((*value, behind.strip_prefix(value)?)))?;
        let value = match values == SWITCH {
            true => json!(value == "1"),
            false => json!(value),
        };
        object.insert(key.to_string(), value);
        rest = behind;
    }
    (!object.is_empty()).then_some(object)
}

/// Parses the rules of a JSON value: a name or an object.
///
/// # Errors
/// The error names the expected value.
pub fn from_json(value: &Value) -> Result<Ruleset, UnknownRules> {
    let text = value.to_string();
    match value {
        Value::String(name) => from_text(name),
        Value::Object(object) => from_object(object, &text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            Err(UnknownRules::new(&text, "a name or an object"))
        }
    }
}

/// Removes the komi from the JSON form of rules, in which KataGo includes it. Returns it rounded to
/// an allowed value, and true if that changed it. `None` if there is no komi.
///
/// # Errors
/// The komi is not a number.
///
/// ```
/// use omnigo_core::rules::kata;
/// let mut rules = serde_json::json!({"ko": "SIMPLE", "komi": 7.5});
/// let (komi, rounded) = kata::take_komi(&mut rules).unwrap().unwrap();
/// assert_eq!((komi.to_string(), rounded), ("7.5".to_string(), false));
/// assert_eq!(rules, serde_json::json!({"ko": "SIMPLE"}));
/// ```
pub fn take_komi(rules: &mut Value) -> Result<Option<(Points, bool)>, UnknownRules> {
    let Some(komi) = rules.as_object_mut().and_then(|rules| rules.remove("komi")) else {
        return Ok(None);
    };
    let points = komi.as_f64().and_then(Points::round_from);
    let wrong = || UnknownRules::new(&format!("komi: {komi}"), "a number");
    points.map(Some).ok_or_else(wrong)
}

fn from_object(object: &Map<String, Value>, text: &str) -> Result<Ruleset, UnknownRules> {
    let first = presets::all().first();
    let first = first.ok_or_else(|| UnknownRules::new(text, "rules"))?;
    changed(&first.rules, object)
}

/// Returns these rules with one of KataGo's keys changed. Rules for which KataGo has no key stay.
/// `None` if KataGo's format cannot express the rules.
///
/// # Errors
/// The error names the expected key or value.
///
/// ```
/// use omnigo_core::rules::{RulesetText, kata};
/// let start: RulesetText = "formal,first=white".parse().unwrap();
/// let rules = kata::with_key(&start.rules, "ko", "SITUATIONAL".into()).unwrap().unwrap();
/// assert_eq!(rules.to_string(), "formal ko=situational first=white");
/// ```
pub fn with_key(rules: &Ruleset, key: &str, value: Value) -> Option<Result<Ruleset, UnknownRules>> {
    edited(rules, |object| {
        object.insert(key.to_string(), value);
    })
}

/// Returns these rules with the tax that KataGo's rules have if they do not name one. It follows
/// the scoring. `None` if KataGo's format cannot express the rules.
///
/// # Errors
/// None for rules that KataGo's format can express.
///
/// ```
/// use omnigo_core::rules::{kata, presets};
/// let rules = &presets::find("stone-scoring").unwrap().rules;
/// let area = kata::with_key(rules, "scoring", "AREA".into()).unwrap().unwrap();
/// assert_eq!(kata::to_json(&area).unwrap()["tax"], "ALL");
/// let usual = kata::with_usual_tax(&area).unwrap().unwrap();
/// assert_eq!(kata::to_json(&usual).unwrap()["tax"], "NONE");
/// ```
pub fn with_usual_tax(rules: &Ruleset) -> Option<Result<Ruleset, UnknownRules>> {
    edited(rules, |object| {
        object.remove("tax");
    })
}

/// Returns these rules after a change of their JSON object.
fn edited(
    rules: &Ruleset,
    edit: impl FnOnce(&mut Map<String, Value>),
) -> Option<Result<Ruleset, UnknownRules>> {
    let Some(Value::Object(mut object)) = to_json(rules) else {
        return None;
    };
    edit(&mut object);
    Some(changed(rules, &object))
}

/// Returns `start` with the rules of an object.
fn changed(start: &Ruleset, object: &Map<String, Value>) -> Result<Ruleset, UnknownRules> {
    let mut rules = start.clone();
    let mut tax = None;
    for (key, value) in object {
        let wrong = |expected: &str| Err(UnknownRules::new(&format!("{key}: {value}"), expected));
        let word = match value {
            Value::String(word) => word.to_ascii_uppercase(),
            Value::Bool(yes) => yes.to_string().to_ascii_uppercase(),
            other => other.to_string(),
        };
        let yes = match word.as_str() {
            "TRUE" => Some(true),
            "FALSE" => Some(false),
            _ => None,
        };
        match (key.as_str(), word.as_str()) {
            ("ko", "SIMPLE") => rules.ko = Ko::Simple,
            ("ko", "POSITIONAL") => rules.ko = Ko::Positional,
            ("ko", "SITUATIONAL") => rules.ko = Ko::Situational,
            ("ko", _) => return wrong("SIMPLE, POSITIONAL or SITUATIONAL"),
            ("scoring" | "score", "AREA") => rules.scoring = Scoring::Area,
            ("scoring" | "score", "TERRITORY") => rules.scoring = Scoring::Territory,
            ("scoring" | "score", _) => return wrong("AREA or TERRITORY"),
            ("tax", "NONE") => tax = Some(Tax::None),
            ("tax", "SEKI") => tax = Some(Tax::Seki),
            ("tax", "ALL") => tax = Some(Tax::All),
            ("tax", _) => return wrong("NONE, SEKI or ALL"),
            ("whiteHandicapBonus", "0") => rules.bonus = Bonus::None,
            ("whiteHandicapBonus", "N-1") => rules.bonus = Bonus::AllButOne,
            ("whiteHandicapBonus", "N") => rules.bonus = Bonus::All,
            ("whiteHandicapBonus", _) => return wrong("0, N-1 or N"),
            ("suicide" | "multiStoneSuicideLegal", _) => match yes {
                Some(true) => rules.suicide = Suicide::Allowed,
                Some(false) => rules.suicide = Suicide::Forbidden,
                None => return wrong("true or false"),
            },
            ("hasButton", _) => match yes {
                Some(true) => rules.button = Button::HalfPoint,
                Some(false) => rules.button = Button::None,
                None => return wrong("true or false"),
            },
            ("friendlyPassOk", _) => match yes {
                Some(true) => rules.dead = DeadStones::Agreed,
                Some(false) => rules.dead = DeadStones::None,
                None => return wrong("true or false"),
            },
            _ => return wrong(KEYS),
        }
    }
    rules.tax = match (tax, rules.scoring) {
        (Some(tax), _) => tax,
        (None, Scoring::Territory) => Tax::Seki,
        (None, Scoring::Area | Scoring::Stones | Scoring::None) => Tax::None,
    };
    // Territory scoring requires the removal of dead stones.
    if rules.scoring == Scoring::Territory {
        rules.dead = DeadStones::Agreed;
    }
    Ok(renamed(rules))
}

/// Returns the rules under the name of the first preset with the same rules. Otherwise under the
/// name of their preset or of the first one, whichever makes the shorter text.
fn renamed(rules: Ruleset) -> Ruleset {
    let as_preset = |preset: &presets::Preset| Ruleset {
        name: preset.rules.name,
        ..rules.clone()
    };
    let same = |preset: &&presets::Preset| {
        let rest = Ruleset {
            colors: rules.colors,
            ..preset.rules.clone()
        };
        as_preset(preset) == rest
    };
    if let Some(preset) = presets::all().iter().find(same) {
        return as_preset(preset);
    }
    let first = presets::all().first().map(as_preset);
    let names = first.into_iter().chain([rules.clone()]);
    names
        .min_by_key(|rules| rules.to_string().len())
        .unwrap_or(rules)
}

#[cfg(test)]
mod tests {
    use super::super::RulesetText;
    use super::*;

    #[test]
    fn rulesets_match_the_table_of_katago() {
        let table = [
            (
                "tromp-taylor",
                "POSITIONAL",
                "AREA",
                "NONE",
                true,
                "0",
                false,
                false,
            ),
            ("chinese", "SIMPLE", "AREA", "NONE", false, "N", false, true),
            (
                "chinese-ogs",
                "POSITIONAL",
                "AREA",
                "NONE",
                false,
                "N",
                false,
                true,
            ),
            (
                "chinese-kgs",
                "POSITIONAL",
                "AREA",
                "NONE",
                false,
                "N",
                false,
                true,
            ),
            (
                "japanese",
                "SIMPLE",
                "TERRITORY",
                "SEKI",
                false,
                "0",
                false,
                false,
            ),
            (
                "korean",
                "SIMPLE",
                "TERRITORY",
                "SEKI",
                false,
                "0",
                false,
                false,
            ),
            (
                "aga",
                "SITUATIONAL",
                "AREA",
                "NONE",
                false,
                "N-1",
                false,
                true,
            ),
            (
                "bga",
                "SITUATIONAL",
                "AREA",
                "NONE",
                false,
                "N-1",
                false,
                true,
            ),
            (
                "french",
                "SITUATIONAL",
                "AREA",
                "NONE",
                false,
                "N-1",
                false,
                true,
            ),
            (
                "aga-button",
                "SITUATIONAL",
                "AREA",
                "NONE",
                false,
                "N-1",
                true,
                true,
            ),
            (
                "new-zealand",
                "SITUATIONAL",
                "AREA",
                "NONE",
                true,
                "0",
                false,
                true,
            ),
            ("nz", "SITUATIONAL", "AREA", "NONE", true, "0", false, true),
            (
                "stone-scoring",
                "SIMPLE",
                "AREA",
                "ALL",
                false,
                "0",
                false,
                true,
            ),
            (
                "ancient-area",
                "SIMPLE",
                "AREA",
                "ALL",
                false,
                "0",
                false,
                true,
            ),
            (
                "ancient-territory",
                "SIMPLE",
                "TERRITORY",
                "ALL",
                false,
                "0",
                false,
                false,
            ),
            ("ing", "POSITIONAL", "AREA", "NONE", true, "0", false, true),
            ("goe", "POSITIONAL", "AREA", "NONE", true, "0", false, true),
        ];
        for (name, ko, scoring, tax, suicide, bonus, button, friendly) in table {
            for name in [
                name.to_string(),
                name.to_uppercase(),
                name.replace('-', "_"),
                name.replace('-', " "),
                name.replace('-', ""),
            ] {
                let rules = from_text(&name).unwrap();
                let value = to_json(&rules).unwrap();
                assert_eq!(
                    value,
                    json!({"ko": ko, "scoring": scoring, "tax": tax, "suicide": suicide,
                        "whiteHandicapBonus": bonus, "hasButton": button, "friendlyPassOk": friendly}),
                    "{name}"
                );
                assert_eq!(to_json(&from_json(&value).unwrap()), Some(value), "{name}");
            }
        }
    }

    #[test]
    fn missing_keys_default_to_tromp_taylor() {
        assert_eq!(from_text("{}").unwrap().to_string(), "tromp-taylor");
        let q5go = r#"{"hasButton":false,"ko":"POSITIONAL", "scoring":"AREA", "suicide":false, "tax":"ALL", "whiteHandicapBonus":"N"}"#;
        assert_eq!(
            from_text(q5go).unwrap().to_string(),
            "tromp-taylor suicide=no tax=all bonus=n"
        );
        let territory = from_text(r#"{"score":"TERRITORY"}"#).unwrap();
        assert_eq!(
            (territory.tax, territory.dead),
            (Tax::Seki, DeadStones::Agreed)
        );
    }

    #[test]
    fn a_changed_key_keeps_the_rules_that_katago_does_not_have() {
        for (start, key, value, expected) in [
            (
                "formal sides=1212 first=white",
                "ko",
                "SITUATIONAL",
                "formal ko=situational first=white sides=1212",
            ),
            ("formal ko=simple", "ko", "POSITIONAL", "formal"),
            (
                "formal",
                "scoring",
                "TERRITORY",
                "formal score=territory dead=agreed",
            ),
            ("chinese", "ko", "POSITIONAL", "chinese-ogs"),
            ("japanese", "tax", "ALL", "ancient-territory"),
            ("chinese", "tax", "SEKI", "chinese tax=seki"),
        ] {
            let start: RulesetText = start.parse().unwrap();
            let rules = with_key(&start.rules, key, value.into()).unwrap().unwrap();
            assert_eq!(rules.to_string(), expected);
        }
        let three = Ruleset {
            colors: 3,
            ..presets::find("formal").unwrap().rules.clone()
        };
        let rules = with_key(&three, "ko", "SIMPLE".into()).unwrap().unwrap();
        assert_eq!((rules.colors, rules.ko), (3, Ko::Simple));
        let famine = &presets::find("famine").unwrap().rules;
        assert_eq!(with_key(famine, "ko", "SIMPLE".into()), None);
    }

    #[test]
    fn errors_quote_the_input() {
        let error = |text: &str| from_text(text).unwrap_err().to_string();
        assert!(error("klingon").starts_with("Unknown rules 'klingon', expected a name"));
        assert_eq!(
            error(r#"{"ko":"SPIGHT"}"#),
            "Unknown rules 'ko: \"SPIGHT\"', expected SIMPLE, POSITIONAL or SITUATIONAL"
        );
        assert!(error(r#"{"komi":7.5}"#).ends_with(KEYS));
        assert!(error("{").contains("expected a JSON object"));
        assert!(error(r#"{"suicide":3}"#).ends_with("true or false"));
    }
}
