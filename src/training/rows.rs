//! Training rows: what the network sees of a position, and what it should say about it.
//!
//! A file is a header of 16 bytes and rows of one size, all little-endian. The header: `omnigoTR`, the version (u16), width
//! and height (u8 each), bytes a row (u32). A row: the planes of each point (u32), komi as the network sees it (f32), the
//! move played (u16, the number of points for a pass), the winner from the mover's side (i8: 1, −1, 0 unknown), flags (u8:
//! 1 the score is known, 2 the ownership is), the score from the mover's side in half points (i16), two bytes of nothing,
//! and the ownership of each point in hundredths from the mover's side (i8), filled up to a multiple of four.

use std::io::{self, Write};

use super::games::{Record, SIDE};
use crate::board::Board;
use crate::board::grid::{Grid, GridBoard};
use crate::color::Color;
use crate::game::{Game, Line};
use crate::net::features::{
    Extractor, FORBIDDEN, OPPONENT, OWN, RECENT_MOVES, Situation, komi_input,
};
use crate::playout::Chance;
use crate::points::Points;
use crate::rules::{Ruleset, presets};
use crate::search;
use crate::vertex::{Move, Vertex};

/// Version of the format, features included.
pub const VERSION: u16 = 1;
/// Komi of the records.
const KOMI: Points = Points::from_halves(13);
/// Komi is moved by up to so many points where the margin tells who would have won.
const KOMI_SPAN: usize = 24;
/// Playouts that estimate who owns what at the end of a counted game, and of one given up.
const COUNTED_PLAYOUTS: usize = 16;
const RESIGNED_PLAYOUTS: usize = 12;
/// Of so many games given up one has its ownership estimated.
const RESIGNED_SHARE: usize = 2;
/// An estimate further than this from the counted margin is no good.
const TRUSTED: f64 = 8.0;

/// A file of rows.
pub struct Rows<'a> {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    bytes: &'a [u8],
}

/// What a reader takes from a row.
pub struct Row {
    /// What the network sees of each point.
    pub planes: Vec<u32>,
    /// What it sees of the komi.
    pub komi: f32,
    /// The move played, the number of points for a pass.
    pub target: usize,
    /// Whether the mover won, where that is known.
    pub won: Option<bool>,
}

impl Row {
    /// Whether the mover could play there; a pass always.
    pub fn is_open(&self, at: usize) -> bool {
        const CLOSED: u32 = 1 << OWN | 1 << OPPONENT | 1 << FORBIDDEN;
        self.planes.get(at).is_none_or(|bits| bits & CLOSED == 0)
    }
}

/// The bytes are no file of rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no training rows of version {VERSION}")]
pub struct NoRows;

/// Bytes of a row on a board of so many points.
fn row_size(points: usize) -> usize {
    (4 * points + 12 + points).next_multiple_of(4)
}

/// Reads a file's bytes.
pub fn read(bytes: &[u8]) -> Result<Rows<'_>, NoRows> {
    let (header, bytes) = bytes.split_first_chunk::<16>().ok_or(NoRows)?;
    let [magic @ .., _, _, _, _, _, _, _, _] = header;
    let [.., v0, v1, width, height, s0, s1, s2, s3] = *header;
    let (width, height) = (usize::from(width), usize::from(height));
    let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
    let sound = magic == b"omnigoTR"
        && u16::from_le_bytes([v0, v1]) == VERSION
        && size == row_size(width * height)
        && bytes.len().is_multiple_of(size);
    if !sound {
        return Err(NoRows);
    }
    Ok(Rows {
        width,
        height,
        bytes,
    })
}

impl Rows<'_> {
    /// The rows in their order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let points = self.width * self.height;
        self.bytes
            .chunks_exact(row_size(points))
            .filter_map(move |row| {
                let (planes, rest) = row.split_at_checked(4 * points)?;
                let planes = planes.as_chunks::<4>().0;
                let (&[k0, k1, k2, k3, t0, t1, winner], _) = rest.split_first_chunk()?;
                Some(Row {
                    planes: planes
                        .iter()
                        .map(|&bits| u32::from_le_bytes(bits))
                        .collect(),
                    komi: f32::from_le_bytes([k0, k1, k2, k3]),
                    target: usize::from(u16::from_le_bytes([t0, t1])),
                    won: (winner != 0).then_some(winner == 1),
                })
            })
    }
}

/// Writes rows of 19x19.
pub struct Writer {
    board: GridBoard,
    rules: Ruleset,
    extractor: Extractor<GridBoard>,
    planes: Vec<u32>,
}

impl Writer {
    /// A writer with its working space.
    pub fn new() -> Writer {
        let grid = Grid::new(SIDE, SIDE).and_then(|grid| GridBoard::new(grid, 2));
        let rules = presets::find("chinese").map(|preset| preset.rules.clone());
        match (grid, rules) {
            (Some(board), Some(rules)) => Writer {
                board,
                rules,
                extractor: Extractor::default(),
                planes: Vec::new(),
            },
            _ => unreachable!("19x19 and chinese are built in"),
        }
    }

    fn points() -> usize {
        SIDE * SIDE
    }

    /// Bytes of a row.
    fn size() -> usize {
        row_size(Self::points())
    }

    /// Writes the header.
    pub fn header(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"omnigoTR")?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&[SIDE as u8, SIDE as u8])?;
        out.write_all(&(Self::size() as u32).to_le_bytes())
    }

    /// Draws a position of the game and writes its row; `false` where the game cannot be played that far.
    pub fn row(
        &mut self,
        record: &Record,
        chance: &mut Chance,
        out: &mut impl Write,
    ) -> io::Result<bool> {
        let at = chance.below(record.moves.len());
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
        self.extract(&game, to_move);

        let moved = record.margin.is_some() && chance.percent(50);
        let shift = if moved {
            Points::whole(chance.below(2 * KOMI_SPAN + 1) as i64 - KOMI_SPAN as i64)
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
            None if record.winner.is_some() && chance.below(RESIGNED_SHARE) == 0 => {
                Self::ownership(&mut game, &record.moves[at..], record)
            }
            None => None,
        };

        let mut row = Vec::with_capacity(Self::size());
        for bits in &self.planes {
            row.extend(bits.to_le_bytes());
        }
        row.extend(komi_input(KOMI + shift, to_move).to_le_bytes());
        let target = record.moves[at]
            .vertex()
            .map_or(Self::points(), Vertex::index);
        row.extend((target as u16).to_le_bytes());
        let sign = |color: Color| if color == to_move { 1i8 } else { -1 };
        row.push(winner.map_or(0, sign) as u8);
        row.push(u8::from(margin.is_some()) | u8::from(ownership.is_some()) << 1);
        let score = margin.map_or(0, |margin| margin.halves().clamp(-1000, 1000));
        row.extend((score as i16 * i16::from(sign(Color::BLACK))).to_le_bytes());
        row.extend([0, 0]);
        match ownership {
            Some(black) => row.extend(black.iter().map(|&o| (o * sign(Color::BLACK)) as u8)),
            None => row.extend(std::iter::repeat_n(0, Self::points())),
        }
        row.resize(Self::size(), 0);
        out.write_all(&row)?;
        Ok(true)
    }

    fn extract(&mut self, game: &Game<GridBoard>, to_move: Color) {
        let line = Line::new(game, to_move);
        let mut legal: Vec<Vertex> = game.board().vacant().to_vec();
        legal.retain(|&at| line.is_legal(at));
        let moves: Vec<Option<Vertex>> = game.moves().map(|(_, mv)| mv.vertex()).collect();
        let recent: Vec<Option<Vertex>> = moves.into_iter().rev().take(RECENT_MOVES).collect();
        let situation = Situation {
            to_move,
            recent: &recent,
            legal: &legal,
        };
        self.extractor
            .extract(game.board(), situation, &mut self.planes);
    }

    /// Who owns what at the end of the game, in hundredths for Black, estimated by playouts from there; none where the
    /// estimate contradicts the result.
    fn ownership(game: &mut Game<GridBoard>, rest: &[Move], record: &Record) -> Option<Vec<i8>> {
        for &mv in rest {
            game.play(game.to_move(), mv).ok()?;
        }
        let playouts = match record.margin {
            Some(_) => COUNTED_PLAYOUTS,
            None => RESIGNED_PLAYOUTS,
        };
        let found = search::sample(game, playouts);
        let shares: Vec<f64> = (0..Self::points())
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
