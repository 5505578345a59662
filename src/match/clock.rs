//! Clocks that the match runner keeps, in the terms of GTP's `time_settings`.

use std::fmt;
use std::str::FromStr;

use crate::text::quote;

/// Main time, then a fixed number of stones per period.
///
/// ```
/// use omnigo::r#match::clock::TimeControl;
/// let settings: TimeControl = "300,30,5".parse().unwrap();
/// assert_eq!((settings.main, settings.period, settings.stones), (300.0, 30.0, 5));
/// assert_eq!(settings.to_string(), "300,30,5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeControl {
    /// Main time in seconds.
    pub main: f64,
    /// Length of a period in seconds.
    pub period: f64,
    /// Number of stones per period. 0 means main time only, or no limit at all if there is a
    /// period.
    pub stones: u32,
}

/// Error for a text that is not a time setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid time settings '{0}', expected MAIN,PERIOD,STONES such as 300,0,0 or 0,1,1 (seconds, seconds, a number)"
)]
pub struct TimeSettingsError(String);

impl FromStr for TimeControl {
    type Err = TimeSettingsError;

    fn from_str(text: &str) -> Result<TimeControl, TimeSettingsError> {
        let seconds = |word: &str| {
            let value: f64 = word.trim().parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        let read = || {
            let mut words = text.split(',');
            let settings = TimeControl {
                main: seconds(words.next()?)?,
                period: seconds(words.next()?)?,
                stones: words.next()?.trim().parse().ok()?,
            };
            let some = settings.main > 0.0 || settings.period > 0.0;
            (words.next().is_none() && some).then_some(settings)
        };
        read().ok_or_else(|| TimeSettingsError(quote(text)))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.main, self.period, self.stones)
    }
}

impl TimeControl {
    /// Returns true if time is limited. A period without stones means no limit.
    pub fn limited(&self) -> bool {
        self.stones > 0 || self.period == 0.0
    }

    /// Returns true if the settings contain fractions of seconds.
    fn fractional(&self) -> bool {
        self.main.fract() != 0.0 || self.period.fract() != 0.0
    }
}

/// Remaining time of one engine.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    settings: TimeControl,
    /// Seconds left of main time or of the period.
    left: f64,
    /// Number of stones left in the period; 0 in main time.
    stones: u32,
}

impl GameClock {
    /// Returns a full clock.
    pub fn new(settings: TimeControl) -> GameClock {
        let (left, stones) = if settings.main > 0.0 {
            (settings.main, 0)
        } else {
            (settings.period, settings.stones)
        };
        GameClock {
            settings,
            left,
            stones,
        }
    }

    /// Returns the arguments of the command `time_left`: seconds and stones. Seconds are whole
    /// numbers, as GTP requires, unless the settings contain fractions.
    pub fn time_left(&self) -> String {
        if self.settings.fractional() {
            format!("{:.2} {}", self.left, self.stones)
        } else {
            format!("{:.0} {}", self.left.floor(), self.stones)
        }
    }

    /// Subtracts the time of a move. Returns how many seconds too late the move was, or 0 for a
    /// move in time.
    pub fn charge(&mut self, spent: f64) -> f64 {
        if !self.settings.limited() {
            return 0.0;
        }
        self.left -= spent;
        if self.stones == 0 && self.left < 0.0 && self.settings.stones > 0 {
            // Main time ran out during this move. The excess counts for the first period.
            self.left += self.settings.period;
            self.stones = self.settings.stones;
        }
        let late = (-self.left).max(0.0);
        self.left = self.left.max(0.0);
        if self.stones > 0 {
            self.stones -= 1;
            if self.stones == 0 {
                (self.left, self.stones) = (self.settings.period, self.settings.stones);
            }
        }
        late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> GameClock {
        GameClock::new(text.parse().unwrap())
    }

    #[test]
    fn main_time_runs_out_once() {
        let mut clock = clock("10,0,0");
        assert_eq!(clock.charge(4.5), 0.0);
        assert_eq!(clock.time_left(), "5 0");
        assert_eq!(clock.charge(6.5), 1.0);
        assert_eq!(clock.time_left(), "0 0");
    }

    #[test]
    fn periods_restart_after_their_stones() {
        let mut clock = clock("2,10,2");
        assert_eq!(clock.charge(1.0), 0.0);
        assert_eq!(clock.time_left(), "1 0");
        assert_eq!(clock.charge(3.0), 0.0);
        assert_eq!(clock.time_left(), "8 1");
        assert_eq!(clock.charge(7.0), 0.0);
        assert_eq!(clock.time_left(), "10 2");
        assert_eq!(clock.charge(11.0), 1.0);
    }

    #[test]
    fn one_stone_periods_restart_with_every_move() {
        let mut clock = clock("0,0.5,1");
        assert_eq!(clock.time_left(), "0.50 1");
        assert_eq!(clock.charge(0.5), 0.0);
        assert_eq!(clock.charge(0.75), 0.25);
        assert_eq!(clock.time_left(), "0.50 1");
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        assert_eq!(clock("0,1,0").charge(1e6), 0.0);
    }

    #[test]
    fn rejects_malformed_time_settings() {
        for text in [
            "", "1", "1,2", "1,2,3,4", "a,0,0", "-1,0,0", "nan,0,0", "1,2,-1", "0,0,0", "0,0,3",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.to_string().contains("expected MAIN"), "{text}");
        }
    }
}
