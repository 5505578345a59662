//! Commands for the number of colors and for the people who play each color.

use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::gtp::teams::Teams;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "set_players",
        "COLORS",
        "Starts a game among so many colors, 2 to 8 on graphs under rules that count points: black, white, red, blue, green, yellow, purple, orange, in positions `X O 3 4 5 6 7 8`; boardsize and set_graph keep the number.",
        set_players,
    ),
    Command::new(
        "get_players",
        "",
        "The number of colors that play.",
        get_players,
    ),
    Command::new(
        "set_teams",
        "[COLOR=NAME,NAME… …]",
        "Says who plays each color, the members of a team in turn; a pass is a turn; without arguments there are no teams.",
        set_teams,
    ),
    Command::new(
        "get_teams",
        "",
        "The teams as set_teams takes them.",
        get_teams,
    ),
    Command::new(
        "whose_turn",
        "",
        "The color to move, and the member of its team where it has one.",
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
    let moves = session.engine.moves();
    let turns = moves.iter().filter(|(mover, _)| *mover == color).count();
    Ok(match session.teams.member(color, turns) {
        Some(member) => format!("{color} {member}"),
        None => color.to_string(),
    })
}
