//! Players of a game: a person or the engine for each color.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::game::color;
use super::message::PlayerText;
use crate::color::Color;
use crate::engine::{Level, Options};
use crate::text::{printable, quote};

/// Maximum numbers of playouts and of seconds per move.
const MOST_PLAYOUTS: u64 = 10_000_000;
const MOST_SECONDS: f64 = 3600.0;
/// Maximum length of a name, in characters.
const MOST_NAME: usize = 60;

/// Player of a color.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Player {
    pub(super) is_engine: bool,
    level: Option<usize>,
    playouts: Option<u64>,
    seconds: Option<f64>,
    name: Option<String>,
    team: Option<u8>,
}

impl Player {
    /// Returns the engine at a level, or with the limits of the options only.
    fn engine(level: Option<usize>) -> Player {
        Player {
            is_engine: true,
            level,
            ..Player::default()
        }
    }

    fn read(text: &PlayerText) -> Result<Player, String> {
        let is_engine = match text.kind.as_str() {
            "engine" => true,
            "person" | "" => false,
            other => {
                return Err(format!(
                    "kind '{}', expected person or engine",
                    quote(other)
                ));
            }
        };
        if let Some(level) = text.level.filter(|&level| Level::new(level).is_none()) {
            return Err(format!("level {level}, expected 1 to {}", Level::MOST));
        }
        if let Some(playouts) = text.playouts.filter(|n| !(1..=MOST_PLAYOUTS).contains(n)) {
            return Err(format!(
                "playouts {playouts}, expected 1 to {MOST_PLAYOUTS}"
            ));
        }
        if let Some(seconds) = text.seconds.filter(|s| !(0.01..=MOST_SECONDS).contains(s)) {
            return Err(format!(
                "seconds {seconds}, expected 0.01 to {MOST_SECONDS}"
            ));
        }
        let short = |name: &String| printable(name).chars().take(MOST_NAME).collect();
        Ok(Player {
            is_engine,
            level: text.level,
            playouts: text.playouts,
            seconds: text.seconds,
            name: text.name.as_ref().map(short),
            team: text.team,
        })
    }

    /// Returns the options of this player.
    pub(super) fn options(&self, options: Options) -> Options {
        let level = self.level.and_then(Level::new);
        let options = level.map_or_else(|| options.clone(), |level| level.limit(options.clone()));
        match (self.playouts, self.seconds) {
            (None, None) => options,
            (playouts, seconds) => Options {
                playouts,
                unguided_playouts: None,
                seconds,
                ..options
            },
        }
    }

    fn describe(&self, color: Color) -> Value {
        json!({
            "color": color.to_string(),
            "kind": if self.is_engine { "engine" } else { "person" },
            "level": self.level,
            "playouts": self.playouts,
            "seconds": self.seconds,
            "name": self.name,
            "team": self.team,
        })
    }
}

/// Returns the players of a new game: a person plays Black, and the engine all other colors.
pub(super) fn usual(colors: usize, level: Option<usize>) -> Vec<Player> {
    let mut players = vec![Player::engine(level); colors];
    if let Some(black) = players.first_mut() {
        *black = Player::default();
    }
    players
}

/// Changes the players that a message names.
///
/// # Errors
/// One line, if a color or a value is wrong. Nothing changes then.
pub(super) fn change(
    players: &mut [Player],
    texts: &BTreeMap<String, PlayerText>,
) -> Result<(), String> {
    let mut changed = players.to_vec();
    for (name, text) in texts {
        let color = color(name, players.len())?;
        if let Some(player) = changed.get_mut(color.index()) {
            *player = Player::read(text)?;
        }
    }
    players.clone_from_slice(&changed);
    Ok(())
}

/// Returns the description of all players.
pub(super) fn describe(players: &[Player]) -> Value {
    let colors = Color::all(Color::MAX).zip(players);
    colors
        .map(|(color, player)| player.describe(color))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Player, String> {
        Player::read(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn own_limits_replace_those_of_the_level() {
        let player = read(r#"{"kind":"engine","level":1,"playouts":77}"#).unwrap();
        assert_eq!(player.options(Options::default()).playouts, Some(77));
        let player = read(r#"{"kind":"engine","seconds":0.5}"#).unwrap();
        let options = player.options(Options {
            playouts: Some(9),
            ..Options::default()
        });
        assert_eq!((options.playouts, options.seconds), (None, Some(0.5)));
    }

    #[test]
    fn wrong_players_are_refused() {
        for text in [
            r#"{"kind":"robot"}"#,
            r#"{"kind":"engine","level":0}"#,
            r#"{"kind":"engine","level":11}"#,
            r#"{"kind":"engine","playouts":0}"#,
            r#"{"kind":"engine","seconds":-1}"#,
            r#"{"kind":"engine","seconds":1e9}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let mut players = usual(2, None);
        let texts = BTreeMap::from([("red".to_string(), PlayerText::default())]);
        assert!(change(&mut players, &texts).is_err());
        assert_eq!(players, usual(2, None));
    }
}
