//! Teams: several people who take turns playing one color.
//!
//! Teams affect only the names of the players. The game and its positions do not depend on them.

use std::fmt;

use crate::color::Color;
use crate::text::quote;

/// Members of each color's team, in playing order.
///
/// ```
/// use omnigo::color::Color;
/// use omnigo::gtp::teams::Teams;
/// let teams = Teams::read(&["black=ann,bob", "white=cem"], 2).unwrap();
/// assert_eq!(teams.member(Color::BLACK, 3), Some("bob"));
/// assert_eq!(teams.to_string(), "black=ann,bob white=cem");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Teams([Vec<String>; Color::MAX]);

/// Error in the description of teams.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTeamsError {
    /// The word does not have the form of a team.
    #[error("invalid team '{0}', expected COLOR=NAME,NAME…")]
    Form(String),
    /// This color does not play.
    #[error("color '{0}' is not in the game, expected one of {1}")]
    Color(String, String),
    /// The color already has a team.
    #[error("duplicate color '{0}', expected one team for each color")]
    Twice(String),
    /// The name appears twice. Each person may play in one team, and once in it.
    #[error("duplicate member '{0}', expected each name once")]
    Member(String),
}

impl Teams {
    /// Reads teams from words `COLOR=NAME,NAME…`, for some or all of `colors` colors.
    ///
    /// # Errors
    /// Names the wrong word.
    pub fn read(words: &[&str], colors: usize) -> Result<Teams, ParseTeamsError> {
        let mut teams = Teams::default();
        for word in words {
            let form = || ParseTeamsError::Form(quote(word));
            let (name, members) = word.split_once('=').ok_or_else(form)?;
            let color = name
                .parse::<Color>()
                .ok()
                .filter(|color| color.index() < colors)
                .ok_or_else(|| {
                    let names: Vec<String> = Color::all(colors).map(|c| c.to_string()).collect();
                    ParseTeamsError::Color(quote(name), names.join(", "))
                })?;
            let mut team: Vec<String> = Vec::new();
            for member in members.split(',') {
                if member.is_empty() || member.contains('=') {
                    return Err(form());
                }
                let member = member.to_owned();
                let known = teams.0.iter().flatten().chain(&team).any(|m| *m == member);
                if known {
                    return Err(ParseTeamsError::Member(quote(&member)));
                }
                team.push(member);
            }
            match teams.0.get_mut(color.index()) {
                Some(place) if place.is_empty() => *place = team,
                _ => return Err(ParseTeamsError::Twice(quote(name))),
            }
        }
        Ok(teams)
    }

    /// Returns the member who plays turn number `turn` of `color`, counted from 0. `None` if the
    /// color has no team.
    pub fn member(&self, color: Color, turn: usize) -> Option<&str> {
        let team = self.0.get(color.index())?;
        let place = turn.checked_rem(team.len())?;
        team.get(place).map(String::as_str)
    }

    /// Keeps only the teams of the first `colors` colors.
    pub fn keep(&mut self, colors: usize) {
        self.0.iter_mut().skip(colors).for_each(Vec::clear);
    }
}

impl fmt::Display for Teams {
    /// Writes the teams in the form that [`Teams::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let teams = Color::all(Color::MAX).zip(&self.0);
        let named = teams
            .filter(|(_, team)| !team.is_empty())
            .map(|(color, team)| format!("{color}={}", team.join(",")));
        f.write_str(&named.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_teams_are_rejected_with_one_line() {
        let error = |words: &[&str]| Teams::read(words, 2).unwrap_err().to_string();
        assert_eq!(
            error(&["black"]),
            "invalid team 'black', expected COLOR=NAME,NAME…"
        );
        assert_eq!(
            error(&["black=a,,b"]),
            "invalid team 'black=a,,b', expected COLOR=NAME,NAME…"
        );
        assert_eq!(
            error(&["red=a"]),
            "color 'red' is not in the game, expected one of black, white"
        );
        assert_eq!(
            error(&["b=a", "black=c"]),
            "duplicate color 'black', expected one team for each color"
        );
        assert_eq!(
            error(&["b=a", "w=a"]),
            "duplicate member 'a', expected each name once"
        );
    }

    #[test]
    fn members_take_turns() {
        let teams = Teams::read(&["w=x,y,z"], 3).unwrap();
        let order: Vec<_> = (0..5).map(|k| teams.member(Color::WHITE, k)).collect();
        assert_eq!(
            order,
            [Some("x"), Some("y"), Some("z"), Some("x"), Some("y")]
        );
        assert_eq!(teams.member(Color::BLACK, 0), None);
    }
}
