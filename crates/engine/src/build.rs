//! Choice of the board type for a goban, and checks that a ruleset fits it.

use std::sync::Arc;

use super::Options;
use super::any_game::{AnyGame, TypedGame};
use super::point_map::PointMap;
use omnigo_base::color::Color;
use omnigo_base::text::quote;
use omnigo_core::board::Board;
use omnigo_core::board::graph::{Adjacency, GraphBoard};
use omnigo_core::board::grid::{Grid, GridBoard};
use omnigo_core::board::mango::MangoBoard;
use omnigo_core::board::space::SpaceBoard;
use omnigo_core::rules::{Passing, Points, Ruleset};
use omnigo_graph::goban::{Goban, Surface};

/// Reason why the engine refuses a board or a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The ruleset contradicts itself.
    #[error("{0}")]
    Ruleset(&'static str),
    /// Passes cost prisoners, and the owner of a point shared by several stones is undefined.
    #[error("pass=prisoners is not defined on a go-space, expected pass=free or pass=never")]
    PaidPasses,
    /// More than two colors can play only on graphs. Theory defines the other boards only for two.
    #[error("{0} players on this board, expected 2 (set_players 2): only graphs allow more")]
    Colors(usize),
    /// The start position contains a stone of a color that does not play.
    #[error(
        "the starting position has a stone of {color}, expected at least {expected} players (set_players {expected})"
    )]
    NoPlayer {
        /// The color of the stone.
        color: Color,
        /// Number of players with which this color plays.
        expected: usize,
    },
}

/// Error of counts of positions and games, which support only ordinary Go on a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a board for ordinary Go, expected a graph where liberties are adjacent empty vertices"
)]
pub struct NotOrdinary(String);

impl NotOrdinary {
    /// Returns the error for this board.
    pub fn new(goban: &Goban) -> NotOrdinary {
        NotOrdinary(quote(&goban.spec.to_string()))
    }
}

/// Checks that this ruleset can be played on this goban.
pub fn check_rules(goban: &Goban, rules: &Ruleset) -> Result<(), EngineError> {
    if let Some(flaw) = rules.flaw() {
        return Err(EngineError::Ruleset(flaw));
    }
    let last = goban.start.iter().flatten().max().copied();
    if let Some(color) = last.filter(|color| color.index() >= rules.colors) {
        let expected = color.index() + 1;
        return Err(EngineError::NoPlayer { color, expected });
    }
    match &goban.surface {
        Surface::Graph => {}
        Surface::Space { .. } | Surface::Mango(_) if rules.colors == 2 => {}
        Surface::Space { .. } | Surface::Mango(_) => return Err(EngineError::Colors(rules.colors)),
    }
    match (&goban.surface, rules.passing) {
        (Surface::Space { .. }, Passing::Prisoners) => Err(EngineError::PaidPasses),
        (Surface::Space { .. }, Passing::Free | Passing::Never) => Ok(()),
        (Surface::Graph | Surface::Mango(_), _) => Ok(()),
    }
}

/// Returns a new game on the type of board that fits the goban best.
pub(super) fn build_game(
    goban: &Goban,
    point_map: &PointMap,
    rules: Ruleset,
    komi: Points,
    options: &Options,
) -> Box<dyn AnyGame> {
    match (&goban.surface, point_map) {
        (Surface::Space { space, .. }, PointMap::Same) => {
            return match SpaceBoard::new(Arc::clone(space), rules.colors) {
                Some(board) => at_start(goban, point_map, board, rules, komi, options),
                None => unreachable!("rulesets have at most as many colors as boards"),
            };
        }
        (Surface::Mango(mango), _) if !mango.is_plain() => {
            let (graph, mango) = (Arc::clone(&goban.graph), Arc::clone(mango));
            return match MangoBoard::new(graph, mango, rules.colors) {
                Some(board) => at_start(goban, point_map, board, rules, komi, options),
                None => unreachable!("a Mango set has a weight for each vertex"),
            };
        }
        (Surface::Space { .. }, PointMap::Placements(_))
        | (Surface::Graph | Surface::Mango(_), _) => {}
    }
    let grid = goban
        .rectangle
        .and_then(|(width, height)| Grid::new(width, height));
    if let Some(board) = grid.and_then(|grid| GridBoard::new(grid, rules.colors)) {
        return at_start(goban, point_map, board, rules, komi, options);
    }
    let adjacency = Adjacency::new(Arc::clone(&goban.graph));
    match GraphBoard::new(adjacency, rules.colors) {
        Some(board) => at_start(goban, point_map, board, rules, komi, options),
        None => unreachable!("rulesets have at most as many colors as boards"),
    }
}

fn at_start<B: Board>(
    goban: &Goban,
    point_map: &PointMap,
    mut board: B,
    rules: Ruleset,
    komi: Points,
    options: &Options,
) -> Box<dyn AnyGame> {
    board.set_position(&point_map.to_game(&goban.start));
    let chosen = goban.first(&goban.start);
    let first = chosen.unwrap_or(rules.first);
    let initial = goban.initial_scores();
    let mut game = TypedGame::new(board, rules, komi, first, initial, options.settings());
    if chosen.is_some() {
        game.keep_first();
    }
    game.set_handicap_moves(options.handicap_moves);
    Box::new(game)
}
