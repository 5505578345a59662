//! Colors of stones, numbered from 0 for black.

use std::fmt;
use std::str::FromStr;

/// Color of a stone and of the player who places it: an index below [`Color::MAX`].
///
/// ```
/// use omnigo_base::color::Color;
/// assert_eq!("w".parse::<Color>().unwrap(), Color::WHITE);
/// assert_eq!(Color::BLACK.to_string(), "black");
/// assert_eq!(Color::BLACK.symbol(), 'X');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Color(u8);

/// Names of the colors, in index order.
const NAMES: [&str; Color::MAX] = [
    "black", "white", "red", "blue", "green", "yellow", "purple", "orange",
];
/// Characters of the colors in position texts, in index order.
const SYMBOLS: [char; Color::MAX] = ['X', 'O', '3', '4', '5', '6', '7', '8'];

impl Color {
    /// The first color.
    pub const BLACK: Color = Color(0);
    /// The second color.
    pub const WHITE: Color = Color(1);
    /// Maximum number of colors.
    pub const MAX: usize = 8;

    /// Returns the color with this index, or `None` from [`Color::MAX`] on.
    pub const fn from_index(index: usize) -> Option<Color> {
        if index < Self::MAX {
            Some(Color(index as u8))
        } else {
            None
        }
    }

    /// Returns the index: the position in the order of play, from 0.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the opponent in a game of two colors.
    #[inline(always)]
    pub const fn other(self) -> Color {
        Color(self.0 ^ 1)
    }

    /// Returns the color that moves after this one when `colors` colors play in turn.
    #[inline(always)]
    pub const fn next(self, colors: usize) -> Color {
        let next = self.0 + 1;
        if next as usize >= colors {
            Color(0)
        } else {
            Color(next)
        }
    }

    /// Returns the character of a stone in a position text: `X`, `O`, `3` … `8`.
    pub const fn symbol(self) -> char {
        SYMBOLS[self.index()]
    }

    /// Reads a character of a position text; accepts `x` and `o` too. `None` for any other
    /// character.
    pub fn from_symbol(symbol: char) -> Option<Color> {
        SYMBOLS
            .iter()
            .position(|&s| s == symbol.to_ascii_uppercase())
            .and_then(Color::from_index)
    }

    /// Returns the first `colors` colors, in order of play.
    pub fn all(colors: usize) -> impl Iterator<Item = Color> {
        (0..colors.min(Self::MAX)).map(|index| Color(index as u8))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.index()])
    }
}

/// Error for a text that is not the name of a color.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid color '{0}', expected black or white")]
pub struct ParseColorError(String);

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "b" => Ok(Color::BLACK),
            "w" => Ok(Color::WHITE),
            name => NAMES
                .iter()
                .position(|&n| n == name)
                .and_then(Color::from_index)
                .ok_or_else(|| ParseColorError(crate::text::quote(text))),
        }
    }
}
