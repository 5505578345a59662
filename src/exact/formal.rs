//! The formal *Rules of Go*: whether a sequence of moves is a game.
//!
//! A game is a finite sequence m₀ … mₙ₋₁ with states (bᵢ, cᵢ, pᵢ): the board, the player, the passes in a row. It begins
//! with the empty board, Black and no passes, ends with pₙ = 2, and for every move pᵢ < 2, μ is defined, and a stone does
//! not bring back a board b₀ … bᵢ. The text is read as it was meant: its μ has its two cases exchanged. The moves are
//! judged by the game that everybody plays, under the ruleset `formal`; this file only gives its refusals the names that
//! they have in the text.

use std::sync::Arc;

use crate::board::graph::{Adjacency, GraphBoard};
use crate::color::Color;
use crate::game::{Game, IllegalMove, Outcome};
use crate::graph::Graph;
use crate::rules::{Points, presets};
use crate::vertex::Move;

/// What a game has to fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// μ is defined: the stone is placed on an empty point.
    Defined,
    /// The board after a stone differs from every earlier one.
    Unseen,
    /// There have not been two passes in a row before the move.
    Running,
    /// The sequence ends with two passes in a row.
    Finished,
}

impl Condition {
    /// The condition as the text has it, in plain characters.
    pub fn formula(self) -> &'static str {
        match self {
            Condition::Defined => "mu((b_i,c_i,p_i),m_i) = (b_i+1,c_i+1,p_i+1)",
            Condition::Unseen => "b_j != b_i+1 for all j <= i",
            Condition::Running => "p_i < 2",
            Condition::Finished => "p_n = 2",
        }
    }

    /// What is wrong where the condition fails.
    pub fn failure(self) -> &'static str {
        match self {
            Condition::Defined => "the point is not empty",
            Condition::Unseen => "the move brings back an earlier board",
            Condition::Running => "two passes have ended the game before",
            Condition::Finished => "the sequence does not end with two passes in a row",
        }
    }
}

/// What a sequence of moves is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A game: the scores, and who won unless it is a tie.
    Game {
        /// Black's score.
        black: Points,
        /// White's score.
        white: Points,
        /// The winner; `None` is a tie.
        winner: Option<Color>,
    },
    /// No game.
    NoGame {
        /// The condition that fails.
        condition: Condition,
        /// The index i of the move at which it fails, from 0; `None` where only the end is missing.
        failed_at: Option<usize>,
    },
}

/// The graph has more vertices than a board can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no board of {0} vertices can be played on")]
pub struct TooLarge(usize);

/// Judges a sequence of moves on the empty board of `graph`, colors in turn, Black first.
///
/// ```
/// use omnigo::exact::formal::{Condition, Verdict, judge};
/// use omnigo::graph::spec::Spec;
/// use omnigo::vertex::Move::Pass;
///
/// let graph = "path:3".parse::<Spec>().unwrap().build().unwrap().graph;
/// assert!(matches!(judge(&graph, &[Pass, Pass]).unwrap(), Verdict::Game { winner: None, .. }));
/// let third = Verdict::NoGame { condition: Condition::Running, failed_at: Some(2) };
/// assert_eq!(judge(&graph, &[Pass, Pass, Pass]).unwrap(), third);
/// ```
///
/// # Errors
/// When the graph is larger than any board.
pub fn judge(graph: &Arc<Graph>, moves: &[Move]) -> Result<Verdict, TooLarge> {
    let too_large = TooLarge(graph.vertices());
    let board = GraphBoard::new(Adjacency::new(Arc::clone(graph)), 2).ok_or(too_large)?;
    let rules = presets::find("formal")
        .map(|preset| preset.rules.clone())
        .ok_or(too_large)?;
    let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
    for (i, &mv) in moves.iter().enumerate() {
        let color = game.to_move();
        let broken = if game.ended_by_passes() {
            Some(Condition::Running)
        } else {
            game.play(color, mv).err().map(broken)
        };
        if let Some(condition) = broken {
            return Ok(Verdict::NoGame {
                condition,
                failed_at: Some(i),
            });
        }
    }
    match game.scores(&[]).as_deref() {
        Ok(&[black, white]) if game.ended_by_passes() => Ok(Verdict::Game {
            black,
            white,
            winner: Outcome::of_scores(&[black, white]).winner(),
        }),
        _ => Ok(Verdict::NoGame {
            condition: Condition::Finished,
            failed_at: None,
        }),
    }
}

/// The condition that a refused move breaks.
fn broken(reason: IllegalMove) -> Condition {
    match reason {
        // A point that is not there has no color of its own; a colour that does not play cannot come up.
        IllegalMove::NoVertex | IllegalMove::NoPlayer | IllegalMove::Occupied => Condition::Defined,
        // The suicide of a single stone gives the present board, which is one of the earlier ones.
        IllegalMove::NoEffect
        | IllegalMove::Superko
        | IllegalMove::Ko
        | IllegalMove::Suicide
        | IllegalMove::NoPass
        | IllegalMove::NoPrisoner => Condition::Unseen,
        IllegalMove::GameOver => Condition::Running,
    }
}
