//! Views of the position in GoGui's display formats.

use super::gogui_rules::need_two_colors;
use super::{Command, Failure, Session};
use crate::color::Color;
use crate::engine::Status;
use crate::gtp::arguments::{Arguments, alias_rows};
use crate::vertex::Vertex;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "omnigo-territory",
        "",
        "Expected owner of each vertex, in rows from the top: `b`, `w`, or `.` if unclear.",
        territory,
    ),
    Command::new(
        "omnigo-ownership",
        "",
        "Expected ownership of each vertex, in rows from the top: from 1 (surely Black) to -1 (surely White).",
        ownership,
    ),
    Command::new(
        "omnigo-chain_colors",
        "",
        "Status of each stone, in rows from the top: green is alive, yellow is in seki, red is dead. \
        Judging takes at most two seconds.",
        chain_colors,
    ),
    Command::new(
        "omnigo-labels",
        "",
        "Pairs of alias and label, one for each vertex.",
        labels,
    ),
];

/// Mean ownership above which a vertex counts as territory of its owner.
const OWNED: f64 = 0.5;

fn territory(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    need_two_colors(session)?;
    let owned = session.engine.ownership(Color::BLACK);
    alias_rows(session.engine.goban(), ".", |vertex| {
        let owned = owned.get(vertex.index()).copied().unwrap_or(0.0);
        let word = match owned {
            owned if owned > OWNED => "b",
            owned if owned < -OWNED => "w",
            _ => ".",
        };
        word.to_string()
    })
}

fn ownership(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    need_two_colors(session)?;
    let owned = session.engine.ownership(Color::BLACK);
    alias_rows(session.engine.goban(), "0", |vertex| {
        let owned = owned.get(vertex.index()).copied().unwrap_or(0.0);
        format!("{owned:.2}")
    })
}

fn chain_colors(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let mut colors = vec!["\"\""; session.engine.goban().graph.vertices()];
    for (status, stones) in session.engine.judged_chains() {
        let color = match status {
            Status::Alive => "green",
            Status::Seki => "yellow",
            Status::Dead => "red",
        };
        for stone in stones {
            if let Some(place) = colors.get_mut(stone.index()) {
                *place = color;
            }
        }
    }
    let color = |vertex: Vertex| colors.get(vertex.index()).copied().unwrap_or("\"\"");
    alias_rows(session.engine.goban(), "\"\"", |vertex| {
        color(vertex).to_string()
    })
}

fn labels(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let names = &session.engine.goban().names;
    let pairs = session
        .engine
        .goban()
        .graph
        .all()
        .map(|vertex| format!("{} {}", names.alias(vertex), names.label(vertex)));
    Ok(pairs.collect::<Vec<_>>().join("\n"))
}
