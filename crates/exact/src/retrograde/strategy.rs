//! Superko check of a fixed point: writes the strategy out and searches for repetitions.
//!
//! The strategy descends in rank, so it never repeats a state. It could still restore stones with
//! the other player to move or with another ko point. If all states of the stones after a placement
//! have lower ranks, they cannot have occurred. For the other placements, the strategy is searched
//! for a path from one of those states to the placement.

use super::holders::{Avoided, End, Holders};
use super::state_space::StateSpace;
use crate::limits::Stopped;
use omnigo_base::hash::{FastMap, FastSet};

/// A strategy of one player.
pub(super) struct Strategy {
    /// The holder's move, by state. States in which the other player is to move are absent.
    chosen: FastMap<u32, u32>,
    /// All states of the strategy.
    states: FastSet<u32>,
}

/// Result of writing out a strategy.
pub(super) enum Written {
    /// Superko allows the strategy.
    Legal,
    /// These moves restore stones, or might do so.
    Again(Vec<(u32, u32)>),
    /// The strategy has too many states.
    TooLong,
}

impl Strategy {
    /// Writes out `player`'s strategy from `roots`, which it holds, and checks that it never
    /// restores stones.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(super) fn write(
        state_space: &StateSpace,
        end: &End,
        (holders, avoided): (&Holders, &Avoided),
        player: u8,
        roots: &[u32],
        most: usize,
        tick: super::Tick<'_>,
    ) -> Result<Written, Stopped> {
        let mut strategy = Strategy {
            chosen: FastMap::default(),
            states: FastSet::default(),
        };
        let mut doubtful = Vec::new();
        let mut open: Vec<u32> = roots.to_vec();
        while let Some(state) = open.pop() {
            if !strategy.states.insert(state) {
                continue;
            }
            if strategy.states.len().is_multiple_of(1 << 12) {
                tick(0)?;
                if strategy.states.len() > most {
                    return Ok(Written::TooLong);
                }
            }
            if (state_space.base(state).0 & 1) as u8 == player {
                let moves = holders.moves(state_space, end, avoided, state);
                if let Some(&(doubt, next)) = moves.first() {
                    strategy.chosen.insert(state, next);
                    if doubt {
                        doubtful.push((state, next));
                    }
                    open.push(next);
                }
            } else {
                open.extend(Holders::replies(state_space, end, state));
            }
        }
        let mut again = Vec::new();
        for &(from, to) in &doubtful {
            if strategy.brings_back(state_space, end, holders, from, to, tick)? {
                again.push((from, to));
            }
        }
        Ok(if again.is_empty() {
            Written::Legal
        } else {
            Written::Again(again)
        })
    }

    /// Returns true if the stones after a move may have been on the board since the start of the
    /// strategy.
    fn brings_back(
        &self,
        state_space: &StateSpace,
        end: &End,
        holders: &Holders,
        from: u32,
        to: u32,
        tick: super::Tick<'_>,
    ) -> Result<bool, Stopped> {
        let number = state_space.base(to).0 / 2;
        let rank = holders.rank(from);
        let states = [2 * number, 2 * number + 1].into_iter();
        let mut open: Vec<u32> = states
            .chain(state_space.kos_of(number))
            .filter(|state| self.states.contains(state) && holders.rank(*state) > rank)
            .collect();
        let mut met: FastSet<u32> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            if state == from {
                return Ok(true);
            }
            if met.len().is_multiple_of(1 << 12) {
                tick(0)?;
            }
            let next = match self.chosen.get(&state) {
                Some(&next) => vec![next],
                None => Holders::replies(state_space, end, state),
            };
            for next in next {
                // Ranks descend along the way.
                if holders.rank(next) >= rank && met.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(false)
    }
}
