//! Games gone through move by move.

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::policy::learned::features::{self, Features};
use crate::policy::learned::patterns::{self, Patterns};
use crate::policy::{Survey, Terrain};
use crate::vertex::{Move, Vertex};

/// Goes through games on one board and shows chosen positions: the legal moves' features and which was played.
pub(super) struct Reader<B: Board> {
    start: Game<B>,
    terrain: Terrain,
    survey: Survey<B>,
    features: Vec<Features>,
    legal: Vec<Vertex>,
}

impl<B: Board> Reader<B> {
    /// For games that begin like this one.
    pub(super) fn new(start: Game<B>) -> Reader<B> {
        Reader {
            terrain: Terrain::of(start.board()),
            start,
            survey: Survey::default(),
            features: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// How the games begin.
    pub(super) fn start(&self) -> &Game<B> {
        &self.start
    }

    /// Whether the board looks like a square lattice nearly everywhere.
    pub(super) fn is_lattice(&self) -> bool {
        self.terrain.is_lattice()
    }

    /// Shows the positions before these moves, counted from 0 and in order, as far as the moves are legal; larger shapes are told
    /// apart as far as they are known.
    pub(super) fn read(
        &mut self,
        moves: &[Move],
        positions: &[usize],
        known: &Patterns,
        mut show: impl FnMut(&[Features], usize),
    ) {
        let Reader {
            start,
            terrain,
            survey,
            features,
            legal,
        } = self;
        walk(start, moves, |number, line, recent, played| {
            if positions.binary_search(&number).is_err() {
                return;
            }
            let (board, color) = (line.board(), line.to_move());
            legal.clear();
            legal.extend(line.placements());
            let Some(played) = legal.iter().position(|&legal| legal == played) else {
                return;
            };
            survey.look(board, color, recent);
            features.clear();
            features.extend(
                legal
                    .iter()
                    .map(|&at| features::of(board, color, at, terrain, survey, known)),
            );
            show(features, played);
        });
    }

    /// Shows the keys of the larger shapes around all moves, each with the number of its size.
    pub(super) fn keys(&self, moves: &[Move], mut show: impl FnMut(u32, usize)) {
        let Some(windows) = self.terrain.windows() else {
            return;
        };
        walk(&self.start, moves, |_, line, _, played| {
            let mut size = 0;
            patterns::keys(line.board(), windows, line.to_move(), played, |key| {
                show(key, size);
                size += 1;
                true
            });
        });
    }
}

/// Goes through a game as far as its moves are legal: shows the number of each placement, the position before it, the two moves
/// before it where they are placements, and where it was.
pub(super) fn walk<B: Board>(
    start: &Game<B>,
    moves: &[Move],
    mut show: impl FnMut(usize, &Line<'_, B>, [Option<Vertex>; 2], Vertex),
) {
    let mut line = Line::new(start, Color::BLACK);
    let mut recent = [None; 2];
    for (number, &mv) in moves.iter().enumerate() {
        if let Some(at) = mv.vertex() {
            if line.board().at(at).is_some() || !line.is_legal(at) {
                return;
            }
            show(number, &line, recent, at);
        }
        line.play(mv);
        recent = [mv.vertex(), recent[0]];
    }
}
