//! Search among open states, in which neither player has a strategy without repetition. It applies
//! superko itself, including the history.
//!
//! On grids and similar boards few states are open, those of fights over several kos. They are
//! numbered individually, without symmetry, and searched to the end. The proofs are valid after
//! many histories ([`crate::proof`]). Held states are the leaves. The holder's strategy
//! avoids all stones of open states, which are closed to it, and those of the history. So it is
//! legal from there on.

use super::holders::{Avoided, End, FREE, Holders};
use super::state_space::{StateSpace, Stones};
use crate::limits::Stopped;
use crate::proof::{Bits, Found, Proof, Refutation, after_move};
use crate::solver_rules::Seen;
use omnigo_base::hash::FastMap;

/// A state with its stones as placed, without symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) stones: Stones,
    pub(super) mover: u8,
    pub(super) ko: u8,
}

impl Place {
    /// Returns the state after a pass.
    pub(super) fn passed(self) -> Place {
        Place {
            mover: 1 - self.mover,
            ko: FREE,
            ..self
        }
    }
}

/// Result of a move.
#[derive(Clone, Copy)]
enum To {
    /// A state that the mover holds.
    Won,
    /// An open state.
    Open(u32),
}

/// A move from an open state that does not lose at once.
#[derive(Clone, Copy)]
struct Turn {
    to: To,
    /// Situation that a placement leads to; `None` for a pass.
    placed: Option<usize>,
}

/// An open state.
struct Node {
    mover: u8,
    /// Index of its situation.
    key: usize,
    turns: Vec<Turn>,
}

/// The open states that can follow a given one, and the leaves.
pub(super) struct Field {
    nodes: Vec<Node>,
    numbers: FastMap<Place, u32>,
    keys: FastMap<(Stones, u8), usize>,
    /// By holder: held states of the state space that a move from an open state leads to.
    pub(super) leaves: [Vec<u32>; 2],
    /// Positions of open states.
    pub(super) positions: Vec<u32>,
    seen: Seen,
}

/// Maximum number of proofs per state.
const MOST_PROOFS: usize = 24;

impl Field {
    /// Collects the open states that can follow `root`. Returns `None` if there are more than
    /// `most`.
    pub(super) fn of(
        state_space: &StateSpace,
        end: &End,
        holders: &Holders,
        seen: Seen,
        root: Place,
        most: usize,
    ) -> Option<Field> {
        let mut field = Field {
            nodes: Vec::new(),
            numbers: FastMap::default(),
            keys: FastMap::default(),
            leaves: [Vec::new(), Vec::new()],
            positions: Vec::new(),
            seen,
        };
        let mut places = vec![root];
        field.numbers.insert(root, 0);
        while let Some(&place) = places.get(field.nodes.len()) {
            if places.len() > most {
                return None;
            }
            let state = state_space.state(place.stones, usize::from(place.mover), FREE)?;
            field.positions.push(state / 2);
            let mut turns = Vec::new();
            let mut offer = |field: &mut Field, next: Place, placed: Option<usize>| {
                let state = state_space.state(next.stones, usize::from(next.mover), next.ko)?;
                let to = match holders.holder(state) {
                    Some(player) => {
                        field.leaves[usize::from(player)].push(state);
                        if player != place.mover {
                            return Some(());
                        }
                        To::Won
                    }
                    None => {
                        let fresh = places.len() as u32;
                        let number = *field.numbers.entry(next).or_insert(fresh);
                        if number == fresh {
                            places.push(next);
                        }
                        To::Open(number)
                    }
                };
                turns.push(Turn { to, placed });
                Some(())
            };
            let other = 1 - place.mover;
            if end.winner_by_passes(state / 2) == Some(place.mover) {
                offer(&mut field, place.passed(), None)?;
            }
            for (_, stones, ko) in
                state_space.placements(place.stones, usize::from(place.mover), place.ko)
            {
                let next = Place {
                    stones,
                    mover: other,
                    ko,
                };
                let placed = field.key(stones, other);
                offer(&mut field, next, Some(placed))?;
            }
            // Try moves to held states first: they need no search.
            turns.sort_by_key(|turn| matches!(turn.to, To::Open(_)));
            let key = field.key(place.stones, place.mover);
            field.nodes.push(Node {
                mover: place.mover,
                key,
                turns,
            });
        }
        for leaves in &mut field.leaves {
            leaves.sort_unstable();
            leaves.dedup();
        }
        field.positions.sort_unstable();
        field.positions.dedup();
        Some(field)
    }

    /// Returns the index of a situation in sets of seen situations.
    fn key(&mut self, stones: Stones, mover: u8) -> usize {
        let mover = match self.seen {
            Seen::Positions => 0,
            Seen::Situations => mover,
        };
        let fresh = self.keys.len();
        *self.keys.entry((stones, mover)).or_insert(fresh)
    }

    /// Closes the positions of open states. Returns true if any of them was not closed before.
    pub(super) fn close(&self, avoided: &mut Avoided) -> bool {
        let mut fresh = false;
        for &number in &self.positions {
            if let Some(forbidden) = avoided.forbidden.get_mut(number as usize) {
                fresh |= !*forbidden;
                *forbidden = true;
            }
        }
        fresh
    }

    /// Returns the winner from the root after these situations, or `None` if `nodes` steps are not
    /// enough.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(super) fn winner(
        &mut self,
        history: &[(Stones, u8)],
        nodes: u64,
        tick: super::Tick<'_>,
    ) -> Result<Option<u8>, Stopped> {
        let mut seen = Bits::default();
        for &(stones, mover) in history {
            let key = self.key(stones, mover);
            seen.insert(key);
        }
        if let Some(root) = self.nodes.first() {
            seen.insert(root.key);
        }
        let mut search = Search {
            field: self,
            proofs: FastMap::default(),
            seen,
            nodes: 0,
            most: nodes,
            tick,
        };
        let mut depth = 8;
        while search.nodes < nodes && depth < 1 << 16 {
            if let Some((winner, _)) = search.prove(0, depth)? {
                return Ok(Some(winner));
            }
            depth += depth / 2;
        }
        Ok(None)
    }
}

struct Search<'a, 't> {
    field: &'a Field,
    proofs: FastMap<u32, Vec<(u8, Proof)>>,
    seen: Bits,
    nodes: u64,
    most: u64,
    tick: super::Tick<'t>,
}

impl Search<'_, '_> {
    /// Returns the winner from an open state and the conditions of the proof. `None` if the search
    /// was not deep enough.
    fn prove(&mut self, number: u32, depth: u32) -> Result<Found<u8>, Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) {
            (self.tick)(256)?;
        }
        if self.nodes >= self.most {
            return Ok(None);
        }
        if let Some(known) = self.proofs.get_mut(&number)
            && let Some(found) = known.iter().position(|(_, proof)| proof.holds(&self.seen))
        {
            known[..=found].rotate_right(1);
            return Ok(known.first().cloned());
        }
        let field = self.field;
        let node = &field.nodes[number as usize];
        let mut refutation = Refutation::default();
        for turn in &node.turns {
            if let Some(key) = turn.placed
                && self.seen.contains(key)
            {
                refutation.add_forbidden(key);
                continue;
            }
            let found = match turn.to {
                To::Won => Some((node.mover, Proof::default())),
                To::Open(_) if depth == 0 => None,
                To::Open(next) => {
                    let key = field.nodes[next as usize].key;
                    let search = |it: &mut Self| it.prove(next, depth - 1);
                    after_move(self, |it| &mut it.seen, key, search)?
                }
            };
            match found {
                None => refutation.add_unknown(),
                Some((winner, mut proof)) if winner == node.mover => {
                    if let Some(key) = turn.placed {
                        proof.absent.insert(key);
                    }
                    return Ok(Some(self.keep(number, winner, proof)));
                }
                Some((_, proof)) => refutation.add_failed(&proof),
            }
        }
        let lost = refutation.conditions();
        Ok(lost.map(|lost| self.keep(number, 1 - node.mover, lost)))
    }

    fn keep(&mut self, number: u32, winner: u8, mut proof: Proof) -> (u8, Proof) {
        // The current situation has always been seen.
        proof.present.remove(self.field.nodes[number as usize].key);
        proof.trim();
        let known = self.proofs.entry(number).or_default();
        known.truncate(MOST_PROOFS - 1);
        known.insert(0, (winner, proof.clone()));
        (winner, proof)
    }
}
