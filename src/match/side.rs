//! The two engines of a match, named after the options with their commands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two engines, independent of its color in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The engine of `--black`, Black in game 1.
    Black,
    /// The engine of `--white`, White in game 1.
    White,
}

impl Side {
    /// Both engines.
    pub const ALL: [Side; 2] = [Side::Black, Side::White];

    /// Returns the opponent.
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

/// One value for each engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerSide<T> {
    /// Value for the engine of `--black`.
    pub black: T,
    /// Value for the engine of `--white`.
    pub white: T,
}

impl<T> PerSide<T> {
    /// Returns the values that `make` returns for each engine.
    pub fn new(mut make: impl FnMut(Side) -> T) -> PerSide<T> {
        PerSide {
            black: make(Side::Black),
            white: make(Side::White),
        }
    }

    /// Returns the value of `side`.
    pub const fn of(&self, side: Side) -> &T {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// Returns the mutable value of `side`.
    pub const fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }
}
