//! Commands for the position and the legal moves.

use super::score::by_color;
use super::{Command, Failure, Session};
use crate::color::Color;
use crate::graph::handicap::star_points;
use crate::gtp::Terminal;
use crate::gtp::arguments::{Arguments, stones};
use crate::notation::{expected_position, move_text, read_position, vertex_list};
use crate::render::text::{diagram, diagram_for_people, space_diagram};
use crate::text::quote;
use crate::vertex::Move;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("showboard", "", "Diagram of the position.", showboard),
    Command::new(
        "position",
        "",
        "One character per point in index order: `X` black, `O` white, `.` empty.",
        position,
    ),
    Command::new(
        "set_position_string",
        "XO.…",
        "Replaces the position by one in the form of `position`, and starts a new history.",
        set_position_string,
    ),
    Command::new(
        "set_position",
        "[COLOR VERTEX …]",
        "Replaces the position by these stones and starts a new history. Every stone needs a liberty. Without arguments, the board becomes empty.",
        set_position,
    ),
    Command::new(
        "list_stones",
        "COLOR",
        "Vertices with stones of this color.",
        list_stones,
    ),
    Command::new(
        "move_history",
        "",
        "Moves since the start or the last set-up, latest first, one per line.",
        move_history,
    ),
    Command::new("last_move", "", "Last move and its color.", last_move),
    Command::new(
        "legal_moves",
        "COLOR",
        "All moves that the rules allow, in index order, then `pass` if passing is allowed.",
        legal_moves,
    ),
    Command::new(
        "all_legal",
        "COLOR",
        "Vertices where the rules allow a stone of this color.",
        all_legal,
    ),
    Command::new(
        "is_legal",
        "COLOR VERTEX",
        "Tests whether the rules allow the move: `1` or `0`.",
        is_legal,
    ),
];

fn showboard(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let engine = &session.engine;
    let goban = engine.goban();
    let position = engine.position();
    let last = engine.last_move().and_then(|(_, mv)| mv.vertex());
    let board = match (goban.space(), session.terminal) {
        (None, None) => diagram(goban, &position, &star_points(goban)),
        (None, Some(Terminal { colors })) => {
            diagram_for_people(goban, &position, &star_points(goban), last, colors)
        }
        (Some(space), _) => space_diagram(goban, space, &position),
    };
    let prisoners = by_color(engine.prisoners());
    let text = format!(
        "{}, {}, komi {}\n{board}{} to move, prisoners {prisoners}",
        quote(&goban.spec.to_string()),
        engine.rules(),
        engine.komi(),
        engine.to_move(),
    );
    if session.terminal.is_none() {
        return Ok(text);
    }
    session.output.painted(&text);
    Ok(String::new())
}

fn position(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session
        .engine
        .position()
        .into_iter()
        .map(|point| point.map_or('.', Color::symbol))
        .collect())
}

fn set_position_string(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let colors = session.engine.rules().colors;
    let text = match arguments.optional() {
        Some(text) => text,
        // The position of a board without points is empty text, which cannot be sent.
        None if goban.points() == 0 => "",
        None => {
            let expected = expected_position(goban, colors);
            return Err(Failure::missing("position", &expected));
        }
    };
    let position = read_position(goban, colors, text).map_err(Failure::position)?;
    session.engine.set_position(&position, None);
    Ok(String::new())
}

fn set_position(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let placed = stones(&mut arguments, goban, session.engine.rules().colors)?;
    let mut position = vec![None; goban.points()];
    for &(color, vertex) in &placed {
        goban.put(&mut position, vertex, color);
    }
    if let Some(stone) = session.engine.stone_without_liberty(&position) {
        return Err(Failure::Refused(format!(
            "the stone at {} has no liberty",
            goban.names.alias(stone)
        )));
    }
    session.engine.set_position(&position, None);
    Ok(String::new())
}

fn list_stones(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let goban = session.engine.goban();
    let stones = session.engine.stones();
    let own = goban.graph.all().zip(stones);
    let own = own.filter(|(_, stone)| *stone == Some(color));
    Ok(vertex_list(goban, own.map(|(vertex, _)| vertex)))
}

fn move_line(session: &Session, (color, mv): (Color, Move)) -> String {
    format!("{color} {}", move_text(session.engine.goban(), mv))
}

fn move_history(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let moves = session.engine.moves().into_iter().rev();
    let lines: Vec<String> = moves.map(|turn| move_line(session, turn)).collect();
    Ok(lines.join("\n"))
}

fn last_move(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    match session.engine.last_move() {
        Some(turn) => Ok(move_line(session, turn)),
        None => Err(Failure::Refused("no move has been played yet".to_string())),
    }
}

fn all_legal(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let moves = session.engine.legal_moves(color);
    let places = moves.into_iter().filter_map(Move::vertex);
    Ok(vertex_list(session.engine.goban(), places))
}

fn legal_moves(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let goban = session.engine.goban();
    let moves = session.engine.legal_moves(color);
    Ok(moves
        .into_iter()
        .map(|mv| move_text(goban, mv))
        .collect::<Vec<_>>()
        .join(" "))
}

fn is_legal(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let mv = arguments.mv(session.engine.goban())?;
    Ok(if session.engine.check(color, mv).is_ok() {
        "1"
    } else {
        "0"
    }
    .to_string())
}
