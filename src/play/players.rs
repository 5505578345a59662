//! Players of a game: a person or the engine for each color.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::board;
use super::commands::{Done, Fault};
use super::front::Front;
use super::game::color;
use super::message::PlayerText;
use super::room::{Phase, Room};
use crate::color::Color;
use crate::engine::{Level, Options};
use crate::rules::{Ruleset, Sides};
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

impl Room {
    /// Changes players. Other teams change the rules, and ends of the game are counted again.
    ///
    /// # Errors
    /// If a color or a value is wrong, or all colors are in one team. Nothing changes then.
    pub(super) fn seat_players(
        &mut self,
        texts: &BTreeMap<String, PlayerText>,
    ) -> Result<Done, Fault> {
        let mut seats = self.players.clone();
        change(&mut seats, texts)?;
        if seats.len() == 2 {
            forget_teams(&mut seats);
        }
        let sides = sides(&seats);
        let before = self.engine().rules();
        let is_same = sides == before.sides || before.colors == 2;
        if !is_same {
            let rules = Ruleset {
                sides,
                ..before.clone()
            };
            let set = self.session.engine.set_rules(rules.clone());
            set.map_err(|problem| problem.to_string())?;
            self.record.start.rules = rules;
        }
        self.players = seats;
        self.engine_moves = true;
        if is_same {
            let is_person = |color: Color| !self.is_engine(color);
            if self.phase() == Phase::Score && !Color::all(self.players.len()).any(is_person) {
                // No person is left to agree, so the engine's own judgment counts.
                self.finish();
            }
            return Ok(Done::Changed);
        }
        // The result in a file was that of the old teams.
        self.record.result = None;
        // A loss on time or by resignation stays, and the new teams decide who won.
        self.ends.retain(|_, ended| ended.lost.is_some());
        for ended in self.ends.values_mut() {
            if let Some((color, how)) = ended.lost {
                ended.result = Some(loss(&self.players, color, how));
            }
        }
        self.front.board = board::describe(&self.record.start);
        self.arrive();
        self.publish_all();
        Ok(Done::Quiet)
    }
}

/// Forgets the teams of all players.
pub(super) fn forget_teams(players: &mut [Player]) {
    for player in players {
        player.team = None;
    }
}

/// Returns the sides of the colors: those of one team win together.
pub(super) fn sides(players: &[Player]) -> Sides {
    let mut teams = [0; Color::MAX];
    for (slot, player) in teams.iter_mut().zip(players) {
        *slot = player.team.unwrap_or(0);
    }
    Sides::new(teams)
}

/// Returns the result after a color has lost: on time if `how` is `T`, by resignation if it is `R`.
/// Its team loses with it. The winner is named if only one other team or color plays.
pub(super) fn loss(players: &[Player], color: Color, how: &str) -> String {
    let sides = match players.len() {
        2 => Sides::ALONE,
        _ => sides(players),
    };
    let leaders = Color::all(players.len()).map(|color| sides.leader(color));
    let loser = sides.leader(color);
    let others: Vec<Color> = leaders.filter(|&leader| leader != loser).collect();
    match others.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => match *first {
            Color::BLACK => format!("B+{how}"),
            Color::WHITE => format!("W+{how}"),
            winner => format!("{winner}+{how}"),
        },
        // Among several, there is no winner yet.
        _ => {
            let team = players.get(color.index()).and_then(|player| player.team);
            match team.filter(|_| sides.number(color).is_some()) {
                Some(team) => format!("team {team} lost"),
                None => format!("{color} lost"),
            }
        }
    }
}

/// Gives the players the teams of these rules, unless their teams already mean the same.
pub(super) fn take_teams(players: &mut [Player], rules: &Ruleset) {
    if rules.colors == 2 || sides(players) == rules.sides {
        return;
    }
    for (player, color) in players.iter_mut().zip(Color::all(Color::MAX)) {
        player.team = rules.sides.number(color);
    }
}

/// Returns true if the clock of a color waits: no page looks at the game, or the page of the color
/// is gone.
pub(super) fn is_away(front: &Front, players: &[Player], color: Color) -> bool {
    let player = players.get(color.index());
    let is_engine = player.is_some_and(|player| player.is_engine);
    front.alone().is_some() || !is_engine && front.is_away(color)
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
    fn a_team_loses_with_its_color() {
        for (teams, loser, result) in [
            (&[0, 0][..], 0, "W+T"),
            (&[0, 0], 1, "B+T"),
            (&[1, 1], 1, "B+T"),
            (&[0, 0, 0], 2, "red lost"),
            (&[4, 2, 4], 2, "W+T"),
            (&[4, 2, 4], 1, "B+T"),
            (&[4, 4, 0], 1, "red+T"),
            (&[4, 2, 4, 2], 3, "B+T"),
            (&[1, 2, 2, 1, 7, 7], 3, "team 1 lost"),
            (&[1, 2, 2, 7], 3, "blue lost"),
        ] {
            let read = |&team: &u8| read(&format!(r#"{{"team":{team}}}"#)).unwrap();
            let players: Vec<Player> = teams.iter().map(read).collect();
            let loser = Color::from_index(loser).unwrap();
            assert_eq!(loss(&players, loser, "T"), result, "{teams:?}");
        }
    }

    #[test]
    fn teams_are_the_sides_of_the_rules() {
        let player = |team: u8| read(&format!(r#"{{"team":{team}}}"#)).unwrap();
        let mut players = vec![player(3), player(7), Player::default(), player(3)];
        assert_eq!(sides(&players).to_string(), "1001");
        let mut rules = crate::rules::presets::find("ggg").unwrap().rules.clone();
        rules.colors = 4;
        rules.sides = sides(&players);
        let before = players.clone();
        take_teams(&mut players, &rules);
        assert_eq!(players, before, "equal sides keep their numbers");
        rules.sides = "1221".parse().unwrap();
        take_teams(&mut players, &rules);
        let teams: Vec<Option<u8>> = players.iter().map(|player| player.team).collect();
        assert_eq!(teams, [Some(1), Some(2), Some(2), Some(1)]);
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
