//! Chains without liberty. They exist only in positions set from outside, and the first placement
//! removes them.

use super::{ChainBoard, Topology};
use crate::board::{BareBoard, Preview};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// The chains of a position that have no liberty.
#[derive(Clone, Debug)]
pub(super) struct ChainsWithoutLiberty {
    chains: Vec<ChainWithoutLiberty>,
    /// By head: true if the chain gets a liberty once these chains of all other colors leave.
    relieved: Box<[bool]>,
}

#[derive(Clone, Debug)]
struct ChainWithoutLiberty {
    head: Vertex,
    color: Color,
    size: usize,
    /// Exclusive or of the Zobrist keys of its stones.
    hash: u64,
}

impl<T: Topology> ChainBoard<T> {
    /// Returns the chains without liberty, or `None` if there are none.
    pub(super) fn find_without_liberty(&self) -> Option<Box<ChainsWithoutLiberty>> {
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
            chains.push(ChainWithoutLiberty {
                head,
                color,
                size: chain.size as usize,
                hash: self.chain_hash(head, color),
            });
        }
        (!chains.is_empty()).then(|| Box::new(ChainsWithoutLiberty { chains, relieved }))
    }

    /// Removes the chains without liberty after a placement of `color`. Those of other colors leave
    /// first, then its own that still have none.
    #[cold]
    #[inline(never)]
    pub(super) fn remove_without_liberty(
        &mut self,
        color: Color,
        removed: &mut impl FnMut(Vertex, Color),
    ) {
        self.clear_all(color, false, removed);
        self.clear_all(color, true, removed);
        self.without_liberty = None;
    }

    /// Computes the effect of a placement on a board with chains without liberty. Those of other
    /// colors leave first, together with the chains that the stone captures. Then chains of `color`
    /// leave that still have none.
    pub(super) fn preview_without_liberty(
        &self,
        initial: &ChainsWithoutLiberty,
        color: Color,
        at: Vertex,
    ) -> Preview {
        let captured = self.chains_around(at, |b, u| {
            b.holds_other(u, color) && b.has_only_liberty(u, at)
        });
        let mut lives = self.empty_neighbors[at.index()] != 0 || !captured.is_empty();
        for u in self.topology.cells_around(at) {
            lives |= self.holds(u, color)
                && (!self.has_only_liberty(u, at) || initial.relieved[self.head(u).index()]);
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
        for chain in &initial.chains {
            if chain.color != color {
                preview.captured += chain.size;
            } else if initial.relieved[chain.head.index()] || saved.contains(&chain.head) {
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
    fn previews_with_chains_without_liberty_equal_the_placements() {
        let mut random = Random::new(5);
        let mut affected_boards = 0;
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
                affected_boards += usize::from(board.without_liberty.is_some());
                for at in board.vacant().to_vec() {
                    for color in Color::all(colors) {
                        let expected = played(&board, color, at);
                        assert_eq!(board.preview(color, at), expected, "{spec} {position:?}");
                    }
                }
            }
        }
        assert!(affected_boards > 1000, "{affected_boards}");
    }
}
