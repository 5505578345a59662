//! Training rows from game records: one position per game, with the move played and the game's
//! result.

use std::io::{self, Write};

use super::format::{Header, Kind, Row};
use super::games::{Record, SIDE};
use super::view::View;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::game::Game;
use crate::net::features::komi_input;
use crate::playout::Random;
use crate::points::Points;
use crate::rules::{Ruleset, presets};
use crate::search;
use crate::vertex::{Move, Vertex};

/// Header of the files.
const HEADER: Header = Header {
    kind: Kind::Played,
    width: SIDE,
    height: SIDE,
};
/// Number of points of the board.
const POINTS: usize = SIDE * SIDE;
/// Komi of the records.
const KOMI: Points = Points::from_halves(13);
/// Maximum change of komi in whole points, in either direction. Applies to half of the counted
/// games, whose score shows who would have won.
const KOMI_SPAN: usize = 24;
/// Number of playouts that estimate the ownership at the end of a counted game.
const COUNTED_PLAYOUTS: usize = 16;
/// Number of playouts that estimate the ownership at the end of a resigned game.
const RESIGNED_PLAYOUTS: usize = 12;
/// The ownership of a resigned game is estimated with probability 1/2.
const RESIGNED_SHARE: usize = 2;
/// Maximum difference, in points, between the estimated and the counted score. Estimates that
/// differ more are discarded.
const TRUSTED: f64 = 8.0;

/// Writer of rows for 19x19.
pub struct Writer {
    board: GridBoard,
    rules: Ruleset,
    view: View<GridBoard>,
}

impl Writer {
    /// Returns a writer with empty working space.
    pub fn new() -> Writer {
        let grid = Grid::new(SIDE, SIDE).and_then(|grid| GridBoard::new(grid, 2));
        let rules = presets::find("chinese").map(|preset| preset.rules.clone());
        match (grid, rules) {
            (Some(board), Some(rules)) => Writer {
                board,
                rules,
                view: View::new(),
            },
            _ => unreachable!("19x19 and chinese are built in"),
        }
    }

    /// Writes the header.
    pub fn header(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&HEADER.bytes())
    }

    /// Draws a position of the game and writes its row. Returns false if the game has no moves or
    /// an illegal move up to there.
    pub fn row(
        &mut self,
        record: &Record,
        random: &mut Random,
        out: &mut impl Write,
    ) -> io::Result<bool> {
        if record.moves.is_empty() {
            return Ok(false);
        }
        let at = random.below(record.moves.len());
        let mut game = Game::new(self.board.clone(), self.rules.clone(), KOMI, Color::BLACK);
        for &mv in &record.moves[..at] {
            if game.play(game.to_move(), mv).is_err() {
                return Ok(false);
            }
        }
        let to_move = game.to_move();
        if game.check(to_move, record.moves[at]).is_err() {
            return Ok(false);
        }
        let planes = self.view.of(&game, to_move);

        let moved = record.margin.is_some() && random.percent(50);
        let shift = if moved {
            Points::whole(random.below(2 * KOMI_SPAN + 1) as i64 - KOMI_SPAN as i64)
        } else {
            Points::ZERO
        };
        let margin = record.margin.map(|margin| margin - shift);
        let winner = match margin {
            Some(margin) if margin > Points::ZERO => Some(Color::BLACK),
            Some(margin) if margin < Points::ZERO => Some(Color::WHITE),
            Some(_) => None,
            None => record.winner,
        };
        let ownership = match record.margin {
            Some(_) => Self::ownership(&mut game, &record.moves[at..], record),
            None if record.winner.is_some() && random.below(RESIGNED_SHARE) == 0 => {
                Self::ownership(&mut game, &record.moves[at..], record)
            }
            None => None,
        };

        let sign = |color: Color| if color == to_move { 1 } else { -1 };
        let black = sign(Color::BLACK);
        let row = Row {
            planes,
            komi: komi_input(KOMI + shift, to_move),
            target: record.moves[at].vertex().map_or(POINTS, Vertex::index),
            won: winner.map(|winner| winner == to_move),
            win: None,
            score: margin.map(|margin| margin.halves() as f32 / 2.0 * f32::from(black)),
            ownership: ownership.map(|owners| owners.iter().map(|&o| o * black).collect()),
            shares: Vec::new(),
        };
        row.write(&HEADER, out)?;
        Ok(true)
    }

    /// Estimates the ownership at the end of the game by playouts, in percent for Black. `None` if
    /// a move is illegal, or if the estimate contradicts the result.
    fn ownership(game: &mut Game<GridBoard>, rest: &[Move], record: &Record) -> Option<Vec<i8>> {
        for &mv in rest {
            game.play(game.to_move(), mv).ok()?;
        }
        let playouts = match record.margin {
            Some(_) => COUNTED_PLAYOUTS,
            None => RESIGNED_PLAYOUTS,
        };
        let found = search::sample(game, playouts);
        let shares: Vec<f64> = (0..POINTS)
            .map(Vertex::at)
            .map(|at| found.share(at, Color::BLACK) - found.share(at, Color::WHITE))
            .collect();
        let points = |points: Points| points.halves() as f64 / 2.0;
        let estimated = shares.iter().sum::<f64>() - points(KOMI);
        let agrees = match (record.margin, record.winner) {
            (Some(margin), _) => (estimated - points(margin)).abs() <= TRUSTED,
            (None, Some(winner)) => (estimated > 0.0) == (winner == Color::BLACK),
            (None, None) => false,
        };
        agrees.then(|| shares.iter().map(|share| (share * 100.0) as i8).collect())
    }
}
