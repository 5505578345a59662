//! Pseudo-liberties of one chain.

use omnigo_base::vertex::Vertex;

/// Pseudo-liberties and size of a chain, stored at the chain's head.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    /// Number of pairs of a stone and an adjacent liberty.
    pub(super) pseudo_liberties: u32,
    /// Number of stones.
    pub(super) size: u32,
    /// Sum of the liberties' indices over the pairs.
    pub(super) sum: u64,
    /// Sum of the squares of the liberties' indices over the pairs.
    pub(super) squares: u64,
}

impl Chain {
    /// Adds a stone's contact with `liberty`.
    #[inline(always)]
    pub(super) fn gain(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pseudo_liberties += 1;
        self.sum += index;
        self.squares += index * index;
    }

    /// Removes a stone's contact with `liberty`.
    #[inline(always)]
    pub(super) fn lose(&mut self, liberty: Vertex) {
        let index = liberty.index() as u64;
        self.pseudo_liberties -= 1;
        self.sum -= index;
        self.squares -= index * index;
    }

    /// Returns true if `liberty`, which must be a liberty, is the only one.
    #[inline(always)]
    pub(super) fn is_only_liberty(&self, liberty: Vertex) -> bool {
        let (pseudo_liberties, index) = (u64::from(self.pseudo_liberties), liberty.index() as u64);
        self.sum == pseudo_liberties * index && self.squares == pseudo_liberties * index * index
    }

    /// Returns true if the chain has exactly one liberty.
    #[inline(always)]
    pub(super) fn in_atari(&self) -> bool {
        let (sum, pseudo_liberties) = (u128::from(self.sum), u128::from(self.pseudo_liberties));
        self.pseudo_liberties != 0 && pseudo_liberties * u128::from(self.squares) == sum * sum
    }
}
