//! Fixed points over a state space: the states in which a player has a strategy for a goal that
//! repeats no state.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use super::state_space::{StateSpace, Tick};
use crate::dfpn::NO_POINT;
use omnigo_base::hash::FastSet;

/// Marks the absence of a ko point.
pub(super) const FREE: u8 = NO_POINT;

/// The end of a game.
pub(super) enum End {
    /// Two free passes. By position: the player who then wins the goal.
    Passes(Vec<u8>),
    /// A player who cannot place a stone loses.
    Stuck,
}

impl End {
    /// Returns the player who wins the goal if two passes end the game in position `number`. `None`
    /// if passes do not end it.
    #[inline]
    pub(super) fn winner_by_passes(&self, number: u32) -> Option<u8> {
        match self {
            End::Passes(winners) => winners.get(number as usize).copied(),
            End::Stuck => None,
        }
    }
}

/// Restrictions of the strategies.
#[derive(Default)]
pub(super) struct Avoided {
    /// By position: true if no strategy may place a stone that leads to it.
    pub(super) forbidden: Vec<bool>,
    /// Moves that no strategy may make, by the states before and after.
    pub(super) moves: FastSet<(u32, u32)>,
}

impl Avoided {
    /// Returns true if a strategy may place a stone that leads from state `from` to state `to`, in
    /// the position `number`.
    pub(super) fn allows(&self, from: u32, to: u32, number: u32) -> bool {
        !self.forbidden[number as usize]
            && (self.moves.is_empty() || !self.moves.contains(&(from, to)))
    }
}

/// The player who holds the goal, by state. Each word is 0 if neither player does, else twice the
/// place in the order of discovery, plus the player. If the holder is to move in a held state, some
/// move leads to a state that it holds at an earlier place. If the other player is to move, all
/// moves do.
pub(super) struct Holders(Vec<AtomicU32>);

impl Holders {
    /// Returns the player who holds the goal in a state.
    #[inline]
    pub(super) fn holder(&self, state: u32) -> Option<u8> {
        let word = self.0[state as usize].load(Ordering::Acquire);
        (word != 0).then_some((word & 1) as u8)
    }

    /// Returns the rank of a held state: its place in the order of discovery.
    #[inline]
    pub(super) fn rank(&self, state: u32) -> u32 {
        self.0[state as usize].load(Ordering::Acquire) >> 1
    }

    /// Computes the held states of both players on `threads` threads. The strategy found may depend
    /// on thread timing; the set of held states does not.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(super) fn find(
        state_space: &StateSpace,
        end: &End,
        avoided: &Avoided,
        threads: usize,
        tick: Tick<'_>,
    ) -> Result<Holders, super::Stopped> {
        const STRIDE: usize = 1 << 17;
        let words = (0..state_space.states()).map(|_| AtomicU32::new(0));
        let holders = Holders(words.collect());
        let mut open: Vec<u32> = (0..state_space.states() as u32).collect();
        let rank = AtomicU32::new(0);
        let work = &|part: &[u32]| {
            for &state in part {
                if let Some(player) = holders.judge(state_space, end, avoided, state) {
                    // The states that this result depends on were read earlier and had their ranks
                    // by then. So this rank is higher.
                    let rank = 1 + rank.fetch_add(1, Ordering::AcqRel);
                    let word = rank << 1 | u32::from(player);
                    holders.0[state as usize].store(word, Ordering::Release);
                }
            }
        };
        // Alternate the direction, because captures lead back to positions that were numbered
        // earlier.
        loop {
            open.reverse();
            let before = open.len();
            for part in open.chunks(STRIDE) {
                tick(0)?;
                let share = part.len().div_ceil(threads.max(1)).max(1 << 10);
                let mut shares = part.chunks(share);
                let first = shares.next();
                thread::scope(|scope| {
                    for share in shares {
                        let begun = thread::Builder::new().spawn_scoped(scope, move || work(share));
                        if begun.is_err() {
                            work(share);
                        }
                    }
                    first.into_iter().for_each(work);
                });
            }
            open.retain(|&state| holders.holder(state).is_none());
            if open.len() == before {
                return Ok(holders);
            }
        }
    }

    /// Returns the player who holds the goal in a state. `None` if the states after its moves do
    /// not show it yet.
    fn judge(
        &self,
        state_space: &StateSpace,
        end: &End,
        avoided: &Avoided,
        state: u32,
    ) -> Option<u8> {
        // `base` is twice the number of the position, plus the player to move.
        let (base, ko) = state_space.base(state);
        let mover = (base & 1) as u8;
        let mut lost = true;
        if end.winner_by_passes(base / 2) == Some(mover) {
            match self.holder(base ^ 1) {
                Some(player) if player == mover => return Some(mover),
                Some(_) => {}
                None => lost = false,
            }
        }
        for next in state_space.next(base, ko) {
            match self.holder(next) {
                Some(player) if player == mover => {
                    if avoided.allows(state, next, state_space.base(next).0 / 2) {
                        return Some(mover);
                    }
                    lost = false;
                }
                Some(_) => {}
                None => lost = false,
            }
        }
        lost.then_some(1 - mover)
    }

    /// Returns true if `player` holds all states of a position, at ranks below `rank`.
    pub(super) fn is_settled(
        &self,
        state_space: &StateSpace,
        number: u32,
        player: u8,
        rank: u32,
    ) -> bool {
        let earlier = |state: u32| self.holder(state) == Some(player) && self.rank(state) < rank;
        earlier(2 * number) && earlier(2 * number + 1) && state_space.kos_of(number).all(earlier)
    }

    /// Returns the moves of `player`'s strategy from a state that it holds and in which it is to
    /// move. Each comes with a flag that is true if the move might restore stones. Unflagged moves
    /// come first, then those of lower rank.
    pub(super) fn moves(
        &self,
        state_space: &StateSpace,
        end: &End,
        avoided: &Avoided,
        state: u32,
    ) -> Vec<(bool, u32)> {
        let (base, ko) = state_space.base(state);
        let player = (base & 1) as u8;
        let rank = self.rank(state);
        let earlier = |next: u32| self.holder(next) == Some(player) && self.rank(next) < rank;
        let mut moves = Vec::new();
        if end.winner_by_passes(base / 2) == Some(player) && earlier(base ^ 1) {
            moves.push((false, base ^ 1));
        }
        for next in state_space.next(base, ko) {
            let number = state_space.base(next).0 / 2;
            if earlier(next) && avoided.allows(state, next, number) {
                moves.push((!self.is_settled(state_space, number, player, rank), next));
            }
        }
        moves.sort_by_key(|&(doubtful, next)| (doubtful, self.rank(next)));
        moves.dedup();
        moves
    }

    /// Returns the states after the moves of the player to move, when the other player holds the
    /// state.
    pub(super) fn replies(state_space: &StateSpace, end: &End, state: u32) -> Vec<u32> {
        let (base, ko) = state_space.base(state);
        let pass = end.winner_by_passes(base / 2) == Some((base & 1) as u8);
        let mut replies: Vec<u32> = state_space.next(base, ko).collect();
        replies.extend(pass.then_some(base ^ 1));
        replies.sort_unstable();
        replies.dedup();
        replies
    }
}
