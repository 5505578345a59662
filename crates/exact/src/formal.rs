//! The formal *Rules of Go*: checks that a sequence of moves is a game.
//!
//! A game is a finite sequence m₀ … mₙ₋₁ with states (bᵢ, cᵢ, pᵢ): the board, the player, and the
//! number of consecutive passes. It begins with the empty board, Black, and no passes, and it ends
//! with pₙ = 2. For every move, pᵢ < 2, μ is defined, and a placement does not bring back a board
//! b₀ … bᵢ. The text has the two cases of μ swapped; this module uses the intended meaning.
//!
//! The ordinary game under the ruleset `formal` checks the moves. This module only translates its
//! errors into the conditions of the text.

use std::sync::Arc;

use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::graph::{Adjacency, GraphBoard};
use omnigo_core::game::{Game, IllegalMove, Outcome};
use omnigo_core::rules::{Points, presets};
use omnigo_graph::Graph;

/// Conditions that every game satisfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// μ is defined: the stone is placed on an empty point.
    Defined,
    /// The board after a placement differs from every earlier one.
    Unseen,
    /// Fewer than two consecutive passes precede the move.
    Running,
    /// The sequence ends with two consecutive passes.
    Finished,
}

impl Condition {
    /// Returns the formula of the condition in the text, in ASCII.
    pub fn formula(self) -> &'static str {
        match self {
            Condition::Defined => "mu((b_i,c_i,p_i),m_i) = (b_i+1,c_i+1,p_i+1)",
            Condition::Unseen => "b_j != b_i+1 for all j <= i",
            Condition::Running => "p_i < 2",
            Condition::Finished => "p_n = 2",
        }
    }

    /// Returns the error message for a failed condition.
    pub fn failure(self) -> &'static str {
        match self {
            Condition::Defined => "the point is not empty",
            Condition::Unseen => "the move repeats an earlier position",
            Condition::Running => "the game has already ended with two passes",
            Condition::Finished => "the sequence does not end with two passes in a row",
        }
    }
}

/// Result of checking a sequence of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameCheck {
    /// The sequence is a game.
    Game {
        /// Black's score.
        black: Points,
        /// White's score.
        white: Points,
        /// The winner; `None` is a tie.
        winner: Option<Color>,
    },
    /// The sequence is not a game.
    NoGame {
        /// The condition that fails.
        condition: Condition,
        /// Index i of the failing move, from 0. `None` if only the final passes are missing.
        failed_at: Option<usize>,
    },
}

/// Error: the graph has more vertices than a board can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a graph of {0} vertices is too large for a board")]
pub struct TooLarge(usize);

/// Checks a sequence of moves on the empty board of `graph`. Colors alternate, Black first.
///
/// ```
/// use omnigo_exact::formal::{Condition, GameCheck, judge};
/// use omnigo_graph::spec::Spec;
/// use omnigo_base::vertex::Move::Pass;
///
/// let graph = "path:3".parse::<Spec>().unwrap().build().unwrap().graph;
/// assert!(matches!(judge(&graph, &[Pass, Pass]).unwrap(), GameCheck::Game { winner: None, .. }));
/// let third = GameCheck::NoGame { condition: Condition::Running, failed_at: Some(2) };
/// assert_eq!(judge(&graph, &[Pass, Pass, Pass]).unwrap(), third);
/// ```
///
/// # Errors
/// The graph is too large for a board.
pub fn judge(graph: &Arc<Graph>, moves: &[Move]) -> Result<GameCheck, TooLarge> {
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
            return Ok(GameCheck::NoGame {
                condition,
                failed_at: Some(i),
            });
        }
    }
    match game.scores(&[]).as_deref() {
        Ok(&[black, white]) if game.ended_by_passes() => Ok(GameCheck::Game {
            black,
            white,
            winner: Outcome::of_scores(&[black, white]).winner(),
        }),
        _ => Ok(GameCheck::NoGame {
            condition: Condition::Finished,
            failed_at: None,
        }),
    }
}

/// Returns the condition that an illegal move violates.
fn broken(reason: IllegalMove) -> Condition {
    match reason {
        // On a missing point, μ is undefined. `NoPlayer` cannot occur, because colors alternate
        // here.
        IllegalMove::NoVertex | IllegalMove::NoPlayer | IllegalMove::Occupied => Condition::Defined,
        // Suicide of a single stone restores the current board, which counts as an earlier one.
        IllegalMove::NoEffect
        | IllegalMove::Superko
        | IllegalMove::Ko
        | IllegalMove::Suicide
        | IllegalMove::NoPass
        | IllegalMove::NoPrisoner
        | IllegalMove::NoResignation => Condition::Unseen,
        IllegalMove::GameOver => Condition::Running,
    }
}
