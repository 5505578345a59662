//! Time limits of moves, and pondering.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::clock::{Clock, TimeSettings};
use super::{Engine, Options};
use omnigo_base::color::Color;
use omnigo_search::{Limits, SearchRequest};

impl Engine {
    /// Returns the limits of the next move.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let points = self.goban.graph.vertices() as f64;
        let moves = self.game.turns() as f64;
        let clock = self.clocks.get(color.index()).and_then(|clock| {
            // A game takes about as many moves as there are points. Late in the game, still plan
            // for at least eight moves, or the square root of the number of points.
            let turns = (points - moves) / self.game.rules().colors as f64;
            let ahead = (turns * 0.8).max(points.sqrt().max(8.0));
            clock.budget(ahead, self.options.lag)
        });
        let given = self.options.seconds.map(seconds);
        let options = &self.options;
        let unbounded = options.playouts.is_none() && options.visits.is_none() && clock.is_none();
        // The user's limit is strict. A clock allows more time if the best move is unclear.
        let (time, longest) = match (clock, given) {
            (Some((target, longest)), Some(given)) => {
                (Some(target.min(given)), Some(longest.min(given)))
            }
            (Some((target, longest)), None) => (Some(target), Some(longest)),
            (None, None) if unbounded => (Some(seconds(Options::DEFAULT_SECONDS)), None),
            (None, given) => (given, None),
        };
        Limits {
            playouts: self.options.playouts,
            unguided: self.options.unguided_playouts,
            visits: self.options.visits,
            time,
            longest,
        }
    }

    /// Sets main time and byo-yomi time, in seconds, and stones per period, as GTP defines them.
    /// Resets all clocks.
    pub fn time_settings(&mut self, main: f64, byo_yomi: f64, stones: u32) {
        self.set_time(TimeSettings::from_gtp(main, byo_yomi, stones));
    }

    /// Replaces the time settings. Resets all clocks.
    pub fn set_time(&mut self, settings: TimeSettings) {
        self.time = settings;
        self.restart_clocks();
    }

    pub(super) fn restart_clocks(&mut self) {
        self.clocks = [Clock::new(self.time); Color::MAX];
    }

    /// Sets the time that a controller reports for `color`. `seconds` is for `stones` stones (under
    /// byo-yomi: periods), or main time if `stones` is 0.
    pub fn time_left(&mut self, color: Color, seconds: f64, stones: u32) {
        if let Some(clock) = self.clocks.get_mut(color.index()) {
            clock.correct(seconds, stones);
        }
    }

    /// Replaces [`Engine::stop_signal`] by a signal of the caller.
    pub fn set_stop_signal(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Searches the current position until [`Engine::stop_signal`] is set or ten minutes have
    /// passed. The next search uses the results.
    pub fn ponder(&mut self) {
        let search_request = SearchRequest {
            to_move: self.to_move(),
            limits: Limits {
                time: Some(MAX_PONDER_TIME),
                ..Limits::default()
            },
            start: Instant::now(),
            restrictions: &[],
            noise: None,
            analyzes: false,
            ponders: true,
            dynamic_komi: self.options.dynamic_komi,
            ends_early: false,
        };
        self.game.study(search_request, &self.stop, None);
    }
}

/// Maximum time of pondering, in case the client disconnects without notice.
const MAX_PONDER_TIME: Duration = Duration::from_secs(600);

/// Converts seconds from a user to a duration of at most one day.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0))
}

/// Work after a search may take 1/10 of the time for the move in addition to that time.
const EXTRA_TIME_SHARE: u32 = 10;

/// Returns the time at which the work after a search must end. `start` and `time` are those of the
/// move. This is the end of that time, or 1/10 of it from now if that is later.
pub(super) fn end_after_search(start: Instant, time: Duration) -> Instant {
    (start + time).max(Instant::now() + time / EXTRA_TIME_SHARE)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::thread;

    use super::*;
    use omnigo_core::rules::{Points, presets};
    use omnigo_graph::spec::Spec;

    #[test]
    fn pondering_changes_neither_clocks_nor_the_game() {
        let goban = "grid:4".parse::<Spec>().unwrap().build().unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let options = Options {
            playouts: Some(20),
            ..Options::default()
        };
        let mut engine = Engine::new(goban, rules, Points::ZERO, options).unwrap();
        engine.time_settings(100.0, 0.0, 0);
        engine.genmove(Color::BLACK);
        let before = (
            format!("{:?}", engine.clocks),
            engine.position(),
            engine.moves(),
        );
        let stop = engine.stop_signal();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                stop.store(true, Ordering::Release);
            });
            engine.ponder();
        });
        stop.store(false, Ordering::Release);
        let after = (
            format!("{:?}", engine.clocks),
            engine.position(),
            engine.moves(),
        );
        assert_eq!(before, after);
        engine.genmove(Color::WHITE);
        assert_eq!(engine.moves().len(), 2);
    }
}
