//! Planarity test that returns a planar embedding as proof.
//!
//! It is the left-right planarity test of de Fraysseix and Rosenstiehl, as described by U. Brandes,
//! *The left-right planarity test* (2009). A depth-first search orients the edges. Each back edge
//! must pass the subtrees on its left or on its right. Back edges that cannot share a side are kept
//! in pairs of intervals. If no pair has a contradiction, the sides give the order of edges around
//! each vertex.
//!
//! The time is linear apart from sorting. There is no recursion, so a path of 65,535 vertices does
//! not overflow the stack.

mod sides;

use crate::Graph;
use crate::faces::{Turn, walks};
use omnigo_base::vertex::Vertex;
use sides::Sides;

/// Marks a missing arc, edge, or vertex.
const NONE: u32 = u32::MAX;

/// Cyclic order of the neighbors around each vertex in some drawing without crossings.
///
/// ```
/// use omnigo_graph::planar::Embedding;
/// use omnigo_graph::spec::Spec;
/// let build = |spec: &str| spec.parse::<Spec>().unwrap().build().unwrap().graph;
/// assert_eq!(Embedding::of(&build("grid:3")).unwrap().faces().len(), 5);
/// assert!(Embedding::of(&build("petersen")).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Embedding {
    /// Neighbors of each vertex, clockwise.
    rotation: Vec<Vec<Vertex>>,
}

impl Embedding {
    /// Returns an embedding of the graph, or `None` if it is not planar.
    pub fn of(graph: &Graph) -> Option<Embedding> {
        let n = graph.vertices();
        // By Euler's formula, a planar graph has at most 3n - 6 edges. Reject denser graphs without
        // a search.
        if n >= 3 && graph.edges() > 3 * n - 6 {
            return None;
        }
        let mut search = Search::new(graph);
        search.orient();
        let mut sides = Sides::new(&search);
        if !sides.test(&search) {
            return None;
        }
        let signs = sides.signs();
        let signed = |(edge, &right): (usize, &bool)| {
            let nesting = i64::from(search.nesting(edge));
            if right { nesting } else { -nesting }
        };
        let keys: Vec<i64> = signs.iter().enumerate().map(signed).collect();
        search.sort_rows(&keys);
        Some(Embedding {
            rotation: search.embed(&signs),
        })
    }

    /// Returns the neighbors of `vertex`, clockwise.
    pub fn around(&self, vertex: Vertex) -> &[Vertex] {
        &self.rotation[vertex.index()]
    }

    /// Returns every face as the closed walk along its border. Each edge occurs once in each
    /// direction over all faces. A component without edges has no walk.
    pub fn faces(&self) -> Vec<Vec<Vertex>> {
        walks(&self.rotation, Turn::After)
    }
}

/// Depth-first search: the orientation of the edges, and their lowpoints.
struct Search {
    /// Edges at each vertex: `incident[offsets[v]..offsets[v + 1]]`. After orienting, the
    /// `outgoing[v]` outgoing edges come first, in order.
    offsets: Vec<usize>,
    incident: Vec<u32>,
    outgoing: Vec<usize>,
    from: Vec<u32>,
    to: Vec<u32>,
    height: Vec<u32>,
    parent: Vec<u32>,
    low: Vec<u32>,
    second: Vec<u32>,
    roots: Vec<u32>,
}

impl Search {
    fn new(graph: &Graph) -> Search {
        let (n, m) = (graph.vertices(), graph.edges());
        let mut offsets = vec![0; n + 1];
        let (mut from, mut to) = (Vec::with_capacity(m), Vec::with_capacity(m));
        for v in graph.all() {
            offsets[v.index() + 1] = offsets[v.index()] + graph.degree(v);
            for &u in graph.neighbors(v).iter().filter(|&&u| u > v) {
                from.push(v.index() as u32);
                to.push(u.index() as u32);
            }
        }
        let mut incident = vec![NONE; 2 * m];
        let mut end = offsets.clone();
        for edge in 0..m {
            for v in [from[edge], to[edge]] {
                incident[end[v as usize]] = edge as u32;
                end[v as usize] += 1;
            }
        }
        Search {
            offsets,
            incident,
            outgoing: vec![0; n],
            from,
            to,
            height: vec![NONE; n],
            parent: vec![NONE; n],
            low: vec![0; m],
            second: vec![0; m],
            roots: Vec::new(),
        }
    }

    fn vertices(&self) -> usize {
        self.outgoing.len()
    }

    /// Phase 1: orients every edge along the search and computes its lowpoints.
    fn orient(&mut self) {
        let mut oriented = vec![false; self.from.len()];
        let mut next = self.offsets.clone();
        // True if the search has descended along this tree edge. Finding it again means that its
        // subtree is complete.
        let mut entered = vec![false; self.from.len()];
        for root in 0..self.vertices() {
            if self.height[root] != NONE {
                continue;
            }
            self.height[root] = 0;
            self.roots.push(root as u32);
            let mut stack = vec![root];
            'vertices: while let Some(&v) = stack.last() {
                while next[v] < self.offsets[v + 1] {
                    let edge = self.incident[next[v]] as usize;
                    if !entered[edge] {
                        if oriented[edge] {
                            next[v] += 1;
                            continue;
                        }
                        oriented[edge] = true;
                        if self.from[edge] as usize != v {
                            self.to[edge] = self.from[edge];
                            self.from[edge] = v as u32;
                        }
                        let w = self.to[edge] as usize;
                        self.low[edge] = self.height[v];
                        self.second[edge] = self.height[v];
                        if self.height[w] == NONE {
                            self.parent[w] = edge as u32;
                            self.height[w] = self.height[v] + 1;
                            entered[edge] = true;
                            stack.push(w);
                            continue 'vertices;
                        }
                        self.low[edge] = self.height[w];
                    } else if self.from[edge] as usize != v {
                        // The tree edge by which v was entered.
                        next[v] += 1;
                        continue;
                    }
                    self.raise(edge, v);
                    next[v] += 1;
                }
                stack.pop();
            }
        }
        self.order_by_nesting();
    }

    /// Updates the lowpoints of the parent edge of `v` by those of `edge`.
    fn raise(&mut self, edge: usize, v: usize) {
        let parent = self.parent[v];
        if parent == NONE {
            return;
        }
        let parent = parent as usize;
        if self.low[edge] < self.low[parent] {
            self.second[parent] = self.low[parent].min(self.second[edge]);
            self.low[parent] = self.low[edge];
        } else if self.low[edge] > self.low[parent] {
            self.second[parent] = self.second[parent].min(self.low[edge]);
        } else {
            self.second[parent] = self.second[parent].min(self.second[edge]);
        }
    }

    /// Returns the nesting depth. Edges that return lower lie further outside; among equals,
    /// chordal edges lie further inside.
    fn nesting(&self, edge: usize) -> u32 {
        let chordal = self.second[edge] < self.height[self.from[edge] as usize];
        2 * self.low[edge] + u32::from(chordal)
    }

    fn order_by_nesting(&mut self) {
        let keys: Vec<i64> = (0..self.from.len())
            .map(|edge| i64::from(self.nesting(edge)))
            .collect();
        self.sort_rows(&keys);
    }

    /// Moves the outgoing edges of each vertex to the front, ordered by their keys.
    fn sort_rows(&mut self, keys: &[i64]) {
        for v in 0..self.vertices() {
            let row = &mut self.incident[self.offsets[v]..self.offsets[v + 1]];
            let from = &self.from;
            row.sort_unstable_by_key(|&edge| {
                let out = from[edge as usize] as usize == v;
                (!out, keys[edge as usize], edge)
            });
            self.outgoing[v] = row
                .iter()
                .filter(|&&edge| from[edge as usize] as usize == v)
                .count();
        }
    }

    /// Returns the outgoing edges of `v` in order.
    fn out(&self, v: usize) -> &[u32] {
        &self.incident[self.offsets[v]..self.offsets[v] + self.outgoing[v]]
    }

    fn is_tree(&self, edge: usize) -> bool {
        self.parent[self.to[edge] as usize] as usize == edge
    }

    /// Phase 3: returns the rotation at each vertex. Outgoing edges must be sorted by their signed
    /// nesting depths.
    fn embed(&self, right: &[bool]) -> Vec<Vec<Vertex>> {
        let n = self.vertices();
        let mut rings = Rings::new(n, self.from.len());
        for v in 0..n {
            let mut before = NONE;
            for &edge in self.out(v) {
                rings.insert_after(v, before, 2 * edge);
                before = 2 * edge;
            }
        }
        // Arcs next to which edges from the current subtree back to a vertex are inserted, left and
        // right.
        let mut left_ref = vec![NONE; n];
        let mut right_ref = vec![NONE; n];
        let mut next = vec![0; n];
        for &root in &self.roots {
            let mut stack = vec![root as usize];
            'vertices: while let Some(&v) = stack.last() {
                while let Some(&edge) = self.out(v).get(next[v]) {
                    next[v] += 1;
                    let w = self.to[edge as usize] as usize;
                    let back = 2 * edge + 1;
                    if self.is_tree(edge as usize) {
                        rings.insert_first(w, back);
                        left_ref[v] = 2 * edge;
                        right_ref[v] = 2 * edge;
                        stack.push(w);
                        continue 'vertices;
                    }
                    if right[edge as usize] {
                        rings.insert_after(w, right_ref[w], back);
                    } else {
                        rings.insert_before(w, left_ref[w], back);
                        left_ref[w] = back;
                    }
                }
                stack.pop();
            }
        }
        let head = |arc: u32| {
            let edge = arc as usize / 2;
            let vertex = if arc.is_multiple_of(2) {
                self.to[edge]
            } else {
                self.from[edge]
            };
            Vertex::at(vertex as usize)
        };
        (0..n).map(|v| rings.walk(v).map(head).collect()).collect()
    }
}

/// Arcs around each vertex as cyclic lists: `2e` is edge `e` at its start, `2e + 1` at its end.
struct Rings {
    first: Vec<u32>,
    /// The next arc clockwise after each arc, and the previous one.
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Rings {
    fn new(vertices: usize, edges: usize) -> Rings {
        Rings {
            first: vec![NONE; vertices],
            next: vec![NONE; 2 * edges],
            previous: vec![NONE; 2 * edges],
        }
    }

    /// Inserts `arc` clockwise after `mark`, or alone if the list is empty.
    fn insert_after(&mut self, v: usize, mark: u32, arc: u32) {
        if mark == NONE {
            self.first[v] = arc;
            self.next[arc as usize] = arc;
            self.previous[arc as usize] = arc;
            return;
        }
        let after = self.next[mark as usize];
        self.next[mark as usize] = arc;
        self.previous[arc as usize] = mark;
        self.next[arc as usize] = after;
        self.previous[after as usize] = arc;
    }

    fn insert_before(&mut self, v: usize, mark: u32, arc: u32) {
        let before = self.previous[mark as usize];
        self.insert_after(v, before, arc);
        if self.first[v] == mark {
            self.first[v] = arc;
        }
    }

    fn insert_first(&mut self, v: usize, arc: u32) {
        match self.first[v] {
            NONE => self.insert_after(v, NONE, arc),
            first => self.insert_before(v, first, arc),
        }
    }

    fn walk(&self, v: usize) -> impl Iterator<Item = u32> {
        let first = self.first[v];
        let mut at = first;
        std::iter::from_fn(move || {
            let arc = at;
            if arc == NONE {
                return None;
            }
            at = self.next[arc as usize];
            if at == first {
                at = NONE;
            }
            Some(arc)
        })
    }
}

#[cfg(test)]
mod tests;
