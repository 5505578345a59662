//! Codes of rooted neighbourhoods: what lies around an empty point beside the latest stone, the same for isomorphic
//! surroundings. What shapes are on lattices these are on all other graphs.

use super::{ChainBoard, EMPTY, Topology};
use crate::board::{Board, DENSE};
use crate::color::Color;
use crate::vertex::Vertex;

/// How many codes there are.
pub const CODES: usize = 3 * 2 * 4 * 3 * 2 * 2;

/// Chains of more pairs of a stone and a liberty are not short: to go through them would cost more than it tells.
const PAIRS: u32 = 8;

/// What lies around the root, capped, as the player to move sees it. The latest stone's chain is one of the others.
#[derive(Default)]
struct Surroundings {
    /// Own chains, up to two.
    own: u16,
    /// Other chains beside that of the latest stone, up to one.
    others: u16,
    /// Empty points, up to three.
    vacant: u16,
    /// Own stones that touch the latest stone as well, up to two.
    joined: u16,
    /// Whether an own chain has two liberties or fewer.
    own_short: bool,
    /// Whether another has.
    other_short: bool,
}

impl Surroundings {
    fn code(&self) -> u16 {
        let mut code = self.own;
        for (part, parts) in [
            (self.others, 2),
            (self.vacant, 4),
            (self.joined, 3),
            (u16::from(self.own_short), 2),
            (u16::from(self.other_short), 2),
        ] {
            code = code * parts + part;
        }
        code
    }
}

/// What a code is made of: whose chains there are (below 6), empty points (below 4), joining stones (below 3), and which chains
/// are short (below 4).
pub fn parts(code: u16) -> [usize; 4] {
    let code = usize::from(code);
    [code / 48, code / 12 % 4, code / 4 % 3, code % 4]
}

impl<T: Topology> ChainBoard<T> {
    /// Writes the empty points around `last` to `found`, each with its code; how many is the result.
    #[inline]
    pub(super) fn root_codes(
        &self,
        color: Color,
        last: Vertex,
        found: &mut [(Vertex, u16); DENSE],
    ) -> usize {
        let mut beside = [Vertex::NONE; DENSE];
        let own = self.cells_of(color, last).zip(&mut beside);
        let own = own.map(|(stone, slot)| *slot = stone).count();
        let last_short = self.is_short(last);
        let mut count = 0;
        for root in self.topology.cells_around(last) {
            if count == found.len() {
                break;
            }
            if self.cells[root.index()] == EMPTY && self.degree(root) <= DENSE {
                let around = self.surroundings(color, last, last_short, root, &beside[..own]);
                found[count] = (root, around.code());
                count += 1;
            }
        }
        count
    }

    /// Stones of `color` around a point.
    fn cells_of(&self, color: Color, point: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let around = self.topology.cells_around(point);
        around.filter(move |&u| self.holds(u, color))
    }

    /// One look around `root`; `beside` are own stones around `last`.
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
            vacant: self.airs[root.index()].min(3),
            other_short: last_short,
            ..Surroundings::default()
        };
        // The latest heads seen: enough to tell one chain from two.
        let (mut own, mut other) = (Vertex::NONE, self.heads[last.index()]);
        for u in self.topology.cells_around(root) {
            if self.cells[u.index()] >= EMPTY {
                continue;
            }
            let head = self.heads[u.index()];
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

    /// Whether the chain of a stone has two liberties or fewer.
    #[inline]
    fn is_short(&self, stone: Vertex) -> bool {
        self.chains[self.heads[stone.index()].index()].pairs <= PAIRS
            && self.liberties(stone, 3, &mut [Vertex::NONE; 8]) <= 2
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::diagram;
    use crate::board::graph::GraphBoard;
    use crate::graph::spec::Spec;

    /// Stones of a chain and its liberties, one at a time.
    fn chain(board: &GraphBoard, stone: Vertex) -> (BTreeSet<Vertex>, BTreeSet<Vertex>, u32) {
        let (mut stones, mut liberties, mut pairs) = (BTreeSet::new(), BTreeSet::new(), 0);
        board.for_chain(stone, |member| {
            stones.insert(member);
            for near in board.around(member).filter(|&u| board.at(u).is_none()) {
                liberties.insert(near);
                pairs += 1;
            }
        });
        (stones, liberties, pairs)
    }

    /// The code of an empty point, from whole chains.
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
                let (_, liberties, pairs) = chain(board, u);
                liberties.len() <= 2 && pairs <= PAIRS
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

    /// Knuth's multiplier: any numbers will do.
    fn below(state: &mut u64, bound: u64) -> usize {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((*state >> 33) % bound) as usize
    }

    #[test]
    fn codes_are_what_chains_say_and_know_no_color() {
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
                    let mut found = [[(Vertex::NONE, 0); DENSE]; 2];
                    let Some(count) = board.rooted(color, last, &mut found[0]) else {
                        continue;
                    };
                    let vacant = board.around(last).filter(|&u| board.at(u).is_none());
                    assert_eq!(count, vacant.count());
                    other.rooted(color.other(), last, &mut found[1]);
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
    fn codes_come_apart_again() {
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
        let mut found = [(Vertex::NONE, 0); DENSE];
        assert_eq!(grid.rooted(Color::WHITE, Vertex::at(4), &mut found), None);
        assert_eq!(graph.rooted(Color::WHITE, Vertex::at(4), &mut found), None);
    }
}
