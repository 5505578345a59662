//! Commands for the number of colors and for the people who play each color.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::gtp::arguments::Arguments;
use crate::gtp::teams::Teams;
use crate::vertex::Move;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_players",
        "COLORS",
        "Starts a new game with 2 to 8 colors: black, white, red, blue, green, yellow, purple, orange. Positions show them as `X O 3 4 5 6 7 8`. More than 2 colors need rules that count points; go-spaces and Mango sets allow 2. boardsize and set_graph keep the number.",
        set_players,
    ),
    Command::new(
        "get_players",
        "",
        "Number of colors in the game.",
        get_players,
    ),
    Command::new(
        "set_teams",
        "[COLOR=NAME,NAME… …]",
        "Assigns players to colors. The members of a team take turns; a pass counts as a turn, unless it repeats the color's own. Without arguments, removes all teams.",
        set_teams,
    ),
    Command::new(
        "get_teams",
        "",
        "Teams, in the form that set_teams reads.",
        get_teams,
    ),
    Command::new(
        "whose_turn",
        "",
        "Color to move and, if it has a team, the member whose turn it is.",
        whose_turn,
    ),
];

fn set_players(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "a number of colors from 2 to 8";
    let text = arguments.word("players", EXPECTED)?;
    let players = text
        .parse()
        .ok()
        .filter(|players| (2..=8).contains(players))
        .ok_or_else(|| Failure::expected("players", text, EXPECTED))?;
    session
        .engine
        .set_players(players)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    session.teams.keep(players);
    Ok(String::new())
}

fn get_players(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.rules().colors.to_string())
}

fn set_teams(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let colors = session.engine.rules().colors;
    session.teams = Teams::read(arguments.rest(), colors)
        .map_err(|error| Failure::Syntax(error.to_string()))?;
    Ok(String::new())
}

fn get_teams(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.teams.to_string())
}

fn whose_turn(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let color = session.engine.to_move();
    Ok(
        match session
            .teams
            .member(color, turns_of(color, &session.engine.moves()))
        {
            Some(member) => format!("{color} {member}"),
            None => color.to_string(),
        },
    )
}

/// Returns the number of turns that `color` has taken. A pass that follows its own pass is no turn.
fn turns_of(color: Color, moves: &[(Color, Move)]) -> usize {
    let pass = (color, Move::Pass);
    let own = moves.iter().filter(|(mover, _)| *mover == color).count();
    let repeated = moves
        .windows(2)
        .filter(|pair| **pair == [pass, pass])
        .count();
    own - repeated
}
