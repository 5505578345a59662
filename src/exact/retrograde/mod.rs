//! Values by retrograde analysis: all states of a small board, and what is left open between two fixed points.
//!
//! **What is held.** A state is the stones, whose turn it is, and where simple ko forbids to take back; superko forbids that as
//! well, whatever the history. For a goal a fixed point finds the states in which a player has a strategy that descends
//! in the order of discovery, for Black and for White at once ([`hold`]). No state repeats on the way, but stones might, with
//! another player to move or another ko: the strategy is written out and looked through, and moves that bring stones
//! back are forbidden to it until none does ([`strategy`]).
//!
//! **What is open.** States that nobody holds are searched by superko as it is ([`open`]), the history included. As long as play
//! goes through open states, their stones are all that is added to the history. These positions, and those of the history,
//! are closed to both players' strategies, and the fixed point is found again until no other states are open: so once play
//! comes to a state that is held, none of the placements to come brings back anything from before.
//!
//! Cost: linear in the states and moves for each goal and round; the search among open states is exponential in their number
//! in the worst case. On 4x4 a few hundred are open, on paths nearly all of them are.

mod arena;
mod hold;
mod line;
mod open;
mod strategy;

pub(in crate::exact) use arena::{Arena, MOST_POINTS};
use arena::{Stones, Tick};
use hold::{Avoided, End, FREE, Held};
use open::{Field, Place};
use strategy::{Strategy, Written};

use super::contest::Seen;
use super::dfpn::Shape;
use super::limits::Stopped;

/// Times that a fixed point is found for a goal.
const MOST_ROUNDS: usize = 24;
/// States of a strategy that is written out.
const MOST_STATES: usize = 1 << 23;
/// Open states that are searched.
const MOST_OPEN: usize = 1 << 16;
/// Steps of that search.
const MOST_STEPS: u64 = 1 << 22;

/// What deciding a goal may spend.
#[derive(Clone, Copy)]
pub(in crate::exact) struct Effort {
    pub(in crate::exact) threads: usize,
    /// Steps of the search among open states, of at most 4 million.
    pub(in crate::exact) steps: u64,
}

/// Where play stands.
pub(in crate::exact) struct Root {
    /// Black's stones and White's.
    pub(in crate::exact) stones: Stones,
    /// Who is to move: 0 is Black.
    pub(in crate::exact) mover: u8,
    /// Whether a pass would end the game.
    pub(in crate::exact) passed: bool,
    /// The situations before.
    pub(in crate::exact) history: Vec<(Stones, u8)>,
}

/// How a player reaches what it has been proved to reach.
pub(in crate::exact) struct Plan {
    end: End,
    held: Held,
    avoided: Avoided,
}

impl Plan {
    /// Whether passes are part of the game.
    fn can_pass(&self) -> bool {
        match self.end {
            End::Passes(_) => true,
            End::Stuck => false,
        }
    }
}

/// A board with everything that can follow a position.
pub(in crate::exact) struct Retrograde {
    arena: Arena,
    seen: Seen,
}

impl Retrograde {
    /// Explores what can follow stones on a graph; `None` where it would take more than `memory` bytes.
    ///
    /// # Errors
    /// What `tick` says.
    pub(in crate::exact) fn explore(
        shape: Shape,
        maps: &[Vec<usize>],
        suicide: bool,
        seen: Seen,
        root: Stones,
        memory: usize,
        tick: Tick<'_>,
    ) -> Result<Option<Retrograde>, Stopped> {
        let arena = Arena::explore(shape, maps, suicide, root, memory, tick)?;
        Ok(arena.map(|arena| Retrograde { arena, seen }))
    }

    /// Positions.
    pub(in crate::exact) fn positions(&self) -> usize {
        self.arena.positions()
    }

    /// The stones of a position, or of one of its images.
    pub(in crate::exact) fn stones(&self, number: u32) -> Stones {
        self.arena.stones(number)
    }

    /// Whether Black has its goal after `root`, with the winner's plan unless the game is as good as over; `None` where that is not found out. `suits` says by position whether two
    /// passes give it to Black; without it nobody can pass, and whoever cannot move loses. The positions `close`, of whatever
    /// goals were decided before, are closed from the start, and what was closed is added to them: that saves rounds.
    ///
    /// # Errors
    /// What `tick` says.
    pub(in crate::exact) fn decide(
        &self,
        root: &Root,
        suits: Option<&[bool]>,
        close: &mut Vec<u32>,
        effort: Effort,
        tick: Tick<'_>,
    ) -> Result<Option<(bool, Option<Plan>)>, Stopped> {
        let arena = &self.arena;
        let end = match suits {
            Some(suits) => End::Passes(suits.iter().map(|&black| u8::from(!black)).collect()),
            None => End::Stuck,
        };
        let Some(state) = arena.state(root.stones, usize::from(root.mover), FREE) else {
            return Ok(None);
        };
        if root.passed && end.suits(state / 2) == Some(root.mover) {
            return Ok(Some((root.mover == 0, None)));
        }
        let mut avoided = Avoided {
            closed: vec![false; arena.positions()],
            ..Avoided::default()
        };
        let past = root.history.iter().map(|&(stones, _)| stones);
        let past = past.chain([root.stones]).filter_map(|s| arena.number(s));
        for number in past.chain(close.iter().copied()) {
            if let Some(closed) = avoided.closed.get_mut(number as usize) {
                *closed = true;
            }
        }
        let place = Place {
            stones: root.stones,
            mover: root.mover,
            ko: FREE,
        };
        for _ in 0..MOST_ROUNDS {
            tick(arena.states() as u64)?;
            let held = Held::find(arena, &end, &avoided, effort.threads, tick)?;
            let (winner, leaves) = match held.holder(state) {
                Some(player) => (player, vec![state]),
                None => {
                    let field = Field::of(arena, &end, &held, self.seen, place, MOST_OPEN);
                    let Some(mut field) = field else {
                        return Ok(None);
                    };
                    if field.close(&mut avoided) {
                        close.extend(&field.positions);
                        continue;
                    }
                    let Some(winner) =
                        field.winner(&root.history, effort.steps.min(MOST_STEPS), tick)?
                    else {
                        return Ok(None);
                    };
                    let leaves = std::mem::take(&mut field.leaves[usize::from(winner)]);
                    (winner, leaves)
                }
            };
            let found = (&held, &avoided);
            match Strategy::write(arena, &end, found, winner, &leaves, MOST_STATES, tick)? {
                Written::Legal => {
                    let plan = Plan { end, held, avoided };
                    return Ok(Some((winner == 0, Some(plan))));
                }
                Written::Again(moves) => avoided.moves.extend(moves),
                Written::TooLong => return Ok(None),
            }
        }
        Ok(None)
    }
}
