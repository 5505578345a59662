//! Eye rule of playouts: the empty points that a player should not fill. One rule serves all
//! graphs.
//!
//! Let all neighbors of the empty point v be stones of one color. Join two neighbors if they belong
//! to the same chain. Also join them if a *corner*, a common neighbor of both other than v, holds
//! no opposing stone. The point v is an eye if all neighbors end up joined.
//!
//! In the interior of a grid, the neighbors form a ring through the four diagonal points. One
//! hostile diagonal is harmless, two break the eye. At the edge, the neighbors form a path, so one
//! hostile diagonal breaks the eye. Go programs have used this rule since Brügmann (1993). The
//! addition here: a point surrounded by a single chain is always an eye.
//!
//! Vertices of trees and of lattices of girth above four have no corners. Only the chain rule
//! remains there: a point surrounded by one chain is an eye. The point is also an eye if each chain
//! around it borders a second empty point that is enclosed by the same color. Two such points are
//! two eyes.

use super::chains::{ChainBoard, Topology};
use super::graph::Adjacency;
use super::grid::Grid;
use super::{BareBoard, Chains};
use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;
use omnigo_base::union_find::UnionFind;
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Corners of every vertex of a graph, precomputed within a work limit.
#[derive(Clone, Debug)]
pub struct Corners {
    /// `entries[start..end]` belongs to v. `None` if v exceeds the limits; its corners are then
    /// searched for during play.
    spans: Box<[Option<(u32, u32)>]>,
    /// First neighbor, second neighbor, corner.
    entries: Box<[(Vertex, Vertex, Vertex)]>,
}

impl Corners {
    /// Maximum number of entries of a vertex. A vertex with more gets no precomputed corners.
    const MAX_ENTRIES: usize = 64;
    /// Maximum degree. A vertex with more neighbors gets no precomputed corners.
    const MAX_DEGREE: usize = 64;
    /// Maximum number of neighbors of neighbors, counted once per neighbor. A vertex with more gets
    /// no precomputed corners.
    const MAX_SECOND_NEIGHBORS: usize = 4096;
    /// Maximum number of neighbors of neighbors inspected in a search during play. Beyond it, the
    /// point counts as an eye.
    const MAX_SEARCHED: usize = 1 << 14;

    /// Finds the corners of all vertices with a small enough neighborhood.
    pub fn of(graph: &Graph) -> Corners {
        let mut entries = Vec::new();
        let spans = graph
            .all()
            .map(|v| {
                let start = entries.len();
                let second: usize = graph.neighbors(v).iter().map(|&u| graph.degree(u)).sum();
                if second > Self::MAX_SECOND_NEIGHBORS || graph.degree(v) > Self::MAX_DEGREE {
                    return None;
                }
                let mut corners = Vec::new();
                for &u in graph.neighbors(v) {
                    corners.extend(
                        graph
                            .neighbors(u)
                            .iter()
                            .filter(|&&x| x != v)
                            .map(|&x| (x, u)),
                    );
                }
                corners.sort_unstable();
                for pair in corners.windows(2) {
                    // Equal corners are adjacent after sorting. Linking each entry to the next
                    // joins the same neighbors as all pairs would.
                    if let &[(x, u), (y, w)] = pair
                        && x == y
                    {
                        entries.push((u, w, x));
                    }
                }
                if entries.len() - start > Self::MAX_ENTRIES {
                    entries.truncate(start);
                    return None;
                }
                Some((start as u32, entries.len() as u32))
            })
            .collect();
        Corners {
            spans,
            entries: entries.into_boxed_slice(),
        }
    }

    /// Returns the corners of `v`, or `None` if they were not precomputed.
    #[inline(always)]
    pub(super) fn precomputed(&self, v: Vertex) -> Option<&[(Vertex, Vertex, Vertex)]> {
        self.spans[v.index()].map(|(start, end)| &self.entries[start as usize..end as usize])
    }
}

/// Applies the rule on a grid. Requires all neighbors of `at` to be stones of `color`. Counts
/// hostile diagonals, and compares chains only if these would break the eye.
#[inline(always)]
pub(super) fn on_grid(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let grid = board.topology();
    if grid.width() == 1 || grid.height() == 1 {
        return on_line(board, color, at);
    }
    let (mut hostile, mut missing) = (0, 0);
    for diagonal in grid.diagonals(at) {
        hostile += board.holds_other(diagonal, color) as usize;
        missing += board.is_edge(diagonal) as usize;
    }
    if hostile + (missing > 0) as usize <= 1 {
        // At the edge, one hostile diagonal breaks the eye. So the missing diagonals together count
        // as one hostile.
        return true;
    }
    on_grid_joined(board, color, at)
}

/// Applies the rule on a grid of one row, which has no corners. Requires all neighbors of `at` to
/// be stones of `color`.
fn on_line(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let mut sides = board.around(at);
    match (sides.next(), sides.next()) {
        (Some(a), Some(b)) if board.head(a) != board.head(b) => {
            chains_have_another_eye(board, color, at)
        }
        // One neighbor, or two of the same chain. A point without neighbors is no eye.
        (side, _) => side.is_some(),
    }
}

/// Applies the full rule on a grid: joins the straight neighbors of the point through diagonal
/// neighbors and chains.
fn on_grid_joined(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let straight = board.topology().straight(at);
    let diagonals = board.topology().diagonals(at);
    let mut group = [0usize, 1, 2, 3];
    let join = |group: &mut [usize; 4], a: usize, b: usize| {
        let (from, to) = (group[a], group[b]);
        group
            .iter_mut()
            .filter(|g| **g == from)
            .for_each(|g| *g = to);
    };
    for a in 0..4 {
        if board.is_edge(straight[a]) {
            continue;
        }
        let next = (a + 1) % 4;
        if !board.is_edge(straight[next])
            && !board.is_edge(diagonals[a])
            && !board.holds_other(diagonals[a], color)
        {
            join(&mut group, a, next);
        }
        for b in a + 1..4 {
            if !board.is_edge(straight[b]) && board.head(straight[a]) == board.head(straight[b]) {
                join(&mut group, a, b);
            }
        }
    }
    let mut groups = (0..4)
        .filter(|&a| !board.is_edge(straight[a]))
        .map(|a| group[a]);
    let first = groups.next();
    groups.all(|g| Some(g) == first)
}

/// Applies the rule on any graph. Requires all neighbors of `at` to be stones of `color`.
pub(super) fn on_graph(board: &ChainBoard<Adjacency>, color: Color, at: Vertex) -> bool {
    let graph = board.topology().graph();
    let neighbors = graph.neighbors(at);
    let Some((&first, rest)) = neighbors.split_first() else {
        return false;
    };
    let head = board.head(first);
    if rest.iter().all(|&u| board.head(u) == head) {
        return true;
    }
    let mut joined = Joined::new(board, neighbors);
    match board.topology().corners().precomputed(at) {
        Some([]) => return chains_have_another_eye(board, color, at),
        Some(corners) => {
            // The entries of a corner link all its neighbors. They apply only if the corner holds
            // no hostile stone.
            for &(u, w, corner) in corners {
                if !board.holds_other(corner, color) {
                    joined.join(board.head(u), board.head(w));
                }
            }
        }
        None => {
            // First neighbor of `at` from which each of its second neighbors was reached.
            let mut first_seen: FastMap<Vertex, Vertex> = FastMap::default();
            let (mut searched, mut has_corner) = (0, false);
            for &u in neighbors {
                for &x in graph.neighbors(u).iter().filter(|&&x| x != at) {
                    searched += 1;
                    let earlier = *first_seen.entry(x).or_insert(u);
                    has_corner |= earlier != u;
                    if !board.holds_other(x, color) {
                        joined.join(board.head(earlier), board.head(u));
                    }
                }
                // A large neighborhood of a single color is almost always safe, so the point counts
                // as an eye.
                if searched > Corners::MAX_SEARCHED || joined.is_one() {
                    return true;
                }
            }
            if !has_corner {
                return chains_have_another_eye(board, color, at);
            }
        }
    }
    joined.is_one()
}

/// Returns true if each chain around `at` borders another point whose neighbors are all stones of
/// `color`.
fn chains_have_another_eye<T: Topology>(board: &ChainBoard<T>, color: Color, at: Vertex) -> bool {
    /// Maximum number of points inspected. Beyond it, the answer is true, because filling an eye
    /// costs more than leaving a point empty.
    const MAX_INSPECTED: usize = 512;
    let enclosed = |point: Vertex| board.around(point).all(|u| board.holds(u, color));
    let mut inspected = 0;
    board.around(at).all(|stone| {
        let mut found = false;
        board.for_chain(stone, |member| {
            if found || inspected > MAX_INSPECTED {
                return;
            }
            for point in board.around(member) {
                inspected += 1;
                if point != at && board.at(point).is_none() && enclosed(point) {
                    found = true;
                    break;
                }
            }
        });
        found || inspected > MAX_INSPECTED
    })
}

/// Union-find over the chains around a point, identified by their heads.
struct Joined {
    heads: Vec<Vertex>,
    sets: UnionFind,
}

impl Joined {
    fn new<T: Topology>(board: &ChainBoard<T>, neighbors: &[Vertex]) -> Joined {
        let mut heads: Vec<Vertex> = neighbors.iter().map(|&u| board.head(u)).collect();
        heads.sort_unstable();
        heads.dedup();
        let sets = UnionFind::new(heads.len());
        Joined { heads, sets }
    }

    fn join(&mut self, a: Vertex, b: Vertex) {
        if let (Ok(i), Ok(j)) = (self.heads.binary_search(&a), self.heads.binary_search(&b)) {
            self.sets.join(i, j);
        }
    }

    fn is_one(&mut self) -> bool {
        (1..self.heads.len()).all(|i| self.sets.top(i) == self.sets.top(0))
    }
}
