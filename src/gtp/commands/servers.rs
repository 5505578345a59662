//! Commands that the clients of the servers KGS and CGOS send.

use super::play::choice_text;
use super::search_results::with_last_search;
use super::{Command, Failure, Session};
use crate::gtp::arguments::Arguments;
use crate::gtp::session::Opponent;
use crate::text::quote;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kgs-genmove_cleanup",
        "COLOR",
        "Plays a move like genmove, but captures all dead stones before it passes. Continues a game that ended by passes.",
        genmove_cleanup,
    )
    .searching(),
    Command::new(
        "kgs-chat",
        "game|private NAME MESSAGE …",
        "Answers a chat message with the board, the rules, and the komi.",
        chat,
    ),
    Command::new(
        "kgs-game_over",
        "",
        "Reports the end of the game. Discards the search and the opponent's name and rating.",
        game_over,
    ),
    Command::new(
        "cgos-opponent_name",
        "NAME",
        "Stores the opponent's name for gomill-describe_engine.",
        opponent_name,
    ),
    Command::new(
        "cgos-opponent_rating",
        "RATING",
        "Stores the opponent's rating for gomill-describe_engine.",
        opponent_rating,
    ),
    Command::new(
        "cgos-gameover",
        "RESULT",
        "Reports the end of the game. Discards the search and the opponent's name and rating.",
        game_over,
    ),
];

fn genmove_cleanup(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let color = arguments.color(session.engine.rules().colors)?;
    let analysis_request = super::avoid::analysis_request(session, color);
    let choice = with_last_search(session, |engine, report| {
        engine.genmove_cleanup(&analysis_request, report)
    });
    Ok(choice_text(session, choice))
}

fn chat(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    const EXPECTED: &str = "game or private";
    let kind = arguments.word("kind of message", EXPECTED)?;
    match kind.to_ascii_lowercase().as_str() {
        "game" | "private" => {}
        _ => return Err(Failure::expected("kind of message", kind, EXPECTED)),
    }
    let name = arguments.word("name", "the name of a player")?;
    let engine = &session.engine;
    let about = format!(
        "{}, this is omnigo {}. I play on {} under {} rules with komi {}.",
        quote(name),
        env!("CARGO_PKG_VERSION"),
        quote(&engine.goban().spec.to_string()),
        engine.rules(),
        engine.komi(),
    );
    Ok(match session.greetings.reply() {
        Some(words) => format!("{words} {about}"),
        None => about,
    })
}

fn opponent_name(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let name = arguments.word("name", "the name of a player")?;
    session.opponent.name = Some(quote(name));
    Ok(String::new())
}

fn opponent_rating(session: &mut Session, mut arguments: Arguments<'_>) -> Result<String, Failure> {
    let rating = arguments.word("rating", "a rating such as 1800 or 1800?")?;
    session.opponent.rating = Some(quote(rating));
    Ok(String::new())
}

fn game_over(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.engine.forget_search();
    session.opponent = Opponent::default();
    Ok(String::new())
}
