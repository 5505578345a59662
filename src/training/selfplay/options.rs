//! Command-line arguments of self-play.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::starts::Description;
use crate::arguments::{kernel_help, probability};
use crate::net::kernels::Kernel;
use crate::net::layout::BoardLayout;
use crate::playout::Random;
use crate::points::Points;
use crate::rules::RulesetText;
use crate::text::quote;

/// Arguments of `omnigo selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Folder for the games (games.jsonl) and their rows (9x9.rows and so on); an existing folder
    /// is continued.
    #[arg(long, visible_alias = "output", value_name = "DIR")]
    pub out: PathBuf,
    /// Total number of games, including those already in the folder.
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(1..=10_000_000))]
    pub games: u32,
    /// Boards from 5x5 to 19x19, drawn in proportion to their weights.
    #[arg(long, value_name = "SIDE:WEIGHT,…", default_value = "9")]
    pub boards: Boards,
    /// Network that guides the search: a file, or none [default: the built-in network].
    #[arg(long, value_name = "none|FILE")]
    pub net: Option<PathBuf>,
    /// Kernel for the network.
    #[arg(long, value_name = "KERNEL", help = kernel_help("Kernel for the network"))]
    pub net_kernel: Option<Kernel>,
    /// Ruleset with area scoring that counts all stones on the board as alive.
    #[arg(long, alias = "rules", value_name = "NAME", default_value = "cgos")]
    pub ruleset: RulesetText,
    /// Mean komi [default: the fair komi of each board].
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = crate::arguments::komi)]
    pub komi: Option<Points>,
    /// Maximum difference of a game's komi from the mean, in points; each game draws its komi.
    #[arg(long, value_name = "POINTS", default_value_t = 4, value_parser = crate::arguments::whole::<u16>(..=400))]
    pub komi_span: u16,
    /// Playouts per recorded move.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = crate::arguments::whole::<u64>(2..))]
    pub playouts: u64,
    /// Visits per unrecorded move, including those kept from the previous search.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = crate::arguments::whole::<u64>(1..))]
    pub quick_playouts: u64,
    /// Fraction of moves that are recorded.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = probability)]
    pub recorded: f64,
    /// Fraction of Dirichlet noise in the root policy of recorded moves.
    #[arg(long, value_name = "P", default_value = "0.25", value_parser = probability)]
    pub noise: f64,
    /// Number of opening moves drawn with probability proportional to visits^(1/T), after moves
    /// from records [default: (width + height) / 2].
    #[arg(long, value_name = "N", value_parser = crate::arguments::whole::<u32>(..))]
    pub drawn_moves: Option<u32>,
    /// Temperature T of these opening moves: above 0, at most 10.
    #[arg(long, value_name = "T", default_value = "1", value_parser = temperature)]
    pub temperature: f64,
    /// Maximum number of random moves at the start; each game draws its number.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = crate::arguments::whole::<u32>(..=100))]
    pub random_moves: u32,
    /// Game records, as for `omnigo rows`, from which games on 19x19 start; held-out games are not
    /// used.
    #[arg(long, value_name = "GAMES")]
    pub from_records: Option<PathBuf>,
    /// Minimum fraction of a record's moves that are played before such a game starts.
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = probability, requires = "from_records")]
    pub from_share: f64,
    /// Resign below this win probability; 0 never resigns.
    #[arg(long, value_name = "P", default_value = "0", value_parser = probability)]
    pub resign_below: f64,
    /// Fraction of games without resignation.
    #[arg(long, value_name = "P", default_value = "0.2", value_parser = probability)]
    pub played_out: f64,
    /// Number of games played in parallel, one thread each.
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = crate::arguments::whole::<u16>(1..=256))]
    pub parallel: u16,
    /// Seed of all random numbers; each game derives its own seed from it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::whole::<u64>(..))]
    pub seed: u64,
}

fn temperature(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 10.0 => Ok(value),
        _ => Err("expected a number above 0, at most 10".into()),
    }
}

/// Settings that all games of a folder share; the first line of the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the rows.
    pub rows: u16,
    /// The boards with their weights.
    pub boards: String,
    /// Hash of the network, or `none`.
    pub net: String,
    /// The rules.
    pub ruleset: String,
    /// Mean komi, or `fair` for the fair komi of each board.
    pub komi: String,
    /// Maximum difference of a game's komi from the mean, in points.
    pub komi_span: u16,
    /// Playouts per recorded move, and visits per other move.
    pub playouts: [u64; 2],
    /// Fractions of recorded moves, of noise, and of games without resignation.
    pub shares: [f64; 3],
    /// Number of opening moves that are drawn; `None` for half of width plus height.
    pub drawn_moves: Option<u32>,
    /// Temperature of these opening moves.
    pub temperature: f64,
    /// Maximum number of random moves at the start.
    pub random_moves: u32,
    /// Win probability below which a player resigns.
    pub resign_below: f64,
    /// Records from which games start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Description>,
    /// The seed.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings for these arguments. `net` is the hash of the network, and `starts`
    /// describes the records.
    pub fn new(args: &SelfplayArgs, net: Option<u64>, starts: Option<Description>) -> Settings {
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

/// Size of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// Rectangles with weights. They are drawn in proportion to the weights.
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

/// Error: the text is not a list of boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid board '{0}', expected sides from 5 to 19 and an optional weight, such as 9:5 or 13x9"
)]
pub struct BoardsError(String);

/// Maximum number of boards in a list.
const MOST: usize = 256;
/// Maximum weight of a board.
const HEAVIEST: usize = 1_000_000;

impl FromStr for Boards {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Boards, BoardsError> {
        let board = |part: &str| {
            let (sides, weight) = part.split_once(':').unwrap_or((part, "1"));
            let (width, height) = sides.split_once('x').unwrap_or((sides, sides));
            let side = |text: &str| {
                text.parse()
                    .ok()
                    .filter(|side| BoardLayout::SIDES.contains(side))
            };
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
    /// Returns true if the list contains this size.
    pub fn include(&self, size: Size) -> bool {
        self.0.iter().any(|&(board, _)| board == size)
    }

    /// Draws a size in proportion to the weights.
    pub fn draw(&self, random: &mut Random) -> Size {
        let all: usize = self.0.iter().map(|(_, weight)| weight).sum();
        let mut left = random.below(all);
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
    /// Returns the komi with which area scoring is about even between strong players.
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
        let mut random = Random::new(7);
        let drawn: Vec<Size> = (0..8000).map(|_| boards.draw(&mut random)).collect();
        for (size, weight) in boards.0 {
            let share = drawn.iter().filter(|&&other| other == size).count();
            assert!(share.abs_diff(weight * 1000) < 150, "{size}: {share}");
        }
    }

    #[test]
    fn rejects_invalid_boards() {
        for text in ["", "4", "20", "9:0", "9:x", "9x", "9,,13", "9:9999999"] {
            let error = text.parse::<Boards>().unwrap_err().to_string();
            assert!(error.starts_with("invalid board '"), "{error}");
        }
    }
}
