//! Levels of play, from weak to full strength.

use super::{Options, Style, Variety};

/// Level of play, from 1 (weakest) to [`Level::MOST`] (full strength).
///
/// ```
/// use omnigo::engine::{Level, Options};
/// let strong = Options { playouts: Some(9000), ..Options::default() };
/// let weak = Level::new(1).unwrap().limit(strong.clone());
/// assert!(weak.playouts < strong.playouts);
/// assert_eq!(Level::new(10).unwrap().limit(strong.clone()).playouts, Some(9000));
/// assert_eq!(Level::new(11), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(usize);

/// Limits of a level below full strength.
struct Row {
    /// Maximum number of playouts per move.
    playouts: u64,
    /// Move choice in playouts.
    style: Style,
    /// Temperature of all moves. It varies the games of a level.
    temperature: f64,
    /// True if a network may guide the search.
    network: bool,
}

const fn row(playouts: u64, style: Style, temperature: f64, network: bool) -> Row {
    Row {
        playouts,
        style,
        temperature,
        network,
    }
}

/// Levels in order; full strength has no row. Not calibrated: no match has measured their strength.
const ROWS: [Row; Level::MOST - 1] = [
    row(4, Style::Light, 1.0, false),
    row(9, Style::Light, 1.0, false),
    row(20, Style::Light, 1.0, false),
    row(30, Style::Tactical, 0.8, false),
    row(70, Style::Tactical, 0.8, false),
    row(160, Style::Tactical, 0.5, false),
    row(400, Style::Tactical, 0.5, false),
    row(1000, Style::Tactical, 0.3, true),
    row(3000, Style::Tactical, 0.0, true),
];

impl Level {
    /// Number of levels; the last one is full strength.
    pub const MOST: usize = 10;

    /// Returns the level of this number, or `None` outside of 1 to [`Level::MOST`].
    pub fn new(number: usize) -> Option<Level> {
        (1..=Self::MOST).contains(&number).then_some(Level(number))
    }

    /// Returns the options of a player of this level. Their own limits stay if they are lower.
    pub fn limit(self, options: Options) -> Options {
        let Some(row) = ROWS.get(self.0 - 1) else {
            return options;
        };
        let given = options.playouts.unwrap_or(row.playouts);
        Options {
            playouts: Some(given.min(row.playouts)),
            style: row.style,
            variety: Variety {
                temperature: row.temperature,
                moves: Some(u32::MAX),
            },
            guidance: options.guidance.filter(|_| row.network),
            ..options
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_more_playouts_than_the_one_below() {
        let playouts = |number| {
            let level = Level::new(number).unwrap();
            level.limit(Options::default()).playouts.unwrap_or(u64::MAX)
        };
        for number in 2..=Level::MOST {
            assert!(playouts(number - 1) < playouts(number), "{number}");
        }
        assert!((0..2).all(|n| Level::new(n).is_some() == (n == 1)));
    }

    #[test]
    fn lower_limits_of_the_options_stay() {
        let options = Options {
            playouts: Some(3),
            ..Options::default()
        };
        assert_eq!(Level::new(5).unwrap().limit(options).playouts, Some(3));
    }
}
