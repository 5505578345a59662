//! Playouts: positions played to the end by cheap rules and random choice.
//!
//! A playout simplifies the rules of the game. If two passes end the game ([`scored`]), both sides
//! play under simple ko until only eyes are left. Then the area is counted. If a stuck player ends
//! the game ([`last_mover`]), both sides also fill their own eyes. There, a table of fixed size
//! stores the positions seen. Both kinds stop after three moves per point.

pub mod last_mover;
pub mod lockstep;
pub mod scored;

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

pub use omnigo_base::random::Random;

/// Method by which playouts choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Uniform choice among the moves that fill no eye.
    Light,
    /// Captures and rescues around the latest move first. Otherwise as [`Style::Light`], but
    /// without moves that throw chains away.
    Tactical,
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Style::Light => "light",
            Style::Tactical => "tactical",
        })
    }
}

impl FromStr for Style {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Style, &'static str> {
        match text {
            "light" => Ok(Style::Light),
            "tactical" => Ok(Style::Tactical),
            _ => Err("expected light or tactical"),
        }
    }
}

impl Style {
    /// Returns this style, or [`Style::Light`] if the board has no chains.
    pub fn on<B: Board>(self, board: &B) -> Style {
        if board.has_chains() {
            self
        } else {
            Style::Light
        }
    }
}

/// Starting conditions of a playout.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    /// The color that moves first.
    pub to_move: Color,
    /// The latest placement, if its stone is still on the board.
    pub last: Option<Vertex>,
    /// Number of colors.
    pub colors: usize,
}

impl Begin {
    /// An even game of two colors before the first move.
    pub const FRESH: Begin = Begin {
        to_move: Color::BLACK,
        last: None,
        colors: 2,
    };
}

/// A playout checks whether to stop after every 64 placements.
pub const ASK_EVERY: usize = 64;

/// The placements of a playout in order.
pub type Trace = Vec<(Color, Vertex)>;

/// Returns the maximum number of moves of a playout on this board.
pub fn move_cap<B: Board>(board: &B) -> usize {
    3 * board.placements().max(board.points()) + 16
}
