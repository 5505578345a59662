//! Result of a search.

use super::confidence::selection_values;
use crate::estimate::ownership::Ownership;
use crate::estimate::results::ScorePart;
use crate::estimate::root_record::{Lead, RootRecord};
use crate::grow::tree::{NodeId, Proof, Tree};
use crate::parameters::Parameters;
use omnigo_base::vertex::Move;

/// Minimum number of visits of a candidate with usable statistics.
pub(crate) const MIN_VISITS: u32 = 8;
/// In a decided game, mean results that differ by less than this count as equal.
pub(crate) const EQUAL_IF_DECIDED: f64 = 0.03;
/// In an open game, mean results that differ by less than this count as equal. Small losses
/// would add up turn after turn.
const EQUAL_IF_OPEN: f64 = 0.005;
/// A game is decided if the mean result is closer to 0 or 1 than this.
const DECIDED: f64 = 0.05;
/// A move with at least 1/20 of the best move's visits has enough visits for comparisons.
pub(crate) const VISIT_RATIO: u32 = 20;

/// Returns true if the mean result `value` is close enough to 0 or 1 to decide the game.
pub(crate) fn is_decided(value: f64) -> bool {
    !(DECIDED..=1.0 - DECIDED).contains(&value)
}

/// Returns true if a move with the mean result `value` costs nothing compared with a move with
/// `best`.
pub(crate) fn is_as_good(value: f64, best: f64) -> bool {
    let lost = best < DECIDED;
    let slack = if lost || value > 1.0 - DECIDED {
        EQUAL_IF_DECIDED
    } else {
        EQUAL_IF_OPEN
    };
    value > best - slack
}

/// A candidate move.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Number of playouts through the move.
    pub visits: u32,
    /// Mean result for the player of the move, 0…1, or 0 or 1 by proof. It has a part of 4 % for
    /// the score lead.
    pub value: f64,
    /// Win probability of the player of the move, 0…1: the mean result without the part for the
    /// score. A tie counts as a win divided by the number of its winners.
    pub winrate: f64,
    /// Proof that the move wins or loses, if there is one.
    pub proof: Proof,
    /// Prior of the move, as a fraction of the sum over all moves, 0…1.
    pub prior: f64,
    /// Score lead in this search's playouts through the move. `None` if no score is counted, or
    /// without such playouts.
    pub lead: Option<Lead>,
}

/// Result of a search.
#[derive(Debug)]
pub struct SearchResult {
    /// Candidates: proven wins, then open moves, then proven losses. Within each group, the most
    /// visited moves come first; ties are in index order. If no move was visited, all moves are
    /// sorted by prior. A choice by lower confidence bound replaces visits by weights. It puts the
    /// move with the best bound first, among those with enough weight.
    pub candidates: Vec<Candidate>,
    /// Number of playouts through the root, including those kept from earlier searches.
    pub visits: u32,
    /// Mean result for the player to move, 0…1, or 0 or 1 by proof. It has a part of 4 % for the
    /// score lead.
    pub value: f64,
    /// Win probability of the player to move, 0…1, as in [`Candidate::winrate`].
    pub winrate: f64,
    /// Mean score lead of all visits as a share of the points, −1…1. That of visits of earlier
    /// searches is estimated.
    pub(crate) share: f64,
    /// Score lead of the player to move in this search's playouts. `None` if no score is counted.
    pub lead: Option<Lead>,
    /// Expected continuations of the first candidates: moves with their visits, the candidate
    /// first.
    pub variations: Vec<Vec<(Move, u32)>>,
    /// Ownership of the points at the end of this search's playouts.
    pub ownership: Ownership,
}

/// Maximum number of candidates with a variation.
const MAX_VARIATIONS: usize = 64;
/// Maximum number of moves of a variation.
const MAX_VARIATION_MOVES: usize = 32;

impl SearchResult {
    /// Returns the result of a search, with these parameters if a network guided it. Running visits
    /// are left out.
    pub(crate) fn of(
        tree: &Tree,
        ownership: Ownership,
        record: &RootRecord,
        part: ScorePart,
        parameters: Option<&Parameters>,
    ) -> SearchResult {
        let children = tree.children(tree.root());
        let priors = children.iter().map(|child| child.prior()).sum::<f64>();
        let root = tree.node(tree.root());
        let (mean, visits) = root.mean_without(record.running(None));
        let share = part.mean(record.share(None), visits, None);
        let ended = children.iter().map(|child| {
            let running = record.running(Some(child.index()));
            child.mean_without(running)
        });
        let (means, visits_of): (Vec<f64>, Vec<u32>) = ended.unzip();
        let values = selection_values(tree, &visits_of, parameters);
        let mut candidates: Vec<(usize, Candidate)> = children
            .iter()
            .zip(means.into_iter().zip(visits_of))
            .map(|(child, (mean, visits))| {
                let first = Some(child.index());
                let value = child.proof().result().unwrap_or(mean);
                let share = part.mean(record.share(first), visits, Some(share));
                Candidate {
                    mv: child.mv(),
                    visits,
                    value,
                    winrate: part.win_probability(value, share),
                    proof: child.proof(),
                    prior: if priors > 0.0 {
                        child.prior() / priors
                    } else {
                        0.0
                    },
                    lead: record.of(child.index()),
                }
            })
            .enumerate()
            .collect();
        let value = |number: usize| values.get(number).copied().unwrap_or_default();
        candidates.sort_by(|(a, one), (b, other)| {
            let order = rank(other.proof).cmp(&rank(one.proof));
            let order = order.then(value(*b).total_cmp(&value(*a)));
            order.then(other.visits.cmp(&one.visits))
        });
        if candidates.iter().all(|(_, c)| c.visits == 0) {
            // There was no time for a single visit, so only priors are known.
            candidates.sort_by(|(_, a), (_, b)| b.prior.total_cmp(&a.prior));
        }
        let variations = candidates
            .iter()
            .take(MAX_VARIATIONS)
            .map(|(number, first)| variation(tree, tree.child(tree.root(), *number), first.visits))
            .collect();
        // A move that wins proves the position, and so do moves that all lose.
        let best = children
            .iter()
            .map(|child| child.proof())
            .max_by_key(|&proof| rank(proof));
        let value = best.and_then(Proof::result).unwrap_or(mean);
        SearchResult {
            candidates: candidates.into_iter().map(|(_, c)| c).collect(),
            visits,
            value,
            winrate: part.win_probability(value, share),
            share,
            lead: record.all(),
            variations,
            ownership,
        }
    }

    /// Returns the first candidate, or `None` without a legal move.
    pub fn best(&self) -> Option<Candidate> {
        self.candidates.first().copied()
    }

    /// Returns the first candidate that is a placement, or `None` without a legal placement.
    pub fn best_placement(&self) -> Option<Candidate> {
        self.candidates.iter().copied().find(|c| c.mv != Move::Pass)
    }

    /// Returns the placement with the highest mean result. Ignores placements with few visits.
    /// Returns `None` without a legal placement.
    pub(crate) fn most_promising_placement(&self) -> Option<Candidate> {
        let best = self.best_placement()?;
        let known = self.candidates.iter().filter(|c| {
            c.mv != Move::Pass && c.visits >= MIN_VISITS.max(best.visits / VISIT_RATIO)
        });
        known
            .copied()
            .max_by(|a, b| a.value.total_cmp(&b.value))
            .or(Some(best))
    }

    /// Moves a candidate to the front, with its expected continuation.
    pub(crate) fn put_first(&mut self, mv: Move) {
        let Some(at) = self.candidates.iter().position(|c| c.mv == mv) else {
            return;
        };
        self.candidates[..=at].rotate_right(1);
        if at < self.variations.len() {
            self.variations[..=at].rotate_right(1);
        } else {
            self.variations.pop();
            self.variations
                .insert(0, vec![(mv, self.candidates[0].visits)]);
        }
    }

    /// Returns the candidate that is a pass, or `None` if the search did not consider a pass.
    pub fn pass(&self) -> Option<Candidate> {
        self.candidates.iter().copied().find(|c| c.mv == Move::Pass)
    }
}

/// Returns the rank of a proof. Proven wins rank highest, and proven losses lowest.
fn rank(proof: Proof) -> u8 {
    match proof {
        Proof::Win => 2,
        Proof::Open => 1,
        Proof::Loss => 0,
    }
}

/// Returns the move of a node with its number of `visits`, and the best replies after it that were
/// visited. There are up to [`MAX_VARIATION_MOVES`] moves.
fn variation(tree: &Tree, from: NodeId, visits: u32) -> Vec<(Move, u32)> {
    let mut id = from;
    let mut moves = vec![(tree.node(id).mv(), visits)];
    while moves.len() < MAX_VARIATION_MOVES {
        // `max_by_key` returns the last maximum. The reversed order gives the first, as for
        // candidates.
        let replies = tree.children(id).iter().enumerate().rev();
        let best = replies.max_by_key(|(_, child)| (rank(child.proof()), child.visits()));
        let Some((number, child)) = best.filter(|(_, child)| child.visits() > 0) else {
            break;
        };
        // A reply with a running visit may have more than its move.
        moves.push((child.mv(), child.visits().min(visits)));
        id = tree.child(id, number);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grow::tree::WIN;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::policy::Prior;

    #[test]
    fn a_candidate_without_a_variation_gets_one_in_front() {
        let moves = [
            Move::Place(Vertex::at(0)),
            Move::Place(Vertex::at(1)),
            Move::Pass,
        ];
        let candidate = |&mv: &Move| Candidate {
            mv,
            visits: 5,
            value: 0.5,
            winrate: 0.5,
            proof: Proof::Open,
            prior: 0.3,
            lead: None,
        };
        let mut result = SearchResult {
            candidates: moves.iter().map(candidate).collect(),
            visits: 15,
            value: 0.5,
            winrate: 0.5,
            share: 0.0,
            lead: None,
            variations: vec![vec![(moves[0], 5)], vec![(moves[1], 5)]],
            ownership: Ownership::new(2, 2),
        };
        let order = |result: &SearchResult| -> Vec<Move> {
            result.candidates.iter().map(|c| c.mv).collect()
        };
        result.put_first(Move::Pass);
        assert_eq!(order(&result), [moves[2], moves[0], moves[1]]);
        assert_eq!(
            result.variations,
            [vec![(moves[2], 5)], vec![(moves[0], 5)]]
        );
        // A candidate with a variation takes it along.
        result.put_first(moves[0]);
        assert_eq!(order(&result), [moves[0], moves[2], moves[1]]);
        assert_eq!(
            result.variations,
            [vec![(moves[0], 5)], vec![(moves[2], 5)]]
        );
    }

    /// Running visits count as lost in the tree.
    #[test]
    fn running_visits_are_left_out() {
        let tree = Tree::new(1 << 16);
        let root = tree.root();
        let place = |at| Move::Place(Vertex::at(at));
        let moves = [0, 1].map(|at| (place(at), Prior::probability(0.5)));
        assert!(tree.node(root).claim() && tree.expand(root, moves.into_iter()));
        let record = RootRecord::new(2, 2);
        let visit = |at: usize, ends: bool| {
            record.begin();
            tree.node(root).begin_visit();
            record.begin_with(at);
            tree.node(tree.child(root, at)).begin_visit();
            if ends {
                tree.node(root).end_visit(WIN);
                tree.node(tree.child(root, at)).end_visit(WIN);
                record.end(Some(at));
            }
        };
        for (at, ends) in [(1, true), (1, true), (0, true), (0, false), (0, false)] {
            visit(at, ends);
        }
        let result = SearchResult::of(&tree, Ownership::new(2, 2), &record, ScorePart::No, None);
        assert_eq!((result.visits, result.winrate), (3, 1.0));
        let listed = result.candidates.iter();
        let listed: Vec<_> = listed.map(|c| (c.mv, c.visits, c.winrate)).collect();
        assert_eq!(listed, [(place(1), 2, 1.0), (place(0), 1, 1.0)]);
        assert_eq!(result.variations[1], [(place(0), 1)]);
    }
}
