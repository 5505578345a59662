//! Commands for board size, komi, and handicap.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::graph::handicap;
use crate::graph::spec::Spec;
use crate::gtp::arguments::{Arguments, advertised};
use crate::notation::{label_suggestion, vertex, vertex_list, vertex_problem};
use crate::rules::Points;
use crate::text::quote;
use crate::vertex::Vertex;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "boardsize",
        "SIZE | WIDTH HEIGHT | WIDTH:HEIGHT",
        "Starts a new game on a plain grid. A board of another graph stays if its alias grid has this width and height. A graph from the command line refuses other sizes.",
        boardsize,
    ),
    Command::new(
        "rectangular_boardsize",
        "WIDTH HEIGHT",
        "Starts a new game on a plain grid, like boardsize.",
        boardsize,
    ),
    Command::new(
        "clear_board",
        "",
        "Restores the starting position of the current board. Graph, ruleset, komi, and time settings stay.",
        clear_board,
    ),
    Command::new(
        "komi",
        "POINTS",
        "Sets the komi, rounded to half points.",
        komi,
    ),
    Command::new("get_komi", "", "Current komi.", get_komi),
    Command::new(
        "fixed_handicap",
        "STONES",
        "Places handicap stones on the star points of a square grid.",
        fixed_handicap,
    ),
    Command::new(
        "place_free_handicap",
        "STONES",
        "Places handicap stones on star points, or far apart if the board has none.",
        place_free_handicap,
    ),
    Command::new(
        "set_free_handicap",
        "VERTEX …",
        "Places handicap stones on these vertices.",
        set_free_handicap,
    ),
];

/// Maximum side length that `boardsize` accepts.
const LONGEST: usize = 52;
const SIZE: &str = "a number from 1 to 52";

fn boardsize(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let first = arguments.word("size", SIZE)?;
    // Ignore extra words, as other standard commands do.
    let second = arguments.optional().filter(|word| side(word, word).is_ok());
    let (width, height) = match (first.split_once(':'), second) {
        (Some((width, height)), _) => (side(width, first)?, side(height, first)?),
        (None, None) => (side(first, first)?, side(first, first)?),
        (None, Some(second)) => (side(first, first)?, side(second, second)?),
    };
    let asked = if width == height {
        width.to_string()
    } else {
        format!("{width}x{height}")
    };
    let (Some(w), Some(h)) = (acceptable(&width), acceptable(&height)) else {
        return Err(Failure::Size(format!(
            "{}, expected 1 to {LONGEST}",
            quote(&asked)
        )));
    };
    if advertises(session, w, h) {
        session.engine.clear_board();
        return Ok(String::new());
    }
    if session.pinned {
        let goban = session.engine.goban();
        let size = advertised(goban);
        let spec = quote(&goban.spec.to_string());
        return Err(Failure::Size(format!(
            "{asked}, expected {size}: the command line fixes the board {spec}"
        )));
    }
    let goban = Spec::grid(w, h).and_then(|spec| spec.build());
    let goban = goban.map_err(|error| Failure::Size(format!("{asked}: {error}")))?;
    session
        .engine
        .set_goban(goban)
        .map_err(|error| Failure::Size(format!("{asked}: {error}")))?;
    Ok(String::new())
}

/// Returns an integer as text, or a syntax error that quotes the argument `whole`. The range is
/// checked later, so that `-1` and huge numbers are reported as unacceptable sizes.
fn side(text: &str, whole: &str) -> Result<String, Failure> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) {
        Ok(text.to_string())
    } else {
        Err(Failure::expected("size", whole, SIZE))
    }
}

fn acceptable(side: &str) -> Option<usize> {
    side.parse()
        .ok()
        .filter(|side| (1..=LONGEST).contains(side))
}

/// Returns true if this size stands for the current board. A square size can also stand for a board
/// that merely fits into the square. A plain rectangle must be fixed on the command line for that.
fn advertises(session: &Session, width: usize, height: usize) -> bool {
    let goban = session.engine.goban();
    let square = width == height && width == advertised(goban);
    let exact = (width, height) == (goban.names.width(), goban.names.height());
    exact || square && (session.pinned || goban.rectangle.is_none())
}

fn clear_board(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.engine.clear_board();
    Ok(String::new())
}

/// Description of valid komi values.
const KOMI: &str = "a number of points";

fn komi(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let text = arguments.word("komi", KOMI)?;
    take_komi(session, text)?;
    Ok(String::new())
}

/// Sets the komi, with a warning if it is rounded.
pub(super) fn take_komi(session: &mut Session, text: &str) -> Result<(), Failure> {
    let value: Option<f64> = text.parse().ok();
    let (komi, rounded) = value
        .and_then(Points::round_from)
        .ok_or_else(|| Failure::expected("komi", text, KOMI))?;
    set_komi(session, text, komi, rounded);
    Ok(())
}

/// Sets the komi that `text` gives, with a warning if it was rounded.
pub(super) fn set_komi(session: &mut Session, text: &str, komi: Points, rounded: bool) {
    if rounded {
        session.warn(&format!(
            "komi {} was rounded to {komi}, the nearest allowed value",
            quote(text)
        ));
    }
    session.engine.set_komi(komi);
}

fn get_komi(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.komi().to_string())
}

fn fixed_handicap(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let (text, stones) = stones(&mut arguments)?;
    need_empty_board(session)?;
    let goban = session.engine.goban();
    let most = goban
        .rectangle
        .filter(|(w, h)| w == h)
        .map_or(0, |(size, _)| handicap::most_fixed(size));
    match stones.and_then(|stones| handicap::fixed(goban, stones)) {
        Some(places) => place(session, &places),
        None if most == 0 => Err(Failure::NumberOfStones(format!(
            "{text}, but this board has no star points for a fixed handicap"
        ))),
        None => Err(Failure::NumberOfStones(format!(
            "{text}, expected 2 to {most}"
        ))),
    }
}

fn place_free_handicap(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let (text, stones) = stones(&mut arguments)?;
    need_empty_board(session)?;
    let goban = session.engine.goban();
    let most = goban.graph.vertices().saturating_sub(1);
    let no_room =
        || Failure::NumberOfStones(format!("{text}, but this board has no room for two stones"));
    if most < 2 {
        return Err(no_room());
    }
    let Some(stones) = stones.filter(|stones| (2..=most).contains(stones)) else {
        return Err(Failure::NumberOfStones(format!(
            "{text}, expected 2 to {most}"
        )));
    };
    let places = apart(goban, handicap::places(goban, stones));
    if places.len() < 2 {
        return Err(no_room());
    }
    place(session, &places)
}

fn set_free_handicap(
    session: &mut Session,
    mut arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let words = arguments.rest();
    need_empty_board(session)?;
    let goban = session.engine.goban();
    let mut places: Vec<Vertex> = Vec::with_capacity(words.len());
    let mut taken = vec![false; goban.graph.vertices()];
    for word in words {
        let Some(place) = vertex(goban, word) else {
            let near = label_suggestion(goban, word);
            return Err(Failure::VertexList(vertex_problem(goban, word) + &near));
        };
        if taken
            .get_mut(place.index())
            .is_none_or(|taken| std::mem::replace(taken, true))
        {
            return Err(Failure::VertexList(format!(
                "duplicate vertex '{}', expected each vertex once",
                quote(word)
            )));
        }
        places.push(place);
    }
    if apart(goban, places.clone()) != places {
        return Err(Failure::VertexList(
            "overlapping stones, expected stones that do not overlap".to_string(),
        ));
    }
    if places.is_empty() {
        return Err(Failure::VertexList(
            "missing vertex, expected at least one".to_string(),
        ));
    }
    let most = goban.graph.vertices().saturating_sub(1);
    if places.len() == 1 && most >= 2 {
        // One stone is a first move, and no handicap.
        return Err(Failure::NumberOfStones(format!("1, expected 2 to {most}")));
    }
    if places.len() > most {
        return Err(Failure::VertexList(format!(
            "{} stones, expected at most {most}",
            places.len()
        )));
    }
    place(session, &places)?;
    Ok(String::new())
}

/// Returns these placements without those that overlap an earlier one.
fn apart(goban: &Goban, places: Vec<Vertex>) -> Vec<Vertex> {
    let mut taken = vec![false; goban.points()];
    let free = |place: &Vertex| {
        let covered = goban.covered(*place);
        let free = covered
            .iter()
            .all(|point| taken.get(point.index()) == Some(&false));
        for point in covered.iter().filter(|_| free) {
            if let Some(taken) = taken.get_mut(point.index()) {
                *taken = true;
            }
        }
        free
    };
    places.into_iter().filter(free).collect()
}

/// Reads a number of stones. Returns its text, and its value or `None` if it is negative or too
/// large.
fn stones<'a>(arguments: &mut Arguments<'a>) -> Result<(String, Option<usize>), Failure> {
    const EXPECTED: &str = "a number of stones";
    let text = arguments.word("stones", EXPECTED)?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(Failure::expected("stones", text, EXPECTED));
    }
    Ok((quote(text), text.parse().ok()))
}

fn need_empty_board(session: &Session) -> Result<(), Failure> {
    if session.engine.position().iter().all(Option::is_none) {
        Ok(())
    } else {
        Err(Failure::BoardNotEmpty)
    }
}

/// Places handicap stones. They are part of the start position, not moves, so `undo` cannot remove
/// them. White moves next.
fn place(session: &mut Session, places: &[Vertex]) -> Result<String, Failure> {
    let mut position = session.engine.position();
    let goban = session.engine.goban();
    for &place in places {
        goban.put(&mut position, place, Color::BLACK);
    }
    let stones = u32::try_from(places.len()).unwrap_or(u32::MAX);
    session.engine.set_handicap(&position, stones);
    Ok(vertex_list(session.engine.goban(), places.iter().copied()))
}
