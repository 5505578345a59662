//! Tactics on any graph: ladders, vital points of eyes, liberties after a move, and answers to the
//! latest stone.

pub(crate) mod answers;
mod breath;
pub mod ladder;
mod nakade;

pub(crate) use breath::has_two_liberties_after;
pub(crate) use nakade::{is_nakade, vital_point};
