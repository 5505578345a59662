//! Review of a whole game. The engine estimates every position of the main line and finds the cost
//! of each move. The result is written as SGF, JSON, or a picture.
//!
//! The estimate of a position is the mean over its search, from Black's view. A move costs the
//! difference between the estimates before and after it, and the best move of the search costs
//! nothing. Means over searches are cautious: the values of best moves exceed them by the luck of
//! the selection, and would make mistakes of good moves.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod game;
mod json;
mod notes;
mod picture;
mod positions;
mod sgf;
mod summary;
mod tree;
mod walk;

pub use game::{Choices, Game, ReadError};
pub use json::json;
pub use picture::picture;
pub use positions::positions;
pub use sgf::sgf;
pub use summary::Side;
pub use walk::{Estimate, Grade, Loss, MoveReview, Review, Settings, review};
