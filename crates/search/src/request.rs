//! Settings of a searcher, and the request for one search.

use std::time::Instant;

use crate::grow::guide::Guidance;
use crate::grow::limits::Limits;
use crate::grow::noise::Noise;
use crate::grow::restriction::Restriction;
use omnigo_base::color::Color;
use omnigo_core::playout::Style;

/// Settings of a [`Searcher`](crate::Searcher).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of threads.
    pub threads: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Memory for trees and evaluations of the network in bytes.
    pub memory: usize,
    /// Playout style.
    pub style: Style,
    /// Network that guides searches, if there is one. [`Guidance`] states of which games.
    pub guidance: Option<Guidance>,
}

/// Position and conditions of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest<'q> {
    /// Player to move.
    pub to_move: Color,
    /// Limits of the search.
    pub limits: Limits,
    /// Start of the time limit.
    pub start: Instant,
    /// Restrictions of the moves near the root. Ignored in positions where no move would be left.
    pub restrictions: &'q [Restriction],
    /// Noise in the move probabilities at the root, if a network guides the search. A search with
    /// noise begins with a new tree.
    pub noise: Option<Noise>,
    /// True if the search chooses no move. The root may then have more noise.
    pub analyzes: bool,
    /// True if the search works for the opponent of the player to move, during that player's turn.
    pub ponders: bool,
    /// True to compensate White for a handicap early in the game, in searches without a network.
    /// This suits the choice of a move, but not an analysis, because results are no longer those of
    /// the game.
    pub dynamic_komi: bool,
    /// True if the search ends once the choice of the move is certain. It is certain at once if
    /// only one move can be played. Later it is certain if the remaining time cannot change the
    /// most visited move. False for analysis and pondering, which report more than a move.
    pub ends_early: bool,
}
