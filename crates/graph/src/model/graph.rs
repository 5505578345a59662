//! Undirected simple graphs.

use omnigo_base::vertex::Vertex;

/// Undirected simple graph with at most [`Vertex::LIMIT`] vertices, stored as compressed rows.
///
/// ```
/// use omnigo_graph::Graph;
/// use omnigo_base::vertex::Vertex;
/// let (triangle, dropped) = Graph::from_edges(3, &[(0, 1), (1, 2), (2, 0), (0, 2), (1, 1)]);
/// assert_eq!(triangle.edges(), 3);
/// assert_eq!(triangle.neighbors(Vertex::at(0)), [Vertex::at(1), Vertex::at(2)]);
/// assert_eq!((dropped.loops, dropped.parallels), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// `neighbors(v)` is `targets[offsets[v]..offsets[v + 1]]`, ascending.
    offsets: Box<[u32]>,
    targets: Box<[Vertex]>,
}

/// Number of edges that [`Graph::from_edges`] left out, because a simple graph cannot hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Edges from a vertex to itself.
    pub loops: usize,
    /// Repetitions of an edge, in either direction.
    pub parallels: usize,
}

impl Graph {
    /// Maximum number of edges of a board.
    pub const MAX_EDGES: usize = 4_000_000;

    /// Returns the graph with `vertices` vertices and these edges. Drops loops and merges parallel
    /// edges.
    ///
    /// # Panics
    /// If `vertices` exceeds [`Vertex::LIMIT`], or if an edge names a vertex that does not exist.
    /// Callers check their input first.
    pub fn from_edges(vertices: usize, edges: &[(u16, u16)]) -> (Graph, Dropped) {
        assert!(vertices <= Vertex::LIMIT, "{vertices} vertices");
        let mut dropped = Dropped::default();
        let mut ordered: Vec<(u16, u16)> = Vec::with_capacity(edges.len());
        for &(a, b) in edges {
            assert!(
                (a as usize) < vertices && (b as usize) < vertices,
                "edge {a}-{b} of {vertices} vertices"
            );
            if a == b {
                dropped.loops += 1;
            } else {
                ordered.push((a.min(b), a.max(b)));
            }
        }
        let given = ordered.len();
        ordered.sort_unstable();
        ordered.dedup();
        dropped.parallels = given - ordered.len();

        let mut offsets = vec![0u32; vertices + 1].into_boxed_slice();
        for &(a, b) in &ordered {
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let mut end: Vec<u32> = offsets[..vertices].to_vec();
        let mut targets = vec![Vertex::NONE; 2 * ordered.len()].into_boxed_slice();
        // Edges come in ascending order. The first loop therefore adds the lower neighbors of each
        // row, ascending, and the second loop the higher ones.
        for &(a, b) in &ordered {
            targets[end[b as usize] as usize] = Vertex::at(a as usize);
            end[b as usize] += 1;
        }
        for &(a, b) in &ordered {
            targets[end[a as usize] as usize] = Vertex::at(b as usize);
            end[a as usize] += 1;
        }
        (Graph { offsets, targets }, dropped)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        self.targets.len() / 2
    }

    /// Returns the neighbors of `vertex`, ascending.
    #[inline(always)]
    pub fn neighbors(&self, vertex: Vertex) -> &[Vertex] {
        let v = vertex.index();
        &self.targets[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }

    /// Returns the number of neighbors of `vertex`.
    pub fn degree(&self, vertex: Vertex) -> usize {
        self.neighbors(vertex).len()
    }

    /// Returns true if an edge joins `a` and `b`.
    pub fn adjacent(&self, a: Vertex, b: Vertex) -> bool {
        self.neighbors(a).binary_search(&b).is_ok()
    }

    /// Returns every edge once, as (lower, higher) vertex, in ascending order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        self.all().flat_map(|low| {
            let high = self.neighbors(low).iter().filter(move |&&high| high > low);
            high.map(move |high| (low.index(), high.index()))
        })
    }

    /// Returns every vertex in index order.
    pub fn all(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.vertices()).map(Vertex::at)
    }

    /// Returns the connected components. Components and their vertices are in index order.
    pub fn components(&self) -> Vec<Vec<Vertex>> {
        let mut seen = vec![false; self.vertices()];
        let mut components = Vec::new();
        for root in self.all() {
            if seen[root.index()] {
                continue;
            }
            seen[root.index()] = true;
            let mut component = vec![root];
            let mut done = 0;
            while let Some(&v) = component.get(done) {
                done += 1;
                for &u in self.neighbors(v) {
                    if !seen[u.index()] {
                        seen[u.index()] = true;
                        component.push(u);
                    }
                }
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }
}
