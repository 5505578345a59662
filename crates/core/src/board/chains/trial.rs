//! Trial moves: play, inspect, undo. They cost a fraction of a copy of the board.
//! If a chain may have no liberty, they copy the board instead.

use super::chain::Chain;
use super::{ChainBoard, EMPTY, StoneSets, Topology};
use crate::board::BareBoard;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// A change to undo, apart from the stone itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// The chain with head `lost` became part of the chain with head `kept`.
    Joined { kept: Vertex, lost: Vertex },
    /// A chain was removed from the board.
    Removed {
        head: Vertex,
        color: Color,
        chain: Chain,
    },
}

impl<T: Topology> ChainBoard<T> {
    /// See [`BareBoard::with_trial_move`].
    #[inline]
    pub(super) fn try_and_undo<R>(
        &mut self,
        color: Color,
        at: Vertex,
        then: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        if self.without_liberty.is_some() {
            if self.preview(color, at).suicide {
                return None;
            }
            let mut next = self.clone();
            next.place(color, at, |_, _| {});
            return Some(then(&mut next));
        }
        if self.is_suicide(color, at) {
            return None;
        }
        let i = at.index();
        let (slot, ko) = (self.slots[i], self.ko);
        let before = (self.chain_of[i], self.next_in_chain[i], self.chains[i]);
        let mark = self.changes.len();

        let mut changes = std::mem::take(&mut self.changes);
        let captures = self.put_and_report(color, at, |kept, lost| {
            changes.push(Change::Joined { kept, lost });
        });
        self.ko = Vertex::NONE;
        if captures {
            self.capture_and_record(color, at, &mut changes);
        }
        self.changes = changes;
        let found = then(self);

        while self.changes.len() > mark {
            match self.changes.pop() {
                Some(Change::Removed { head, color, chain }) => {
                    self.restore_chain(head, color, chain)
                }
                Some(Change::Joined { kept, lost }) => self.split(kept, lost),
                None => break,
            }
        }
        self.ko = ko;
        self.cells[i] = EMPTY;
        self.hash ^= self.zobrist.key(color, at);
        self.stone_sets.remove(color, at);
        for u in self.topology.cells_around(at) {
            let j = u.index();
            self.empty_neighbors[j] = self.empty_neighbors[j].wrapping_add(1);
            if self.cells[j] < EMPTY {
                self.chains[self.chain_of[j].index()].gain(at);
            }
        }
        (self.chain_of[i], self.next_in_chain[i], self.chains[i]) = before;
        // Restore the order of `vacant`: the empty point that filled the gap goes back to the end.
        self.slots[i] = slot;
        match self.vacant.get_mut(slot as usize) {
            Some(place) => {
                let moved = std::mem::replace(place, at);
                self.slots[moved.index()] = self.vacant.len() as u16;
                self.vacant.push(moved);
            }
            None => self.vacant.push(at),
        }
        Some(found)
    }

    /// Returns true if a stone of `color` on the vacant point `at` would have no liberty and
    /// capture nothing.
    fn is_suicide(&self, color: Color, at: Vertex) -> bool {
        self.empty_neighbors[at.index()] == 0
            && self.topology.cells_around(at).all(|u| {
                let has_only_liberty =
                    || self.chains[self.chain_of[u.index()].index()].is_only_liberty(at);
                if self.holds(u, color) {
                    has_only_liberty()
                } else {
                    !self.holds_other(u, color) || !has_only_liberty()
                }
            })
    }

    /// Like `capture`, but records the removed chains in `changes`.
    fn capture_and_record(&mut self, color: Color, at: Vertex, changes: &mut Vec<Change>) {
        let mut captured_chains = std::mem::take(&mut self.captured_chains);
        self.find_captured_chains(color, at, &mut captured_chains);
        let before = self.vacant.len();
        for &head in &captured_chains {
            if let Some(color) = self.content(head) {
                let chain = self.chains[head.index()];
                changes.push(Change::Removed { head, color, chain });
                self.remove_chain(head, &mut |_, _| {});
            }
        }
        self.captured_chains = captured_chains;
        self.set_ko_point(at, before);
    }

    /// Puts a removed chain back. Its stones still have their links and heads.
    fn restore_chain(&mut self, head: Vertex, color: Color, chain: Chain) {
        let mut stone = head;
        loop {
            self.cells[stone.index()] = color.index() as u8;
            self.hash ^= self.zobrist.key(color, stone);
            self.stone_sets.put(color, stone);
            for u in self.topology.cells_around(stone) {
                let j = u.index();
                self.empty_neighbors[j] = self.empty_neighbors[j].wrapping_sub(1);
                if self.cells[j] < EMPTY && self.chain_of[j] != head {
                    self.chains[self.chain_of[j].index()].lose(stone);
                }
            }
            stone = self.next_in_chain[stone.index()];
            if stone == head {
                break;
            }
        }
        self.chains[head.index()] = chain;
        // Undo runs in reverse, so the chain's points are the last of `vacant`.
        let rest = self.vacant.len() - chain.size as usize;
        self.vacant.truncate(rest);
    }

    /// Undoes the latest join of two chains.
    fn split(&mut self, kept: Vertex, lost: Vertex) {
        self.next_in_chain.swap(kept.index(), lost.index());
        let gone = self.chains[lost.index()];
        let chain = &mut self.chains[kept.index()];
        chain.pseudo_liberties -= gone.pseudo_liberties;
        chain.size -= gone.size;
        chain.sum -= gone.sum;
        chain.squares -= gone.squares;
        let mut stone = lost;
        loop {
            self.chain_of[stone.index()] = lost;
            stone = self.next_in_chain[stone.index()];
            if stone == lost {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::board::graph::{Adjacency, GraphBoard};
    use crate::board::grid::{Grid, GridBoard};
    use crate::board::reference::Random;
    use omnigo_base::color::Color;
    use omnigo_base::vertex::Vertex;
    use omnigo_graph::spec::Spec;

    /// Returns all observable state of a board, including orders.
    fn observable<B: Board>(board: &B) -> (u64, Option<Vertex>, Vec<Vertex>, Vec<Vec<Vertex>>) {
        let stones = (0..board.points()).map(Vertex::at);
        let chains = stones
            .filter(|&at| board.at(at).is_some())
            .map(|at| {
                let mut found = [Vertex::NONE; 8];
                let count = board.liberties(at, 8, &mut found);
                let mut chain = found[..count].to_vec();
                chain.extend([board.chain(at), board.sole_liberty(at).unwrap_or(at)]);
                chain.push(Vertex::at(board.chain_size(at)));
                board.for_chain(at, |stone| chain.push(stone));
                chain
            })
            .collect();
        (
            board.hash(),
            board.ko_point(),
            board.vacant().to_vec(),
            chains,
        )
    }

    fn play<B: Board>(mut board: B, seed: u64) {
        let mut random = Random::new(seed);
        let (mut captures, colors) = (0, board.colors());
        for turn in 0..4 * board.points() {
            let color = Color::from_index(turn % colors).unwrap();
            let Some(&at) = board
                .vacant()
                .get(random.below(board.vacant().len().max(1)))
            else {
                break;
            };
            let before = observable(&board);
            let expected = (!board.preview(color, at).suicide).then(|| {
                let mut next = board.clone();
                next.place(color, at, |_, _| captures += 1);
                observable(&next)
            });
            // Play a second trial move inside the first to test nesting.
            let found = board.with_trial_move(color, at, |next| {
                let first = observable(next);
                for &at in next.vacant().to_vec().iter().take(3) {
                    let color = Color::from_index((turn + 1) % colors).unwrap();
                    let suicide = next.preview(color, at).suicide;
                    assert_eq!(next.with_trial_move(color, at, |_| ()).is_none(), suicide);
                }
                assert_eq!(observable(next), first);
                first
            });
            assert_eq!(found, expected);
            assert_eq!(observable(&board), before);
            if expected.is_some() {
                board.place(color, at, |_, _| {});
            }
        }
        assert!(captures > 0);
    }

    #[test]
    fn trials_act_like_placements_and_are_undone() {
        for seed in 1..12 {
            let side = 3 + seed as usize % 5;
            play(
                GridBoard::new(Grid::new(side, side + 1).unwrap(), 2).unwrap(),
                seed,
            );
            let graph = "torus:4x5".parse::<Spec>().unwrap().build().unwrap().graph;
            play(GraphBoard::new(Adjacency::new(graph), 3).unwrap(), seed);
        }
    }
}
