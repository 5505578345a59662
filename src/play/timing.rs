//! Clocks of a game in its room: pauses, stops, and lost games.

use super::players;
use super::room::{Ended, Room};
use crate::color::Color;

impl Room {
    /// Pauses the running clock while its color cannot move, and lets it go on afterwards. Returns
    /// true if that has changed.
    pub(super) fn pause_clocks(&mut self) -> bool {
        let (front, players) = (&self.front, &self.players);
        let engine_waits = !self.engine_moves && !self.moves_once;
        let waits = |color: Color| {
            let player = players.get(color.index());
            let is_engine = player.is_some_and(|player| player.is_engine);
            is_engine && engine_waits || players::is_away(front, players, color)
        };
        self.clocks
            .as_mut()
            .is_some_and(|clocks| clocks.pause_if(waits))
    }

    /// Ends the game: a color loses.
    pub(super) fn lose(&mut self, color: Color, how: &'static str) {
        let ended = Ended {
            settled: true,
            result: Some(players::loss(&self.players, color, how)),
            lost: Some((color, how)),
            ..Ended::default()
        };
        self.ends.insert(self.record.tree.current(), ended);
        self.stop_clocks();
    }

    /// Stops the clocks until the next move.
    pub(super) fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.switch(None);
        }
    }
}
