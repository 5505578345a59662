//! Forward proofs on boards of up to 28 points: that a player reaches a margin under area or stone scoring with free passes,
//! two of which end the game.
//!
//! **What is proved.** The *holder* is to reach a goal; the other tries to prevent it. A state is the stones, whose turn it
//! is, and the point where simple ko forbids to take back. Every line that repeats a state counts against the holder, so
//! that a proof is a finite tree, whatever order it was found in; its table entries rest on nothing but others that were
//! there before, and no history has to be kept with them. Disproofs may rest on the line that they were found on; they
//! are only ever used to give up.
//!
//! **Passes.** Whoever passes where the count does not suit loses at once by the other's pass. So the holder passes only
//! where the goal is met and the other only where it is not, and a state need not say whether the last move was a pass.
//!
//! **What is certain.** Chains that live unconditionally ([`Shape::certain`], after Benson), every point of two regions
//! beside each, are never captured. Let A be their stones. A region of points outside A is certain too when all its points
//! are beside A, or all but one that has two neighbors. The holder wins it thus: while there are stones of the other in
//! such regions, it places a stone on an empty point there that is beside A; where none is left, on the last one, which
//! captures all stones around. Stones beside A join it and never leave. So every such move makes A greater but the capture
//! at the last point, after which the other has to place two stones before there can be another, and the holder places one
//! beside A in between. None of these moves brings a position back: A never shrinks, and it is the same before and after
//! the capture alone. Once no stone of the other is left there the holder passes. Superko ends the game at last; so does
//! simple ko where suicide is forbidden, or where nothing but certain points is left.
//!
//! **Superko.** A strategy found thus is legal under simple ko. Under positional and situational superko it is legal if none
//! of the holder's placements brings back stones that were there before: [`strategy`] writes it out and looks. The
//! positions in which enough is certain do not come up before the first of them does.

mod search;
mod shape;
mod strategy;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

pub(super) use search::Aim;
use search::{Shared, Worker};
pub(super) use shape::{MOST_POINTS, NO_POINT, Shape, State};
use strategy::Strategy;
use table::{INFINITE, Table};

/// States of a strategy that are written out to see whether superko allows it.
const MOST_STATES: usize = 1 << 23;
/// Searches for a strategy that superko allows.
const ATTEMPTS: usize = 6;
/// Stack of a thread in bytes.
const STACK: usize = 1 << 26;

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The holder reaches the goal.
    Proved,
    /// This search cannot prove it, whatever it is given.
    Refuted,
    /// It used up what it was given.
    Open,
}

/// What a search may spend.
pub(super) struct Means<'a> {
    pub(super) threads: usize,
    pub(super) nodes: u64,
    /// Asked now and then whether to stop.
    pub(super) is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Searches on one board.
pub(super) struct Prover {
    shape: Shape,
    table: Table,
    /// What the table is about: goals and their holders, each with keys of its own.
    aims: Vec<(Aim, bool)>,
}

impl Prover {
    /// A prover whose table takes at most so many bytes; `None` where the system does not give them.
    pub(super) fn new(shape: Shape, bytes: usize) -> Option<Prover> {
        let table = Table::new(bytes)?;
        Some(Prover {
            shape,
            table,
            aims: Vec::new(),
        })
    }

    /// Whether the holder reaches a goal from `root`; `seen` are the stones that lay on the board before and must not come
    /// back under superko, or, under simple ko, at once. Returns the nodes that it took as well.
    pub(super) fn prove(
        &mut self,
        root: &State,
        aim: Aim,
        holder_is_black: bool,
        seen: &[State],
        superko: bool,
        means: &Means<'_>,
    ) -> (Found, u64) {
        let mut spent = 0;
        for attempt in 0..ATTEMPTS {
            self.look_at(aim, holder_is_black);
            let means = Means {
                nodes: means.nodes.saturating_sub(spent),
                ..*means
            };
            let (found, nodes) = self.attempt(root, aim, seen, attempt * 64, &means);
            spent += nodes;
            if found != Found::Proved || !superko || self.is_legal(root, aim, seen, &means) {
                return (found, spent);
            }
            // Another search may find another strategy.
            self.forget(aim, holder_is_black);
        }
        (Found::Refuted, spent)
    }

    /// One search, with workers of these numbers.
    fn attempt(
        &self,
        root: &State,
        aim: Aim,
        seen: &[State],
        first: usize,
        means: &Means<'_>,
    ) -> (Found, u64) {
        let shape = &self.shape;
        let certain = |state: &State| aim.is_certain(shape, state, shape.certain(state.holder));
        let root_stones = shape.stones_key(root);
        let banned: Vec<u64> = seen.iter().map(|state| shape.stones_key(state)).collect();
        // That what is certain can be reached rests on positions that are new.
        let again = |state: &State| shape.stones_key(state) != root_stones && certain(state);
        if seen.iter().any(again) {
            return (Found::Refuted, 0);
        }
        if certain(root) {
            return (Found::Proved, 1);
        }
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            shape,
            aim,
            banned: &banned,
            table: &self.table,
            stop: &stop,
            nodes: &nodes,
            most: means.nodes,
            is_over: means.is_over,
        };
        let key = shape.canonical(root);
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
            (true, _) => Found::Proved,
            (false, true) => Found::Refuted,
            (false, false) => Found::Open,
        };
        (found, spent)
    }

    /// Turns the table to a goal of one player.
    fn look_at(&mut self, aim: Aim, holder_is_black: bool) {
        let known = self
            .aims
            .iter()
            .position(|known| *known == (aim, holder_is_black));
        let number = known.unwrap_or_else(|| {
            if self.aims.len() == self.shape.salts() {
                self.table.clear();
                self.aims.clear();
            }
            self.aims.push((aim, holder_is_black));
            self.aims.len() - 1
        });
        self.shape.set_salt(number);
    }

    /// Keeps what the table has about a goal from being found again.
    fn forget(&mut self, aim: Aim, holder_is_black: bool) {
        let known = |known: &&mut (Aim, bool)| **known == (aim, holder_is_black);
        if let Some(known) = self.aims.iter_mut().find(known) {
            known.0.goal = i32::MIN;
        }
    }

    /// The moves of a proof that was found from this state, the best first: where to place a stone, [`NO_POINT`] for a pass.
    /// For the holder the shortest way is best, for the other the longest. Where the goal is certain, the holder's are those
    /// that make it so, and the other passes. None where the table forgot.
    pub(super) fn advice(&mut self, state: &State, aim: Aim, holder_is_black: bool) -> Vec<u8> {
        self.look_at(aim, holder_is_black);
        let certain = self.shape.certain(state.holder);
        if aim.is_certain(&self.shape, state, certain) {
            return if state.turn {
                self.shape.securing(state, certain)
            } else {
                vec![NO_POINT]
            };
        }
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            shape: &self.shape,
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

    /// Whether superko allows the strategy that was found.
    fn is_legal(&self, root: &State, aim: Aim, seen: &[State], means: &Means<'_>) -> bool {
        let banned: Vec<u64> = seen
            .iter()
            .map(|state| self.shape.stones_key(state))
            .collect();
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Shared {
            shape: &self.shape,
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
                Strategy::is_found(&mut worker, &self.shape, root, MOST_STATES, means.is_over)
            };
            thread::Builder::new()
                .name("prover".into())
                .stack_size(STACK)
                .spawn_scoped(scope, check)
                .is_ok_and(|worker| worker.join().unwrap_or(false))
        })
    }
}
