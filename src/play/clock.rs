//! Clocks of a game. The server counts, and pages show what it says.

use std::time::Instant;

use serde_json::{Value, json};

use super::message::ClockText;
use crate::color::Color;
use crate::engine::{Clock, TimeSettings};
use crate::text::four_decimals;

/// Maximum of every time, in seconds.
const LONGEST: f64 = 86_400.0;

/// One clock for each color, and the one that runs.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    settings: TimeSettings,
    clocks: [Clock; Color::MAX],
    /// Color whose clock runs, and the time of its move before `since`.
    running: Option<(Color, f64)>,
    /// Time since which the clock runs, or `None` while it is paused.
    since: Option<Instant>,
}

/// Returns the settings that a page describes.
///
/// # Errors
/// One line, if a value is wrong.
pub(super) fn settings(text: &ClockText) -> Result<TimeSettings, String> {
    let seconds = |name: &str, value: f64| match (0.0..=LONGEST).contains(&value) {
        true => Ok(value),
        false => Err(format!("{name} '{value}', expected 0 to {LONGEST} seconds")),
    };
    let count = |name: &str, value: u32| match (1..=1000).contains(&value) {
        true => Ok(value),
        false => Err(format!("{name} '{value}', expected 1 to 1000")),
    };
    let main = seconds("main", text.main)?;
    let period = text
        .period
        .map(|period| seconds("period", period))
        .transpose()?;
    let increment = text
        .increment
        .map(|more| seconds("increment", more))
        .transpose()?;
    let settings = match (increment, period, text.periods, text.stones) {
        (Some(increment), None, None, None) if main > 0.0 => TimeSettings::Fischer {
            main,
            increment,
            most: f64::INFINITY,
            most_a_move: f64::INFINITY,
        },
        (None, Some(period), Some(periods), None) if period > 0.0 => TimeSettings::Byoyomi {
            main,
            period,
            periods: count("periods", periods)?,
        },
        (None, Some(period), None, Some(stones)) if period > 0.0 => TimeSettings::Canadian {
            main,
            period,
            stones: count("stones", stones)?,
        },
        (None, None, None, None) if main > 0.0 => TimeSettings::Absolute { main },
        _ => {
            let expected = "a main time above 0, alone or with increment, a period and periods, or a period and stones";
            return Err(format!("clock, expected {expected}"));
        }
    };
    Ok(settings)
}

impl Clocks {
    /// Returns full clocks, of which none runs.
    pub(super) fn new(settings: TimeSettings) -> Clocks {
        Clocks {
            settings,
            clocks: [Clock::new(settings); Color::MAX],
            running: None,
            since: None,
        }
    }

    /// Returns full clocks of the same settings.
    pub(super) fn again(&self) -> Clocks {
        Clocks::new(self.settings)
    }

    /// Returns the settings.
    pub(super) fn settings(&self) -> TimeSettings {
        self.settings
    }

    /// Subtracts the time since the last call from the running clock, and starts that of `next`.
    /// `None` stops all.
    pub(super) fn switch(&mut self, next: Option<Color>) {
        if let Some((color, _)) = self.running {
            if Some(color) == next {
                return;
            }
            let spent = self.spent(color);
            if let Some(clock) = self.clocks.get_mut(color.index()) {
                clock.charge(spent);
            }
        }
        self.running = next.map(|color| (color, 0.0));
        self.since = next.map(|_| Instant::now());
    }

    /// Returns the time that a color has spent on the present move, in seconds.
    fn spent(&self, color: Color) -> f64 {
        match self.running {
            Some((running, before)) if running == color => {
                let more = self.since.map(|since| since.elapsed().as_secs_f64());
                before + more.unwrap_or(0.0)
            }
            Some(_) | None => 0.0,
        }
    }

    /// Pauses the running clock while its player is away, and lets it go on afterwards. Returns
    /// true if that has changed.
    pub(super) fn pause_if(&mut self, is_away: impl Fn(Color) -> bool) -> bool {
        let Some((color, _)) = self.running else {
            return false;
        };
        match (is_away(color), self.since) {
            (true, Some(_)) => {
                self.running = Some((color, self.spent(color)));
                self.since = None;
                true
            }
            (false, None) => {
                self.since = Some(Instant::now());
                true
            }
            (true, None) | (false, Some(_)) => false,
        }
    }

    /// Returns the color whose time is over.
    pub(super) fn fallen(&self) -> Option<Color> {
        let (color, _) = self.running?;
        self.left(color).is_none().then_some(color)
    }

    /// Returns seconds and count that a color has left now, or `None` without time.
    pub(super) fn left(&self, color: Color) -> Option<(f64, u32)> {
        let clock = self.clocks.get(color.index())?;
        clock.after(self.spent(color))
    }

    /// Returns the clocks of the first `colors` colors for pages.
    pub(super) fn describe(&self, colors: usize) -> Value {
        let one = |color: Color| {
            let (left, count) = self.left(color).unwrap_or_default();
            let whole = left.max(0.0) as u64;
            let moves = self.running.is_some_and(|(running, _)| running == color);
            let running = moves && self.since.is_some();
            json!({
                "left": four_decimals(left),
                "count": count,
                "running": running,
                "text": format!("{}:{:02}", whole / 60, whole % 60),
            })
        };
        Color::all(colors).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byoyomi_counts_periods_down() {
        let clock = Clock::new(TimeSettings::Byoyomi {
            main: 10.0,
            period: 5.0,
            periods: 3,
        });
        let after = |spent: f64| {
            clock
                .after(spent)
                .map(|(left, count)| (left.round(), count))
        };
        assert_eq!(after(4.0), Some((6.0, 0)));
        assert_eq!(after(12.0), Some((3.0, 3)));
        assert_eq!(after(16.0), Some((4.0, 2)));
        assert_eq!(after(24.0), Some((1.0, 1)));
        assert_eq!(after(26.0), None);
    }

    #[test]
    fn wrong_clocks_are_refused() {
        let text = |text: &str| settings(&serde_json::from_str(text).unwrap());
        assert!(text(r#"{"main":300,"increment":5}"#).is_ok());
        assert!(text(r#"{"main":0,"period":30,"periods":3}"#).is_ok());
        for wrong in [
            r#"{"main":0}"#,
            // The first player would have no time at the start.
            r#"{"main":0,"increment":5}"#,
            r#"{"main":-1}"#,
            r#"{"main":1e300}"#,
            r#"{"main":10,"period":30}"#,
            r#"{"main":10,"period":0,"stones":3}"#,
            r#"{"main":10,"period":30,"periods":0}"#,
        ] {
            let problem = text(wrong).unwrap_err();
            assert!(!problem.contains('\n'), "{wrong}");
        }
    }
}
