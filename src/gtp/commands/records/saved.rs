//! Loading and saving of games on any board, in JSON.

use std::path::Path;

use super::{answer_or_save, load_sgf, number_of_move, sgf_text};
use crate::gtp::arguments::Arguments;
use crate::gtp::failure::Failure;
use crate::gtp::session::Session;
use crate::record::{file, is_json, json};
use crate::replay;
use crate::text::quote;

pub(super) fn load_game(
    session: &mut Session,
    arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let (path, number) = arguments.file_and_number("the path of a game in JSON or SGF")?;
    let before = number_of_move(number)?;
    let fail = |problem: String| Failure::CannotLoad(format!("'{}': {problem}", quote(&path)));
    let bytes = file::contents(Path::new(&path)).map_err(|error| fail(error.to_string()))?;
    // SGF files may use UTF-16 or another encoding, and may start with other text.
    if !is_json(&bytes) {
        return load_sgf(session, &path, before);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| fail("not valid UTF-8".to_string()))?;
    let present = session.engine.goban();
    let game = json::parse(text, Some(present)).map_err(|error| fail(error.to_string()))?;
    let (there, here) = (game.goban.spec.to_string(), present.spec.to_string());
    if session.pinned && there != here {
        let (there, here) = (quote(&there), quote(&here));
        return Err(fail(format!(
            "the game is on {there}, expected {here}, the board of the command line"
        )));
    }
    replay::put_on(&mut session.engine, &game, before).map_err(fail)?;
    session.teams.keep(game.rules.colors);
    for warning in &game.warnings {
        session.warn(warning);
    }
    if !game.tree.is_empty() {
        session.warn("the file has variations or comments, which save_game will leave out");
    }
    Ok(String::new())
}

pub(super) fn save_game(
    session: &mut Session,
    arguments: Arguments<'_>,
) -> Result<String, Failure> {
    let path = arguments.file()?.filter(|path| path != "-");
    let path = path.as_deref();
    if let Some(path) = path.filter(|path| is_sgf(path)) {
        let text = sgf_text(session).map_err(|problem| {
            let file = quote(path);
            Failure::CannotSave(format!(
                "'{file}': {problem}, or a name without .sgf for JSON"
            ))
        })?;
        return answer_or_save(Some(path), text);
    }
    let engine = &session.engine;
    let game = replay::game(engine);
    if let Err(problem) = replay::rehearse(&game) {
        session.warn(&format!("load_game will refuse this game: {problem}"));
    }
    let text = game
        .write(&replay::played(engine))
        .map_err(Failure::Refused)?;
    answer_or_save(path, text)
}

/// Returns true if the name of a file ends in `.sgf`.
fn is_sgf(path: &str) -> bool {
    let extension = Path::new(path).extension();
    extension.is_some_and(|end| end.eq_ignore_ascii_case("sgf"))
}
