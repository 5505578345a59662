//! Games gone through move by move.

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Line};
use crate::policy::learned::features::{self, Features};
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

    /// Whether the board looks like a square lattice nearly everywhere.
    pub(super) fn is_lattice(&self) -> bool {
        self.terrain.is_lattice()
    }

    /// Shows the positions before these moves, counted from 0 and in order, as far as the moves are legal.
    pub(super) fn read(
        &mut self,
        moves: &[Move],
        positions: &[usize],
        mut show: impl FnMut(&[Features], usize),
    ) {
        let mut line = Line::new(&self.start, Color::BLACK);
        let mut recent = [None; 2];
        for (number, &mv) in moves.iter().enumerate() {
            let Move::Place(at) = mv else {
                line.play(mv);
                recent = [None, recent[0]];
                continue;
            };
            if line.board().at(at).is_some() || !line.is_legal(at) {
                return;
            }
            if positions.binary_search(&number).is_ok() {
                let board = line.board();
                self.legal.clear();
                self.legal.extend(line.placements());
                if let Some(played) = self.legal.iter().position(|&legal| legal == at) {
                    self.survey.look(board, line.to_move(), recent);
                    self.features.clear();
                    self.features.extend(self.legal.iter().map(|&at| {
                        features::of(board, line.to_move(), at, &self.terrain, &self.survey)
                    }));
                    show(&self.features, played);
                }
            }
            line.play(mv);
            recent = [Some(at), recent[0]];
        }
    }
}
