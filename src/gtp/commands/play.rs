//! Commands that play, generate, and undo moves.

use super::search_results::with_last_search;
use super::{Command, Failure, Session};
use crate::engine::Choice;
use crate::gtp::arguments::Arguments;
use crate::notation::move_text;
use crate::vertex::Move;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "play",
        "COLOR VERTEX|pass|resign",
        "Plays a move of either color. Tolerant rulesets accept repetitions and suicides of several stones. `resign` ends the game.",
        play,
    ),
    Command::new(
        "genmove",
        "COLOR",
        "Searches for a move, plays it, and answers it: a vertex, `pass`, or `resign`.",
        genmove,
    )
    .searching(),
    Command::new(
        "reg_genmove",
        "COLOR",
        "Searches for a move and answers it without playing it.",
        reg_genmove,
    )
    .searching(),
    Command::new("undo", "", "Takes back the last move.", undo),
];

fn play(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    if arguments
        .peek()
        .is_some_and(|word| word.eq_ignore_ascii_case("resign"))
    {
        let resigned = session.engine.resign(color);
        resigned.map_err(|illegal| Failure::IllegalMove(illegal.to_string()))?;
        return Ok(String::new());
    }
    let mv = arguments.mv(session.engine.goban())?;
    if session.rules_for_gogui
        && matches!(mv, Move::Place(_))
        && session.engine.last_move() == Some((color, mv))
    {
        // GoGui sends moves to its referee twice. If the stone is still on the board, the rules
        // already refuse the second move. After a suicide they would not.
        return Err(Failure::IllegalMove(
            "repetition of the previous move".to_string(),
        ));
    }
    let strictly = session.engine.check(color, mv);
    session
        .engine
        .play(color, mv)
        .map_err(|illegal| Failure::IllegalMove(illegal.to_string()))?;
    if let Err(illegal) = strictly {
        let text = move_text(session.engine.goban(), mv);
        session.warn(&format!(
            "{color} {text} is accepted although the rules forbid it: {illegal}"
        ));
    }
    Ok(String::new())
}

fn genmove(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let choice = super::search_results::genmove(session, color);
    Ok(choice_text(session, choice))
}

fn reg_genmove(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let analysis_request = super::avoid::analysis_request(session, color);
    // Start from an empty tree, so that the answer does not depend on earlier searches.
    session.engine.renew_search();
    let choice = with_last_search(session, |engine, report| {
        engine.choose_watched(&analysis_request, report)
    });
    Ok(choice_text(session, choice))
}

pub(super) fn choice_text(session: &Session, choice: Choice) -> String {
    match choice {
        Choice::Move(mv) => move_text(session.engine.goban(), mv),
        Choice::Resign => "resign".to_string(),
    }
}

fn undo(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    if session.engine.undo() {
        Ok(String::new())
    } else {
        Err(Failure::CannotUndo)
    }
}
