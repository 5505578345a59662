//! What a user asks of games of the engine against itself.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::starts::Told;
use crate::arguments::chance;
use crate::net::kernels::Kernel;
use crate::net::shape::Shape;
use crate::playout::Chance;
use crate::points::Points;
use crate::rules::RulesetText;
use crate::text::quote;

/// Arguments of `omnigo selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Folder of the games (games.jsonl) and their rows (9x9.rows and so on); what is there already is gone on with.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Games to play, those in the folder included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// Boards, from 5x5 to 19x19, with weights by which they are drawn.
    #[arg(long, value_name = "SIDE:WEIGHT,…", default_value = "9")]
    pub boards: Boards,
    /// Network that guides the search: a file, or none [default: the built-in one].
    #[arg(long, value_name = "none|FILE")]
    pub net: Option<PathBuf>,
    /// What the network is computed with: portable, neon, avx2, avx2int16, avx512, avx512bf16 or amx [default: the fastest here].
    #[arg(long, value_name = "KERNEL")]
    pub net_kernel: Option<Kernel>,
    /// Ruleset: one that counts area as it stands.
    #[arg(long, alias = "rules", value_name = "NAME", default_value = "cgos")]
    pub ruleset: RulesetText,
    /// Komi around which it is drawn [default: the fair one of each board].
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = crate::arguments::komi)]
    pub komi: Option<Points>,
    /// Points by which a drawn komi differs at most.
    #[arg(long, value_name = "POINTS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(..=400))]
    pub komi_span: u16,
    /// Playouts of a move that is recorded.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    pub playouts: u64,
    /// Playouts of all other moves, those that the tree has kept included.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    pub quick_playouts: u64,
    /// Share of the moves that are recorded.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = chance)]
    pub recorded: f64,
    /// Share of noise in the network's chances at the root of a recorded move.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = chance)]
    pub noise: f64,
    /// First moves, those of records not counted, that are drawn in proportion to visits^(1/T) [default: half of width and height together].
    #[arg(long, value_name = "N")]
    pub drawn_moves: Option<u32>,
    /// That T: above 0, at most 10.
    #[arg(long, value_name = "T", default_value = "1", value_parser = temperature)]
    pub temperature: f64,
    /// Random moves at the start at most; how many is drawn.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=100))]
    pub random_moves: u32,
    /// Records, as for `omnigo rows`, from which games on 19x19 begin, those held out excepted.
    #[arg(long, value_name = "GAMES")]
    pub from_records: Option<PathBuf>,
    /// Share of a record's moves that are played at least before such a game begins.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = chance, requires = "from_records")]
    pub from_share: f64,
    /// Give up when the chance to win falls below this, 0 for never.
    #[arg(long, value_name = "P", default_value = "0", value_parser = chance)]
    pub resign_below: f64,
    /// Share of the games in which nobody gives up.
    #[arg(long, value_name = "P", default_value = "0.2", value_parser = chance)]
    pub played_out: f64,
    /// Games played at the same time, on a thread each.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallel: u16,
    /// Seed of all chance; each game has its own from it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

fn temperature(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 10.0 => Ok(value),
        _ => Err("expected a number above 0, at most 10".into()),
    }
}

/// What makes the games of two runs one collection; the first line of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the rows.
    pub rows: u16,
    /// The boards with their weights.
    pub boards: String,
    /// Hash of the network, `none` without one.
    pub net: String,
    /// The rules.
    pub ruleset: String,
    /// Komi around which it is drawn, `fair` for each board's own.
    pub komi: String,
    /// Points by which it differs at most.
    pub komi_span: u16,
    /// Playouts of a recorded move, and of others.
    pub playouts: [u64; 2],
    /// Shares: of recorded moves, of noise, of games played out.
    pub shares: [f64; 3],
    /// Moves that are drawn, if not half of both sides together.
    pub drawn_moves: Option<u32>,
    /// How they are drawn.
    pub temperature: f64,
    /// Random moves at the start at most.
    pub random_moves: u32,
    /// Chance to win below which a player gives up.
    pub resign_below: f64,
    /// Records from which games begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Told>,
    /// The seed.
    pub seed: u64,
}

impl Settings {
    /// The settings that the arguments make with a network of this hash and these records.
    pub fn new(args: &SelfplayArgs, net: Option<u64>, starts: Option<Told>) -> Settings {
        Settings {
            rows: super::super::format::Kind::Searched as u16,
            boards: args.boards.to_string(),
            net: net.map_or("none".into(), |hash| format!("{hash:016x}")),
            ruleset: args.ruleset.rules.to_string(),
            komi: args.komi.map_or("fair".into(), |komi| komi.to_string()),
            komi_span: args.komi_span,
            playouts: [args.playouts, args.quick_playouts],
            shares: [args.recorded, args.noise, args.played_out],
            drawn_moves: args.drawn_moves,
            temperature: args.temperature,
            random_moves: args.random_moves,
            resign_below: args.resign_below,
            starts,
            seed: args.seed,
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Rectangles with weights by which they are drawn.
///
/// ```
/// use omnigo::training::selfplay::Boards;
///
/// let boards: Boards = "9:5,13:2,7x5".parse().unwrap();
/// assert_eq!(boards.to_string(), "9x9:5,13x13:2,7x5:1");
/// assert!("4".parse::<Boards>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards(Vec<(Size, usize)>);

/// A text is no list of boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid board '{0}', expected sides from 5 to 19 and perhaps a weight, such as 9:5 or 13x9"
)]
pub struct BoardsError(String);

/// Boards in a list, and the weight of one, at most.
const MOST: usize = 256;
const HEAVIEST: usize = 1_000_000;

impl FromStr for Boards {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Boards, BoardsError> {
        let board = |part: &str| {
            let (sides, weight) = part.split_once(':').unwrap_or((part, "1"));
            let (width, height) = sides.split_once('x').unwrap_or((sides, sides));
            let side = |text: &str| text.parse().ok().filter(|side| Shape::SIDES.contains(side));
            let size = Size {
                width: side(width)?,
                height: side(height)?,
            };
            let weight = weight.parse().ok();
            Some((size, weight.filter(|w| (1..=HEAVIEST).contains(w))?))
        };
        let mut boards = Vec::new();
        for part in text.split(',') {
            let found = board(part).filter(|_| boards.len() < MOST);
            boards.push(found.ok_or_else(|| BoardsError(quote(part)))?);
        }
        Ok(Boards(boards))
    }
}

impl std::fmt::Display for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, (size, weight)) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{size}:{weight}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Size, BoardsError> {
        match text.parse::<Boards>()?.0.as_slice() {
            [(size, _)] => Ok(*size),
            _ => Err(BoardsError(quote(text))),
        }
    }
}

impl Boards {
    /// Whether this one may be drawn.
    pub fn include(&self, size: Size) -> bool {
        self.0.iter().any(|&(board, _)| board == size)
    }

    /// Draws one.
    pub fn draw(&self, chance: &mut Chance) -> Size {
        let all: usize = self.0.iter().map(|(_, weight)| weight).sum();
        let mut left = chance.below(all);
        for &(size, weight) in &self.0 {
            if left < weight {
                return size;
            }
            left -= weight;
        }
        unreachable!("what is left is less than all weights together")
    }
}

impl Size {
    /// The komi with which area counts are about even between strong players.
    pub fn fair_komi(self) -> Points {
        let points = match (self.width.min(self.height), self.width.max(self.height)) {
            (5, 5) => 25,
            (5, 6) | (6, 6) => 4,
            (7, 7) => 9,
            _ => 7,
        };
        Points::whole(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_by_their_weights() {
        let boards: Boards = "9:5,13x9:2,19:1".parse().unwrap();
        let mut chance = Chance::new(7);
        let drawn: Vec<Size> = (0..8000).map(|_| boards.draw(&mut chance)).collect();
        for (size, weight) in boards.0 {
            let share = drawn.iter().filter(|&&other| other == size).count();
            assert!(share.abs_diff(weight * 1000) < 150, "{size}: {share}");
        }
    }

    #[test]
    fn what_is_no_board_is_told() {
        for text in ["", "4", "20", "9:0", "9:x", "9x", "9,,13", "9:9999999"] {
            let error = text.parse::<Boards>().unwrap_err().to_string();
            assert!(error.starts_with("invalid board '"), "{error}");
        }
    }
}
