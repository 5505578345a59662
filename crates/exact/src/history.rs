//! Search with histories: decides whether Black reaches a goal under the superko rule as stated.
//!
//! A depth-first and/or search with increasing depth limits, so that short proofs are found first.
//! It keeps the set of all situations seen and a table of proofs that are valid after many
//! histories ([`super::proof`]).
//!
//! A player may hold a goal regardless of the history ([`super::bounds`]). This too is a proof, as
//! long as its placements are new. Elsewhere, the ranks of the same fixed points order the moves.

use super::bounds::HeldStates;
use super::limits::{Meter, Stopped};
use super::positions::{Positions, Step};
use super::proof::{Bits, Found, Proof, Refutation, after_move};
use super::solver_rules::{SolverRules, State};
use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;
use omnigo_core::board::BareBoard;

/// Maximum number of proofs per state.
const MOST_PROOFS: usize = 24;
/// Maximum number of states of a fixed-point strategy that is stored as a proof.
const MOST_STATES: usize = 1 << 14;

/// A proof in the table.
struct Entry {
    /// Black's margin. The proof shows that Black reaches at least this if `reached` is true, or
    /// that Black does not reach it otherwise.
    goal: i64,
    reached: bool,
    counters: [i32; 2],
    proof: Proof,
}

/// Proofs by state, for any goal and history.
#[derive(Default)]
pub(super) struct HistoryTable {
    entries: FastMap<u64, Vec<Entry>>,
    bytes: usize,
}

impl HistoryTable {
    fn key(state: &State) -> u64 {
        u64::from(state.number) * 4 + state.to_move.index() as u64 * 2 + u64::from(state.passed)
    }

    /// Returns a proof about `goal` that is valid after `seen`: whether Black reaches it, and the
    /// conditions. A proof stays valid if the winner has more passes or prisoners and the loser has
    /// fewer.
    fn find(&mut self, state: &State, goal: i64, seen: &Bits) -> Option<(bool, Proof)> {
        let entries = self.entries.get_mut(&HistoryTable::key(state))?;
        let fits = |e: &Entry| {
            let richer = |a: [i32; 2], b: [i32; 2]| a[0] >= b[0] && a[1] <= b[1];
            let applies = if e.reached {
                e.goal >= goal && richer(state.counters, e.counters)
            } else {
                e.goal <= goal && richer(e.counters, state.counters)
            };
            applies && e.proof.holds(seen)
        };
        let found = entries.iter().position(fits)?;
        // Move the proof to the front. Proofs that were useful once are likely to be useful again.
        entries[..=found].rotate_right(1);
        entries.first().map(|e| (e.reached, e.proof.clone()))
    }

    fn insert(&mut self, state: &State, goal: i64, reached: bool, mut proof: Proof) {
        proof.trim();
        self.bytes += proof.bytes() + size_of::<Entry>();
        let entries = self.entries.entry(HistoryTable::key(state)).or_default();
        if entries.len() >= MOST_PROOFS
            && let Some(old) = entries.pop()
        {
            self.bytes -= old.proof.bytes() + size_of::<Entry>();
        }
        entries.insert(
            0,
            Entry {
                goal,
                reached,
                counters: state.counters,
                proof,
            },
        );
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.entries.capacity() * size_of::<(u64, Vec<Entry>)>()
    }

    /// Clears the table if it exceeds `most` bytes.
    fn fit(&mut self, most: usize) {
        if self.bytes() > most {
            self.entries = FastMap::default();
            self.bytes = 0;
        }
    }
}

/// Fixed points for the current goal.
#[derive(Clone, Copy)]
pub(super) struct Hints<'a> {
    /// States in which Black holds the goal.
    pub(super) black: &'a HeldStates,
    /// States in which White prevents the goal.
    pub(super) white: &'a HeldStates,
    /// Situations that were removed from the graph for both fixed points.
    pub(super) seen: &'a Bits,
}

/// Search for one goal.
pub(super) struct Search<'a, 'm, B: BareBoard> {
    pub(super) positions: &'a mut Positions<B>,
    pub(super) solver_rules: &'a SolverRules,
    pub(super) table: &'a mut HistoryTable,
    pub(super) meter: &'a mut Meter<'m>,
    pub(super) hints: Option<Hints<'a>>,
    /// Black's margin to be reached, in units.
    pub(super) goal: i64,
    /// Situations seen, including the current one.
    pub(super) seen: Bits,
    /// Maximum number of nodes.
    pub(super) patience: u64,
    /// States whose strategy was already stored in the table.
    pub(super) written: Bits,
}

/// A move: the state after it, and the situation that must be new.
#[derive(Clone, Copy)]
struct Turn {
    next: State,
    /// Situation that a placement leads to; `None` for a pass.
    placed: Option<usize>,
    order: i64,
}

impl<B: BareBoard> Search<'_, '_, B> {
    /// Searches for a proof that Black reaches the goal from `state` or does not, looking `depth`
    /// moves ahead. The result is true if Black reaches it.
    pub(super) fn prove(&mut self, state: &State, depth: u32) -> Result<Found<bool>, Stopped> {
        self.meter.tick()?;
        if self.is_tired() {
            return Ok(None);
        }
        if let Some(found) = self.table.find(state, self.goal, &self.seen) {
            return Ok(Some(found));
        }
        if let Some(found) = self.find_win(state) {
            return Ok(Some(found));
        }
        // The table of proofs takes the other half.
        if self.positions.bytes() > self.meter.memory() / 2 {
            return Err(Stopped::Memory);
        }
        let mover_is_black = state.to_move == Color::BLACK;
        let mut refutation = Refutation::default();
        let mut options = Vec::new();
        let mut fresh = None;
        let solver_rules = self.solver_rules;
        self.positions.steps(state.number, state.to_move);
        for step in self.positions.known_steps(state.number, state.to_move) {
            let next = solver_rules.after_step(state, step);
            let key = solver_rules.key(next.number, next.to_move);
            if self.seen.contains(key) {
                refutation.add_forbidden(key);
            } else {
                fresh = Some(key);
                options.push(Turn {
                    next,
                    placed: Some(key),
                    order: self.order(state, &next, Some(step)),
                });
            }
        }
        if solver_rules.can_pass(state, fresh.is_some()) {
            if solver_rules.pass_ends(state) {
                let margin = self.positions.margin(state.number) + solver_rules.prisoners(state);
                let reached = margin >= self.goal;
                if reached == mover_is_black {
                    return Ok(Some((reached, Proof::default())));
                }
            } else {
                let next = solver_rules.after_pass(state);
                let order = match self.hints {
                    Some(_) => self.order(state, &next, None),
                    None => self.order_of_pass(state, mover_is_black),
                };
                options.push(Turn {
                    next,
                    placed: None,
                    order,
                });
            }
        }
        if depth == 0 && !options.is_empty() {
            return Ok(None);
        }
        options.sort_by_key(|option| option.order);
        for option in options {
            // After a pass, the situation counts as seen too, although passes are never forbidden.
            let key = solver_rules.key(option.next.number, option.next.to_move);
            let search = |it: &mut Self| it.prove(&option.next, depth.saturating_sub(1));
            match after_move(self, |it| &mut it.seen, key, search)? {
                None => refutation.add_unknown(),
                Some((reached, mut proof)) if reached == mover_is_black => {
                    if let Some(key) = option.placed {
                        proof.absent.insert(key);
                    } else if solver_rules.pass_needs_placement()
                        && let Some(fresh) = fresh
                    {
                        proof.absent.insert(fresh);
                    }
                    return Ok(Some(self.keep(state, reached, proof)));
                }
                Some((_, proof)) => refutation.add_failed(&proof),
            }
        }
        // No move helps, or there is none.
        let failed = refutation.conditions();
        Ok(failed.map(|proof| self.keep(state, !mover_is_black, proof)))
    }

    /// Returns true if the search has used up its nodes.
    pub(super) fn is_tired(&self) -> bool {
        self.meter.nodes() >= self.patience
    }

    /// Stores a proof in the table.
    fn keep(&mut self, state: &State, reached: bool, mut proof: Proof) -> (bool, Proof) {
        // The current situation has always been seen.
        let present = self.solver_rules.key(state.number, state.to_move);
        proof.present.remove(present);
        self.table.fit(self.meter.memory() / 2);
        self.table.insert(state, self.goal, reached, proof.clone());
        (reached, proof)
    }

    /// Returns a proof by a strategy that needs no history, if one of the fixed points has it.
    fn find_win(&mut self, state: &State) -> Found<bool> {
        let hints = self.hints?;
        let place = HistoryTable::key(state) as usize;
        let (held, reached) = if hints.black.rank(state) != 0 {
            (hints.black, true)
        } else if hints.white.rank(state) != 0 {
            (hints.white, false)
        } else {
            return None;
        };
        if self.written.contains(place) {
            return None;
        }
        self.written.insert(place);
        let proof = held.proof(
            self.positions,
            self.solver_rules,
            state,
            hints.seen,
            MOST_STATES,
        )?;
        let holds = proof.holds(&self.seen);
        let kept = self.keep(state, reached, proof);
        holds.then_some(kept)
    }

    /// Sort key of a pass without fixed points. A pass comes first if the current count suits the
    /// player, else last.
    fn order_of_pass(&mut self, state: &State, mover_is_black: bool) -> i64 {
        const BEYOND_CAPTURES: i64 = 1 << 10;
        if self.solver_rules.is_last_mover() {
            return BEYOND_CAPTURES;
        }
        let margin = self.positions.margin(state.number) + self.solver_rules.prisoners(state);
        if (margin >= self.goal) == mover_is_black {
            -BEYOND_CAPTURES
        } else {
            BEYOND_CAPTURES
        }
    }

    /// Sort key of a move; lower keys come first.
    fn order(&self, state: &State, next: &State, step: Option<&Step>) -> i64 {
        let captured = step.map_or(0, |step| i64::from(step.captured) - i64::from(step.lost));
        let Some(hints) = self.hints else {
            return -captured;
        };
        let (own, other) = if state.to_move == Color::BLACK {
            (hints.black.rank(next), hints.white.rank(next))
        } else {
            (hints.white.rank(next), hints.black.rank(next))
        };
        const HELD: i64 = 1 << 40;
        match (own, other) {
            (0, 0) => -captured,
            (0, other) => HELD - i64::from(other),
            (own, _) => i64::from(own) - HELD,
        }
    }
}
