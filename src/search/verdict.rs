//! What a search found.

use super::margins::{Lead, Margins};
use super::ownership::Ownership;
use super::tree::{NodeId, Proof, Tree};
use crate::vertex::Move;

/// Visits below which a candidate's figures say nothing.
pub(super) const VISITS: u32 = 8;
/// In a decided game, chances to win that differ by less are the same …
pub(super) const SAME: f64 = 0.03;
/// … and in an open one such that differ by less: what seems little is lost turn after turn.
const NEARLY: f64 = 0.005;
/// A game is decided where the chance to win is nearer than this to 0 or 1.
const DECIDED: f64 = 0.05;
/// Moves with at least one visit in so many of the best one's are known well enough to be weighed against others.
pub(super) const RARE: u32 = 20;

/// Whether a chance to win so near to 0 or 1 decides the game.
pub(super) fn is_decided(mean: f64) -> bool {
    !(DECIDED..=1.0 - DECIDED).contains(&mean)
}

/// Whether a move with this chance to win costs nothing against one with the other.
pub(super) fn is_as_good(mean: f64, best: f64) -> bool {
    let lost = best < DECIDED;
    let slack = if lost || mean > 1.0 - DECIDED {
        SAME
    } else {
        NEARLY
    };
    mean > best - slack
}

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
    /// Its share of what the search expected of all moves before it tried them, 0…1.
    pub prior: f64,
    /// By how much this search's playouts through it were won; `None` where nothing is counted or none went through it.
    pub lead: Option<Lead>,
}

/// The outcome of a search.
#[derive(Debug)]
pub struct Verdict {
    /// Candidates: proven wins, then what is open, then proven losses; the most visited first, else in index order; where none was
    /// visited, what was expected most.
    pub candidates: Vec<Candidate>,
    /// Playouts through the root, those kept from earlier searches included.
    pub visits: u32,
    /// Mean result for the player to move, 0…1.
    pub mean: f64,
    /// By how much this search's playouts were won by the player to move; `None` where nothing is counted.
    pub lead: Option<Lead>,
    /// What the search expects after each of the first candidates: moves with their visits, the candidate first.
    pub variations: Vec<Vec<(Move, u32)>>,
    /// Who owned what at the end of this search's playouts.
    pub ownership: Ownership,
}

/// Candidates whose continuation is told, and moves of one.
const VARIATIONS: usize = 64;
const LONGEST: usize = 32;

impl Verdict {
    pub(super) fn of(tree: &Tree, ownership: Ownership, margins: &Margins) -> Verdict {
        let children = tree.children(tree.root());
        let priors = children.iter().map(|child| child.prior()).sum::<f64>();
        let mut candidates: Vec<(usize, Candidate)> = children
            .iter()
            .map(|child| Candidate {
                mv: child.mv(),
                visits: child.visits(),
                mean: child.mean(),
                proof: child.proof(),
                prior: if priors > 0.0 {
                    child.prior() / priors
                } else {
                    0.0
                },
                lead: margins.of(child.index()),
            })
            .enumerate()
            .collect();
        candidates.sort_by_key(|(_, c)| std::cmp::Reverse((rank(c.proof), c.visits)));
        if candidates.iter().all(|(_, c)| c.visits == 0) {
            // No time for a single one: what was expected is all there is.
            candidates.sort_by(|(_, a), (_, b)| b.prior.total_cmp(&a.prior));
        }
        let variations = candidates
            .iter()
            .take(VARIATIONS)
            .map(|(number, _)| variation(tree, tree.child(tree.root(), *number)))
            .collect();
        let root = tree.node(tree.root());
        Verdict {
            candidates: candidates.into_iter().map(|(_, c)| c).collect(),
            visits: root.visits(),
            mean: root.mean(),
            lead: margins.all(),
            variations,
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

    /// The placement with the greatest chance to win, those with few visits left out.
    pub(super) fn most_hopeful_placement(&self) -> Option<Candidate> {
        let best = self.best_placement()?;
        let known = self
            .candidates
            .iter()
            .filter(|c| c.mv != Move::Pass && c.visits >= VISITS.max(best.visits / RARE));
        known
            .copied()
            .max_by(|a, b| a.mean.total_cmp(&b.mean))
            .or(Some(best))
    }

    /// What the search says about passing.
    pub fn pass(&self) -> Option<Candidate> {
        self.candidates.iter().copied().find(|c| c.mv == Move::Pass)
    }
}

/// Proven wins before what is open, proven losses last.
fn rank(proof: Proof) -> u8 {
    match proof {
        Proof::Win => 2,
        Proof::Open => 1,
        Proof::Loss => 0,
    }
}

/// The move of a node and the best replies after it, as far as any playout went.
fn variation(tree: &Tree, from: NodeId) -> Vec<(Move, u32)> {
    let mut id = from;
    let mut moves = vec![(tree.node(id).mv(), tree.node(id).visits())];
    while moves.len() < LONGEST {
        // The first of equals, as among the candidates.
        let replies = tree.children(id).iter().enumerate().rev();
        let best = replies.max_by_key(|(_, child)| (rank(child.proof()), child.visits()));
        let Some((number, child)) = best.filter(|(_, child)| child.visits() > 0) else {
            break;
        };
        moves.push((child.mv(), child.visits()));
        id = tree.child(id, number);
    }
    moves
}
