//! Pseudo-liberties of one chain.

use crate::vertex::Vertex;

/// Pseudo-liberties and size of a chain, stored at the chain's head.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    /// Number of pairs of a stone and an adjacent liberty.
    pub(super) pairs: u32,
    /// Number of stones.
    pub(super) size: u32,
    /// Sum of the liberties' indices over the pairs.
    pub(super) sum: u64,
    /// Sum of the squares of the liberties' indices over the pairs.
    pub(super) squares: u64,
}

impl Chain {
    #[inline(always)]
    pub(super) fn gain(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pairs += 1;
        self.sum += index;
        self.squares += index * index;
    }

    #[inline(always)]
    pub(super) fn lose(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pairs -= 1;
        self.sum -= index;
        self.squares -= index * index;
    }

    /// Returns true if `liberty`, which must be a liberty, is the only one.
    #[inline(always)]
    pub(super) fn hangs_on(&self, liberty: Vertex) -> bool {
        let (pairs, index) = (u64::from(self.pairs), liberty.index() as u64);
        self.sum == pairs * index && self.squares == pairs * index * index
    }

    /// Returns true if the chain has exactly one liberty.
    #[inline(always)]
    pub(super) fn in_atari(&self) -> bool {
        let (sum, pairs) = (u128::from(self.sum), u128::from(self.pairs));
        self.pairs != 0 && pairs * u128::from(self.squares) == sum * sum
    }
}
