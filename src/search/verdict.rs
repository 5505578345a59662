//! What a search found.

use super::ownership::Ownership;
use super::tree::{Proof, Tree};
use crate::vertex::Move;

/// A candidate move.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts through it.
    pub visits: u32,
    /// Mean result for its player, 0…1.
    pub mean: f64,
    /// Whether the move was proved to win or to lose.
    pub proof: Proof,
}

/// The outcome of a search.
#[derive(Debug)]
pub struct Verdict {
    /// Candidates: proven wins, then what is open, then proven losses; the most visited first, else in index order.
    pub candidates: Vec<Candidate>,
    /// Playouts through the root, those kept from earlier searches included.
    pub visits: u32,
    /// Who owned what at the end of this search's playouts.
    pub ownership: Ownership,
}

impl Verdict {
    pub(super) fn of(tree: &Tree, ownership: Ownership) -> Verdict {
        let mut candidates: Vec<Candidate> = tree
            .children(tree.root())
            .iter()
            .map(|child| Candidate {
                mv: child.mv(),
                visits: child.visits(),
                mean: child.mean(),
                proof: child.proof(),
            })
            .collect();
        let rank = |proof| match proof {
            Proof::Win => 2,
            Proof::Open => 1,
            Proof::Loss => 0,
        };
        candidates.sort_by_key(|c| std::cmp::Reverse((rank(c.proof), c.visits)));
        Verdict {
            candidates,
            visits: tree.node(tree.root()).visits(),
            ownership,
        }
    }

    /// The most visited move.
    pub fn best(&self) -> Option<Candidate> {
        self.candidates.first().copied()
    }

    /// The most visited placement.
    pub fn best_placement(&self) -> Option<Candidate> {
        self.candidates.iter().copied().find(|c| c.mv != Move::Pass)
    }

    /// What the search says about passing.
    pub fn pass(&self) -> Option<Candidate> {
        self.candidates.iter().copied().find(|c| c.mv == Move::Pass)
    }
}
