//! Games that engines played on graphs, from the records of `omnigo match`.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use super::reader::Reader;
use crate::board::Board;
use crate::board::graph::{Adjacency, GraphBoard};
use crate::color::Color;
use crate::game::Game;
use crate::graph::goban::{Goban, Surface};
use crate::graph::spec::Spec;
use crate::points::Points;
use crate::rules::presets;
use crate::vertex::Move;

/// Of so many openings one is held out, with both its games.
const HELD_OUT: u32 = 5;

/// What of a line of a record matters here.
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
    /// The moves, Black first, in turn.
    pub(super) moves: Vec<Move>,
    /// How many of them were drawn by lot.
    pub(super) opening: usize,
    /// Whether no weights of moves are learned from it; those of answers in playouts are.
    pub(super) held_out: bool,
}

/// The games on one graph.
pub(super) struct Matches {
    pub(super) reader: Reader<GraphBoard>,
    pub(super) games: Vec<Match>,
}

/// Records cannot be learned from.
#[derive(Debug, thiserror::Error)]
pub enum NoMatches {
    /// A file cannot be read.
    #[error("cannot read '{0}': {1}")]
    File(PathBuf, std::io::Error),
    /// All was read and nothing can be learned from it.
    #[error(
        "no games to learn from, expected matches on graphs that are no square lattices, Black first, no handicap"
    )]
    None,
    /// A line is no game.
    #[error("'{0}' line {1}: {2}")]
    Line(PathBuf, usize, String),
}

/// Reads records, each of games on one board or several. Left out are handicap games, games of White's first move, and boards
/// that are no graphs or look like a square lattice: those have weights of their own.
///
/// # Errors
/// When a file cannot be read or a line is no game.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Matches>, NoMatches> {
    let mut all: Vec<(String, Option<(Goban, Matches)>)> = Vec::new();
    for path in paths {
        let text =
            std::fs::read_to_string(path).map_err(|error| NoMatches::File(path.clone(), error))?;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            // The last line of a match that was killed may be cut short.
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
            let moves = moves.ok_or_else(|| flaw("a move is no vertex of its board".to_owned()))?;
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

/// The board of a spec without games; `None` where nothing is learned from it.
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
