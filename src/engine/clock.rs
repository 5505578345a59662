//! The engine's own clock, one for each color.
//!
//! Controllers may never say what is left (gogui-twogtp only sends `time_settings`), so the clock charges what each move
//! took, and lets `time_left` correct it.

use std::time::Duration;

/// Time settings of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeSettings {
    /// No limit.
    None,
    /// Main time, then so many stones in each period; a game without stones is over when main time is.
    Canadian {
        /// Seconds.
        main: f64,
        /// Seconds of a period.
        period: f64,
        /// Stones of a period, 0 for absolute time.
        stones: u32,
    },
}

impl TimeSettings {
    /// Settings in the terms of GTP: a period without stones means no limit at all.
    pub fn from_gtp(main: f64, period: f64, stones: u32) -> TimeSettings {
        if stones == 0 && period > 0.0 {
            TimeSettings::None
        } else {
            TimeSettings::Canadian {
                main,
                period,
                stones,
            }
        }
    }
}

/// What one color has left.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    settings: TimeSettings,
    /// Seconds left of main time, or of the period.
    left: f64,
    /// Stones left in the period; 0 in main time.
    stones: u32,
}

/// Seconds kept for what happens outside the search.
const LAG: f64 = 0.06;
/// Share of a period's time that is used.
const SHARE: f64 = 0.86;

impl Clock {
    /// A full clock.
    pub fn new(settings: TimeSettings) -> Clock {
        match settings {
            TimeSettings::None => Clock {
                settings,
                left: 0.0,
                stones: 0,
            },
            TimeSettings::Canadian {
                main,
                period,
                stones,
            } if main <= 0.0 && stones > 0 => Clock {
                settings,
                left: period,
                stones,
            },
            TimeSettings::Canadian { main, .. } => Clock {
                settings,
                left: main,
                stones: 0,
            },
        }
    }

    /// Takes over what a controller says: seconds for so many stones, or of main time when `stones` is 0.
    pub fn correct(&mut self, seconds: f64, stones: u32) {
        if self.settings == TimeSettings::None {
            // Time runs although nobody said how much there was: absolute from now on.
            self.settings = TimeSettings::Canadian {
                main: seconds,
                period: 0.0,
                stones: 0,
            };
        }
        self.left = seconds;
        self.stones = stones;
    }

    /// Charges a move.
    pub fn charge(&mut self, spent: f64) {
        let TimeSettings::Canadian { period, stones, .. } = self.settings else {
            return;
        };
        self.left -= spent;
        if self.stones > 1 {
            self.stones -= 1;
        } else if self.stones == 1 {
            (self.left, self.stones) = (period, stones);
        } else if self.left <= 0.0 && stones > 0 {
            // Main time ran out during this move; what it took beyond counts for the period.
            let over = -self.left;
            (self.left, self.stones) = (period - over, stones);
            if stones == 1 {
                self.left = period;
            } else {
                self.stones -= 1;
            }
        }
    }

    /// Time for the next move when the mover will have to make about `moves` more; `None` without limit.
    pub fn budget(&self, moves: f64) -> Option<Duration> {
        let TimeSettings::Canadian { period, stones, .. } = self.settings else {
            return None;
        };
        let seconds = if self.stones > 0 {
            self.left / f64::from(self.stones) * SHARE
        } else {
            // Main time: a fair share, more of it early, plus what byo-yomi gives anyway.
            let share = self.left / moves.max(1.0);
            let free = if stones > 0 {
                period / f64::from(stones)
            } else {
                0.0
            };
            (1.3 * share + SHARE * free)
                .min(SHARE * (self.left + free))
                .min(share.max(free) * 3.0)
        };
        let most = if self.stones > 0 {
            self.left
        } else {
            self.left + if stones > 0 { period } else { 0.0 }
        };
        let bounded = seconds.min(most - LAG).max(0.005);
        Some(Duration::from_secs_f64((bounded - LAG).max(bounded * 0.3)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(main: f64, period: f64, stones: u32) -> Option<f64> {
        Clock::new(TimeSettings::from_gtp(main, period, stones))
            .budget(30.0)
            .map(|d| d.as_secs_f64())
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        assert_eq!(budget(0.0, 1.0, 0), None);
    }

    #[test]
    fn one_second_a_move_is_kept_with_room() {
        let seconds = budget(0.0, 1.0, 1).unwrap();
        assert!((0.7..0.9).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_game_never_uses_more_than_it_has() {
        for (main, period, stones) in [
            (60.0, 0.0, 0),
            (10.0, 5.0, 3),
            (1.0, 0.0, 0),
            (0.0, 30.0, 10),
            (0.2, 0.5, 2),
        ] {
            let mut clock = Clock::new(TimeSettings::from_gtp(main, period, stones));
            for mv in 0..200 {
                let left = clock.left;
                let budget = clock
                    .budget((60.0 - f64::from(mv)).max(8.0))
                    .unwrap()
                    .as_secs_f64();
                let most = if clock.stones == 0 && stones > 0 {
                    left + period
                } else {
                    left
                };
                assert!(
                    budget < most.max(0.01),
                    "{main} {period} {stones}: move {mv} takes {budget} of {left}"
                );
                clock.charge(budget);
            }
        }
    }

    #[test]
    fn what_a_controller_says_counts() {
        let mut clock = Clock::new(TimeSettings::from_gtp(60.0, 10.0, 5));
        clock.correct(2.0, 4);
        assert!(clock.budget(30.0).unwrap().as_secs_f64() < 0.5);
        clock.correct(-1.0, 0);
        assert!(clock.budget(30.0).unwrap().as_secs_f64() < 10.0);
    }
}
