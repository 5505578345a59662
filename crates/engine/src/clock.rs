//! Game clock of the engine, one for each color.
//!
//! Some controllers never report the time left (gogui-twogtp sends only `time_settings`).
//! Therefore, the clock subtracts the time of each move itself, and `time_left` corrects it.

use std::time::Duration;

use super::time::seconds;

/// Time settings of a game, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeSettings {
    /// No limit.
    None,
    /// Main time only.
    Absolute {
        /// Main time.
        main: f64,
    },
    /// Main time, then periods with a fixed number of stones each.
    Canadian {
        /// Main time.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Number of stones per period, at least 1.
        stones: u32,
    },
    /// Main time, then periods. A move that takes less than a period does not use it up.
    Byoyomi {
        /// Main time.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Number of periods, at least 1.
        periods: u32,
    },
    /// Main time, and an increment after each move.
    Fischer {
        /// Main time.
        main: f64,
        /// Increment per move.
        increment: f64,
        /// Maximum time on the clock.
        most: f64,
        /// Maximum time for one move.
        most_a_move: f64,
    },
}

impl TimeSettings {
    /// Converts the arguments of GTP's `time_settings`. A period without stones means no limit.
    pub fn from_gtp(main: f64, period: f64, stones: u32) -> TimeSettings {
        match stones {
            0 if period > 0.0 => TimeSettings::None,
            0 => TimeSettings::Absolute { main },
            stones => TimeSettings::Canadian {
                main,
                period,
                stones,
            },
        }
    }
}

/// Remaining time of one color.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    settings: TimeSettings,
    /// Seconds left of main time or of the current period.
    left: f64,
    /// Number of stones left in the period, or of periods left; 0 during main time.
    count: u32,
}

/// Fraction of the available time that a move uses.
const USED_FRACTION: f64 = 0.86;
/// Target time as a multiple of an even share of main time. Above 1, early moves get more time than
/// late ones.
const MAIN_TIME_FACTOR: f64 = 1.3;
/// Maximum overrun of a move whose best move is unclear, as a multiple of the target time. It
/// applies only if later moves can use less time.
const OVERRUN_FACTOR: f64 = 1.6;
/// Canadian time: a move may overrun only if every remaining stone of the period keeps 90 % of the
/// target time.
const RESERVED_FRACTION: f64 = 0.9;
/// Lower bound of a move's time, in seconds, before `lag` is subtracted.
const MIN_SECONDS: f64 = 0.005;

impl Clock {
    /// Returns a full clock.
    pub fn new(settings: TimeSettings) -> Clock {
        let (left, count) = match settings {
            TimeSettings::None => (0.0, 0),
            TimeSettings::Absolute { main } | TimeSettings::Fischer { main, .. } => (main, 0),
            TimeSettings::Canadian {
                main,
                period,
                stones: count,
            }
            | TimeSettings::Byoyomi {
                main,
                period,
                periods: count,
            } => {
                if main > 0.0 {
                    (main, 0)
                } else {
                    (period, count)
                }
            }
        };
        Clock {
            settings,
            left,
            count,
        }
    }

    /// Sets the remaining time reported by a controller. `seconds` is main time if `count` is 0.
    /// Otherwise it belongs to the period, with `count` stones left (under byo-yomi: `count`
    /// periods).
    pub fn correct(&mut self, seconds: f64, count: u32) {
        (self.left, self.count) = (seconds, count);
        match self.settings {
            // A clock runs although no time settings were sent.
            TimeSettings::None if count == 0 => {
                self.settings = TimeSettings::Absolute { main: seconds };
            }
            TimeSettings::None => {
                self.settings = TimeSettings::Canadian {
                    main: 0.0,
                    period: seconds,
                    stones: count,
                };
            }
            // An increment has no count. Some controllers send one stone.
            TimeSettings::Absolute { .. } | TimeSettings::Fischer { .. } => self.count = 0,
            TimeSettings::Canadian { .. } | TimeSettings::Byoyomi { .. } => {}
        }
    }

    /// Returns the time settings.
    pub fn settings(&self) -> TimeSettings {
        self.settings
    }

    /// Returns the seconds and the stones or periods that are left after a player has thought for
    /// `spent` seconds. The count is 0 in main time. `None` if no time is left.
    pub fn after(&self, spent: f64) -> Option<(f64, u32)> {
        let left = self.left - spent;
        match self.settings {
            TimeSettings::None => Some((0.0, 0)),
            TimeSettings::Absolute { .. } | TimeSettings::Fischer { .. } => {
                (left > 0.0).then_some((left, 0))
            }
            TimeSettings::Canadian { period, stones, .. } if self.count == 0 && left <= 0.0 => {
                (left + period > 0.0).then_some((left + period, stones))
            }
            TimeSettings::Canadian { .. } => (left > 0.0).then_some((left, self.count)),
            TimeSettings::Byoyomi {
                period, periods, ..
            } => {
                if left > 0.0 {
                    return Some((left, self.count));
                }
                let periods_left = match self.count {
                    0 => periods,
                    count => count.saturating_sub(1),
                };
                // A conversion from a float saturates at the maximum.
                let used = (-left / period.max(1e-9)).floor() as u32;
                let count = periods_left.checked_sub(used).filter(|&count| count > 0)?;
                Some((left + period * (f64::from(used) + 1.0), count))
            }
        }
    }

    /// Subtracts the time of a move.
    pub fn charge(&mut self, spent: f64) {
        match self.settings {
            TimeSettings::None => {}
            TimeSettings::Absolute { .. } => self.left -= spent,
            TimeSettings::Canadian { period, stones, .. } => {
                self.left -= spent;
                if self.count == 0 && self.left <= 0.0 {
                    // Main time ran out during this move. The excess counts for the period.
                    (self.left, self.count) = (period + self.left, stones);
                }
                match self.count {
                    0 => {}
                    1 => (self.left, self.count) = (period, stones),
                    _ => self.count -= 1,
                }
            }
            TimeSettings::Byoyomi {
                period, periods, ..
            } => {
                self.left -= spent;
                if self.count == 0 {
                    if self.left > 0.0 {
                        return;
                    }
                    (self.left, self.count) = (period + self.left, periods);
                }
                if self.left < 0.0 && period > 0.0 {
                    // A conversion from a float saturates at the maximum.
                    let gone = (-self.left / period).ceil() as u32;
                    self.count = self.count.saturating_sub(gone).max(1);
                }
                // A period that was not used up is fully available for the next move.
                self.left = period;
            }
            TimeSettings::Fischer {
                increment, most, ..
            } => self.left = (self.left - spent + increment).min(most),
        }
    }

    /// Returns the target time and the maximum time of the next move, or `None` without a limit.
    ///
    /// `moves` estimates how many moves the player still has to make. `lag` seconds are reserved
    /// for delays outside the search. A search uses the maximum only if its best move is unclear.
    pub fn budget(&self, moves: f64, lag: f64) -> Option<(Duration, Duration)> {
        let moves = moves.max(1.0);
        // Target time, and the time that the move has to stay below.
        let (target, most) = match self.settings {
            TimeSettings::None => return None,
            TimeSettings::Absolute { .. } => self.main_time_budget(moves, 0.0, 0.0),
            TimeSettings::Canadian { period, stones, .. } => match self.count {
                0 => {
                    let (target, most) =
                        self.main_time_budget(moves, period / f64::from(stones), 0.0);
                    (target, most.max(self.left + period * 0.5))
                }
                count => (self.left / f64::from(count) * USED_FRACTION, self.left),
            },
            TimeSettings::Byoyomi {
                period, periods, ..
            } => {
                // All periods but the last act as extra main time. Plan with half of it and keep
                // the rest in reserve.
                let spare = f64::from(periods.max(1) - 1) * period * 0.5;
                match self.count {
                    0 => self.main_time_budget(moves, period, spare),
                    _ => (self.left * USED_FRACTION, self.left),
                }
            }
            TimeSettings::Fischer {
                increment,
                most_a_move,
                ..
            } => {
                let share = (self.left - increment).max(0.0) / moves;
                let target = (MAIN_TIME_FACTOR * share + USED_FRACTION * increment)
                    .min(0.5 * self.left + 0.5 * share);
                (
                    target.min(USED_FRACTION * most_a_move),
                    self.left.min(most_a_move),
                )
            }
        };
        let bounded = |target: f64| {
            let bounded = target.min(most - lag).max(MIN_SECONDS);
            seconds((bounded - lag).max(bounded * 0.3))
        };
        let longest = (target * OVERRUN_FACTOR)
            .min(USED_FRACTION * most)
            .max(target);
        let others = f64::from(self.count.saturating_sub(1));
        let starves = match self.settings {
            TimeSettings::Canadian { .. } if self.count > 0 => {
                USED_FRACTION * (self.left - longest) < RESERVED_FRACTION * target * others
            }
            _ => false,
        };
        Some((
            bounded(target),
            bounded(if starves { target } else { longest }),
        ))
    }

    /// Returns the target time and the available time of a move in main time. Each move has `free`
    /// seconds of its own in addition. `spare` seconds are available once.
    fn main_time_budget(&self, moves: f64, free: f64, spare: f64) -> (f64, f64) {
        let share = (self.left + spare) / moves;
        let most = self.left + free;
        let target = (MAIN_TIME_FACTOR * share + USED_FRACTION * free)
            .min(USED_FRACTION * most)
            .min(share.max(free) * 3.0);
        (target, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAG: f64 = 0.06;

    fn budget(main: f64, period: f64, stones: u32) -> Option<f64> {
        Clock::new(TimeSettings::from_gtp(main, period, stones))
            .budget(30.0, LAG)
            .map(|(target, _)| target.as_secs_f64())
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        assert_eq!(budget(0.0, 1.0, 0), None);
    }

    #[test]
    fn an_endless_time_gives_a_limit() {
        for main in [1e300, f64::INFINITY] {
            let clock = Clock::new(TimeSettings::Absolute { main });
            assert!(
                clock
                    .budget(30.0, LAG)
                    .is_some_and(|(target, _)| !target.is_zero())
            );
        }
    }

    #[test]
    fn one_second_per_move_leaves_a_reserve() {
        let seconds = budget(0.0, 1.0, 1).unwrap();
        assert!((0.7..0.9).contains(&seconds), "{seconds}");
    }

    #[test]
    fn periods_are_used_up_one_by_one() {
        let byoyomi = |period, periods| TimeSettings::Byoyomi {
            main: 0.0,
            period,
            periods,
        };
        for (spent, left) in [
            (0.5, 5),
            (9.5, 5),
            (10.5, 4),
            (29.0, 3),
            (50.5, 1),
            (1e9, 1),
        ] {
            let mut clock = Clock::new(byoyomi(10.0, 5));
            clock.charge(spent);
            assert_eq!((clock.left, clock.count), (10.0, left), "{spent}");
        }
        // The number of periods saturates. One period is always left.
        let mut clock = Clock::new(byoyomi(1e-300, u32::MAX));
        clock.charge(1.0);
        assert_eq!(clock.count, 1);
    }

    /// Referee's clock for a game of `moves` moves. Returns true if no time was lost.
    fn referee(
        settings: TimeSettings,
        spent: &mut dyn FnMut(f64, f64) -> f64,
        moves: usize,
    ) -> bool {
        let mut clock = Clock::new(settings);
        let mut ahead = 60.0;
        for _ in 0..moves {
            let most = match settings {
                TimeSettings::None => f64::INFINITY,
                TimeSettings::Absolute { .. } | TimeSettings::Fischer { .. } => clock.left,
                TimeSettings::Canadian { period, .. } | TimeSettings::Byoyomi { period, .. } => {
                    clock.left + if clock.count == 0 { period } else { 0.0 }
                }
            };
            let (target, longest) = clock.budget(ahead, LAG).unwrap();
            assert!(target <= longest, "{settings:?}");
            let took = spent(target.as_secs_f64(), longest.as_secs_f64());
            if took >= most.max(0.01) {
                return false;
            }
            clock.charge(took);
            ahead = f64::max(ahead - 1.0, 8.0);
        }
        true
    }

    #[test]
    fn never_exceeds_the_time_of_a_game() {
        let fischer = |main, increment, most, most_a_move| TimeSettings::Fischer {
            main,
            increment,
            most,
            most_a_move,
        };
        let byoyomi = |main, period, periods| TimeSettings::Byoyomi {
            main,
            period,
            periods,
        };
        let free = f64::INFINITY;
        for settings in [
            TimeSettings::from_gtp(60.0, 0.0, 0),
            TimeSettings::from_gtp(10.0, 5.0, 3),
            TimeSettings::from_gtp(1.0, 0.0, 0),
            TimeSettings::from_gtp(0.0, 30.0, 10),
            TimeSettings::from_gtp(0.2, 0.5, 2),
            byoyomi(60.0, 10.0, 5),
            byoyomi(0.0, 3.0, 1),
            byoyomi(0.3, 1.0, 3),
            fischer(30.0, 1.0, free, free),
            fischer(2.0, 5.0, 10.0, 4.0),
            fischer(300.0, 30.0, 600.0, free),
            fischer(5.0, 0.0, free, free),
        ] {
            assert!(
                referee(settings, &mut |target, _| target, 200),
                "{settings:?}"
            );
            let in_doubt = referee(settings, &mut |_, longest| longest, 200);
            assert!(in_doubt, "{settings:?} always in doubt");
            // Lose half the lag outside each move.
            let with_lag = referee(settings, &mut |_, longest| longest + LAG / 2.0, 20);
            assert!(with_lag, "{settings:?} with lag");
        }
    }

    #[test]
    fn spends_more_time_early_and_uses_increments_and_periods() {
        let seconds = |settings, moves| {
            let clock = Clock::new(settings);
            clock.budget(moves, LAG).unwrap().0.as_secs_f64()
        };
        let main = TimeSettings::Absolute { main: 600.0 };
        assert!(seconds(main, 100.0) > 6.0, "more than an even share");
        let fischer = TimeSettings::Fischer {
            main: 60.0,
            increment: 10.0,
            most: f64::INFINITY,
            most_a_move: 5.0,
        };
        assert!(
            (4.0..5.0).contains(&seconds(fischer, 50.0)),
            "no more than a move may take"
        );
        let byoyomi = TimeSettings::Byoyomi {
            main: 600.0,
            period: 30.0,
            periods: 5,
        };
        assert!(seconds(byoyomi, 100.0) > 30.0);
    }

    #[test]
    fn overruns_only_if_later_moves_can_use_less_time() {
        let budget = |settings| Clock::new(settings).budget(30.0, LAG).unwrap();
        let (target, longest) = budget(TimeSettings::Absolute { main: 600.0 });
        assert!(longest > target.mul_f64(1.5) && longest < target.mul_f64(2.0));
        let (target, longest) = budget(TimeSettings::from_gtp(0.0, 30.0, 10));
        assert!(longest > target.mul_f64(1.5));
        // One second per move leaves no later move that could use less time. The same holds for the
        // last period.
        let (target, longest) = budget(TimeSettings::from_gtp(0.0, 1.0, 1));
        assert_eq!(target, longest);
        let (target, longest) = budget(TimeSettings::Byoyomi {
            main: 0.0,
            period: 10.0,
            periods: 1,
        });
        assert_eq!(target, longest);
    }

    #[test]
    fn byo_yomi_uses_up_periods() {
        let mut clock = Clock::new(TimeSettings::Byoyomi {
            main: 5.0,
            period: 10.0,
            periods: 3,
        });
        clock.charge(4.0);
        assert_eq!((clock.left, clock.count), (1.0, 0));
        clock.charge(2.0);
        assert_eq!(
            (clock.left, clock.count),
            (10.0, 3),
            "one second of the first period"
        );
        clock.charge(12.0);
        assert_eq!((clock.left, clock.count), (10.0, 2));
        clock.charge(9.0);
        assert_eq!((clock.left, clock.count), (10.0, 2));
        clock.correct(7.0, 1);
        assert!(clock.budget(50.0, LAG).unwrap().1.as_secs_f64() < 7.0);
    }

    #[test]
    fn canadian_periods_restart_after_their_stones() {
        let mut clock = Clock::new(TimeSettings::from_gtp(2.0, 10.0, 3));
        clock.charge(3.0);
        assert_eq!((clock.left, clock.count), (9.0, 2));
        clock.charge(4.0);
        clock.charge(4.0);
        assert_eq!((clock.left, clock.count), (10.0, 3));
    }

    #[test]
    fn time_reports_of_the_controller_take_precedence() {
        let mut clock = Clock::new(TimeSettings::from_gtp(60.0, 10.0, 5));
        clock.correct(2.0, 4);
        let (target, longest) = clock.budget(30.0, LAG).unwrap();
        assert!(target.as_secs_f64() < 0.5 && longest.as_secs_f64() < 0.8);
        clock.correct(-1.0, 0);
        assert!(clock.budget(30.0, LAG).unwrap().1.as_secs_f64() < 10.0);
        let mut clock = Clock::new(TimeSettings::None);
        clock.correct(9.0, 3);
        assert!(clock.budget(30.0, LAG).unwrap().1.as_secs_f64() < 3.0);
        let mut clock = Clock::new(TimeSettings::None);
        clock.correct(0.0, 0);
        assert!(clock.budget(30.0, LAG).unwrap().1.as_secs_f64() < 0.01);
    }
}
