//! Replay of games, move by move, for the fit.

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::policy::learned::features::{self, Features};
use crate::policy::learned::patterns::{self, Patterns};
use crate::policy::{Survey, Terrain};
use crate::vertex::{Move, Vertex};

/// Reader of games on one board. For chosen positions, it gives the features of all legal moves and
/// the move played.
pub(super) struct Reader<B: Board> {
    start: Game<B>,
    terrain: Terrain,
    survey: Survey<B>,
    features: Vec<Features>,
    legal: Vec<Vertex>,
}

impl<B: Board> Reader<B> {
    /// Returns a reader of games that begin like `start`.
    pub(super) fn new(start: Game<B>) -> Reader<B> {
        Reader {
            terrain: Terrain::of(start.board()),
            start,
            survey: Survey::default(),
            features: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// Returns the position before the first move.
    pub(super) fn start(&self) -> &Game<B> {
        &self.start
    }

    /// Returns true if the board looks like a square lattice almost everywhere.
    pub(super) fn is_lattice(&self) -> bool {
        self.terrain.is_lattice()
    }

    /// Calls `show` for the positions before the moves with these numbers (sorted, from 0), up to
    /// the first illegal move. `known` contains the large shapes that count as features.
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

    /// Calls `show` with the keys of the large shapes around each move, and with the number of each
    /// shape's size.
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

/// Replays a game up to its first illegal move. For each placement, calls `show` with its number,
/// the position before it, the two previous moves (`None` for a pass), and its point.
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
