//! Kinds of generated positions, drawn in proportion to weights.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::super::draw;
use crate::playout::Random;
use crate::text::quote;

/// Maximum weight of a kind.
const HEAVIEST: usize = 1_000_000;

/// Kind of a generated position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A group is captured even if it moves first and wins every ko.
    Dead,
    /// The player who moves first decides about the life of a group. No ko changes that.
    Unsettled,
    /// The life of a group depends on a ko.
    Ko,
    /// The opponent can start a ko for the life of a group in the corner at any time. Any move of
    /// the group inside loses it.
    BentFour,
    /// Two groups live beside each other, and neither can capture the other by moving first.
    Seki,
    /// Two groups race for liberties, and the player who moves first captures the other group.
    Semeai,
    /// An opponent who moves first captures a chain in a ladder of several moves. In about half of
    /// the positions, a stone breaks the ladder.
    Ladder,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::Dead,
        Kind::Unsettled,
        Kind::Ko,
        Kind::BentFour,
        Kind::Seki,
        Kind::Semeai,
        Kind::Ladder,
    ];

    /// Returns the name in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Dead => "dead",
            Kind::Unsettled => "unsettled",
            Kind::Ko => "ko",
            Kind::BentFour => "bent-four",
            Kind::Seki => "seki",
            Kind::Semeai => "semeai",
            Kind::Ladder => "ladder",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Kinds with weights. They are drawn in proportion to the weights.
///
/// ```
/// use omnigo::training::problems::Kinds;
///
/// let kinds: Kinds = "seki:3,ko".parse().unwrap();
/// assert_eq!(kinds.to_string(), "seki:3,ko:1");
/// assert!("shicho".parse::<Kinds>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinds(Vec<(Kind, usize)>);

impl Default for Kinds {
    /// All kinds, each with the same weight.
    fn default() -> Kinds {
        Kinds(Kind::ALL.map(|kind| (kind, 1)).into())
    }
}

impl Kinds {
    /// Draws a kind. `None` if no kind is left.
    pub fn draw(&self, random: &mut Random) -> Option<Kind> {
        draw::by_weight(&self.0, random)
    }

    /// Removes a kind.
    pub fn remove(&mut self, kind: Kind) {
        self.0.retain(|&(other, _)| other != kind);
    }
}

/// Error: the text is not a list of kinds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid kind '{0}', expected dead, unsettled, ko, bent-four, seki, semeai, or ladder, each once, with an optional weight from 1 to 1000000, such as seki:3"
)]
pub struct KindsError(String);

impl FromStr for Kinds {
    type Err = KindsError;

    fn from_str(text: &str) -> Result<Kinds, KindsError> {
        let mut kinds: Vec<(Kind, usize)> = Vec::new();
        for part in text.split(',') {
            let (name, weight) = part.split_once(':').unwrap_or((part, "1"));
            let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            let kind = kind.filter(|kind| kinds.iter().all(|(other, _)| other != kind));
            let weight = weight.parse().ok();
            let weight = weight.filter(|weight| (1..=HEAVIEST).contains(weight));
            kinds.push(kind.zip(weight).ok_or_else(|| KindsError(quote(part)))?);
        }
        Ok(Kinds(kinds))
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (kind, weight)) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{kind}:{weight}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_drawn_by_their_weights() {
        let kinds: Kinds = "dead:5,bent-four,ladder:2".parse().unwrap();
        let mut random = Random::new(7);
        let drawn: Vec<Kind> = (0..8000).filter_map(|_| kinds.draw(&mut random)).collect();
        for (kind, weight) in kinds.0 {
            let share = drawn.iter().filter(|&&other| other == kind).count();
            assert!(share.abs_diff(weight * 1000) < 150, "{kind}: {share}");
        }
    }

    #[test]
    fn rejects_invalid_kinds() {
        for text in [
            "",
            "nakade",
            "seki:0",
            "seki:x",
            "seki,",
            "ko,seki,ko:2",
            "ko:9999999",
        ] {
            let error = text.parse::<Kinds>().unwrap_err().to_string();
            assert!(error.starts_with("invalid kind '"), "{error}");
        }
    }
}
