//! One thread of a search: select, expand, play out, back up.

use std::sync::{Arc, Mutex, OnceLock};

use super::agreement::Agreement;
use super::bias;
use super::blend::Blend;
use super::cache::Cache;
use super::guide::{Guidance, Guide};
use super::limits::{self, Budget};
use super::noise::Noise;
use super::restriction::{Restriction, restrict};
use super::select::select;
use super::symmetry::Twins;
use super::tree::{NodeId, Proof, Tree};
use super::utility::Worth;
use crate::estimate::advantage::Advantage;
use crate::estimate::ownership::Ownership;
use crate::estimate::results::{AreaToTerritory, Results, won_by};
use crate::estimate::root_record::RootRecord;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::playout::{Begin, Random, Style, Trace, last_mover, move_cap};
use omnigo_core::policy::{self, Prior, Terrain};
use omnigo_core::rules::{End, Points, Scoring};
use omnigo_net::katago::Batches;

/// Number of visits of a leaf before the one that expands it.
const EXPAND_AT: u32 = 8;
/// Maximum number of placements of a board whose leaves need only one earlier visit. Trees of such
/// boards are small, and their moves can be proved.
const SMALL: usize = 16;
/// Without a network, ownership is sampled in every 4th playout. With a network, every 4th visit
/// has a playout while playouts have no weight.
pub(super) const OWNERSHIP_EVERY: u64 = 4;
/// Number of samples or estimates after which a thread adds its ownership to the shared one.
const MERGE_EVERY: u32 = 16;
/// After every 128th playout, the search ends if the most visited move can no longer change, unless
/// it chooses by lower confidence bound.
const DECIDED_EVERY: u64 = 128;

/// Give the root's pass at least 1/32 of the root's visits, so that its value is reliable.
const PASS_SHARE: u32 = 32;

/// Data that the threads of a search share.
pub(crate) struct Shared<'a, B: Board> {
    pub(crate) game: &'a Game<B>,
    pub(crate) to_move: Color,
    pub(crate) tree: &'a Tree,
    pub(crate) terrain: &'a Terrain,
    /// Dead stones, which are removed after passes end the game.
    pub(crate) agreement: &'a Agreement,
    /// Dynamic komi: points for White in addition to komi.
    pub(crate) compensation: Points,
    /// Moves to leave out near the root.
    pub(crate) restrictions: &'a [Restriction],
    /// Moves to leave out at the root, because they are equivalent to others.
    pub(crate) twins: &'a Twins,
    /// Noise in the move probabilities at the root.
    pub(crate) noise: Option<Noise>,
    /// Size of the wide noise at the root, 0 for none.
    pub(crate) wide_noise: f64,
    /// Difference in strength that the network is told.
    pub(crate) advantage: Advantage,
    /// True if the search ends once the choice of the move is certain.
    pub(crate) ends_early: bool,
    /// Score leads of the playouts.
    pub(crate) record: &'a RootRecord,
    /// Gap between network values and playout results.
    pub(crate) blend: &'a Blend,
    /// Ownership from all threads.
    pub(crate) ownership: &'a Mutex<Ownership>,
    /// Evaluations by the network.
    pub(crate) cache: &'a Cache,
    /// Network that guides the search.
    pub(crate) guidance: Option<&'a Guidance>,
    /// Passes of several positions at once, if the threads share them.
    pub(crate) batches: Option<&'a Arc<Batches>>,
    /// Score at which the dynamic score utility is 0, for the root's player. Known once the network
    /// has evaluated the root.
    pub(crate) center: &'a OnceLock<f64>,
}

// Derived implementations would require `B: Copy`.
impl<B: Board> Copy for Shared<'_, B> {}

impl<B: Board> Clone for Shared<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

/// State of one search thread.
pub(crate) struct Worker<'a, B: Board> {
    pub(super) shared: Shared<'a, B>,
    // Shortcuts to the most used fields of `shared`.
    pub(super) game: &'a Game<B>,
    pub(super) to_move: Color,
    pub(super) tree: &'a Tree,
    terrain: &'a Terrain,
    /// Samples since the latest merge into the shared ownership. Merging rarely avoids contention.
    pub(super) ownership: Ownership,
    /// The network, if one guides this search.
    pub(super) guide: Option<Guide<B>>,
    /// Conversion of area scores, under territory scoring.
    pub(super) area_to_territory: Option<AreaToTerritory>,
    /// Score lead of the root's player in half points after the latest playout, if counted.
    pub(super) margin: Option<i64>,
    /// Utility of the latest visit, if the tree has moments.
    pub(super) worth: Option<Worth>,
    /// True if the root's pass is visited regularly: once at most 3/4 of the board is empty.
    tries_pass: bool,
    /// True if the game has two colors and no score, so that wins and losses can be proved.
    proves: bool,
    /// Number of visits of a leaf before the one that expands it.
    expand_at: u32,
    pub(super) style: Style,
    pub(super) random: Random,
    pub(super) line: Line<'a, B>,
    pub(super) path: Vec<(NodeId, Color)>,
    pub(super) trace: Trace,
    /// Index of the color that placed first on each vertex in the present playout, or 255.
    pub(super) first: Vec<u8>,
    pub(super) legal: Vec<Vertex>,
    priors: Vec<Prior>,
    pub(super) urgent: super::urgent::Urgent,
    scratch: policy::Scratch<B>,
    pub(super) seen: last_mover::Seen,
}

impl<'a, B: Board> Worker<'a, B> {
    pub(crate) fn new(shared: Shared<'a, B>, style: Style, random: Random) -> Worker<'a, B> {
        let Shared {
            game,
            to_move,
            tree,
            terrain,
            ..
        } = shared;
        let guide = Guide::new(shared.guidance, shared.batches, game);
        Worker {
            shared,
            game,
            to_move,
            tree,
            terrain,
            ownership: Ownership::new(game.board().points(), game.rules().colors),
            area_to_territory: AreaToTerritory::of(game),
            margin: None,
            worth: None,
            tries_pass: game.board().vacant().len() * 4 <= game.board().placements() * 3,
            proves: game.rules().scoring == Scoring::None && game.rules().colors == 2,
            expand_at: match &guide {
                Some(_) => 0,
                None if game.board().placements() <= SMALL => 1,
                None => EXPAND_AT,
            },
            guide,
            style: style.on(game.board()),
            random,
            line: Line::new(game, to_move),
            path: Vec::new(),
            trace: Trace::new(),
            first: vec![u8::MAX; game.board().placements()],
            legal: Vec::new(),
            priors: Vec::new(),
            urgent: super::urgent::Urgent::default(),
            scratch: policy::Scratch::default(),
            seen: last_mover::Seen::default(),
        }
    }

    /// Searches until the budget is spent.
    pub(crate) fn run(mut self, budget: &Budget) {
        self.prepare_root();
        while let Some(number) = budget.take(|| self.is_unclear()) {
            self.visit(number, budget);
        }
        self.merge_ownership();
    }

    /// Makes the first visit alone, if the budget allows one. It evaluates the root, so that no
    /// thread waits for another one to do so.
    pub(crate) fn run_first(mut self, budget: &Budget) {
        self.prepare_root();
        if let Some(number) = budget.take(|| self.is_unclear()) {
            self.visit(number, budget);
        }
        self.merge_ownership();
    }

    /// Makes a visit, with its number in the search.
    fn visit(&mut self, number: u64, budget: &Budget) {
        self.descend();
        (self.margin, self.worth) = (None, None);
        let results = self.evaluate(number, budget);
        self.back_up(&results);
        let first = self.path.first().map(|&(id, _)| self.tree.node(id).index());
        if let Some(halves) = self.margin {
            self.shared.record.add(first, halves);
        }
        self.shared.record.end(first);
        if self.ownership.updates() >= MERGE_EVERY {
            self.merge_ownership();
        }
        if let Some(batches) = self.shared.batches {
            budget.expect(batches.expected());
        }
        if self.game.resigned().is_some() || self.proves && self.prove() {
            budget.finish();
        }
        // While another thread expands the root, it has no children yet.
        let root = self.tree.node(self.tree.root());
        if !budget.has_result() && root.is_expanded() {
            // A playout of the root alone says nothing about a move.
            let moves = self.tree.children(self.tree.root()).len();
            if moves == 0 || !self.path.is_empty() {
                budget.note_first();
                if moves == 0 || (moves == 1 && self.shared.ends_early) {
                    budget.finish();
                }
            }
        }
        if self.shared.ends_early
            && number % DECIDED_EVERY == DECIDED_EVERY - 1
            && !self.chooses_by_bound()
            && budget.is_settled(
                self.tree
                    .children(self.tree.root())
                    .iter()
                    .map(|c| c.visits()),
            )
        {
            budget.finish();
        }
    }

    /// Returns true if the search plays the move with the best lower confidence bound. It can
    /// change although the most visited move cannot.
    fn chooses_by_bound(&self) -> bool {
        let guide = self.guide.as_ref().filter(|_| self.tree.has_moments());
        guide.is_some_and(|guide| guide.parameters().use_lcb_for_selection)
    }

    /// Returns true if the best move at the root is unclear.
    fn is_unclear(&self) -> bool {
        let moves = self.tree.children(self.tree.root()).iter();
        limits::is_best_unclear(moves.map(|child| (child.visits(), child.mean())))
    }

    /// Moves this thread's ownership samples to the shared ownership.
    fn merge_ownership(&mut self) {
        if let Ok(mut all) = self.shared.ownership.lock() {
            all.merge(&self.ownership);
            self.ownership.clear();
        }
    }

    /// Descends from the root to a leaf, and expands the leaf if it has enough visits.
    fn descend(&mut self) {
        self.line.reset(self.to_move);
        self.path.clear();
        self.trace.clear();
        if let Some(guide) = &mut self.guide {
            guide.begin();
        }
        let mut id = self.tree.root();
        self.shared.record.begin();
        self.tree.node(id).begin_visit();
        let deepest = move_cap(self.game.board());
        let is_open = self.game.resigned().is_none();
        while is_open && !self.line.ended_by_passes() && self.path.len() < deepest {
            let node = self.tree.node(id);
            if self.proves && node.proof() != Proof::Open {
                break;
            }
            if !node.is_expanded() {
                let ripe = node.visits() > self.expand_at || self.path.is_empty();
                if !ripe
                    || !self.is_worth_expanding()
                    || !node.claim()
                    || !self.expand(id)
                    || self.guide.is_some()
                {
                    break;
                }
            }
            if self.is_review_due(id) && node.claim_review() {
                self.review(id);
            }
            let Some(number) = self.select(id) else { break };
            let color = self.line.to_move();
            id = self.tree.child(id, number);
            let child = self.tree.node(id);
            if self.path.is_empty() {
                self.shared.record.begin_with(child.index());
            }
            child.begin_visit();
            let mv = child.mv();
            if self.tree.lacks_bucket(child) {
                let [previous, _] = self.recent();
                if let Some(key) = bias::key(self.line.board(), color, mv, previous) {
                    self.tree.set_bucket(child, key);
                }
            }
            self.path.push((id, color));
            self.line.play(mv);
            if let Move::Place(at) = mv {
                self.trace.push((color, at));
            }
        }
    }

    /// Returns the vertex of the latest move, in the line or before it. `None` after a pass, if the
    /// stone is gone, or on boards without chains.
    fn last(&self) -> Option<Vertex> {
        let board = self.line.board();
        let placed = match self.path.last() {
            Some(&(id, _)) => self.tree.node(id).mv().vertex(),
            None => self.game.moves().last().and_then(|(_, mv)| mv.vertex()),
        };
        placed.filter(|&at| board.has_chains() && board.at(at).is_some())
    }

    /// Returns the two latest moves, in the line or before it, the latest first. A pass is `None`.
    fn recent(&self) -> [Option<Vertex>; 2] {
        let path = self.path.iter().rev();
        let moves = path.map(|&(id, _)| self.tree.node(id).mv().vertex());
        let earlier = self.game.moves().rev().map(|(_, mv)| mv.vertex());
        let mut recent = moves.chain(earlier);
        std::array::from_fn(|_| recent.next().flatten())
    }

    /// Returns the start of a playout from the end of the line.
    pub(super) fn begin(&self) -> Begin {
        Begin {
            to_move: self.line.to_move(),
            last: self.last(),
            colors: self.game.rules().colors,
        }
    }

    /// Stores in `legal` the placements at the end of the line that are legal and unrestricted.
    /// Returns true if a pass is legal and unrestricted too.
    pub(super) fn find_legal(&mut self) -> bool {
        self.legal.clear();
        self.legal.extend(self.line.placements());
        self.legal.sort_unstable();
        let pass = self.line.can_pass() && self.game.rules().allows_pass(!self.legal.is_empty());
        let (color, ply) = (self.line.to_move(), self.path.len());
        restrict(self.shared.restrictions, color, ply, &mut self.legal, pass)
    }

    /// Returns true if the legal moves of a leaf are needed: with a network, at the root, or if the
    /// tree has room for them.
    fn is_worth_expanding(&self) -> bool {
        let most = self.line.board().vacant().len() + 1;
        self.guide.is_some() || self.path.is_empty() || self.tree.has_room(most)
    }

    /// Gives a claimed node one child for each legal move. Returns false if memory is used up.
    fn expand(&mut self, id: NodeId) -> bool {
        let pass = self.find_legal();
        self.run_network(pass);
        let recent = self.recent();
        match &self.guide {
            Some(guide) => guide.priors(&mut self.priors),
            None => policy::priors(
                &self.line,
                recent,
                &self.legal,
                self.terrain,
                &mut self.scratch,
                &mut self.priors,
            ),
        }
        let mut children: Vec<(Move, Prior)> = self
            .legal
            .iter()
            .map(|&at| Move::Place(at))
            .zip(self.priors.iter().copied())
            .collect();
        if pass {
            let prior = match &self.guide {
                Some(guide) => guide.pass(self.line.pass_would_end()),
                None => policy::pass(&self.line),
            };
            children.push((Move::Pass, prior));
        }
        if self.path.is_empty() {
            children.retain(|&(mv, _)| !self.shared.twins.contains(mv));
        }
        if let Some(noise) = self.shared.noise
            && self.guide.is_some()
            && self.path.is_empty()
        {
            noise.mix(&mut children, &mut self.random);
        }
        let stuck = children.is_empty();
        let expanded = self.tree.expand(id, children.into_iter());
        if expanded && stuck && self.proves {
            self.tree.node(id).prove(Proof::Win);
        }
        expanded
    }

    /// Returns the index of the child with the greatest urgency, or `None` without children.
    /// Without a network, ties are broken at random.
    fn select(&mut self, id: NodeId) -> Option<usize> {
        let children = self.tree.children(id);
        if children.is_empty() {
            return None;
        }
        if self.tries_pass && self.path.is_empty() {
            // Visit the pass often enough to judge it, even if it is an unlikely move.
            let pass = children.len() - 1;
            let due = self.tree.node(id).visits() / PASS_SHARE;
            if children[pass].mv() == Move::Pass && children[pass].visits() < due {
                return Some(pass);
            }
        }
        if let Some(guide) = &self.guide {
            let is_root = self.path.is_empty();
            return Some(select(
                self.tree,
                id,
                is_root,
                guide.parameters(),
                self.shared.wide_noise,
                &mut self.random,
            ));
        }
        let start = self.random.below(children.len());
        let mut best = (f32::NEG_INFINITY, 0);
        for turn in 0..children.len() {
            let number = if start + turn < children.len() {
                start + turn
            } else {
                start + turn - children.len()
            };
            let urgency = match children[number].proof() {
                Proof::Open => children[number].urgency(),
                Proof::Win => f32::INFINITY,
                // Selected only if every move loses.
                Proof::Loss => -1.0,
            };
            if urgency > best.0 {
                best = (urgency, number);
            }
        }
        Some(best.1)
    }

    /// Returns the results at the end of the line: counted after the last pass, exact if the last
    /// move is proven. Otherwise they come from a playout, or from [`Self::evaluate_leaf`] with a
    /// network.
    fn evaluate(&mut self, number: u64, budget: &Budget) -> Results {
        let rules = self.game.rules();
        if let Some(loser) = self.game.resigned() {
            return won_by(loser.other());
        }
        if self.line.ended_by_passes() {
            self.shared.agreement.remove_dead(self.line.board_mut());
            let results = self.count();
            self.value_end();
            return results;
        }
        if self.proves
            && let Some(&(id, mover)) = self.path.last()
        {
            let winner = match self.tree.node(id).proof() {
                Proof::Open => None,
                Proof::Win => Some(mover),
                Proof::Loss => Some(mover.other()),
            };
            if let Some(winner) = winner {
                return won_by(winner);
            }
        }
        if self.guide.is_some() {
            return self.evaluate_leaf(number, budget);
        }
        match rules.end {
            End::Passes => self.play_out(number.is_multiple_of(OWNERSHIP_EVERY), budget),
            End::Stuck => self.play_to_the_last(budget),
        }
    }
}
