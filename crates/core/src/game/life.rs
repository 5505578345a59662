//! Unconditional life of chains under the rules of a game.

use super::Game;
use crate::board::BareBoard;
use crate::board::life::{Life, Vital, stone_without_liberty, unconditional_life};
use crate::rules::Suicide;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Error: unconditional life is undefined for this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LifeError {
    /// Stones on this board do not live by adjacent empty points.
    #[error(
        "unconditional life is not defined here, expected a board where liberties are adjacent empty vertices"
    )]
    NoLiberties,
    /// A position set from outside contains a stone without liberties, which the next placement
    /// removes.
    #[error("a stone has no liberty, expected a position where every chain has one")]
    StoneWithoutLiberty(Vertex),
}

impl<B: BareBoard> Game<B> {
    /// Returns the chains of `color` that can never be captured, whatever the other players do,
    /// with their vital regions.
    ///
    /// # Errors
    /// On boards without liberties, and if a stone has none.
    pub fn unconditional_life(&self, color: Color) -> Result<Life, LifeError> {
        if !self.board.has_chains() {
            return Err(LifeError::NoLiberties);
        }
        if let Some(stone) = stone_without_liberty(&self.board) {
            return Err(LifeError::StoneWithoutLiberty(stone));
        }
        let vital = match (self.rules.suicide, self.rules.colors) {
            (Suicide::Forbidden, ..=2) => Vital::EmptyPoints,
            (Suicide::Forbidden, 3..) | (Suicide::Allowed, _) => Vital::EveryPoint,
        };
        Ok(unconditional_life(&self.board, color, vital))
    }
}
