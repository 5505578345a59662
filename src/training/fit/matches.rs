//! Games of engines on graphs, read from the records of `omnigo match`.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use super::super::MOST_BYTES;
use super::reader::Reader;
use crate::board::BareBoard;
use crate::board::graph::{Adjacency, GraphBoard};
use crate::color::Color;
use crate::files;
use crate::game::Game;
use crate::graph::goban::{Goban, Surface};
use crate::graph::spec::Spec;
use crate::points::Points;
use crate::rules::presets;
use crate::vertex::Move;

/// Every 5th opening is held out, with both its games.
const HELD_OUT: u32 = 5;

/// The required fields of a record's line.
#[derive(Deserialize)]
struct Line {
    game: u32,
    opening: usize,
    first: String,
    moves: Vec<String>,
    settings: Settings,
}

#[derive(Deserialize)]
struct Settings {
    graph: String,
    #[serde(default)]
    handicap: u32,
}

/// A game on a graph.
pub(super) struct Match {
    /// The moves in order, Black first.
    pub(super) moves: Vec<Move>,
    /// Number of random moves at the start.
    pub(super) opening: usize,
    /// True if the weights of moves are not fitted to this game. The weights of playout answers
    /// are.
    pub(super) held_out: bool,
}

/// The games on one graph.
pub(super) struct Matches {
    pub(super) reader: Reader<GraphBoard>,
    pub(super) games: Vec<Match>,
}

/// Reason why the records cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NoMatches {
    /// A file cannot be read.
    #[error("cannot read '{0}': {1}")]
    File(PathBuf, std::io::Error),
    /// No game in the records is usable.
    #[error(
        "no games to learn from, expected matches on graphs other than square lattices, with Black first and no handicap"
    )]
    None,
    /// No move of the games is used for the weights of moves.
    #[error(
        "the matches have no moves to learn from, expected games with legal moves after the opening, not only of held-out openings such as the 5th"
    )]
    Empty,
    /// No move of the games is used for the weights of playout answers.
    #[error(
        "the matches have no playout answers to learn from, expected games with more moves after the opening"
    )]
    NoAnswers,
    /// A line is not a game.
    #[error("'{0}' line {1}: {2}")]
    Line(PathBuf, usize, String),
}

/// Reads records; a record may contain games on several boards.
///
/// Skips handicap games, games in which White moves first, and boards that are not graphs. Also
/// skips boards that look like a square lattice, which have their own weights.
///
/// # Errors
/// If a file cannot be read or a line is not a game.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Matches>, NoMatches> {
    let mut all: Vec<(String, Option<(Goban, Matches)>)> = Vec::new();
    for path in paths {
        let text =
            files::text(path, MOST_BYTES).map_err(|error| NoMatches::File(path.clone(), error))?;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            // The last line may be incomplete if the match was killed.
            if line.trim().is_empty() || !line.ends_with('\n') {
                continue;
            }
            let flaw = |what: String| NoMatches::Line(path.clone(), number, what);
            let line: Line = serde_json::from_str(line).map_err(|e| flaw(e.to_string()))?;
            let known = all
                .iter()
                .position(|(graph, _)| *graph == line.settings.graph);
            let place = match known {
                Some(place) => place,
                None => {
                    let board = board(&line.settings.graph).map_err(flaw)?;
                    all.push((line.settings.graph.clone(), board));
                    all.len() - 1
                }
            };
            let (_, Some((goban, matches))) = &mut all[place] else {
                continue;
            };
            if line.settings.handicap > 0 || line.first != "black" {
                continue;
            }
            let find = |word: &String| match word.as_str() {
                "pass" => Some(Move::Pass),
                name => goban.names.find(name).map(Move::Place),
            };
            let moves: Option<Vec<Move>> = line.moves.iter().map(find).collect();
            let moves =
                moves.ok_or_else(|| flaw("a move is not a vertex of its board".to_owned()))?;
            matches.games.push(Match {
                moves,
                opening: line.opening,
                held_out: (line.game.saturating_sub(1) / 2) % HELD_OUT == HELD_OUT - 1,
            });
        }
    }
    Ok(all
        .into_iter()
        .filter_map(|(_, found)| Some(found?.1))
        .collect())
}

/// Returns the board of a spec, without games; `None` if its games are skipped.
fn board(graph: &str) -> Result<Option<(Goban, Matches)>, String> {
    let spec: Spec = graph.parse().map_err(|e| format!("{e}"))?;
    let goban = spec.build().map_err(|e| e.to_string())?;
    let rules = presets::find("cgos").ok_or("no ruleset")?.rules.clone();
    match goban.surface {
        Surface::Graph => {}
        Surface::Space { .. } | Surface::Mango(_) => return Ok(None),
    }
    let adjacency = Adjacency::new(Arc::clone(&goban.graph));
    let Some(mut board) = GraphBoard::new(adjacency, rules.colors) else {
        return Ok(None);
    };
    board.set_position(&goban.start);
    let reader = Reader::new(Game::new(board, rules, Points::ZERO, Color::BLACK));
    if reader.is_lattice() {
        return Ok(None);
    }
    let games = Vec::new();
    Ok(Some((goban, Matches { reader, games })))
}
