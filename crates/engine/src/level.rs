//! Levels of play, from weak to full strength.

use super::{Options, Style, Variety};

/// Level of play, from 1 (weakest) to [`Level::MOST`] (full strength).
///
/// ```
/// use omnigo_engine::{Level, Options};
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
    /// Maximum number of playouts per move if a network guides the search. 0 if the level uses no
    /// network.
    guided: u64,
    /// Maximum number of playouts per move without a network.
    unguided: u64,
    /// Move choice in playouts.
    style: Style,
    /// Temperature of all moves. It varies the games of a level.
    temperature: f64,
    /// Maximum difference in mean result between the best move and a move that may be played.
    slack: f64,
}

/// Slack of all levels but the weakest. Moves within it are about equally good.
const SMALL: f64 = 0.02;

/// Returns a level whose searches have no network.
const fn plain(playouts: u64, style: Style, temperature: f64) -> Row {
    Row {
        guided: 0,
        unguided: playouts,
        style,
        temperature,
        slack: SMALL,
    }
}

/// Returns a level with a network on the boards that have one.
const fn guided(guided: u64, unguided: u64, temperature: f64) -> Row {
    Row {
        guided,
        unguided,
        style: Style::Tactical,
        temperature,
        slack: SMALL,
    }
}

/// Levels in order; full strength has no row. Each beats the one below in about three of four games
/// on 9x9 (figures in `docs/experiments.md`).
const ROWS: [Row; Level::MOST - 1] = [
    // Draws any of the moves that the search tried, with almost equal probabilities.
    Row {
        slack: 1.0,
        ..plain(15, Style::Light, 10.0)
    },
    plain(22, Style::Tactical, 0.8),
    plain(76, Style::Tactical, 0.8),
    plain(200, Style::Tactical, 0.5),
    plain(410, Style::Tactical, 0.5),
    guided(5, 1200, 0.5),
    guided(14, 3000, 0.3),
    guided(45, 8000, 0.2),
    guided(200, 20000, 0.0),
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
        let capped = |given: Option<u64>, most: u64| Some(given.map_or(most, |own| own.min(most)));
        let unguided = options.unguided_playouts.or(options.playouts);
        let has_network = row.guided > 0;
        Options {
            playouts: match has_network {
                true => capped(options.playouts, row.guided),
                false => capped(options.playouts, row.unguided),
            },
            unguided_playouts: capped(unguided, row.unguided),
            style: row.style,
            variety: Variety {
                temperature: row.temperature,
                moves: Some(u32::MAX),
                slack: row.slack,
                ..options.variety
            },
            guidance: options.guidance.filter(|_| has_network),
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
            let options = level.limit(Options::default());
            options.unguided_playouts.unwrap_or(u64::MAX)
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
        for number in [5, 7] {
            let limited = Level::new(number).unwrap().limit(options.clone());
            let playouts = [limited.playouts, limited.unguided_playouts];
            assert_eq!(playouts, [Some(3); 2], "{number}");
            let unguided = Options {
                playouts: None,
                unguided_playouts: Some(2),
                ..options.clone()
            };
            let limited = Level::new(number).unwrap().limit(unguided);
            assert_eq!(limited.unguided_playouts, Some(2), "{number}");
        }
    }
}
