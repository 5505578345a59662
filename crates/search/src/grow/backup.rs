//! Backup of a visit: adds its results and proofs to the nodes of its path.

use super::tree::{Proof, WIN};
use super::utility::Worth;
use super::worker::Worker;
use crate::estimate::results::Results;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;

impl<B: Board> Worker<'_, B> {
    /// Adds the results to the nodes of the path. Without a network, also updates the
    /// all-moves-as-first statistics (RAVE).
    pub(super) fn back_up(&mut self, results: &Results) {
        self.tree
            .node(self.tree.root())
            .end_visit(results[self.to_move.index()]);
        for &(id, color) in &self.path {
            self.tree.node(id).end_visit(results[color.index()]);
        }
        if self.guide.is_some() {
            self.back_up_worth(results);
            return;
        }
        let placed = self
            .path
            .iter()
            .filter(|&&(id, _)| self.tree.node(id).mv() != Move::Pass)
            .count();
        let (in_tree, after) = self.trace.split_at(placed.min(self.trace.len()));
        for &(color, at) in after.iter().rev() {
            self.first[at.index()] = color.index() as u8;
        }
        let mut in_tree = in_tree.iter().rev();
        for depth in (0..self.path.len()).rev() {
            let (id, color) = self.path[depth];
            if self.tree.node(id).mv() != Move::Pass
                && let Some(&(color, at)) = in_tree.next()
            {
                self.first[at.index()] = color.index() as u8;
            }
            let parent = if depth == 0 {
                self.tree.root()
            } else {
                self.path[depth - 1].0
            };
            let (mover, result) = (color.index() as u8, results[color.index()]);
            for child in self.tree.children(parent) {
                if self.first.get(child.index()) == Some(&mover) {
                    child.add_amaf(result);
                }
            }
        }
        for &(_, at) in &self.trace {
            self.first[at.index()] = u8::MAX;
        }
    }

    /// Adds the utility of the visit to the nodes of the path, the last one first. A visit without
    /// one counts by its result. Does nothing without moments.
    fn back_up_worth(&self, results: &Results) {
        let Some(guide) = self.guide.as_ref().filter(|_| self.tree.has_moments()) else {
            return;
        };
        let result = results[self.to_move.index()] as f64 / WIN as f64;
        let worth = self.worth.unwrap_or(Worth {
            utility: 2.0 * result - 1.0,
            weight: 1.0,
            is_final: true,
        });
        let parameters = guide.parameters();
        let mut seen = worth.utility;
        let root = (self.tree.root(), self.to_move);
        let nodes = self.path.iter().rev().chain([&root]).enumerate();
        for (above, &(id, color)) in nodes {
            let sign = if color == self.to_move { 1.0 } else { -1.0 };
            let (node, weight) = (self.tree.node(id), worth.weight);
            if above > 0 {
                let is_root = id == root.0;
                self.tree
                    .add_below(id, is_root, parameters, sign * seen, weight);
            } else if worth.is_final {
                self.tree.add_utility(node, sign * seen, weight);
            } else {
                let evaluated = sign * seen;
                let tree = self.tree;
                seen = sign * tree.add_evaluation(node, evaluated, weight, parameters);
            }
        }
    }

    /// Propagates the proof at the end of the path toward the root. Returns true if the root is
    /// proven.
    ///
    /// A move loses as soon as one reply wins. It wins as soon as all replies lose (Winands,
    /// Björnsson and Saito 2008).
    pub(super) fn prove(&self) -> bool {
        for depth in (0..self.path.len()).rev() {
            let parent = if depth == 0 {
                self.tree.root()
            } else {
                self.path[depth - 1].0
            };
            match self.tree.node(self.path[depth].0).proof() {
                Proof::Open => return false,
                Proof::Win => self.tree.node(parent).prove(Proof::Loss),
                Proof::Loss => {
                    if self
                        .tree
                        .children(parent)
                        .iter()
                        .any(|child| child.proof() != Proof::Loss)
                    {
                        return false;
                    }
                    self.tree.node(parent).prove(Proof::Win);
                }
            }
        }
        self.tree.node(self.tree.root()).proof() != Proof::Open
    }
}
