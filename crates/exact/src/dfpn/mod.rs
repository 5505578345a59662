//! Forward proofs that a player reaches a margin, on boards of up to 28 points. They support area
//! and stone scoring with free passes, two of which end the game.
//!
//! **Definitions.** The *holder* is the player who must reach the goal, and the other player tries
//! to prevent it. A state consists of the stones, the player to move, and the point where simple ko
//! forbids recapture. Every line that repeats a state counts against the holder, so a proof is a
//! finite tree, in whatever order it was found. Proofs in the table depend only on earlier proofs
//! in the table, so they need no history. Disproofs may depend on the line on which they were
//! found. They are only used to give up.
//!
//! **Passes.** A player who passes while the count does not suit it loses at once, because the
//! other player passes too. So the holder passes only if the goal is met, and the other player only
//! if it is not. A state therefore does not record whether the last move was a pass.
//!
//! **Certain points.** Some chains live unconditionally ([`SmallGraph::certain`], after Benson),
//! with two regions all of whose points are adjacent to the chain. Such chains are never captured.
//! Let A be their stones. A region of points outside A is certain too if at most one of its points
//! is not adjacent to A. If there is such a point, it must have at least two neighbors.
//!
//! The holder wins a certain region as follows. While the region contains stones of the other
//! player, the holder places a stone on an empty point of it that is adjacent to A. If there is
//! none, it plays the last empty point, which captures all stones around it. Stones adjacent to A
//! join A and never leave it.
//!
//! So every such move enlarges A, except for the capture on the last point. After that capture, the
//! other player must place two stones before the next such capture, and in between the holder
//! places one next to A. No move of this kind restores an earlier position: A never shrinks, and
//! only the capture leaves it unchanged. Once no stone of the other player is left there, the
//! holder passes. Superko ends the game eventually. Simple ko does too if suicide is forbidden or
//! if all points are certain.
//!
//! **Superko.** A strategy found this way is legal under simple ko. It is legal under positional
//! and situational superko if no placement of the holder restores earlier stones. The module
//! [`strategy`] writes the strategy out and checks this. Positions in which enough points are
//! certain cannot occur before the first of them.

mod search;
mod small_graph;
mod strategy;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

pub(super) use search::Aim;
use search::{Shared, Worker};
pub(super) use small_graph::{MOST_POINTS, NO_POINT, SmallGraph, State, stone_sets};
use strategy::Strategy;
use table::{INFINITE, ProofTable};

/// Maximum number of states of a strategy that is written out for the superko check.
const MOST_STATES: usize = 1 << 23;
/// Maximum number of searches for a strategy that superko allows.
const ATTEMPTS: usize = 6;
/// Stack size of a thread in bytes.
const STACK: usize = 1 << 26;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofResult {
    /// The holder reaches the goal.
    Proved,
    /// This kind of search cannot prove the goal, whatever its limits.
    Unprovable,
    /// The limits were exceeded.
    Open,
}

/// Limits of a search.
pub(super) struct Means<'a> {
    pub(super) threads: usize,
    pub(super) nodes: u64,
    /// Called regularly; returns true to stop.
    pub(super) is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Searches on one board, with a shared table.
pub(super) struct Prover {
    graph: SmallGraph,
    table: ProofTable,
    /// The goals in the table and whether Black is the holder. The index of an entry distinguishes
    /// its keys.
    aims: Vec<(Aim, bool)>,
}

impl Prover {
    /// Creates a prover whose table takes at most `bytes` bytes. Returns `None` if the allocation
    /// fails.
    pub(super) fn new(graph: SmallGraph, bytes: usize) -> Option<Prover> {
        let table = ProofTable::new(bytes)?;
        Some(Prover {
            graph,
            table,
            aims: Vec::new(),
        })
    }

    /// Returns the size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Decides whether the holder reaches a goal from `root`, and returns the number of nodes too.
    /// Under superko, `seen` are the earlier positions, which must not be restored. Under simple
    /// ko, it is the one position that the next move must not restore.
    pub(super) fn prove(
        &mut self,
        root: &State,
        aim: Aim,
        holder_is_black: bool,
        seen: &[State],
        superko: bool,
        means: &Means<'_>,
    ) -> (ProofResult, u64) {
        let mut spent = 0;
        for attempt in 0..ATTEMPTS {
            self.look_at(aim, holder_is_black);
            let means = Means {
                nodes: means.nodes.saturating_sub(spent),
                ..*means
            };
            let (found, nodes) = self.attempt(root, aim, seen, attempt * 64, &means);
            spent += nodes;
            if found != ProofResult::Proved || !superko || self.is_legal(root, aim, seen, &means) {
                return (found, spent);
            }
            // Another search may find another strategy.
            self.forget(aim, holder_is_black);
        }
        (ProofResult::Unprovable, spent)
    }

    /// Runs one search, with workers numbered from `first`.
    fn attempt(
        &self,
        root: &State,
        aim: Aim,
        seen: &[State],
        first: usize,
        means: &Means<'_>,
    ) -> (ProofResult, u64) {
        let graph = &self.graph;
        let certain = |state: &State| aim.is_certain(graph, state, graph.certain(state.holder));
        let root_stones = graph.stones_key(root);
        let banned: Vec<u64> = seen.iter().map(|state| graph.stones_key(state)).collect();
        // The argument for certain points assumes that the positions to come are new.
        let again = |state: &State| graph.stones_key(state) != root_stones && certain(state);
        if seen.iter().any(again) {
            return (ProofResult::Unprovable, 0);
        }
        if certain(root) {
            return (ProofResult::Proved, 1);
        }
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            graph,
            aim,
            banned: &banned,
            table: &self.table,
            stop: &stop,
            nodes: &nodes,
            most: means.nodes,
            is_over: means.is_over,
        };
        let key = graph.canonical(root);
        let run = |number: usize| {
            let mut worker = Worker::new(&shared, (first + number) as u64);
            let entry = worker.work(root, key, INFINITE, INFINITE);
            let settled = entry.proof == 0 || entry.disproof == 0;
            if settled {
                stop.store(true, Ordering::Relaxed);
            }
            settled.then_some(entry.proof == 0)
        };
        let results: Vec<Option<bool>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..means.threads.max(1))
                .filter_map(|number| {
                    thread::Builder::new()
                        .name("prover".into())
                        .stack_size(STACK)
                        .spawn_scoped(scope, move || run(number))
                        .ok()
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or(None))
                .collect()
        });
        let spent = nodes.load(Ordering::Relaxed).max(1);
        let found = match (
            results.contains(&Some(true)),
            results.contains(&Some(false)),
        ) {
            (true, _) => ProofResult::Proved,
            (false, true) => ProofResult::Unprovable,
            (false, false) => ProofResult::Open,
        };
        (found, spent)
    }

    /// Selects the keys of one goal and holder in the table.
    fn look_at(&mut self, aim: Aim, holder_is_black: bool) {
        let known = self
            .aims
            .iter()
            .position(|known| *known == (aim, holder_is_black));
        let number = known.unwrap_or_else(|| {
            if self.aims.len() == self.graph.salts() {
                self.table.clear();
                self.aims.clear();
            }
            self.aims.push((aim, holder_is_black));
            self.aims.len() - 1
        });
        self.graph.set_salt(number);
    }

    /// Makes the entries of a goal unreachable, so that the next search starts from scratch.
    fn forget(&mut self, aim: Aim, holder_is_black: bool) {
        let known = |known: &&mut (Aim, bool)| **known == (aim, holder_is_black);
        if let Some(known) = self.aims.iter_mut().find(known) {
            known.0.goal = i32::MIN;
        }
    }

    /// Returns the moves of a proof found earlier from this state, best first: points, or
    /// [`NO_POINT`] for a pass. The holder's shortest win comes first, or the other player's
    /// longest resistance. If the goal is certain, the holder's moves are those that secure it, and
    /// the other player passes. Empty if the table has lost the proof.
    pub(super) fn advice(&mut self, state: &State, aim: Aim, holder_is_black: bool) -> Vec<u8> {
        self.look_at(aim, holder_is_black);
        let certain = self.graph.certain(state.holder);
        if aim.is_certain(&self.graph, state, certain) {
            return if state.turn {
                self.graph.securing(state, certain)
            } else {
                vec![NO_POINT]
            };
        }
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            graph: &self.graph,
            aim,
            banned: &[],
            table: &self.table,
            stop: &stop,
            nodes: &nodes,
            most: 0,
            is_over: &|| true,
        };
        let kids = Worker::new(&shared, 0).kids(state);
        let mut proved: Vec<_> = kids.iter().filter(|kid| kid.entry.proof == 0).collect();
        proved.sort_by_key(|kid| kid.entry.height);
        if !state.turn {
            proved.reverse();
        }
        proved.iter().map(|kid| kid.at).collect()
    }

    /// Returns true if superko allows the strategy that was found.
    fn is_legal(&self, root: &State, aim: Aim, seen: &[State], means: &Means<'_>) -> bool {
        let banned: Vec<u64> = seen
            .iter()
            .map(|state| self.graph.stones_key(state))
            .collect();
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            graph: &self.graph,
            aim,
            banned: &banned,
            table: &self.table,
            stop: &stop,
            nodes: &nodes,
            most: u64::MAX,
            is_over: means.is_over,
        };
        thread::scope(|scope| {
            let check = || {
                let mut worker = Worker::new(&shared, 0);
                Strategy::is_found(&mut worker, &self.graph, root, MOST_STATES, means.is_over)
            };
            thread::Builder::new()
                .name("prover".into())
                .stack_size(STACK)
                .spawn_scoped(scope, check)
                .is_ok_and(|worker| worker.join().unwrap_or(false))
        })
    }
}
