//! The two engines of a match, named after the options that give their commands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two engines, whatever color it has in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The engine of `--black`, Black in game 1.
    Black,
    /// The engine of `--white`, White in game 1.
    White,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Black, Side::White];

    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "--black",
            Side::White => "--white",
        })
    }
}

/// Something of each engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerSide<T> {
    /// Of the engine of `--black`.
    pub black: T,
    /// Of the engine of `--white`.
    pub white: T,
}

impl<T> PerSide<T> {
    /// What `make` makes for each.
    pub fn new(mut make: impl FnMut(Side) -> T) -> PerSide<T> {
        PerSide {
            black: make(Side::Black),
            white: make(Side::White),
        }
    }

    /// The one of `side`.
    pub const fn of(&self, side: Side) -> &T {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// The one of `side`, to change.
    pub const fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }
}
