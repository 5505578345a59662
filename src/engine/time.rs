//! What a move may cost, and thinking in the time of others.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::clock::{Clock, TimeSettings};
use super::{Engine, Options};
use crate::color::Color;
use crate::search::{Limits, Question};

impl Engine {
    /// What the next move may spend.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let points = self.goban.graph.vertices() as f64;
        let moves = self.table.turns() as f64;
        let clock = self.clocks.get(color.index()).and_then(|clock| {
            // A game takes about as many moves as there are points; late ones are never fewer than a handful.
            let ahead = ((points - moves) / 2.0 * 0.8).max(points.sqrt().max(8.0));
            clock.budget(ahead, self.options.lag)
        });
        let given = self.options.seconds.map(seconds);
        let options = &self.options;
        let unbounded = options.playouts.is_none() && options.visits.is_none() && clock.is_none();
        // What a user gives is a bound, a clock can give more where the best move is in doubt.
        let (time, longest) = match (clock, given) {
            (Some((aim, longest)), Some(given)) => (Some(aim.min(given)), Some(longest.min(given))),
            (Some((aim, longest)), None) => (Some(aim), Some(longest)),
            (None, None) if unbounded => (Some(seconds(Options::DEFAULT_SECONDS)), None),
            (None, given) => (given, None),
        };
        Limits {
            playouts: self.options.playouts,
            visits: self.options.visits,
            time,
            longest,
        }
    }

    /// Main time, byo-yomi time (seconds) and stones in the terms of GTP; both clocks start anew.
    pub fn time_settings(&mut self, main: f64, byo_yomi: f64, stones: u32) {
        self.set_time(TimeSettings::from_gtp(main, byo_yomi, stones));
    }

    /// Replaces the time settings; the clocks start anew.
    pub fn set_time(&mut self, settings: TimeSettings) {
        self.time = settings;
        self.restart_clocks();
    }

    pub(super) fn restart_clocks(&mut self) {
        self.clocks = [Clock::new(self.time); Color::MAX];
    }

    /// What a controller says is left for `color`: seconds for so many stones (under byo-yomi: periods), or of main time when
    /// there are none.
    pub fn time_left(&mut self, color: Color, seconds: f64, stones: u32) {
        if let Some(clock) = self.clocks.get_mut(color.index()) {
            clock.correct(seconds, stones);
        }
    }

    /// Takes another's signal for [`Engine::stop_signal`].
    pub fn set_stop_signal(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Thinks about the reply to the present position until [`Engine::stop_signal`] is raised or its longest time has
    /// passed. What it finds serves the next search.
    pub fn ponder(&mut self) {
        let question = Question {
            to_move: self.to_move(),
            limits: Limits {
                time: Some(PONDERED),
                ..Limits::default()
            },
            start: Instant::now(),
            restrictions: &[],
            noise: None,
            dynamic_komi: self.options.dynamic_komi,
            ends_if_forced: false,
        };
        self.table.study(question, &self.stop, None);
    }
}

/// Nobody's clock runs longer unless the client has gone away without a word.
const PONDERED: Duration = Duration::from_secs(600);

/// A duration from a user's seconds: a day at most.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::thread;

    use super::*;
    use crate::graph::spec::Spec;
    use crate::rules::{Points, presets};

    #[test]
    fn pondering_costs_no_time_of_anybody_and_moves_nothing() {
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
