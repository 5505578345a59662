//! Settings of an engine.

use omnigo_core::playout::Style;
use omnigo_search::{Guidance, Settings, Variety};

/// Settings of an [`Engine`](crate::Engine).
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of playouts per move.
    pub playouts: Option<u64>,
    /// Maximum number of playouts of a search without a network. `None` means `playouts`.
    pub unguided_playouts: Option<u64>,
    /// Maximum number of root visits, including those kept from earlier searches.
    pub visits: Option<u64>,
    /// Maximum seconds per move. Without it, without another limit, and without a clock, the limit
    /// is [`Options::DEFAULT_SECONDS`].
    pub seconds: Option<f64>,
    /// Number of search threads.
    pub threads: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// Win probability below which the engine may resign; 0 never resigns. The expected score, the
    /// stage of the game, and two more of the engine's turns must agree.
    pub resign_below: f64,
    /// Memory of the search tree in MiB.
    pub memory_mib: usize,
    /// Network that guides the search on boards it supports. Without one, only playouts evaluate
    /// positions.
    pub guidance: Option<Guidance>,
    /// Seconds reserved per move for delays outside the search.
    pub lag: f64,
    /// True if the engine ponders during the opponents' turns.
    pub ponders: bool,
    /// Randomness of the opening moves.
    pub variety: Variety,
    /// Move choice in playouts.
    pub style: Style,
    /// True if two or more Black moves before White's first move count as handicap stones.
    pub handicap_moves: bool,
    /// True if dynamic komi compensates White for a handicap in the first part of the game.
    /// Searches that a network guides ignore it.
    pub dynamic_komi: bool,
}

impl Options {
    /// Seconds per move without any other limit.
    pub const DEFAULT_SECONDS: f64 = 2.0;

    /// Returns the options of an engine that replays moves and never searches: the least memory.
    pub fn replaying() -> Options {
        Options {
            memory_mib: 1,
            ..Options::default()
        }
    }

    /// Sets the maximum number of playouts per move, with and without a network.
    pub fn set_playouts(&mut self, playouts: Option<u64>) {
        self.playouts = playouts;
        self.unguided_playouts = None;
    }

    /// Returns true if the network imitates players.
    pub fn imitates(&self) -> bool {
        let guidance = self.guidance.as_ref();
        guidance.is_some_and(|guidance| guidance.network.imitates())
    }

    /// Returns the settings of searches with these options.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            seed: self.seed,
            memory: self.memory_mib.saturating_mul(1 << 20),
            style: self.style,
            guidance: self.guidance.clone(),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            playouts: None,
            unguided_playouts: None,
            visits: None,
            seconds: None,
            threads: 1,
            seed: 1,
            resign_below: 0.05,
            memory_mib: 1024,
            guidance: None,
            lag: 0.06,
            ponders: false,
            variety: Variety::default(),
            style: Style::Tactical,
            handicap_moves: true,
            dynamic_komi: false,
        }
    }
}
