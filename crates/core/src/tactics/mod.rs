//! Tactics on any graph: ladders, vital points of eyes, liberties after a move, and answers to the
//! latest stone.

pub(crate) mod answers;
pub mod ladder;
mod nakade;
mod two_liberties;

pub(crate) use nakade::{is_nakade, vital_point};
pub use two_liberties::has_two_liberties_after;
