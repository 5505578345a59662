//! Updates of chains: placing stones, joining chains, and removing chains.

use super::chain::Chain;
use super::{ChainBoard, EMPTY, StoneSets, Topology};
use crate::board::BareBoard;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

impl<T: Topology> ChainBoard<T> {
    /// Puts a stone on an empty point and joins it to adjacent chains of its color. Returns true if
    /// a chain of another color lost its last liberty. The caller removes captured chains.
    #[inline(always)]
    pub(super) fn put(&mut self, color: Color, at: Vertex) -> bool {
        self.put_and_report(color, at, |_, _| {})
    }

    /// Like `put`, but calls `joined(kept, lost)` whenever the chain with head `lost` becomes part
    /// of the chain with head `kept`.
    #[inline(always)]
    pub(super) fn put_and_report(
        &mut self,
        color: Color,
        at: Vertex,
        joined: impl FnMut(Vertex, Vertex),
    ) -> bool {
        let i = at.index();
        let own = color.index() as u8;
        let slot = self.slots[i] as usize;
        self.vacant.swap_remove(slot);
        if let Some(&moved) = self.vacant.get(slot) {
            self.slots[moved.index()] = slot as u16;
        }
        self.cells[i] = own;
        self.hash ^= self.zobrist.key(color, at);
        self.stone_sets.put(color, at);

        let mut chain = Chain {
            size: 1,
            ..Chain::default()
        };
        let mut friends = false;
        let mut captures = false;
        for u in self.topology.cells_around(at) {
            let j = u.index();
            let content = self.cells[j];
            self.empty_neighbors[j] = self.empty_neighbors[j].wrapping_sub(1);
            if content == EMPTY {
                chain.gain(u);
            } else if content < EMPTY {
                let other = &mut self.chains[self.chain_of[j].index()];
                other.lose(at);
                friends |= content == own;
                captures |= content != own && other.pseudo_liberties == 0;
            }
        }
        self.chain_of[i] = at;
        self.next_in_chain[i] = at;
        self.chains[i] = chain;
        if friends {
            self.join(own, at, joined);
        }
        captures
    }

    /// Joins the stone just placed to the adjacent chains of its color.
    fn join(&mut self, own: u8, at: Vertex, mut joined: impl FnMut(Vertex, Vertex)) {
        for u in self.topology.cells_around(at) {
            if self.cells[u.index()] != own {
                continue;
            }
            let (mut kept, mut lost) = (self.chain_of[u.index()], self.chain_of[at.index()]);
            if kept == lost {
                continue;
            }
            if self.chains[kept.index()].size < self.chains[lost.index()].size {
                (kept, lost) = (lost, kept);
            }
            let gone = self.chains[lost.index()];
            let chain = &mut self.chains[kept.index()];
            chain.pseudo_liberties += gone.pseudo_liberties;
            chain.size += gone.size;
            chain.sum += gone.sum;
            chain.squares += gone.squares;
            let mut stone = lost;
            loop {
                self.chain_of[stone.index()] = kept;
                stone = self.next_in_chain[stone.index()];
                if stone == lost {
                    break;
                }
            }
            self.next_in_chain.swap(kept.index(), lost.index());
            joined(kept, lost);
        }
    }

    /// Removes a chain from the board.
    pub(super) fn remove_chain(&mut self, head: Vertex, removed: &mut impl FnMut(Vertex, Color)) {
        let Some(color) = self.content(head) else {
            return;
        };
        let mut stone = head;
        loop {
            let i = stone.index();
            self.cells[i] = EMPTY;
            self.slots[i] = self.vacant.len() as u16;
            self.vacant.push(stone);
            self.hash ^= self.zobrist.key(color, stone);
            self.stone_sets.remove(color, stone);
            for u in self.topology.cells_around(stone) {
                let j = u.index();
                self.empty_neighbors[j] = self.empty_neighbors[j].wrapping_add(1);
                if self.cells[j] < EMPTY {
                    // The chain's own stones gain pairs too. This is harmless, because these values
                    // are not read again.
                    self.chains[self.chain_of[j].index()].gain(stone);
                }
            }
            removed(stone, color);
            stone = self.next_in_chain[i];
            if stone == head {
                break;
            }
        }
    }

    /// Removes the adjacent chains of other colors that have no liberty. All of them are found
    /// before any is removed.
    pub(super) fn capture(
        &mut self,
        color: Color,
        at: Vertex,
        removed: &mut impl FnMut(Vertex, Color),
    ) {
        let mut captured_chains = std::mem::take(&mut self.captured_chains);
        self.find_captured_chains(color, at, &mut captured_chains);
        for &head in &captured_chains {
            self.remove_chain(head, removed);
        }
        self.captured_chains = captured_chains;
    }

    /// Writes to `captured_chains` the heads of adjacent chains of other colors that have no
    /// liberty, each once.
    #[inline(always)]
    pub(super) fn find_captured_chains(
        &self,
        color: Color,
        at: Vertex,
        captured_chains: &mut Vec<Vertex>,
    ) {
        captured_chains.clear();
        for u in self.topology.cells_around(at) {
            if self.holds_other(u, color)
                && self.chains[self.chain_of[u.index()].index()].pseudo_liberties == 0
            {
                captured_chains.push(self.chain_of[u.index()]);
            }
        }
        if captured_chains.len() > 1 {
            captured_chains.sort_unstable();
            captured_chains.dedup();
        }
    }

    /// Sets the ko point if the placement on `at` is a ko capture. `before` is the length of
    /// `vacant` before the captures.
    ///
    /// The placed stone must have captured exactly one stone. It must be a chain of one stone, and
    /// the captured point must be its only liberty. Then an immediate recapture would have the same
    /// form.
    #[inline(always)]
    pub(super) fn set_ko_point(&mut self, at: Vertex, before: usize) {
        let chain = &self.chains[self.chain_of[at.index()].index()];
        if self.vacant.len() == before + 1 && chain.size == 1 && chain.pseudo_liberties == 1 {
            self.ko = self.vacant[before];
        }
    }

    /// Removes every chain without liberties: those of `color` if `own` is true, otherwise those of
    /// all other colors. All of them are found before any is removed.
    pub(super) fn clear_all(
        &mut self,
        color: Color,
        own: bool,
        removed: &mut impl FnMut(Vertex, Color),
    ) {
        let mut captured_chains = std::mem::take(&mut self.captured_chains);
        captured_chains.clear();
        for i in 0..self.points() {
            let point = Vertex::at(i);
            if let Some(found) = self.content(point)
                && (found == color) == own
                && self.chain_of[i] == point
                && self.chains[i].pseudo_liberties == 0
            {
                captured_chains.push(point);
            }
        }
        for &head in &captured_chains {
            self.remove_chain(head, removed);
        }
        self.captured_chains = captured_chains;
    }
}
