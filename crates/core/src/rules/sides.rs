//! Sides: colors that win and lose together.

use std::fmt;
use std::str::FromStr;

use omnigo_base::color::Color;

/// Side of each color. Colors of one side add their scores at the end. Captures and territory are
/// those of each color, as without sides.
///
/// The text has one digit for each color in playing order, the same one for the colors of a side.
/// A color with 0, or without a digit, plays alone.
///
/// ```
/// use omnigo_base::color::Color;
/// use omnigo_core::rules::Sides;
/// let sides: Sides = "1212".parse().unwrap();
/// assert_eq!(sides.leader(Color::all(4).nth(3).unwrap()), Color::WHITE);
/// assert_eq!("37311".parse::<Sides>().unwrap().to_string(), "10122");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides([u8; Color::MAX]);

/// Error: the text does not describe sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one digit for each color, the same for colors that win together, such as 1212")]
pub struct ParseSidesError;

impl Sides {
    /// Every color plays alone.
    pub const ALONE: Sides = Sides([0; Color::MAX]);

    /// Returns the sides with these numbers, one for each color. Colors with equal numbers are on
    /// one side, except 0 for colors that play alone. Equal sides have equal values, whatever their
    /// numbers.
    pub fn new(numbers: [u8; Color::MAX]) -> Sides {
        let mut sides = Sides::ALONE;
        let mut count = 0;
        for (index, &number) in numbers.iter().enumerate() {
            let allies = numbers.iter().filter(|&&other| other == number).count();
            if number == 0 || allies < 2 {
                continue;
            }
            let first = numbers.iter().position(|&other| other == number);
            let known = first.filter(|&first| first < index);
            sides.0[index] = known.map_or_else(
                || {
                    count += 1;
                    count
                },
                |first| sides.0[first],
            );
        }
        sides
    }

    /// Returns the first color of the side of `color`, which is `color` itself if it plays alone.
    pub fn leader(&self, color: Color) -> Color {
        let number = self.0[color.index()];
        let first = self.0.iter().position(|&other| other == number);
        let leader = first.filter(|_| number != 0).and_then(Color::from_index);
        leader.unwrap_or(color)
    }

    /// Returns the number of the side of `color`, from 1, or `None` if it plays alone.
    pub fn number(&self, color: Color) -> Option<u8> {
        Some(self.0[color.index()]).filter(|&number| number != 0)
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.iter().rposition(|&number| number != 0).unwrap_or(0);
        self.0[..=last]
            .iter()
            .try_for_each(|number| write!(f, "{number}"))
    }
}

impl FromStr for Sides {
    type Err = ParseSidesError;

    fn from_str(text: &str) -> Result<Sides, ParseSidesError> {
        let mut numbers = [0; Color::MAX];
        if text.is_empty() || text.len() > Color::MAX {
            return Err(ParseSidesError);
        }
        for (slot, sign) in numbers.iter_mut().zip(text.chars()) {
            let digit = sign.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
            *slot = digit.ok_or(ParseSidesError)?;
        }
        Ok(Sides::new(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read_and_named_by_their_first_color() {
        for (text, shown) in [
            ("0", "0"),
            ("12345678", "0"),
            ("1212", "1212"),
            ("2121", "1212"),
            ("0770", "011"),
            ("90090000", "1001"),
            ("11111111", "11111111"),
        ] {
            let sides: Sides = text.parse().unwrap();
            assert_eq!(sides.to_string(), shown, "{text}");
            assert_eq!(shown.parse(), Ok(sides));
            for color in Color::all(Color::MAX) {
                let leader = sides.leader(color);
                assert!(leader <= color);
                assert_eq!(sides.leader(leader), leader);
                assert_eq!(sides.number(leader), sides.number(color));
            }
        }
        for wrong in ["", "x", "1 2", "123456789", "-1", "１２"] {
            assert!(wrong.parse::<Sides>().is_err(), "{wrong}");
        }
    }
}
