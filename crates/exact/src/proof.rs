//! Conditions on the history under which a proof is valid.
//!
//! Under superko, the value of a position depends on the earlier positions. A proof found after one
//! history is valid after another under two conditions. First, the winner's placements in the proof
//! are new there too. Second, every placement of the loser that repetition forbade is forbidden
//! there too.
//!
//! Each proof therefore carries two sets of situations. A table may use it after any history that
//! contains no element of the first set and all of the second. Kishimoto and Müller (2004) solve
//! the same problem, graph history interaction, by comparing paths. Two sets demand less than a
//! path, so more histories can share a proof.

/// A set of small numbers, stored as a bit set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number. Returns true if it is new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    pub(super) fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(super) fn unite(&mut self, other: &Bits) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(super) fn is_disjoint(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    pub(super) fn is_subset(&self, other: &Bits) -> bool {
        let beyond = self.0.get(other.0.len()..).unwrap_or_default();
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0) && beyond.iter().all(|&w| w == 0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * 8 + size_of::<Bits>()
    }

    /// Removes trailing zero words and frees the unused capacity.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self.0.shrink_to_fit();
    }
}

/// The conditions on a history under which a proof is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Proof {
    /// Situations that the history must not contain: those that the winner's placements lead to.
    pub(super) absent: Bits,
    /// Situations that the history must contain: those that forbade placements of the loser.
    pub(super) present: Bits,
}

impl Proof {
    /// Returns true if the proof is valid after a history that contains exactly `seen`.
    pub(super) fn holds(&self, seen: &Bits) -> bool {
        self.absent.is_disjoint(seen) && self.present.is_subset(seen)
    }

    pub(super) fn unite(&mut self, other: &Proof) {
        self.absent.unite(&other.absent);
        self.present.unite(&other.present);
    }

    pub(super) fn bytes(&self) -> usize {
        self.absent.bytes() + self.present.bytes()
    }

    pub(super) fn trim(&mut self) {
        self.absent.trim();
        self.present.trim();
    }
}

/// A result and the conditions of its proof. `None` if the search was not deep enough.
pub(super) type Found<R> = Option<(R, Proof)>;

/// Searches the state after a move, in which `situation` counts as seen, by `search`. Returns the
/// result with conditions on the history before the move. `seen` gives the situations seen so far.
///
/// # Errors
/// An error of `search`.
pub(super) fn after_move<S, R, E>(
    state: &mut S,
    seen: impl Fn(&mut S) -> &mut Bits,
    situation: usize,
    search: impl FnOnce(&mut S) -> Result<Found<R>, E>,
) -> Result<Found<R>, E> {
    let is_new = seen(state).insert(situation);
    let found = search(state);
    if is_new {
        seen(state).remove(situation);
    }
    Ok(found?.map(|(result, mut proof)| {
        proof.present.remove(situation);
        (result, proof)
    }))
}

/// Conditions under which all moves of a player fail, collected move by move.
#[derive(Default)]
pub(super) struct Refutation {
    conditions: Proof,
    is_open: bool,
}

impl Refutation {
    /// Adds a placement that the history forbids, because it leads to `situation` again.
    pub(super) fn add_forbidden(&mut self, situation: usize) {
        self.conditions.present.insert(situation);
    }

    /// Adds a move that fails under these conditions.
    pub(super) fn add_failed(&mut self, proof: &Proof) {
        self.conditions.unite(proof);
    }

    /// Adds a move whose result is unknown.
    pub(super) fn add_unknown(&mut self) {
        self.is_open = true;
    }

    /// Returns the conditions, or `None` if the result of a move is unknown.
    pub(super) fn conditions(self) -> Option<Proof> {
        (!self.is_open).then_some(self.conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> Bits {
        let mut bits = Bits::default();
        for &number in numbers {
            bits.insert(number);
        }
        bits
    }

    #[test]
    fn sets_of_different_lengths_can_be_compared() {
        let (small, large) = (set(&[3]), set(&[3, 200]));
        assert!(small.is_subset(&large) && !large.is_subset(&small));
        assert!(!small.is_disjoint(&large) && set(&[4]).is_disjoint(&large));
        let mut cut = large.clone();
        cut.remove(200);
        assert!(cut.is_subset(&small) && !cut.contains(200) && cut.contains(3));
    }

    #[test]
    fn a_proof_holds_if_both_sets_match() {
        let proof = Proof {
            absent: set(&[1, 70]),
            present: set(&[5]),
        };
        assert!(proof.holds(&set(&[5, 6])));
        assert!(!proof.holds(&set(&[6])));
        assert!(!proof.holds(&set(&[5, 70])));
    }

    #[test]
    fn conditions_of_a_move_hold_before_it() {
        let after = |seen: &mut Bits, proof: Proof| {
            let found = after_move(
                seen,
                |seen| seen,
                7,
                |seen| {
                    assert!(seen.contains(7));
                    Ok::<_, ()>(Some((true, proof)))
                },
            );
            found.unwrap().unwrap().1
        };
        let proof = Proof {
            present: set(&[7, 9]),
            ..Proof::default()
        };
        // The situation was new, so the history need not contain it.
        let mut seen = set(&[9]);
        let before = after(&mut seen, proof.clone());
        assert!(before.present.contains(9) && !before.present.contains(7));
        assert!(!seen.contains(7));
        // After a pass, it may have been seen before.
        let mut seen = set(&[7, 9]);
        after(&mut seen, proof);
        assert!(seen.contains(7));
    }

    #[test]
    fn a_refutation_needs_all_moves() {
        let mut refutation = Refutation::default();
        refutation.add_forbidden(4);
        refutation.add_failed(&Proof {
            absent: set(&[1]),
            present: set(&[5]),
        });
        let expected = Proof {
            absent: set(&[1]),
            present: set(&[4, 5]),
        };
        assert_eq!(refutation.conditions(), Some(expected));
        let mut refutation = Refutation::default();
        refutation.add_unknown();
        assert_eq!(refutation.conditions(), None);
    }
}
