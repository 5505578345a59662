//! Rulesets as text: `NAME key=value …`, separated by spaces or commas.

use std::fmt;
use std::str::FromStr;

use nom::bytes::complete::{take_till, take_while1};
use nom::character::complete::{char, satisfy};
use nom::combinator::{all_consuming, opt};
use nom::multi::{many0, many1};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::{
    Bonus, Button, DeadStones, End, Ko, Neutral, Passing, Points, Referee, Ruleset, Scoring, Sides,
    Stuck, Suicide, Tax, presets,
};
use omnigo_base::color::Color;
use omnigo_base::text::{did_you_mean, quote};

/// A ruleset as written by a user, with the komi given in the same text.
///
/// ```
/// use omnigo_core::rules::RulesetText;
/// let text: RulesetText = "ggg,suicide=no,komi=6.5".parse().unwrap();
/// assert_eq!(text.rules.to_string(), "ggg suicide=no");
/// assert_eq!(text.komi.unwrap().to_string(), "6.5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetText {
    /// The rules.
    pub rules: Ruleset,
    /// Value of `komi=`, rounded to halves.
    pub komi: Option<Points>,
    /// Warnings about values that were changed, such as a rounded komi, one line each.
    pub warnings: Vec<String>,
}

/// Error: the text is not a valid ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesetError {
    /// The text is blank.
    #[error("missing ruleset, expected {list}", list = names())]
    Empty,
    /// The name is unknown.
    #[error(
        "unknown ruleset '{0}', expected {list}{near}",
        list = names(),
        near = presets::suggestion(.0)
    )]
    Name(String),
    /// A word is not of the form `key=value`.
    #[error("invalid option '{0}', expected key=value")]
    Form(String),
    /// The key is unknown.
    #[error(
        "unknown option '{0}', expected one of {list}{near}",
        list = keys().collect::<Vec<_>>().join(", "),
        near = did_you_mean(.0, keys())
    )]
    Key(String),
    /// The key does not take this value.
    #[error("invalid value in '{0}', expected {1}")]
    Value(String, String),
    /// The values contradict each other.
    #[error("{0}")]
    Flaw(&'static str),
}

fn names() -> String {
    presets::all()
        .iter()
        .map(|p| p.rules.name)
        .collect::<Vec<_>>()
        .join(", ")
}

fn keys() -> impl Iterator<Item = &'static str> {
    let axes = AXES.iter().map(|axis| axis.key);
    axes.chain(["komi", "black-passes", "white-passes", "first", "sides"])
}

/// A value of an axis: its text, and a function that sets it.
type Value = (&'static str, fn(&mut Ruleset));

/// An axis with a fixed list of values, with functions to set and to name its value.
struct Axis {
    key: &'static str,
    values: &'static [Value],
    name: fn(&Ruleset) -> &'static str,
}

/// An axis of a ruleset as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisText {
    /// Key of the axis.
    pub key: &'static str,
    /// Possible values.
    pub values: Vec<&'static str>,
    /// Current value.
    pub value: &'static str,
}

impl Ruleset {
    /// Returns the axes with a fixed list of values, in writing order.
    pub fn axes(&self) -> impl Iterator<Item = AxisText> + '_ {
        AXES.iter().map(|axis| AxisText {
            key: axis.key,
            values: axis.values.iter().map(|(name, _)| *name).collect(),
            value: (axis.name)(self),
        })
    }
}

/// The axes in writing order.
static AXES: &[Axis] = &[
    Axis {
        key: "ko",
        values: &[
            ("simple", |r| r.ko = Ko::Simple),
            ("positional", |r| r.ko = Ko::Positional),
            ("situational", |r| r.ko = Ko::Situational),
        ],
        name: |r| match r.ko {
            Ko::Simple => "simple",
            Ko::Positional => "positional",
            Ko::Situational => "situational",
        },
    },
    Axis {
        key: "suicide",
        values: &[
            ("yes", |r| r.suicide = Suicide::Allowed),
            ("no", |r| r.suicide = Suicide::Forbidden),
        ],
        name: |r| match r.suicide {
            Suicide::Allowed => "yes",
            Suicide::Forbidden => "no",
        },
    },
    Axis {
        key: "pass",
        values: &[
            ("free", |r| r.passing = Passing::Free),
            ("prisoners", |r| r.passing = Passing::Prisoners),
            ("never", |r| r.passing = Passing::Never),
        ],
        name: |r| match r.passing {
            Passing::Free => "free",
            Passing::Prisoners => "prisoners",
            Passing::Never => "never",
        },
    },
    Axis {
        key: "end",
        values: &[
            ("passes", |r| r.end = End::Passes),
            ("stuck", |r| r.end = End::Stuck),
        ],
        name: |r| match r.end {
            End::Passes => "passes",
            End::Stuck => "stuck",
        },
    },
    Axis {
        key: "score",
        values: &[
            ("area", |r| r.scoring = Scoring::Area),
            ("stones", |r| r.scoring = Scoring::Stones),
            ("territory", |r| r.scoring = Scoring::Territory),
            ("none", |r| r.scoring = Scoring::None),
        ],
        name: |r| match r.scoring {
            Scoring::Area => "area",
            Scoring::Stones => "stones",
            Scoring::Territory => "territory",
            Scoring::None => "none",
        },
    },
    Axis {
        key: "neutral",
        values: &[
            ("both", |r| r.neutral = Neutral::Both),
            ("none", |r| r.neutral = Neutral::None),
        ],
        name: |r| match r.neutral {
            Neutral::Both => "both",
            Neutral::None => "none",
        },
    },
    Axis {
        key: "tax",
        values: &[
            ("none", |r| r.tax = Tax::None),
            ("seki", |r| r.tax = Tax::Seki),
            ("all", |r| r.tax = Tax::All),
        ],
        name: |r| match r.tax {
            Tax::None => "none",
            Tax::Seki => "seki",
            Tax::All => "all",
        },
    },
    Axis {
        key: "bonus",
        values: &[
            ("0", |r| r.bonus = Bonus::None),
            ("n-1", |r| r.bonus = Bonus::AllButOne),
            ("n", |r| r.bonus = Bonus::All),
        ],
        name: |r| match r.bonus {
            Bonus::None => "0",
            Bonus::AllButOne => "n-1",
            Bonus::All => "n",
        },
    },
    Axis {
        key: "button",
        values: &[
            ("yes", |r| r.button = Button::HalfPoint),
            ("no", |r| r.button = Button::None),
        ],
        name: |r| match r.button {
            Button::HalfPoint => "yes",
            Button::None => "no",
        },
    },
    Axis {
        key: "play",
        values: &[
            ("strict", |r| r.referee = Referee::Strict),
            ("tolerant", |r| r.referee = Referee::Tolerant),
        ],
        name: |r| match r.referee {
            Referee::Strict => "strict",
            Referee::Tolerant => "tolerant",
        },
    },
    Axis {
        key: "dead",
        values: &[
            ("agreed", |r| r.dead = DeadStones::Agreed),
            ("none", |r| r.dead = DeadStones::None),
        ],
        name: |r| match r.dead {
            DeadStones::Agreed => "agreed",
            DeadStones::None => "none",
        },
    },
    Axis {
        key: "stuck",
        values: &[
            ("move-or-pass", |r| r.stuck = Stuck::MoveOrPass),
            ("move-only", |r| r.stuck = Stuck::MoveOnly),
        ],
        name: |r| match r.stuck {
            Stuck::MoveOrPass => "move-or-pass",
            Stuck::MoveOnly => "move-only",
        },
    },
];

/// Parses the name and the `key=value` words of a text.
fn words(text: &str) -> IResult<&str, Vec<(&str, Option<&str>)>> {
    let gap = |input| {
        many0(satisfy(|c| c == ',' || c.is_whitespace()))
            .parse(input)
            .map(|(rest, _)| (rest, ()))
    };
    let stop = |c: char| c == ',' || c.is_whitespace();
    let word = (
        take_while1(move |c: char| c != '=' && !stop(c)),
        opt(preceded(char('='), take_till(stop))),
    );
    all_consuming(many1((gap, word, gap).map(|(_, word, _)| word))).parse(text)
}

impl FromStr for RulesetText {
    type Err = ParseRulesetError;

    fn from_str(text: &str) -> Result<RulesetText, ParseRulesetError> {
        let Ok((_, words)) = words(text) else {
            let blank = text.trim_matches([' ', ',', '\t']).is_empty();
            return Err(if blank {
                ParseRulesetError::Empty
            } else {
                ParseRulesetError::Form(quote(text))
            });
        };
        let mut words = words.into_iter();
        let Some((name, None)) = words.next() else {
            return Err(ParseRulesetError::Name(quote(text)));
        };
        let preset = presets::find(name).ok_or_else(|| ParseRulesetError::Name(quote(name)))?;
        let mut out = RulesetText {
            rules: preset.rules.clone(),
            komi: None,
            warnings: Vec::new(),
        };
        for (key, value) in words {
            let value = value.ok_or_else(|| ParseRulesetError::Form(quote(key)))?;
            out.set(key, value)?;
        }
        match out.rules.flaw() {
            Some(flaw) => Err(ParseRulesetError::Flaw(flaw)),
            None => Ok(out),
        }
    }
}

impl RulesetText {
    /// Sets one option.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseRulesetError> {
        let whole = || quote(&format!("{key}={value}"));
        let lower = value.to_ascii_lowercase();
        let number = || {
            let parsed = value.parse::<f64>().ok().and_then(Points::round_from);
            parsed.ok_or_else(|| ParseRulesetError::Value(whole(), "a number".into()))
        };
        let shares = || match number()? {
            (points, false) if points >= Points::ZERO => Ok(points),
            _ => Err(ParseRulesetError::Value(
                whole(),
                "a number of passes, at least 0, in steps of 0.5".into(),
            )),
        };
        match key.to_ascii_lowercase().as_str() {
            "komi" => {
                let (komi, rounded) = number()?;
                if rounded {
                    self.warnings.push(format!(
                        "komi {} was rounded to {komi}, the nearest allowed value",
                        quote(value)
                    ));
                }
                self.komi = Some(komi);
            }
            "black-passes" => self.rules.black_passes = shares()?,
            "white-passes" => self.rules.white_passes = shares()?,
            "first" => match value.parse() {
                Ok(color @ (Color::BLACK | Color::WHITE)) => self.rules.first = color,
                _ => return Err(ParseRulesetError::Value(whole(), "black or white".into())),
            },
            "sides" => {
                let sides = value.parse::<Sides>();
                self.rules.sides = sides.map_err(|_| {
                    let expected = "one digit for each color, the same for colors that win \
                                    together, such as 1212";
                    ParseRulesetError::Value(whole(), expected.into())
                })?;
            }
            key => {
                let axis = AXES
                    .iter()
                    .find(|a| a.key == key)
                    .ok_or_else(|| ParseRulesetError::Key(quote(key)))?;
                let Some((_, set)) = axis.values.iter().find(|(name, _)| *name == lower) else {
                    let values: Vec<_> = axis.values.iter().map(|(name, _)| *name).collect();
                    let near = did_you_mean(&lower, values.iter().copied());
                    let expected = values.join(" or ") + &near;
                    return Err(ParseRulesetError::Value(whole(), expected));
                };
                set(&mut self.rules);
            }
        }
        Ok(())
    }
}

impl fmt::Display for Ruleset {
    /// Writes the shortest text that sets the same rules: the preset's name and the differences
    /// from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let Some(preset) = presets::find(self.name) else {
            return Ok(());
        };
        let base = &preset.rules;
        for axis in AXES {
            let value = (axis.name)(self);
            if value != (axis.name)(base) {
                write!(f, " {}={value}", axis.key)?;
            }
        }
        if self.black_passes != base.black_passes {
            write!(f, " black-passes={}", self.black_passes)?;
        }
        if self.white_passes != base.white_passes {
            write!(f, " white-passes={}", self.white_passes)?;
        }
        if self.first != base.first {
            write!(f, " first={}", self.first)?;
        }
        if self.sides != base.sides {
            write!(f, " sides={}", self.sides)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn presets_print_as_their_name() {
        for preset in presets::all() {
            assert_eq!(preset.rules.to_string(), preset.rules.name);
            assert_eq!(preset.rules.flaw(), None, "{}", preset.rules.name);
            let text: RulesetText = preset.rules.name.to_uppercase().parse().unwrap();
            assert_eq!(text.rules, preset.rules);
            for alias in preset.aliases {
                assert_eq!(alias.parse::<RulesetText>().unwrap().rules, preset.rules);
            }
        }
    }

    #[test]
    fn errors_quote_the_input_and_state_the_expectation() {
        let error = |text: &str| text.parse::<RulesetText>().unwrap_err().to_string();
        assert!(error("").starts_with("missing ruleset, expected tromp-taylor, "));
        assert!(error("go").starts_with("unknown ruleset 'go', expected tromp-taylor, "));
        assert_eq!(
            error("ggg ko=maybe"),
            "invalid value in 'ko=maybe', expected simple or positional or situational"
        );
        assert_eq!(
            error("ggg komi=nan"),
            "invalid value in 'komi=nan', expected a number"
        );
        assert!(error("ggg color=red").starts_with("unknown option 'color', expected one of ko, "));
        assert!(
            error("ggg sides=12x").starts_with("invalid value in 'sides=12x', expected one digit")
        );
        assert_eq!(
            error("ggg suicide"),
            "invalid option 'suicide', expected key=value"
        );
        assert_eq!(
            error("ggg pass=never"),
            "pass=never with end=passes never ends"
        );
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in ".{0,80}") {
            let _ = text.parse::<RulesetText>();
        }

        #[test]
        fn every_ruleset_round_trips(base in 0..presets::all().len(), picks in prop::collection::vec(0usize..8, AXES.len()), white in 0i64..9, sides in any::<[u8; Color::MAX]>()) {
            let mut rules = presets::all()[base].rules.clone();
            for (axis, pick) in AXES.iter().zip(picks) {
                if let Some((_, set)) = axis.values.get(pick) {
                    set(&mut rules);
                }
            }
            rules.white_passes = Points::from_halves(white);
            rules.sides = Sides::new(sides.map(|number| number % 4));
            prop_assume!(rules.flaw().is_none());
            let read: RulesetText = rules.to_string().parse().unwrap();
            prop_assert_eq!(read.rules, rules);
        }
    }
}
