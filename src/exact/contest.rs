//! What the rules make of a numbered position: who may do what, and what has been seen.

use crate::board::Board;
use crate::color::Color;
use crate::game::{Game, Outcome};
use crate::rules::{End, Ko, Passing, Points, Ruleset, Scoring, Stuck};

/// A position with all that the rest of the game depends on, the past aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The colouring's number.
    pub(super) number: u32,
    /// Who is to move.
    pub(super) to_move: Color,
    /// Whether a pass would end the game.
    pub(super) passed: bool,
    /// By color: passes left where passes are paid, prisoners where they count, else nothing.
    pub(super) purse: [i32; 2],
}

/// What a purse is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purse {
    /// It pays passes.
    Passes,
    /// It is counted at the end.
    Points,
    /// Nothing.
    Unused,
}

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The position as it stands.
    Stands,
    /// The worst that agreement can do to this color: all of its chains are dead but those that live unconditionally, and
    /// none of the other's.
    Worst(Color),
}

/// What counts as seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// A colouring.
    Positions,
    /// A colouring with the player to move in it.
    Situations,
}

/// The rules as an exact search needs them.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    pub(super) rules: Ruleset,
    pub(super) purse: Purse,
    /// What may not come back; `None` is simple ko, under which a game need not end.
    pub(super) superko: Option<Seen>,
    /// What a unit of margin is worth.
    unit: Points,
    /// Points for Black before anything is counted, White's and komi taken off.
    ahead: Points,
}

impl Contest {
    pub(super) fn of<B: Board>(game: &Game<B>) -> Contest {
        let rules = game.rules().clone();
        let purse = match (rules.passing, rules.scoring) {
            (Passing::Prisoners, _) => Purse::Passes,
            (Passing::Free | Passing::Never, Scoring::Territory) => Purse::Points,
            (Passing::Free | Passing::Never, Scoring::Area | Scoring::Stones | Scoring::None) => {
                Purse::Unused
            }
        };
        let superko = match rules.ko {
            Ko::Simple => None,
            Ko::Positional => Some(Seen::Positions),
            Ko::Situational => Some(Seen::Situations),
        };
        let [black, white] = [Color::BLACK, Color::WHITE].map(|c| game.initial_scores()[c.index()]);
        let ahead = black - white - rules.scored_komi(game.komi()) - game.handicap_bonus();
        Contest {
            purse,
            superko,
            unit: game.board().unit(),
            ahead,
            rules,
        }
    }

    /// What a purse holds at the game's present.
    pub(super) fn purse_of<B: Board>(&self, game: &Game<B>) -> [i32; 2] {
        let counters = [Color::BLACK, Color::WHITE].map(|color| game.counter(color).halves());
        match self.purse {
            // A half buys a pass like a whole: what counts is the number rounded up.
            Purse::Passes => counters.map(|halves| clamp((halves + 1).div_euclid(2))),
            Purse::Points => counters.map(|halves| clamp(halves / 2)),
            Purse::Unused => [0, 0],
        }
    }

    /// The index under which a situation counts as seen.
    pub(super) fn key(&self, number: u32, to_move: Color) -> usize {
        match self.superko {
            Some(Seen::Positions) | None => number as usize,
            Some(Seen::Situations) => number as usize * 2 + to_move.index(),
        }
    }

    /// Whether the player to move may pay a pass; a player who cannot place a stone may be stuck nonetheless.
    pub(super) fn can_pass(&self, state: &State, can_place: bool) -> bool {
        let affordable = match self.rules.passing {
            Passing::Free => true,
            Passing::Never => false,
            Passing::Prisoners => state.purse[state.to_move.index()] > 0,
        };
        affordable && self.rules.may_wait(can_place)
    }

    /// Whether a pass in this state ends the game.
    pub(super) fn pass_ends(&self, state: &State) -> bool {
        match self.rules.end {
            End::Passes => state.passed,
            End::Stuck => false,
        }
    }

    /// The state after a pass that does not end the game.
    pub(super) fn after_pass(&self, state: &State) -> State {
        let mut purse = state.purse;
        match self.purse {
            Purse::Passes => purse[state.to_move.index()] -= 1,
            Purse::Points | Purse::Unused => {}
        }
        let passed = match self.rules.end {
            End::Passes => true,
            End::Stuck => false,
        };
        State {
            to_move: state.to_move.other(),
            passed,
            purse,
            ..*state
        }
    }

    /// The state after a placement.
    pub(super) fn after_step(&self, state: &State, step: &super::positions::Step) -> State {
        let mut purse = state.purse;
        match self.purse {
            Purse::Passes | Purse::Points => {
                purse[state.to_move.index()] += i32::from(step.captured);
                purse[state.to_move.other().index()] += i32::from(step.lost);
            }
            Purse::Unused => {}
        }
        State {
            number: step.to,
            to_move: state.to_move.other(),
            passed: false,
            purse,
        }
    }

    /// Prisoners where they are counted: Black's less White's.
    pub(super) fn prisoners(&self, state: &State) -> i64 {
        match self.purse {
            Purse::Points => i64::from(state.purse[0]) - i64::from(state.purse[1]),
            Purse::Passes | Purse::Unused => 0,
        }
    }

    /// Whether moving last is all that counts.
    pub(super) fn is_last_mover(&self) -> bool {
        match self.rules.scoring {
            Scoring::None => true,
            Scoring::Area | Scoring::Stones | Scoring::Territory => false,
        }
    }

    /// The result that a margin in units amounts to; of the last mover's games 1 is Black's win, -1 White's.
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

    /// Whether the player to move needs a placement in order to pass.
    pub(super) fn pass_needs_placement(&self) -> bool {
        match self.rules.stuck {
            Stuck::MoveOnly => true,
            Stuck::MoveOrPass => false,
        }
    }
}

/// Purses hold no more than can ever be spent.
fn clamp(count: i64) -> i32 {
    count.clamp(-(1 << 24), 1 << 24) as i32
}
