//! Retrograde analysis: all states of a small board by a fixed point, and a search where it leaves
//! states open.
//!
//! **Held states.** A state consists of the stones, the player to move, and the point where simple
//! ko forbids recapture. Superko forbids this recapture too, whatever the history. A player *holds*
//! a goal in a state if it has a strategy for it that descends in the order of discovery. One fixed
//! point finds the held states of both Black and White ([`holders`]). No state repeats on the way,
//! but stones may recur with the other player to move or another ko point. The strategy is
//! therefore written out and checked. Each move that restores a position is forbidden until the
//! strategy contains none ([`strategy`]).
//!
//! **Open states.** States that neither player holds are searched under the superko rule itself,
//! including the history ([`open`]). While play stays in open states, only their stones are added
//! to the history. No strategy may place a stone that reaches a position of an open state or of the
//! history. The fixed point is repeated until it leaves no other states open. So once play
//! reaches a held state, no later placement restores anything from before.
//!
//! Cost per goal and round: a few sweeps over all states and moves, at most one for each rank of
//! discovery. The search among open states is exponential in their number in the worst case. On the
//! 4x4 grid a few hundred states are open. On paths nearly all are.

mod holders;
mod line;
mod open;
mod state_space;
mod strategy;

use holders::{Avoided, End, FREE, Holders};
use open::{Field, Place};
pub(crate) use state_space::{MOST_POINTS, StateSpace};
use state_space::{Stones, Tick};
use strategy::{Strategy, Written};

use super::dfpn::SmallGraph;
use super::limits::Stopped;
use super::solver_rules::Seen;

/// Maximum number of fixed points computed per goal.
const MOST_ROUNDS: usize = 24;
/// Maximum number of states of a strategy that is written out.
const MOST_STATES: usize = 1 << 23;
/// Maximum number of open states that are searched.
const MOST_OPEN: usize = 1 << 16;
/// Maximum number of steps of that search.
const MOST_STEPS: u64 = 1 << 22;

/// Limits for deciding a goal.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) threads: usize,
    /// Maximum number of steps of the search among open states. Values above 4 million have no
    /// effect.
    pub(crate) steps: u64,
}

/// A position with its history, from which a goal is decided.
pub(crate) struct Root {
    /// Black's stones and White's.
    pub(crate) stones: Stones,
    /// The player to move: 0 is Black.
    pub(crate) mover: u8,
    /// True if a pass would end the game.
    pub(crate) passed: bool,
    /// The earlier situations.
    pub(crate) history: Vec<(Stones, u8)>,
}

/// Strategy of a player that reaches its proven result.
pub(crate) struct Plan {
    end: End,
    holders: Holders,
    avoided: Avoided,
}

impl Plan {
    /// Returns true if players may pass.
    fn can_pass(&self) -> bool {
        match self.end {
            End::Passes(_) => true,
            End::Stuck => false,
        }
    }
}

/// A board with all positions that can follow a given one.
pub(crate) struct Retrograde {
    state_space: StateSpace,
    seen: Seen,
}

impl Retrograde {
    /// Explores the positions that can follow given stones on a graph. Returns `None` if this needs
    /// more than `memory` bytes.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(crate) fn explore(
        graph: SmallGraph,
        maps: &[Vec<usize>],
        suicide: bool,
        seen: Seen,
        root: Stones,
        memory: usize,
        tick: Tick<'_>,
    ) -> Result<Option<Retrograde>, Stopped> {
        let state_space = StateSpace::explore(graph, maps, suicide, root, memory, tick)?;
        Ok(state_space.map(|state_space| Retrograde { state_space, seen }))
    }

    /// Returns the size in bytes, including the ranks of two fixed points.
    pub(crate) fn bytes(&self) -> usize {
        self.state_space.bytes()
    }

    /// Returns the number of positions.
    pub(crate) fn positions(&self) -> usize {
        self.state_space.positions()
    }

    /// Returns the stones of a position, or of one of its images.
    pub(crate) fn stones(&self, number: u32) -> Stones {
        self.state_space.stones(number)
    }

    /// Decides whether Black reaches its goal from `root`. Returns the winner's plan too, unless
    /// one pass ends the game. Returns `None` if the result was not found.
    ///
    /// `black_wins` states by position whether two passes there give Black the goal. Without it,
    /// passing is illegal, and a player without a legal placement loses.
    ///
    /// `close` contains positions that were closed for earlier goals, and this call adds its own.
    /// Closing them from the start saves rounds.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(crate) fn decide(
        &self,
        root: &Root,
        black_wins: Option<&[bool]>,
        close: &mut Vec<u32>,
        effort: Effort,
        tick: Tick<'_>,
    ) -> Result<Option<(bool, Option<Plan>)>, Stopped> {
        let state_space = &self.state_space;
        let end = match black_wins {
            Some(wins) => End::Passes(wins.iter().map(|&black| u8::from(!black)).collect()),
            None => End::Stuck,
        };
        let Some(state) = state_space.state(root.stones, usize::from(root.mover), FREE) else {
            return Ok(None);
        };
        if root.passed && end.winner_by_passes(state / 2) == Some(root.mover) {
            return Ok(Some((root.mover == 0, None)));
        }
        let mut avoided = self.avoided(root, close);
        for _ in 0..MOST_ROUNDS {
            tick(state_space.states() as u64)?;
            let holders = Holders::find(state_space, &end, &avoided, effort.threads, tick)?;
            let (winner, leaves) = match holders.holder(state) {
                Some(player) => (player, vec![state]),
                None => match self.open_root(root, &end, &holders, &mut avoided, effort, tick)? {
                    OpenRoot::Won(winner, leaves) => (winner, leaves),
                    OpenRoot::Closed(positions) => {
                        close.extend(positions);
                        continue;
                    }
                    OpenRoot::Undecided => return Ok(None),
                },
            };
            let found = (&holders, &avoided);
            match Strategy::write(state_space, &end, found, winner, &leaves, MOST_STATES, tick)? {
                Written::Legal => {
                    let plan = Plan {
                        end,
                        holders,
                        avoided,
                    };
                    return Ok(Some((winner == 0, Some(plan))));
                }
                Written::Again(moves) => avoided.moves.extend(moves),
                Written::TooLong => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Returns the restrictions of the first round: no strategy may reach a position of the history
    /// or one in `close`.
    fn avoided(&self, root: &Root, close: &[u32]) -> Avoided {
        let state_space = &self.state_space;
        let mut avoided = Avoided {
            forbidden: vec![false; state_space.positions()],
            ..Avoided::default()
        };
        let past = root.history.iter().map(|&(stones, _)| stones);
        let past = past
            .chain([root.stones])
            .filter_map(|s| state_space.number(s));
        for number in past.chain(close.iter().copied()) {
            if let Some(forbidden) = avoided.forbidden.get_mut(number as usize) {
                *forbidden = true;
            }
        }
        avoided
    }

    /// Searches the open states from the root, or forbids their positions if strategies may still
    /// reach them.
    ///
    /// # Errors
    /// An error of `tick`.
    fn open_root(
        &self,
        root: &Root,
        end: &End,
        holders: &Holders,
        avoided: &mut Avoided,
        effort: Effort,
        tick: Tick<'_>,
    ) -> Result<OpenRoot, Stopped> {
        let place = Place {
            stones: root.stones,
            mover: root.mover,
            ko: FREE,
        };
        let field = Field::of(&self.state_space, end, holders, self.seen, place, MOST_OPEN);
        let Some(mut field) = field else {
            return Ok(OpenRoot::Undecided);
        };
        if field.close(avoided) {
            return Ok(OpenRoot::Closed(field.positions));
        }
        let winner = field.winner(&root.history, effort.steps.min(MOST_STEPS), tick)?;
        Ok(winner.map_or(OpenRoot::Undecided, |winner| {
            let leaves = std::mem::take(&mut field.leaves[usize::from(winner)]);
            OpenRoot::Won(winner, leaves)
        }))
    }
}

/// Result of one round for a root that neither player holds.
enum OpenRoot {
    /// The winner of the search among open states, and the held states where its lines end.
    Won(u8, Vec<u32>),
    /// These positions of open states are now forbidden, and another fixed point is necessary.
    Closed(Vec<u32>),
    /// A limit ended the search.
    Undecided,
}
