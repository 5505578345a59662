//! Chains without liberties. They exist only in positions set from outside, and the first placement
//! removes them.

use super::{ChainBoard, Topology};
use crate::board::{BareBoard, Preview};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// The chains of a position that have no liberty.
#[derive(Clone, Debug)]
pub(super) struct DeadChains {
    chains: Vec<DeadChain>,
    /// By head: true if the chain gets a liberty once the dead chains of all other colors leave.
    relieved: Box<[bool]>,
}

#[derive(Clone, Debug)]
struct DeadChain {
    head: Vertex,
    color: Color,
    size: usize,
    /// Exclusive or of the Zobrist keys of its stones.
    hash: u64,
}

impl<T: Topology> ChainBoard<T> {
    /// Returns the dead chains, or `None` if there are none.
    pub(super) fn find_dead_chains(&self) -> Option<Box<DeadChains>> {
        let mut chains = Vec::new();
        let mut relieved = vec![false; self.points()].into_boxed_slice();
        for head in (0..self.points()).map(Vertex::at) {
            let Some(color) = self.content(head) else {
                continue;
            };
            let chain = &self.chains[head.index()];
            if self.chain_of[head.index()] != head || chain.pseudo_liberties != 0 {
                continue;
            }
            self.for_neighbors_of_chain(head, |near| {
                if self.holds_other(near, color) {
                    relieved[self.chain_of[near.index()].index()] = true;
                }
            });
            chains.push(DeadChain {
                head,
                color,
                size: chain.size as usize,
                hash: self.chain_hash(head, color),
            });
        }
        (!chains.is_empty()).then(|| Box::new(DeadChains { chains, relieved }))
    }

    /// Removes the dead chains after a placement of `color`: first those of other colors, then its
    /// own that still have no liberty.
    #[cold]
    #[inline(never)]
    pub(super) fn clear_dead_chains(
        &mut self,
        color: Color,
        removed: &mut impl FnMut(Vertex, Color),
    ) {
        self.clear_all(color, false, removed);
        self.clear_all(color, true, removed);
        self.dead = None;
    }

    /// Computes the effect of a placement on a board with dead chains. Those of other colors leave
    /// first, together with the chains that the stone captures. Then chains of `color` leave that
    /// still have no liberty.
    pub(super) fn preview_among(&self, dead: &DeadChains, color: Color, at: Vertex) -> Preview {
        let captured = self.chains_around(at, |b, u| {
            b.holds_other(u, color) && b.has_only_liberty(u, at)
        });
        let mut lives = self.empty_neighbors[at.index()] != 0 || !captured.is_empty();
        for u in self.topology.cells_around(at) {
            lives |= self.holds(u, color)
                && (!self.has_only_liberty(u, at) || dead.relieved[self.head(u).index()]);
        }
        let mut preview = Preview {
            hash: self.hash,
            captured: 0,
            lost: 0,
            suicide: !lives,
        };
        // Own chains that get a liberty from the captured ones.
        let mut saved: Vec<Vertex> = Vec::new();
        for head in captured {
            if let Some(other) = self.content(head) {
                preview.captured += self.chains[head.index()].size as usize;
                preview.hash ^= self.chain_hash(head, other);
                self.for_neighbors_of_chain(head, |near| {
                    if self.holds(near, color) {
                        saved.push(self.head(near));
                    }
                });
            }
        }
        for chain in &dead.chains {
            if chain.color != color {
                preview.captured += chain.size;
            } else if dead.relieved[chain.head.index()] || saved.contains(&chain.head) {
                continue;
            } else {
                preview.lost += chain.size;
            }
            preview.hash ^= chain.hash;
        }
        if lives {
            preview.hash ^= self.zobrist.key(color, at);
        } else {
            preview.lost += 1;
            for head in self.chains_around(at, |b, u| b.holds(u, color)) {
                preview.lost += self.chains[head.index()].size as usize;
                preview.hash ^= self.chain_hash(head, color);
            }
        }
        preview
    }

    /// Calls `visit` for the neighbors of each stone of a chain.
    fn for_neighbors_of_chain(&self, head: Vertex, mut visit: impl FnMut(Vertex)) {
        let mut stone = head;
        loop {
            self.topology.cells_around(stone).for_each(&mut visit);
            stone = self.next_in_chain[stone.index()];
            if stone == head {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::graph::{Adjacency, GraphBoard};
    use crate::board::reference::Random;
    use omnigo_graph::spec::Spec;
    use std::sync::Arc;

    /// Returns the effect of the placement, played on a copy of the board.
    fn played<T: Topology>(board: &ChainBoard<T>, color: Color, at: Vertex) -> Preview {
        let mut next = board.clone();
        let (mut captured, mut lost) = (0, 0);
        next.place(color, at, |_, removed| match removed == color {
            true => lost += 1,
            false => captured += 1,
        });
        Preview {
            hash: next.hash(),
            captured,
            lost,
            suicide: next.at(at).is_none(),
        }
    }

    #[test]
    fn previews_among_dead_chains_equal_the_placements() {
        let mut random = Random::new(5);
        let mut with_dead_chains = 0;
        for spec in ["grid:4x3", "cycle:7", "petersen", "star:5", "torus:3x3"] {
            let goban = spec.parse::<Spec>().unwrap().build().unwrap();
            for number in 0..600 {
                let colors = 2 + number % 3;
                let graph = Arc::clone(&goban.graph);
                let mut board = GraphBoard::new(Adjacency::new(graph), colors).unwrap();
                let position: Vec<Option<Color>> = (0..board.points())
                    .map(|_| Color::from_index(random.below(colors + 1)))
                    .map(|color| color.filter(|color| color.index() < colors))
                    .collect();
                board.set_position(&position);
                with_dead_chains += usize::from(board.dead.is_some());
                for at in board.vacant().to_vec() {
                    for color in Color::all(colors) {
                        let expected = played(&board, color, at);
                        assert_eq!(board.preview(color, at), expected, "{spec} {position:?}");
                    }
                }
            }
        }
        assert!(with_dead_chains > 1000, "{with_dead_chains}");
    }
}
