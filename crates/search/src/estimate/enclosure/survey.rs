//! Position with its chains, and the regions that they enclose.

use super::pocket::MOST_NODES;
use crate::estimate::judge::JudgedChain;
use crate::estimate::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;

/// Chain of a position.
pub(super) struct Chain<'a> {
    pub(super) color: Color,
    pub(super) stones: &'a [Vertex],
    /// Fraction of the playouts in which its color owns it.
    pub(super) share: f64,
}

/// Region that only chains of one color enclose.
pub(super) struct Region {
    pub(super) points: Vec<Vertex>,
    /// Adjacent chains of this color, in ascending order.
    pub(super) border: Vec<usize>,
}

/// Chains of one color that enclose regions together.
pub(super) struct Group {
    pub(super) color: Color,
    pub(super) members: Vec<usize>,
    pub(super) regions: Vec<Region>,
}

impl Group {
    /// Returns the number of chains and enclosed points.
    pub(super) fn size(&self) -> usize {
        let points = self.regions.iter().map(|region| region.points.len());
        self.members.len() + points.sum::<usize>()
    }
}

/// Position with its chains.
pub(super) struct Survey<'a, B: Board> {
    pub(super) board: &'a B,
    pub(super) chains: Vec<Chain<'a>>,
    /// Index of the chain on each point, or `None` without a stone.
    pub(super) chain_of: Vec<Option<usize>>,
}

impl<'a, B: Board> Survey<'a, B> {
    pub(super) fn of(board: &'a B, ownership: &Ownership, found: &'a [JudgedChain]) -> Self {
        let mut chain_of = vec![None; board.points()];
        let mut chains = Vec::with_capacity(found.len());
        for (number, (_, stones)) in found.iter().enumerate() {
            let color = stones.first().and_then(|&stone| board.at(stone));
            let color = color.unwrap_or(Color::BLACK);
            for stone in stones {
                chain_of[stone.index()] = Some(number);
            }
            chains.push(Chain {
                color,
                stones,
                share: ownership.mean_share(stones, color),
            });
        }
        Survey {
            board,
            chains,
            chain_of,
        }
    }

    /// Returns the chain on a point, or `None` without a stone.
    pub(super) fn chain_on(&self, point: Vertex) -> Option<&Chain<'a>> {
        Some(&self.chains[self.chain_of[point.index()]?])
    }

    /// Returns the chains with a stone in one of these regions, in ascending order.
    pub(super) fn chains_in(&self, regions: &[Region]) -> Vec<usize> {
        let points = regions.iter().flat_map(|region| region.points.iter());
        let mut chains: Vec<usize> = points
            .filter_map(|point| self.chain_of[point.index()])
            .collect();
        chains.sort_unstable();
        chains.dedup();
        chains
    }

    /// Returns the groups of both colors with the regions of at most [`MOST_NODES`] points that
    /// they enclose. Chains belong to one group if they border the same region.
    pub(super) fn groups(&self) -> Vec<Group> {
        let colors = [Color::BLACK, Color::WHITE].into_iter();
        colors.flat_map(|color| self.groups_of(color)).collect()
    }

    fn groups_of(&self, color: Color) -> Vec<Group> {
        let mut regions: Vec<Region> = Vec::new();
        let mut seen = vec![false; self.board.points()];
        let mut tops = UnionFind::new(self.chains.len());
        for point in (0..self.board.points()).map(Vertex::at) {
            let is_own = |chain: &Chain| chain.color == color;
            if seen[point.index()] || self.chain_on(point).is_some_and(is_own) {
                continue;
            }
            let Some(region) = self.enclosed(point, color) else {
                continue;
            };
            for &point in &region.points {
                seen[point.index()] = true;
            }
            for pair in region.border.windows(2) {
                tops.join(pair[0], pair[1]);
            }
            regions.push(region);
        }
        let empty = |_| Group {
            color,
            members: Vec::new(),
            regions: Vec::new(),
        };
        let mut groups: Vec<Group> = self.chains.iter().map(empty).collect();
        for (number, chain) in self.chains.iter().enumerate() {
            if chain.color == color {
                groups[tops.top(number)].members.push(number);
            }
        }
        for region in regions {
            if let Some(&chain) = region.border.first() {
                groups[tops.top(chain)].regions.push(region);
            }
        }
        groups.retain(|group| !group.members.is_empty());
        groups
    }

    /// Returns the region of `start` among the points without a stone of `color`. Returns `None` if
    /// it has more than [`MOST_NODES`] points.
    fn enclosed(&self, start: Vertex, color: Color) -> Option<Region> {
        let (mut points, mut border) = (vec![start], Vec::new());
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            for near in self.board.around(point) {
                match self.chain_of[near.index()] {
                    Some(chain) if self.chains[chain].color == color => border.push(chain),
                    _ if points.contains(&near) => {}
                    _ if points.len() == MOST_NODES => return None,
                    _ => points.push(near),
                }
            }
        }
        border.sort_unstable();
        border.dedup();
        Some(Region { points, border })
    }
}
