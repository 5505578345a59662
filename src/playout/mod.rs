//! Playouts: a position played to its end by cheap rules and chance.
//!
//! A playout reads the rules more coarsely than a game does. Where two passes end the game ([`scored`]), both sides play until
//! nothing but eyes is left, under simple ko, and the area is counted. Where being stuck ends it ([`last_mover`]), both play
//! on into their own eyes, and a table of fixed size remembers the positions seen. Both stop after three moves a point.

pub mod last_mover;
pub mod lockstep;
pub mod roots;
pub mod scored;
mod tactics;

use std::fmt;
use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// The generator of all chance: small, fast, the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// A generator that depends on the seed alone.
    pub fn new(seed: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `bound`, which is at most 2³²; 0 when `bound` is.
    #[inline(always)]
    pub fn below(&mut self, bound: usize) -> usize {
        // Lemire's multiplication: the bias is below bound / 2³².
        (((self.0.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// True `percent` times in a hundred.
    #[inline(always)]
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// The generator itself, for distributions.
    pub fn generator(&mut self) -> &mut impl Rng {
        &mut self.0
    }

    /// Any 64-bit number.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// How playouts choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Uniformly among the moves that fill no eye.
    Light,
    /// First captures and rescues around the latest move, then as [`Style::Light`] without throwing chains away.
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
    /// This style, or the light one where there are no chains to be tactical about.
    pub fn on<B: Board>(self, board: &B) -> Style {
        if board.has_chains() {
            self
        } else {
            Style::Light
        }
    }
}

/// Where a playout begins.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    /// Who moves first.
    pub to_move: Color,
    /// The latest placement, if its stone still stands.
    pub last: Option<Vertex>,
    /// How many colours play.
    pub colors: usize,
}

impl Begin {
    /// An even game of two that nobody has moved in yet.
    pub const FRESH: Begin = Begin {
        to_move: Color::BLACK,
        last: None,
        colors: 2,
    };
}

/// A playout asks whether it should stop each time it has made so many placements.
pub(crate) const ASK_EVERY: usize = 64;

/// The placements of a playout in order.
pub type Trace = Vec<(Color, Vertex)>;

/// The most moves of a playout on this board.
pub fn move_cap<B: Board>(board: &B) -> usize {
    3 * board.placements().max(board.points()) + 16
}
