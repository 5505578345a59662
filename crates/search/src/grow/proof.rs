//! Proofs of moves.

/// Proven result of a move in a game without ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing is proven yet.
    Open,
    /// The player of the move wins.
    Win,
    /// The player of the move loses.
    Loss,
}

impl Proof {
    /// Returns the result for the player of the move, 0 or 1, if it is proven.
    pub fn result(self) -> Option<f64> {
        match self {
            Proof::Open => None,
            Proof::Win => Some(1.0),
            Proof::Loss => Some(0.0),
        }
    }
}
