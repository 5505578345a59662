//! What a solver answers.

use crate::game::Outcome;
use crate::vertex::Move;

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
    /// The value, where the bounds meet.
    pub fn value(&self) -> Option<Outcome> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// The value of a position, or what is proved about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is proved.
    pub bounds: Bounds,
    /// Moves of perfect play from the position on, as far as they were found; it may end before the game does.
    pub pv: Vec<Move>,
    /// Whether the game is over after those moves.
    pub pv_ends: bool,
    /// What is proved about each legal move, where that was asked for.
    pub moves: Vec<(Move, Bounds)>,
    /// Situations looked at.
    pub nodes: u64,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stopped>,
    /// What gives one of the bounds without a search, if anything does.
    pub theorem: Option<Theorem>,
}

impl Answer {
    /// Why there is no value although the search is complete, if so.
    pub fn no_value(&self) -> Option<Stopped> {
        self.stopped.filter(|stopped| match stopped {
            Stopped::Cycles | Stopped::Agreement => true,
            Stopped::Time | Stopped::Nodes | Stopped::Memory | Stopped::Interrupted => false,
        })
    }
}

/// Why a position has no value that could be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// More than two colors play.
    #[error("{0} players, expected 2: values are those of games between two")]
    Players(usize),
    /// A colouring has more points than the solver numbers.
    #[error(
        "{points} points, expected at most {most}: a board of {points} points has up to 3^{points} positions"
    )]
    TooLarge {
        /// Points of the board.
        points: usize,
        /// Points that the solver takes.
        most: usize,
    },
    /// The rules leave the result open.
    #[error("{0}")]
    Rules(&'static str),
    /// The system gives no thread.
    #[error("the system gives no thread for the search")]
    Thread,
}
