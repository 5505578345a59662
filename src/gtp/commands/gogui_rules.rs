//! GoGui's rules extension: the engine acts as referee and board of a game that GoGui does not
//! support.
//!
//! GoGui starts the program a second time for this, with the same command line. It sends that
//! process only `clear_board` and `play`, so the graph must come from the command line. It replays
//! the whole game after every move, and some moves twice. The advertised board is the smallest
//! square that contains the alias grid. Points without a vertex are `?`.

use super::{Command, Failure, Session};
use crate::color::Color;
use crate::game::Outcome;
use crate::graph::goban::{Goban, Surface};
use crate::gtp::arguments::{Arguments, advertised, alias_rows};
use crate::notation::move_text;
use crate::rules::{End, Passing, Ruleset, Scoring};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "gogui-rules_game_id",
        "",
        "Name of the game: `Go` if GoGui's own rules apply (a square grid with free passing and area or territory scoring), otherwise `Graphgo`; only then does `list_commands` have these commands.",
        game_id,
    ),
    Command::new(
        "gogui-rules_board_size",
        "",
        "Side of the square that holds the aliases of all vertices.",
        board_size,
    ),
    Command::new(
        "gogui-rules_board",
        "",
        "Position in rows from the top: `X` black, `O` white, `.` empty, `?` no vertex.",
        board,
    ),
    Command::new(
        "gogui-rules_board_gfx",
        "",
        "Drawing commands for GoGui: the labels of vertices that differ from the aliases.",
        board_gfx,
    ),
    Command::new(
        "gogui-rules_captured_count",
        "",
        "Stones captured by Black and by White: `P Q`.",
        captured_count,
    ),
    Command::new(
        "gogui-rules_legal_moves",
        "",
        "Legal moves of the color to move, including `pass` if it is legal. Empty after the end of the game.",
        legal_moves,
    ),
    Command::new(
        "gogui-rules_side_to_move",
        "",
        "Color to move.",
        side_to_move,
    ),
    Command::new(
        "gogui-rules_final_result",
        "",
        "Result of the game in words.",
        final_result,
    ),
];

fn game_id(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let known = is_known(session.engine.goban(), session.engine.rules());
    Ok(if known { "Go" } else { "Graphgo" }.to_string())
}

/// Returns true if GoGui needs these commands to show the game.
///
/// If they are listed, GoGui clears its board when it attaches the program, unless both boards have
/// the same size. An open game would be lost.
pub(super) fn are_needed(session: &Session) -> bool {
    !is_known(session.engine.goban(), session.engine.rules())
}

/// Returns true if GoGui's own board and rules fit this game.
fn is_known(goban: &Goban, rules: &Ruleset) -> bool {
    let square = match goban.surface {
        Surface::Graph => goban
            .rectangle
            .is_some_and(|(width, height)| width == height),
        Surface::Space { .. } | Surface::Mango(_) => false,
    };
    let passes = match (rules.passing, rules.end) {
        (Passing::Free, End::Passes) => true,
        (Passing::Prisoners | Passing::Never, _) | (_, End::Stuck) => false,
    };
    let counts = match rules.scoring {
        Scoring::Area | Scoring::Territory => true,
        Scoring::Stones | Scoring::None => false,
    };
    let usual = rules.colors == 2 && rules.first == Color::BLACK;
    square && passes && counts && usual && goban.start.iter().all(Option::is_none)
}

fn board_size(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(advertised(session.engine.goban()).to_string())
}

fn board(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.rules_for_gogui = true;
    need_two_colors(session)?;
    let stones = session.engine.stones();
    alias_rows(session.engine.goban(), "?", |vertex| {
        let stone = stones.get(vertex.index()).copied().flatten();
        stone.map_or('.', Color::symbol).to_string()
    })
}

fn board_gfx(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    let goban = session.engine.goban();
    let labels = goban.graph.all().filter_map(|vertex| {
        let (alias, label) = (goban.names.alias(vertex), goban.names.label(vertex));
        (alias != label).then(|| format!(" {alias} {label}"))
    });
    let labels: String = labels.collect();
    Ok(if labels.is_empty() {
        labels
    } else {
        format!("LABEL{labels}")
    })
}

fn captured_count(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    need_two_colors(session)?;
    let captured: Vec<String> = session
        .engine
        .captured()
        .iter()
        .map(i64::to_string)
        .collect();
    Ok(captured.join(" "))
}

fn legal_moves(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    session.rules_for_gogui = true;
    let engine = &session.engine;
    if engine.is_over() {
        // GoGui takes an empty list for the end of the game.
        return Ok(String::new());
    }
    let moves = engine.legal_moves(engine.to_move());
    let moves: Vec<String> = moves
        .into_iter()
        .map(|mv| move_text(engine.goban(), mv))
        .collect();
    Ok(moves.join(" "))
}

fn side_to_move(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    Ok(session.engine.to_move().to_string())
}

fn final_result(session: &mut Session, _: Arguments<'_>) -> Result<String, Failure> {
    if !session.engine.is_over() {
        return Ok("The game is not over".to_string());
    }
    if let Some(loser) = session.engine.resigned() {
        return Ok(format!("{} wins by resignation", capital(loser.other())));
    }
    Ok(match session.engine.outcome() {
        Ok(Outcome::By(color, points)) => format!("{} wins by {points}", capital(color)),
        Ok(Outcome::LastMover(color)) => {
            let stuck = session.engine.to_move();
            format!("{} wins: {stuck} has no move", capital(color))
        }
        Ok(Outcome::Tie) => "The game is a tie".to_string(),
        Err(_) => "The game has no winner".to_string(),
    })
}

/// Returns the name of a color with a capital letter.
fn capital(color: Color) -> String {
    let name = color.to_string();
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Refuses games with more than two colors, which GoGui's formats cannot show.
pub(super) fn need_two_colors(session: &Session) -> Result<(), Failure> {
    match session.engine.rules().colors {
        2 => Ok(()),
        colors => Err(Failure::Refused(format!(
            "the game has {colors} colors, expected 2: GoGui supports only black and white"
        ))),
    }
}
