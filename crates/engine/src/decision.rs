//! Decision on a move, and the settings for it.

use omnigo_search::{Choice, SearchResult, Variety};

/// Settings for choosing a move from a search result.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceSettings {
    /// Win probability below which the player may resign; 0 never resigns.
    pub(super) resign_below: f64,
    /// Randomness of the opening moves.
    pub(super) variety: Variety,
    /// Seed of this randomness.
    pub(super) seed: u64,
}

/// Result of a search, with a decision.
#[derive(Debug)]
pub struct Decision {
    /// Move to play, or resignation.
    pub choice: Choice,
    /// Search result for the position.
    pub result: SearchResult,
}
