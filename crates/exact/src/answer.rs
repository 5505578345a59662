//! Results of a solver.

use omnigo_base::vertex::Move;
use omnigo_core::game::Outcome;

use super::limits::Stopped;
use super::theorem::Theorem;

/// Proven bounds of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Black reaches at least this.
    pub lower: Outcome,
    /// Black reaches at most this.
    pub upper: Outcome,
}

impl Bounds {
    /// Returns the value if the bounds are equal, else `None`.
    pub fn value(&self) -> Option<Outcome> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// The value of a position, or proven bounds of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Proven bounds.
    pub bounds: Bounds,
    /// Principal variation, as far as it was found. It may end before the game does.
    pub pv: Vec<Move>,
    /// True if the game is over after `pv`.
    pub pv_ends: bool,
    /// Proven bounds after each legal move, if requested.
    pub moves: Vec<(Move, Bounds)>,
    /// Number of situations searched.
    pub nodes: u64,
    /// Reason why the search ended early, if it did.
    pub stopped: Option<Stopped>,
    /// Theorem that gives one of the bounds without a search, if one does.
    pub theorem: Option<Theorem>,
}

impl Answer {
    /// Returns the reason if the search is complete but has found no value. `None` otherwise.
    pub fn no_value(&self) -> Option<Stopped> {
        self.stopped.filter(|stopped| !stopped.is_limit())
    }
}

/// Reason why a position cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// The number of colors is not two.
    #[error("{0} players, expected 2: values are defined only for two players")]
    Players(usize),
    /// The board has more points than the solver supports.
    #[error(
        "{points} points, expected at most {most}: a board of {points} points has up to 3^{points} positions"
    )]
    TooLarge {
        /// Number of points of the board.
        points: usize,
        /// Maximum number of points.
        most: usize,
    },
    /// The rules do not determine a value.
    #[error("{0}")]
    Rules(String),
    /// The komi parameter is not defined under these rules, or its theorems do not hold.
    #[error("the komi parameter is not defined under these rules, expected {0}")]
    Komi(&'static str),
    /// A player has resigned.
    #[error("the game ended by resignation, expected a game that goes on")]
    Resigned,
    /// The operating system did not start a thread.
    #[error("the operating system did not start a thread for the search")]
    Thread,
}
