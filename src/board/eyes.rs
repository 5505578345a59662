//! Which empty points a playout leaves alone: the eye rule, one for all graphs.
//!
//! Let all neighbours of the empty point v be stones of one colour. Join two of them when they belong to one chain, or when
//! a *corner*, a common neighbour of both other than v, holds no stone of an opponent. v is an eye when everything is
//! joined. On a grid inside the board the neighbours form a ring through the four diagonal points, so that one hostile
//! diagonal does no harm and two do; at the edge they form a path, so that one does: the rule that Go programs have used
//! since Brügmann (1993), with the addition that a point whose border is already one chain is always an eye.
//!
//! A vertex without corners, as on trees and lattices of girth above four, knows only the chain clause. There the point is
//! kept as well when each chain around it has another such point: two of them are two eyes.

use super::Board;
use super::chains::{ChainBoard, Topology};
use super::graph::Adjacency;
use super::grid::Grid;
use crate::color::Color;
use crate::graph::Graph;
use crate::hash::FastMap;
use crate::union_find::UnionFind;
use crate::vertex::Vertex;

/// Corners of every vertex of a graph, as far as a budget allows.
#[derive(Clone, Debug)]
pub struct Corners {
    /// `entries[offsets[v]..offsets[v + 1]]` belongs to v; `None` where the budget was spent and they are looked for anew.
    spans: Box<[Option<(u32, u32)>]>,
    /// First and second neighbour, corner.
    entries: Box<[(Vertex, Vertex, Vertex)]>,
}

impl Corners {
    /// Entries a vertex may have.
    const PER_VERTEX: usize = 64;
    /// Work that looking for corners anew may take before the point counts as an eye.
    const SEARCH: usize = 1 << 14;
    /// Work a vertex may take: neighbours of neighbours looked at.
    const EFFORT: usize = 4096;

    /// Finds the corners of all vertices whose neighbourhood is small enough.
    pub fn of(graph: &Graph) -> Corners {
        let mut entries = Vec::new();
        let spans = graph
            .all()
            .map(|v| {
                let start = entries.len();
                let effort: usize = graph.neighbors(v).iter().map(|&u| graph.degree(u)).sum();
                if effort > Self::EFFORT || graph.degree(v) > Self::PER_VERTEX {
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
                    // Equal corners stand together: chaining each to the next joins the same neighbours as all pairs would.
                    if let &[(x, u), (y, w)] = pair
                        && x == y
                    {
                        entries.push((u, w, x));
                    }
                }
                if entries.len() - start > Self::PER_VERTEX {
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

    /// The corners of `v`, if they were kept.
    #[inline(always)]
    pub(super) fn kept(&self, v: Vertex) -> Option<&[(Vertex, Vertex, Vertex)]> {
        self.spans[v.index()].map(|(start, end)| &self.entries[start as usize..end as usize])
    }
}

/// The rule on a grid: counts hostile diagonals, and asks for chains only where those forbid the eye.
#[inline(always)]
pub(super) fn on_grid(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let grid = board.topology();
    if grid.width() == 1 || grid.height() == 1 {
        return on_line(board, color, at);
    }
    let (mut hostile, mut missing) = (0, 0);
    for corner in grid.corners(at) {
        hostile += board.holds_other(corner, color) as usize;
        missing += board.is_edge(corner) as usize;
    }
    if hostile + (missing > 0) as usize <= 1 {
        // On the edge any hostile diagonal parts two neighbours.
        return true;
    }
    on_grid_joined(board, color, at)
}

/// The rule on a grid of one row, which has no corners.
fn on_line(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let mut sides = board.around(at);
    match (sides.next(), sides.next()) {
        (Some(a), Some(b)) if board.head(a) != board.head(b) => has_company(board, color, at),
        (side, _) => side.is_some(),
    }
}

/// The grid's rule in full: walks around the point and joins sides through corners and chains.
fn on_grid_joined(board: &ChainBoard<Grid>, color: Color, at: Vertex) -> bool {
    let sides = board.topology().sides(at);
    let corners = board.topology().corners(at);
    let mut group = [0usize, 1, 2, 3];
    let join = |group: &mut [usize; 4], a: usize, b: usize| {
        let (from, to) = (group[a], group[b]);
        group
            .iter_mut()
            .filter(|g| **g == from)
            .for_each(|g| *g = to);
    };
    for a in 0..4 {
        if board.is_edge(sides[a]) {
            continue;
        }
        let next = (a + 1) % 4;
        if !board.is_edge(sides[next])
            && !board.is_edge(corners[a])
            && !board.holds_other(corners[a], color)
        {
            join(&mut group, a, next);
        }
        for b in a + 1..4 {
            if !board.is_edge(sides[b]) && board.head(sides[a]) == board.head(sides[b]) {
                join(&mut group, a, b);
            }
        }
    }
    let mut groups = (0..4)
        .filter(|&a| !board.is_edge(sides[a]))
        .map(|a| group[a]);
    let first = groups.next();
    groups.all(|g| Some(g) == first)
}

/// The rule on any graph.
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
    match board.topology().corners().kept(at) {
        Some([]) => return has_company(board, color, at),
        Some(corners) => {
            // A corner's entries chain all its neighbours, which is right only while the corner itself lets them join.
            for &(u, w, corner) in corners {
                if !board.holds_other(corner, color) {
                    joined.join(board.head(u), board.head(w));
                }
            }
        }
        None => {
            let mut first: FastMap<Vertex, Vertex> = FastMap::default();
            let (mut effort, mut cornered) = (0, false);
            for &u in neighbors {
                for &x in graph.neighbors(u).iter().filter(|&&x| x != at) {
                    effort += 1;
                    let earlier = *first.entry(x).or_insert(u);
                    cornered |= earlier != u;
                    if !board.holds_other(x, color) {
                        joined.join(board.head(earlier), board.head(u));
                    }
                }
                // A large neighbourhood full of one color is hardly ever anything but safe: leave it alone.
                if effort > Corners::SEARCH || joined.is_one() {
                    return true;
                }
            }
            if !cornered {
                return has_company(board, color, at);
            }
        }
    }
    joined.is_one()
}

/// Whether each chain around `at` borders another point walled in by `color`.
fn has_company<T: Topology>(board: &ChainBoard<T>, color: Color, at: Vertex) -> bool {
    /// Points looked at before the answer is yes for want of a better one: filling an eye costs more than leaving a point.
    const EFFORT: usize = 512;
    let walled = |point: Vertex| board.around(point).all(|u| board.holds(u, color));
    let mut effort = 0;
    board.around(at).all(|stone| {
        let mut found = false;
        board.for_chain(stone, |member| {
            if found || effort > EFFORT {
                return;
            }
            for point in board.around(member) {
                effort += 1;
                if point != at && board.at(point).is_none() && walled(point) {
                    found = true;
                    break;
                }
            }
        });
        found || effort > EFFORT
    })
}

/// Which chains around a point are joined: a small union of heads.
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
