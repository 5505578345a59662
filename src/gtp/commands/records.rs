//! Commands that load and save games.

mod saved;

use std::path::Path;

use super::{Command, Failure, Session};
use crate::files::replace;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::gtp::arguments::Arguments;
use crate::record::sgf::{self, GameRecord};
use crate::replay::{self, put_sgf_on};
use crate::rules::{RulesetText, kata};
use crate::text::quote;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "loadsgf",
        "FILE [MOVE]",
        "Loads board, komi, and moves from an SGF file, up to the position before MOVE. The ruleset stays, and also the komi if the file has none.",
        loadsgf,
    ),
    Command::new(
        "printsgf",
        "[FILE]",
        "Answers the game as SGF, or writes it to FILE. `-` means no file.",
        printsgf,
    ),
    Command::new(
        "load_game",
        "FILE [MOVE]",
        "Loads board, rules, komi, and moves from a game in JSON, or as loadsgf from SGF, up to the position before MOVE.",
        saved::load_game,
    ),
    Command::new(
        "save_game",
        "[FILE]",
        "Answers the game on any board as JSON, or writes it to FILE. `-` means no file. On rectangles, a FILE that ends in .sgf gets SGF, as by printsgf.",
        saved::save_game,
    ),
];

fn loadsgf(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    let (path, number) = arguments.file_and_number("the path of an SGF file")?;
    let before = number_of_move(number)?;
    load_sgf(session, &path, before)
}

fn load_sgf(session: &mut Session, path: &str, before: usize) -> Result<String, Failure> {
    let fail = |problem: String| Failure::CannotLoad(format!("'{}': {problem}", quote(path)));
    if session.engine.rules().colors > 2 {
        return Err(fail(two_colors(session)));
    }
    let record = sgf::read(Path::new(path)).map_err(|error| fail(error.to_string()))?;
    let goban = board(session, &record).map_err(fail)?;
    let forced = put_sgf_on(&mut session.engine, goban, &record, before).map_err(fail)?;
    for warning in record.warnings.iter().chain(&forced) {
        session.warn(warning);
    }
    if let Some(rules) = &record.rules {
        let named = kata::from_text(rules).ok();
        let read = named.or_else(|| Some(rules.parse::<RulesetText>().ok()?.rules));
        if read.as_ref() != Some(session.engine.rules()) {
            let here = session.engine.rules();
            session.warn(&format!(
                "RU[{}] is ignored, the ruleset stays {here}",
                quote(rules)
            ));
        }
    }
    if record.komi.is_none() {
        let komi = session.engine.komi();
        session.warn(&format!("the file has no komi, which stays {komi}"));
    }
    Ok(String::new())
}

/// Explains why a game of more than two colors cannot be written as SGF or replaced by an SGF game.
fn two_colors(session: &Session) -> String {
    let colors = session.engine.rules().colors;
    format!("the game has {colors} colors, expected 2: SGF supports only black and white")
}

/// Parses a move number, 1 or more. Returns [`usize::MAX`], the end of the game, if it is missing
/// or has too many digits.
fn number_of_move(text: Option<&str>) -> Result<usize, Failure> {
    let Some(text) = text else {
        return Ok(usize::MAX);
    };
    const EXPECTED: &str = "a move number, 1 or more";
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) {
        return Err(Failure::expected("move", text, EXPECTED));
    }
    match text.parse() {
        Ok(0) => Err(Failure::expected("move", text, EXPECTED)),
        Ok(number) => Ok(number),
        Err(_) => Ok(usize::MAX),
    }
}

/// Returns the board of the record. This is an error if the board was fixed on the command line and
/// differs.
fn board(session: &Session, record: &GameRecord) -> Result<Goban, String> {
    let present = session.engine.goban();
    let (width, height) = (record.width, record.height);
    if present.rectangle == Some((width, height)) {
        return Ok(present.clone());
    }
    if session.pinned {
        let spec = quote(&present.spec.to_string());
        return Err(format!(
            "the game is on {width}x{height}, expected {spec}, the board of the command line"
        ));
    }
    Spec::grid(width, height)
        .and_then(|spec| spec.build())
        .map_err(|error| error.to_string())
}

fn printsgf(session: &mut Session, arguments: Arguments<'_>) -> Result<String, Failure> {
    let path = arguments.file()?.filter(|path| path != "-");
    let path = path.as_deref();
    let text = sgf_text(session).map_err(|problem| match path {
        Some(path) => Failure::CannotSave(format!("'{}': {problem}", quote(path))),
        None => Failure::Refused(format!("cannot write SGF: {problem}")),
    })?;
    answer_or_save(path, text)
}

/// Returns the game as SGF, or the reason why SGF cannot hold it.
fn sgf_text(session: &Session) -> Result<String, String> {
    let engine = &session.engine;
    let Some((width, height)) = engine.goban().rectangle else {
        let spec = quote(&engine.goban().spec.to_string());
        return Err(format!("the board is {spec}, expected a rectangle"));
    };
    if engine.rules().colors > 2 {
        return Err(two_colors(session));
    }
    let record = replay::sgf(engine, width, height);
    record.write().map_err(|error| error.to_string())
}

/// Answers the text of a game, or writes it to a file.
fn answer_or_save(path: Option<&str>, text: String) -> Result<String, Failure> {
    let Some(path) = path else {
        return Ok(text);
    };
    let saved = replace(Path::new(path), text + "\n");
    saved.map_err(|error| Failure::CannotSave(format!("'{}': {error}", quote(path))))?;
    Ok(String::new())
}
