//! Tactics on any graph: ladders, vital points of eyes, liberties after a move, and answers to the
//! latest stone.

pub(crate) mod answers;
mod breath;
pub mod ladder;
mod nakade;

pub(crate) use breath::breathes;
pub(crate) use nakade::{fills_an_eye, vital_point};
