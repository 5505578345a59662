//! Codes of rooted neighborhoods. A code describes the surroundings of an empty point, the root,
//! next to the latest stone. Isomorphic surroundings have the same code. On boards other than
//! square lattices, codes replace the 3×3 patterns of [`board::shapes`](crate::board::shapes).

use super::{ChainBoard, EMPTY, Topology};
use crate::board::{BareBoard, Chains, MAX_LOCAL_DEGREE};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Number of values of [`Surroundings::own`].
const OWN: u16 = 3;
/// Number of values of [`Surroundings::others`].
const OTHERS: u16 = 2;
/// Number of values of [`Surroundings::vacant`].
const VACANT: u16 = 4;
/// Number of values of [`Surroundings::joined`].
const JOINED: u16 = 3;
/// Number of values of each flag for chains that are short of liberties.
const SHORT: u16 = 2;

/// Number of codes.
pub const CODES: usize = (OWN * OTHERS * VACANT * JOINED * SHORT * SHORT) as usize;

/// Maximum number of pseudo-liberties of a chain that is short of liberties. Counting the liberties
/// of chains with more pseudo-liberties would cost more than it gains.
const MAX_PSEUDO_LIBERTIES: u32 = 8;

/// Capped counts around the root. Own chains are those of the player to move. Other chains are
/// those of the opponents, including the chain of the latest stone unless a field excludes it.
#[derive(Default)]
struct Surroundings {
    /// Own chains, at most two.
    own: u16,
    /// Other chains apart from that of the latest stone, at most one.
    others: u16,
    /// Empty points, at most three.
    vacant: u16,
    /// Own stones that also touch the latest stone, at most two.
    joined: u16,
    /// True if an own chain is short of liberties, as in [`ChainBoard::is_short`].
    own_short: bool,
    /// True if one of the other chains is short of liberties.
    other_short: bool,
}

impl Surroundings {
    fn code(&self) -> u16 {
        let mut code = self.own;
        for (part, parts) in [
            (self.others, OTHERS),
            (self.vacant, VACANT),
            (self.joined, JOINED),
            (u16::from(self.own_short), SHORT),
            (u16::from(self.other_short), SHORT),
        ] {
            code = code * parts + part;
        }
        code
    }
}

/// Splits a code into its parts:
/// - chains: 2 × own chains + other chains (0 to 5),
/// - empty points (0 to 3),
/// - joining stones (0 to 2),
/// - short of liberties: 2 × own flag + other flag (0 to 3).
pub fn parts(code: u16) -> [usize; 4] {
    const FLAGS: u16 = SHORT * SHORT;
    [
        code / (VACANT * JOINED * FLAGS),
        code / (JOINED * FLAGS) % VACANT,
        code / FLAGS % JOINED,
        code % FLAGS,
    ]
    .map(usize::from)
}

impl<T: Topology> ChainBoard<T> {
    /// Writes the empty neighbors of `last` to `found`, each with its code. Returns their number.
    /// Skips points with more than [`MAX_LOCAL_DEGREE`] neighbors.
    #[inline]
    pub(super) fn codes_around(
        &self,
        color: Color,
        last: Vertex,
        found: &mut [(Vertex, u16); MAX_LOCAL_DEGREE],
    ) -> usize {
        let mut beside = [Vertex::NONE; MAX_LOCAL_DEGREE];
        let mut own = 0;
        for (slot, stone) in beside.iter_mut().zip(self.stones_around(color, last)) {
            *slot = stone;
            own += 1;
        }
        let last_short = self.is_short(last);
        let mut count = 0;
        for root in self.topology.cells_around(last) {
            if count == found.len() {
                break;
            }
            if self.cells[root.index()] == EMPTY && self.degree(root) <= MAX_LOCAL_DEGREE {
                let around = self.surroundings(color, last, last_short, root, &beside[..own]);
                found[count] = (root, around.code());
                count += 1;
            }
        }
        count
    }

    /// Returns the adjacent stones of `color`.
    fn stones_around(&self, color: Color, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let around = self.topology.cells_around(point);
        around.filter(move |&u| self.holds(u, color))
    }

    /// Inspects the neighbors of `root` once. `beside` are the own stones around `last`.
    #[inline]
    fn surroundings(
        &self,
        color: Color,
        last: Vertex,
        last_short: bool,
        root: Vertex,
        beside: &[Vertex],
    ) -> Surroundings {
        let mut found = Surroundings {
            vacant: self.empty_neighbors[root.index()].min(3),
            other_short: last_short,
            ..Surroundings::default()
        };
        // The latest heads seen. This is enough to distinguish one chain from two.
        let (mut own, mut other) = (Vertex::NONE, self.chain_of[last.index()]);
        for u in self.topology.cells_around(root) {
            if self.cells[u.index()] >= EMPTY {
                continue;
            }
            let head = self.chain_of[u.index()];
            if self.holds(u, color) {
                found.joined += u16::from(found.joined < 2 && beside.contains(&u));
                if own != head {
                    own = head;
                    found.own = 2.min(found.own + 1);
                    found.own_short = found.own_short || self.is_short(u);
                }
            } else if other != head {
                other = head;
                found.others = 1;
                found.other_short = found.other_short || self.is_short(u);
            }
        }
        found
    }

    /// Returns true if the chain of a stone is short of liberties: it has at most two liberties and
    /// at most [`MAX_PSEUDO_LIBERTIES`] pseudo-liberties.
    #[inline]
    fn is_short(&self, stone: Vertex) -> bool {
        self.chains[self.chain_of[stone.index()].index()].pseudo_liberties <= MAX_PSEUDO_LIBERTIES
            && self.liberties(stone, 3, &mut [Vertex::NONE; 8]) <= 2
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::Shapes;
    use crate::board::diagram;
    use crate::board::graph::GraphBoard;
    use omnigo_graph::spec::Spec;

    /// Returns the stones of a chain, its liberties, and its number of pseudo-liberties, counted
    /// one at a time.
    fn chain(board: &GraphBoard, stone: Vertex) -> (BTreeSet<Vertex>, BTreeSet<Vertex>, u32) {
        let (mut stones, mut liberties, mut pseudo_liberties) =
            (BTreeSet::new(), BTreeSet::new(), 0);
        board.for_chain(stone, |member| {
            stones.insert(member);
            for near in board.around(member).filter(|&u| board.at(u).is_none()) {
                liberties.insert(near);
                pseudo_liberties += 1;
            }
        });
        (stones, liberties, pseudo_liberties)
    }

    /// Returns the code of an empty point, computed from whole chains.
    fn slow(board: &GraphBoard, color: Color, last: Vertex, root: Vertex) -> u16 {
        let stones = |own: bool| {
            let near = board.around(root);
            near.filter(move |&u| board.at(u).is_some_and(|c| (c == color) == own))
        };
        let count = |own: bool| {
            let chains: BTreeSet<_> = stones(own).map(|u| chain(board, u).0).collect();
            chains.len() as u16
        };
        let short = |own: bool| {
            stones(own).any(|u| {
                let (_, liberties, pseudo_liberties) = chain(board, u);
                liberties.len() <= 2 && pseudo_liberties <= MAX_PSEUDO_LIBERTIES
            })
        };
        let beside: Vec<Vertex> = board.around(last).collect();
        let vacant = board.around(root).filter(|&u| board.at(u).is_none());
        Surroundings {
            own: count(true).min(2),
            others: count(false).min(2) - 1,
            vacant: vacant.count().min(3) as u16,
            joined: stones(true).filter(|u| beside.contains(u)).count().min(2) as u16,
            own_short: short(true),
            other_short: short(false),
        }
        .code()
    }

    /// Returns a pseudorandom number below `bound`. The multiplier is Knuth's.
    fn below(state: &mut u64, bound: u64) -> usize {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((*state >> 33) % bound) as usize
    }

    #[test]
    fn codes_describe_adjacent_chains_and_ignore_color() {
        let mut seen = BTreeSet::new();
        let mut state = 1;
        for spec in ["king:5x5", "honeycomb:2", "delaunay:30", "grid3d:3x3x3"] {
            let points = spec.parse::<Spec>().unwrap().build().unwrap();
            let points = points.graph.vertices();
            for _ in 0..100 {
                let stones: Vec<Option<Color>> = (0..points)
                    .map(|_| Color::from_index(below(&mut state, 3)).filter(|c| c.index() < 2))
                    .collect();
                let swapped: Vec<Option<Color>> =
                    stones.iter().map(|c| c.map(Color::other)).collect();
                let board = diagram::graph(spec, &stones);
                let other = diagram::graph(spec, &swapped);
                for last in (0..points).map(Vertex::at) {
                    let Some(color) = board.at(last).map(Color::other) else {
                        continue;
                    };
                    let mut found = [[(Vertex::NONE, 0); MAX_LOCAL_DEGREE]; 2];
                    let Some(count) = board.neighborhood_codes(color, last, &mut found[0]) else {
                        continue;
                    };
                    let vacant = board.around(last).filter(|&u| board.at(u).is_none());
                    assert_eq!(count, vacant.count());
                    other.neighborhood_codes(color.other(), last, &mut found[1]);
                    assert_eq!(found[0], found[1]);
                    for &(root, code) in &found[0][..count] {
                        assert_eq!(code, slow(&board, color, last, root), "{spec} {root:?}");
                        assert!(usize::from(code) < CODES);
                        seen.insert(code);
                    }
                }
            }
        }
        assert!(seen.len() > 100, "{}", seen.len());
    }

    #[test]
    fn codes_can_be_decoded() {
        let found = Surroundings {
            own: 2,
            others: 1,
            vacant: 3,
            joined: 1,
            own_short: true,
            other_short: false,
        };
        assert_eq!(parts(found.code()), [5, 3, 1, 2]);
        assert_eq!(parts(CODES as u16 - 1), [5, 3, 2, 3]);
    }

    #[test]
    fn lattices_have_no_codes() {
        let (grid, graph) = diagram::both(&["...", ".X.", "..."]);
        let mut found = [(Vertex::NONE, 0); MAX_LOCAL_DEGREE];
        assert_eq!(
            grid.neighborhood_codes(Color::WHITE, Vertex::at(4), &mut found),
            None
        );
        assert_eq!(
            graph.neighborhood_codes(Color::WHITE, Vertex::at(4), &mut found),
            None
        );
    }
}
