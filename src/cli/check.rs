//! `omnigo check`: tests whether a sequence of moves is a game under the formal rules.

use clap::Args;
use serde::Serialize;

use super::end::{CliError, Report, Status, print};
use crate::exact::formal::{self, GameCheck};
use crate::files::ReadingArgs;
use crate::graph::goban::Goban;
use crate::graph::spec::Spec;
use crate::notation::{move_for_people, read_move};
use crate::system::tell;
use crate::text::quote;
use crate::vertex::Move;

/// Arguments of `omnigo check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Board, for example grid:9 or edges:a-b,b-c, unless --graph gives it; then vertices and
    /// `pass` in the order of play, separated by commas. Black starts on the empty board.
    #[arg(value_names = ["SPEC", "MOVES"], required = true, num_args = 1..)]
    words: Vec<String>,
    /// Board; only the moves follow.
    #[arg(long, help_heading = "Board", value_name = "SPEC")]
    graph: Option<Spec>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Print one JSON object instead of a sentence.
    #[arg(long)]
    json: bool,
}

impl CheckArgs {
    /// Returns the board and the moves.
    fn parts(&self) -> Result<(Spec, &str), String> {
        match (&self.graph, self.words.as_slice()) {
            (Some(graph), [moves]) => Ok((graph.clone(), moves)),
            (Some(_), [board, _]) if board.parse::<Spec>().is_ok() => {
                Err("the board is given twice, expected SPEC MOVES or --graph SPEC MOVES".into())
            }
            (None, [board, moves]) => {
                let spec = board.parse::<Spec>();
                Ok((spec.map_err(|error| error.to_string())?, moves))
            }
            (None, [board]) if board.parse::<Spec>().is_ok() => {
                Err("missing moves, expected MOVES such as 1,pass,pass".into())
            }
            (None, [_]) => Err("missing board, expected SPEC MOVES or --graph SPEC MOVES".into()),
            (graph, words) => {
                // Without --graph, the first word is the board.
                let moves = words.get(usize::from(graph.is_none())..).unwrap_or(words);
                Err(format!(
                    "moves in {} arguments, expected one, separated by commas: {}",
                    moves.len(),
                    quote(&moves.join(","))
                ))
            }
        }
    }
}

/// JSON answer.
#[derive(Debug, Serialize)]
struct Answer {
    graph: String,
    moves: usize,
    valid: bool,
    failed_at: Option<usize>,
    condition: Option<&'static str>,
    reason: Option<&'static str>,
    black: Option<i64>,
    white: Option<i64>,
    winner: Option<String>,
}

/// Checks the moves and prints the result. The exit status is 0 for a game, 1 for no game, and 2
/// for wrong arguments.
pub fn run(arguments: &CheckArgs) -> Result<Report, CliError> {
    let (text, valid) = examine(arguments).map_err(CliError::Arguments)?;
    print(&text)?;
    Ok(Report {
        text: String::new(),
        status: match valid {
            true => Status::Complete,
            false => Status::Negative,
        },
    })
}

/// Returns the text to print, and true if the moves are a game.
fn examine(arguments: &CheckArgs) -> Result<(String, bool), String> {
    let (spec, moves) = arguments.parts()?;
    let spec = spec.reading(arguments.reading.reading());
    let goban = spec.build().map_err(|e| e.to_string())?;
    for warning in &goban.warnings {
        tell::warn(warning);
    }
    if goban.space().is_some() {
        let board = quote(&goban.spec.to_string());
        return Err(format!(
            "'{board}' is a go-space, expected a graph: the formal rules are defined only on graphs"
        ));
    }
    if goban.ordinary_graph().is_none() {
        let board = quote(&goban.spec.to_string());
        return Err(format!(
            "'{board}' has weights or a threshold, expected a plain graph: the formal rules use neither"
        ));
    }
    if goban.start.iter().any(Option::is_some) {
        tell::warn("starting stones are ignored: a formal game begins on an empty board");
    }
    let moves = read(&goban, moves)?;
    let check = formal::judge(&goban.graph, &moves).map_err(|e| e.to_string())?;
    let valid = matches!(check, GameCheck::Game { .. });
    let text = if arguments.json {
        let answer = answer(&goban, &moves, check);
        serde_json::to_string(&answer).map_err(|e| e.to_string())?
    } else {
        sentence(&goban, &moves, check)
    };
    Ok((text, valid))
}

/// Parses a comma-separated list of moves. Empty text is the empty list.
fn read(goban: &Goban, text: &str) -> Result<Vec<Move>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let read = |word: &str| {
        read_move(goban, word).ok_or_else(|| {
            let board = quote(&goban.spec.to_string());
            format!(
                "move '{}' is not on the board '{board}', expected a vertex or pass",
                quote(word)
            )
        })
    };
    text.split(',').map(|word| read(word.trim())).collect()
}

fn winner_text(winner: Option<crate::color::Color>) -> String {
    winner.map_or("tie".to_owned(), |color| color.to_string())
}

fn answer(goban: &Goban, moves: &[Move], check: GameCheck) -> Answer {
    let nothing = Answer {
        graph: goban.spec.to_string(),
        moves: moves.len(),
        valid: false,
        failed_at: None,
        condition: None,
        reason: None,
        black: None,
        white: None,
        winner: None,
    };
    match check {
        GameCheck::Game {
            black,
            white,
            winner,
        } => Answer {
            valid: true,
            black: Some(black.halves() / 2),
            white: Some(white.halves() / 2),
            winner: Some(winner_text(winner)),
            ..nothing
        },
        GameCheck::NoGame {
            condition,
            failed_at,
        } => Answer {
            failed_at,
            condition: Some(condition.formula()),
            reason: Some(condition.failure()),
            ..nothing
        },
    }
}

fn sentence(goban: &Goban, moves: &[Move], check: GameCheck) -> String {
    match check {
        GameCheck::Game {
            black,
            white,
            winner,
        } => {
            let winner = winner_text(winner);
            format!("a game: black {black} white {white}, winner {winner}")
        }
        GameCheck::NoGame {
            condition,
            failed_at,
        } => {
            let (formula, failure) = (condition.formula(), condition.failure());
            match failed_at.and_then(|i| moves.get(i).map(|&mv| (i, mv))) {
                Some((i, mv)) => {
                    let mv = move_for_people(&goban.names, mv);
                    format!("not a game: {formula} fails at m_{i} = {mv}: {failure}")
                }
                None => format!("not a game: {formula} fails: {failure}"),
            }
        }
    }
}
