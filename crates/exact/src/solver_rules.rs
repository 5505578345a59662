//! The rules as applied to numbered positions: legal passes, state transitions, and what counts as
//! a repetition.

use omnigo_base::color::Color;
use omnigo_core::board::BareBoard;
use omnigo_core::game::{Game, Outcome};
use omnigo_core::rules::{End, Ko, Passing, Points, Ruleset, Scoring, Stuck};

/// A position with everything that the rest of the game depends on, except the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// Number of the position.
    pub(super) number: u32,
    /// Player to move.
    pub(super) to_move: Color,
    /// True if a pass would end the game.
    pub(super) passed: bool,
    /// By color: passes left if passes are paid, prisoners if they count, else 0.
    pub(super) counters: [i32; 2],
}

/// Meaning of the two counts in a [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CounterUse {
    /// Passes left: each pass costs one.
    Passes,
    /// Prisoners, which count at the end.
    Points,
    /// Not used.
    Unused,
}

/// Position that is scored at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScoredPosition {
    /// The final position, with all stones alive.
    Stands,
    /// The worst agreement for this color: its chains are dead unless they live unconditionally,
    /// and no chain of the opponent is dead.
    Worst(Color),
}

/// Definition of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Equal positions.
    Positions,
    /// Equal positions with the same player to move.
    Situations,
}

/// The rules in the form that exact searches need.
#[derive(Clone, Debug)]
pub(super) struct SolverRules {
    pub(super) rules: Ruleset,
    pub(super) counters: CounterUse,
    /// Kind of repetition that is forbidden. `None` is simple ko, under which a game may never end.
    pub(super) superko: Option<Seen>,
    /// Points per unit of margin.
    unit: Points,
    /// Black's lead before counting: initial scores, komi, and handicap bonus.
    ahead: Points,
}

impl SolverRules {
    pub(super) fn of<B: BareBoard>(game: &Game<B>) -> SolverRules {
        let rules = game.rules().clone();
        let counters = match (rules.passing, rules.scoring) {
            (Passing::Prisoners, _) => CounterUse::Passes,
            (Passing::Free | Passing::Never, Scoring::Territory) => CounterUse::Points,
            (Passing::Free | Passing::Never, Scoring::Area | Scoring::Stones | Scoring::None) => {
                CounterUse::Unused
            }
        };
        let superko = match rules.ko {
            Ko::Simple => None,
            Ko::Positional => Some(Seen::Positions),
            Ko::Situational => Some(Seen::Situations),
        };
        let [black, white] = [Color::BLACK, Color::WHITE].map(|c| game.initial_scores()[c.index()]);
        let ahead = black - white - rules.scored_komi(game.komi()) - game.handicap_bonus();
        SolverRules {
            counters,
            superko,
            unit: game.board().unit(),
            ahead,
            rules,
        }
    }

    /// Returns the two counts of a [`State`] for the current position of `game`.
    pub(super) fn counters_of<B: BareBoard>(&self, game: &Game<B>) -> [i32; 2] {
        let counters = [Color::BLACK, Color::WHITE].map(|color| game.counter(color).halves());
        match self.counters {
            // Half a prisoner pays for a pass too, so round up.
            CounterUse::Passes => counters.map(|halves| clamp((halves + 1).div_euclid(2))),
            CounterUse::Points => counters.map(|halves| clamp(halves / 2)),
            CounterUse::Unused => [0, 0],
        }
    }

    /// Returns the index of a situation in sets of seen situations.
    pub(super) fn key(&self, number: u32, to_move: Color) -> usize {
        match self.superko {
            Some(Seen::Positions) | None => number as usize,
            Some(Seen::Situations) => number as usize * 2 + to_move.index(),
        }
    }

    /// Returns true if the player to move can pay for a pass and may pass. Under some rules, a
    /// player who cannot place a stone (`can_place` is false) may not pass.
    pub(super) fn can_pass(&self, state: &State, can_place: bool) -> bool {
        let affordable = match self.rules.passing {
            Passing::Free => true,
            Passing::Never => false,
            Passing::Prisoners => state.counters[state.to_move.index()] > 0,
        };
        affordable && self.rules.allows_pass(can_place)
    }

    /// Returns true if a pass in this state ends the game.
    pub(super) fn pass_ends(&self, state: &State) -> bool {
        match self.rules.end {
            End::Passes => state.passed,
            End::Stuck => false,
        }
    }

    /// Returns the state after a pass that does not end the game.
    pub(super) fn after_pass(&self, state: &State) -> State {
        let mut counters = state.counters;
        match self.counters {
            CounterUse::Passes => counters[state.to_move.index()] -= 1,
            CounterUse::Points | CounterUse::Unused => {}
        }
        let passed = match self.rules.end {
            End::Passes => true,
            End::Stuck => false,
        };
        State {
            to_move: state.to_move.other(),
            passed,
            counters,
            ..*state
        }
    }

    /// Returns the state after a placement.
    pub(super) fn after_step(&self, state: &State, step: &super::positions::Step) -> State {
        let mut counters = state.counters;
        match self.counters {
            CounterUse::Passes | CounterUse::Points => {
                counters[state.to_move.index()] += i32::from(step.captured);
                counters[state.to_move.other().index()] += i32::from(step.lost);
            }
            CounterUse::Unused => {}
        }
        State {
            number: step.to,
            to_move: state.to_move.other(),
            passed: false,
            counters,
        }
    }

    /// Returns Black's prisoners minus White's if prisoners count, else 0.
    pub(super) fn prisoners(&self, state: &State) -> i64 {
        match self.counters {
            CounterUse::Points => i64::from(state.counters[0]) - i64::from(state.counters[1]),
            CounterUse::Passes | CounterUse::Unused => 0,
        }
    }

    /// Returns true if the last player to move wins and nothing is counted.
    pub(super) fn is_last_mover(&self) -> bool {
        match self.rules.scoring {
            Scoring::None => true,
            Scoring::Area | Scoring::Stones | Scoring::Territory => false,
        }
    }

    /// Returns the result for a margin in units. If the last mover wins, 1 is a win for Black and
    /// -1 one for White.
    pub(super) fn outcome(&self, margin: i64) -> Outcome {
        if self.is_last_mover() {
            return Outcome::LastMover(if margin > 0 {
                Color::BLACK
            } else {
                Color::WHITE
            });
        }
        Outcome::of_scores(&[self.unit * margin + self.ahead, Points::ZERO])
    }

    /// Returns true if only a player with a legal placement may pass.
    pub(super) fn pass_needs_placement(&self) -> bool {
        match self.rules.stuck {
            Stuck::MoveOnly => true,
            Stuck::MoveOrPass => false,
        }
    }
}

/// Limits a count to ±2²⁴, more than a game can ever spend.
fn clamp(count: i64) -> i32 {
    count.clamp(-(1 << 24), 1 << 24) as i32
}
