//! A review as notes in an SGF file.

use super::game::Game;
use super::notes::notes;
use super::walk::Review;

/// Returns the game with comments, values, marks, and variations. `None` if the board is not a
/// rectangle.
pub fn sgf(game: &Game, review: &Review) -> Option<String> {
    let text = game.sgf.as_ref()?;
    Some(text.with(&notes(game, review)) + "\n")
}
