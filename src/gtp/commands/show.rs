//! The position: what stands where, and which moves the rules allow.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::gtp::arguments::{Arguments, move_text};
use crate::gtp::handicap::star_points;
use crate::render::text::{diagram, space_diagram};
use crate::text::quote;
use crate::vertex::Vertex;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("showboard", "", "A diagram of the position.", showboard),
    Command::new(
        "position",
        "",
        "One character a vertex in index order: `X` black, `O` white, `.` empty.",
        position,
    ),
    Command::new(
        "set_position_string",
        "XO.…",
        "Replaces the position, in the form of `position`, and starts a new history.",
        set_position_string,
    ),
    Command::new(
        "legal_moves",
        "COLOR",
        "Every move that the rules allow, in index order, then `pass` where passing is allowed.",
        legal_moves,
    ),
    Command::new(
        "is_legal",
        "COLOR VERTEX",
        "Whether the rules allow the move: `1` or `0`.",
        is_legal,
    ),
];

fn showboard(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let engine = &session.engine;
    let goban = engine.goban();
    let position = engine.position();
    let board = match goban.space() {
        None => diagram(goban, &position, &star_points(goban)),
        Some(space) => space_diagram(goban, space, &position),
    };
    let [black, white] = engine.prisoners();
    Ok(format!(
        "{}, {}, komi {}\n{board}{} to move, prisoners black {black} white {white}",
        quote(&goban.spec.to_string()),
        engine.rules(),
        engine.komi(),
        engine.to_move(),
    ))
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
    let points = session.engine.goban().points();
    let colors = session.engine.rules().colors;
    let expected = format!("{points} of the characters X, O and .");
    let text = match arguments.optional() {
        Some(text) => text,
        // The position of a board without vertices cannot be written.
        None if points == 0 => "",
        None => return Err(Failure::missing("position", &expected)),
    };
    let mut position = Vec::with_capacity(points);
    for symbol in text.chars() {
        let point = match symbol {
            '.' => None,
            symbol => match Color::from_symbol(symbol) {
                Some(color) if color.index() < colors => Some(color),
                _ => {
                    let problem = format!(
                        "character '{symbol}' in position '{}', expected X, O or .",
                        quote(text)
                    );
                    return Err(Failure::Syntax(problem));
                }
            },
        };
        position.push(point);
    }
    if position.len() != points {
        let problem = format!(
            "position '{}' of {} characters, expected {expected}",
            quote(text),
            position.len()
        );
        return Err(Failure::Syntax(problem));
    }
    if let Some(space) = session.engine.goban().space()
        && !space.is_light()
        && let Some(index) = (0..points)
            .filter(|&index| position.get(index).is_some_and(Option::is_some))
            .find(|&index| !space.is_covered(Vertex::at(index)))
    {
        return Err(Failure::Refused(format!(
            "point {index} of position '{}' is in no placement, expected . there on a go-space as large as this",
            quote(text)
        )));
    }
    session.engine.set_position(&position, None);
    Ok(String::new())
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
