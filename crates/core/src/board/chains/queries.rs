//! Chain boards as boards: the traits of `board::interface`, and the queries that they need.

use super::{ChainBoard, EMPTY, Topology};
use crate::board::{
    BareBoard, Census, Chains, MAX_LOCAL_DEGREE, Playouts, Preview, Shapes, shapes,
};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

impl<T: Topology> ChainBoard<T> {
    /// Returns the exclusive or of the Zobrist keys of the stones of a chain.
    pub(super) fn chain_hash(&self, head: Vertex, color: Color) -> u64 {
        let mut hash = 0;
        let mut stone = head;
        loop {
            hash ^= self.zobrist.key(color, stone);
            stone = self.next_in_chain[stone.index()];
            if stone == head {
                return hash;
            }
        }
    }

    /// Returns the heads of the adjacent chains that `wanted` selects, each once.
    pub(super) fn chains_around(
        &self,
        at: Vertex,
        wanted: impl Fn(&Self, Vertex) -> bool,
    ) -> Vec<Vertex> {
        let mut heads: Vec<Vertex> = self
            .topology
            .cells_around(at)
            .filter(|&u| self.cells[u.index()] < EMPTY && wanted(self, u))
            .map(|u| self.chain_of[u.index()])
            .collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Returns true if chains of one color could be joined or cut on this empty point. Two of them
    /// must touch it. In addition, there must be a neighboring stone of another color or at least
    /// two empty neighbors. Always false for points with more than [`MAX_LOCAL_DEGREE`] neighbors.
    #[inline]
    fn is_cutting_point(&self, point: Vertex) -> bool {
        if self.degree(point) > MAX_LOCAL_DEGREE {
            return false;
        }
        // By color: the head of the first chain found.
        let mut heads = [Vertex::NONE; Color::MAX];
        let (mut colors, mut vacant, mut has_two_chains) = (0, 0, false);
        for u in self.topology.cells_around(point) {
            let cell = self.cells[u.index()];
            match heads.get_mut(usize::from(cell)) {
                // The cell is empty, or it is the edge.
                None => vacant += usize::from(cell == EMPTY),
                Some(head) => {
                    let here = self.chain_of[u.index()];
                    if *head == Vertex::NONE {
                        colors += 1;
                        *head = here;
                    } else if *head != here {
                        has_two_chains = true;
                    }
                }
            }
        }
        has_two_chains && (colors > 1 || vacant > 1)
    }

    /// Returns true if `at` is the only liberty of the chain of `stone`.
    #[inline(always)]
    pub(super) fn has_only_liberty(&self, stone: Vertex, at: Vertex) -> bool {
        self.chains[self.chain_of[stone.index()].index()].is_only_liberty(at)
    }
}

impl<T: Topology> BareBoard for ChainBoard<T> {
    fn points(&self) -> usize {
        self.cells.len() - 1
    }

    fn rectangle(&self) -> Option<(usize, usize)> {
        self.topology.rectangle()
    }

    fn colors(&self) -> usize {
        self.colors
    }

    #[inline]
    fn at(&self, point: Vertex) -> Option<Color> {
        self.content(point)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    fn vacant(&self) -> &[Vertex] {
        &self.vacant
    }

    fn preview(&self, color: Color, at: Vertex) -> Preview {
        if let Some(initial) = &self.without_liberty {
            return self.preview_without_liberty(initial, color, at);
        }
        let mut preview = Preview {
            hash: self.hash ^ self.zobrist.key(color, at),
            captured: 0,
            lost: 0,
            suicide: false,
        };
        let mut lives = self.empty_neighbors[at.index()] != 0;
        let mut captures = false;
        for u in self.topology.cells_around(at) {
            if self.holds(u, color) {
                lives |= !self.has_only_liberty(u, at);
            } else if self.holds_other(u, color) {
                captures |= self.has_only_liberty(u, at);
            }
        }
        if captures {
            for head in self.chains_around(at, |b, u| {
                b.holds_other(u, color) && b.has_only_liberty(u, at)
            }) {
                if let Some(other) = self.content(head) {
                    preview.captured += self.chains[head.index()].size as usize;
                    preview.hash ^= self.chain_hash(head, other);
                }
            }
        } else if !lives {
            preview.hash = self.hash;
            preview.lost = 1;
            preview.suicide = true;
            for head in self.chains_around(at, |b, u| b.holds(u, color)) {
                preview.lost += self.chains[head.index()].size as usize;
                preview.hash ^= self.chain_hash(head, color);
            }
        }
        preview
    }

    #[inline]
    fn place(&mut self, color: Color, at: Vertex, mut removed: impl FnMut(Vertex, Color)) {
        assert!(
            self.cells[at.index()] == EMPTY && color.index() < self.colors,
            "{color} on occupied {at:?}"
        );
        let captures = self.put(color, at);
        self.ko = Vertex::NONE;
        if self.without_liberty.is_some() {
            return self.remove_without_liberty(color, &mut removed);
        }
        if captures {
            let before = self.vacant.len();
            self.capture(color, at, &mut removed);
            self.set_ko_point(at, before);
        } else {
            let head = self.chain_of[at.index()];
            if self.chains[head.index()].pseudo_liberties == 0 {
                self.remove_chain(head, &mut removed);
            }
        }
    }

    #[inline]
    fn with_trial_move<R>(
        &mut self,
        color: Color,
        at: Vertex,
        then: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        self.try_and_undo(color, at, then)
    }

    fn set_position(&mut self, position: &[Option<Color>]) {
        let points = self.points();
        assert!(
            position.len() == points,
            "{} characters for {points} points",
            position.len()
        );
        for i in 0..points {
            let at = Vertex::at(i);
            self.cells[i] = EMPTY;
            self.slots[i] = i as u16;
            self.empty_neighbors[i] = self
                .topology
                .cells_around(at)
                .filter(|u| u.index() < points)
                .count() as u16;
        }
        self.vacant.clear();
        self.vacant.extend((0..points).map(Vertex::at));
        self.stone_sets = T::StoneSets::default();
        self.hash = 0;
        self.ko = Vertex::NONE;
        for (i, color) in position.iter().enumerate() {
            if let Some(color) = *color {
                self.put(color, Vertex::at(i));
            }
        }
        self.without_liberty = self.find_without_liberty();
    }

    #[inline]
    fn around(&self, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let points = self.points();
        self.topology
            .cells_around(point)
            .filter(move |u| u.index() < points)
    }

    #[inline(always)]
    fn degree(&self, point: Vertex) -> usize {
        self.topology.degree(point)
    }

    fn census(&self) -> Census {
        T::census(self)
    }
}

impl<T: Topology> Chains for ChainBoard<T> {
    #[inline]
    fn ko_point(&self) -> Option<Vertex> {
        (self.ko != Vertex::NONE).then_some(self.ko)
    }

    #[inline]
    fn sole_liberty(&self, point: Vertex) -> Option<Vertex> {
        self.content(point)?;
        let chain = &self.chains[self.chain_of[point.index()].index()];
        chain
            .in_atari()
            .then(|| Vertex::at((chain.sum / u64::from(chain.pseudo_liberties)) as usize))
    }

    fn chain_size(&self, point: Vertex) -> usize {
        self.content(point).map_or(0, |_| {
            self.chains[self.chain_of[point.index()].index()].size as usize
        })
    }

    #[inline]
    fn chain(&self, point: Vertex) -> Vertex {
        self.chain_of[point.index()]
    }

    fn for_chain(&self, point: Vertex, mut visit: impl FnMut(Vertex)) {
        if self.content(point).is_none() {
            return;
        }
        let mut stone = point;
        loop {
            visit(stone);
            stone = self.next_in_chain[stone.index()];
            if stone == point {
                break;
            }
        }
    }

    fn liberties(&self, point: Vertex, limit: usize, found: &mut [Vertex; 8]) -> usize {
        let limit = limit.min(found.len());
        let mut count = 0;
        if self.content(point).is_none() {
            return 0;
        }
        let mut stone = point;
        loop {
            if self.empty_neighbors[stone.index()] != 0 {
                for u in self.topology.cells_around(stone) {
                    if self.cells[u.index()] == EMPTY && !found[..count].contains(&u) {
                        found[count] = u;
                        count += 1;
                        if count == limit {
                            return count;
                        }
                    }
                }
            }
            stone = self.next_in_chain[stone.index()];
            if stone == point {
                return count;
            }
        }
    }
}

impl<T: Topology> Shapes for ChainBoard<T> {
    #[inline(always)]
    fn suggested(&self, last: Vertex, found: &mut [Vertex; 8]) -> usize {
        let mut count = 0;
        let mut add = |at: Vertex| {
            if count < found.len() && self.cells[at.index()] == EMPTY && self.has_shape(at) {
                found[count] = at;
                count += 1;
            }
        };
        if let Some(ring) = self.topology.ring(last) {
            ring.iter().copied().for_each(&mut add);
        }
        count
    }

    #[inline]
    fn neighborhood_codes(
        &self,
        color: Color,
        last: Vertex,
        found: &mut [(Vertex, u16); MAX_LOCAL_DEGREE],
    ) -> Option<usize> {
        match self.topology.ring(last) {
            Some(_) => None,
            None => Some(self.codes_around(color, last, found)),
        }
    }

    #[inline(always)]
    fn has_shape(&self, point: Vertex) -> bool {
        match self.topology.ring(point) {
            Some(ring) => shapes::fits(shapes::code(ring.map(|cell| self.cells[cell.index()]))),
            None => self.is_cutting_point(point),
        }
    }

    fn ring(&self, point: Vertex) -> Option<[Vertex; 8]> {
        let outside = self.topology.vertices();
        let ring = self.topology.ring(point)?;
        Some(ring.map(|near| {
            if near.index() < outside {
                near
            } else {
                Vertex::NONE
            }
        }))
    }

    fn shape(&self, color: Color, point: Vertex) -> Option<u16> {
        let ring = self.topology.ring(point)?;
        let code = shapes::code(ring.map(|cell| self.cells[cell.index()]));
        Some(shapes::class(code, color))
    }
}

impl<T: Topology> Playouts for ChainBoard<T> {
    #[inline(always)]
    fn playable(&self, color: Color, at: Vertex) -> bool {
        if self.empty_neighbors[at.index()] != 0 {
            return true;
        }
        let mut lives = false;
        let mut is_surrounded = true;
        for u in self.topology.cells_around(at) {
            if self.holds(u, color) {
                lives |= !self.has_only_liberty(u, at);
            } else if !self.is_edge(u) {
                if self.has_only_liberty(u, at) {
                    return true;
                }
                is_surrounded = false;
            }
        }
        lives && !(is_surrounded && T::eye_shape(self, color, at))
    }

    fn is_eye(&self, color: Color, at: Vertex) -> bool {
        self.empty_neighbors[at.index()] == 0
            && self.around(at).next().is_some()
            && self.around(at).all(|u| self.holds(u, color))
            && T::eye_shape(self, color, at)
    }
}
