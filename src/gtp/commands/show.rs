//! The position: what stands where, and which moves the rules allow.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::gtp::arguments::{Arguments, move_text};
use crate::gtp::handicap::star_points;
use crate::render::text::diagram;
use crate::text::quote;

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
    let board = diagram(goban, &engine.position(), &star_points(goban));
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
    let vertices = session.engine.goban().graph.vertices();
    let colors = session.engine.rules().colors;
    let expected = format!("{vertices} of the characters X, O and .");
    let text = match arguments.optional() {
        Some(text) => text,
        // The position of a board without vertices cannot be written.
        None if vertices == 0 => "",
        None => return Err(Failure::missing("position", &expected)),
    };
    let mut position = Vec::with_capacity(vertices);
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
    if position.len() != vertices {
        let problem = format!(
            "position '{}' of {} characters, expected {expected}",
            quote(text),
            position.len()
        );
        return Err(Failure::Syntax(problem));
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
