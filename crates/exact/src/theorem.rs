//! Bounds that are proved for every board, without a search. The proofs are in `docs/exact.md`.
//!
//! Both theorems hold only at the start of a game on the empty board. Later, the history may forbid
//! one player more moves than the other.

use std::fmt;

use super::solver_rules::{CounterUse, ScoredPosition, Seen, SolverRules};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::BareBoard;
use omnigo_core::game::Game;
use omnigo_core::rules::{End, Passing, Scoring, Stuck, Suicide};

/// A bound that needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// The first player gets at least a tie.
    FirstPlayer,
    /// The second player wins by passing if it has enough passes. It needs one for each stone of
    /// the first player that can stand on the board, and one for each pass of the first player.
    Passes,
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Theorem::FirstPlayer => {
                "by theorem the first player's value on the empty board is not negative"
            }
            Theorem::Passes => "by theorem the komi parameter is at most n - c - 1",
        })
    }
}

/// Returns bounds of the value in units, with `color` to move, and the theorem that proves them.
/// `None` if no theorem applies.
pub(super) fn bounds<B: BareBoard>(
    game: &Game<B>,
    solver_rules: &SolverRules,
    scored_position: ScoredPosition,
    color: Color,
) -> Option<((i64, i64), Theorem)> {
    let begins = game.moves().len() == 0 && game.board().position().iter().all(Option::is_none);
    if !begins || solver_rules.superko.is_none() {
        return None;
    }
    if is_not_negative(solver_rules, scored_position) {
        let interval = match color {
            Color::BLACK => (0, i64::MAX),
            _ => (i64::MIN, 0),
        };
        return Some((interval, Theorem::FirstPlayer));
    }
    let [own, others] =
        [color, color.other()].map(|c| i64::from(solver_rules.counters_of(game)[c.index()]));
    if is_lost_to_passes(solver_rules) && others - own.max(0) >= most_stones(game.board())? {
        let value = if color == Color::BLACK { -1 } else { 1 };
        return Some(((value, value), Theorem::Passes));
    }
    None
}

/// Returns true if [`Theorem::FirstPlayer`] holds under these rules. The first player can pass. The
/// other player then passes, which gives a tie, or moves first on the empty board.
fn is_not_negative(solver_rules: &SolverRules, scored_position: ScoredPosition) -> bool {
    let rules = &solver_rules.rules;
    let counts = matches!(rules.scoring, Scoring::Area | Scoring::Stones);
    let passes = (rules.passing, rules.end) == (Passing::Free, End::Passes);
    // Suicide of all stones would bring back the empty board. Under situational superko, a pass on
    // the empty board forbids this with either player to move, instead of with only one.
    let same = match solver_rules.superko {
        Some(Seen::Positions) => true,
        Some(Seen::Situations) => rules.suicide == Suicide::Forbidden,
        None => false,
    };
    let pass_helps = rules.stuck == Stuck::MoveOrPass;
    counts && passes && same && pass_helps && scored_position == ScoredPosition::Stands
}

/// Returns true if [`Theorem::Passes`] can apply under these rules. While the second player has
/// passes, it can then answer each turn of the first player with one.
fn is_lost_to_passes(solver_rules: &SolverRules) -> bool {
    let pass_helps = solver_rules.rules.stuck == Stuck::MoveOrPass;
    solver_rules.is_last_mover() && solver_rules.counters == CounterUse::Passes && pass_helps
}

/// Returns the maximum number of stones of one color that can stand on the board without others.
///
/// After a move, no component is full of one color, so this is the number of points minus the
/// number of components. `None` on boards where groups do not live by liberties.
pub(super) fn most_stones<B: BareBoard>(board: &B) -> Option<i64> {
    let points = board.points();
    if !board.has_chains() || board.placements() != points {
        return None;
    }
    let mut met = vec![false; points];
    let mut components = 0;
    for from in 0..points {
        if met[from] {
            continue;
        }
        components += 1;
        let mut open = vec![from];
        met[from] = true;
        while let Some(at) = open.pop() {
            for near in board.around(Vertex::at(at)).map(Vertex::index) {
                if !met[near] {
                    met[near] = true;
                    open.push(near);
                }
            }
        }
    }
    Some(points as i64 - components)
}
