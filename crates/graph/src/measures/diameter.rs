//! Diameter of a connected graph, exact and with a limit of work.
//!
//! Single searches first bound the eccentricities of all vertices by the triangle inequality; each
//! starts where the bounds are most open (F. W. Takes and W. A. Kosters, *Determining the diameter
//! of small world networks*, 2011). This settles most graphs after a few searches. In regular
//! graphs most bounds stay open. Then 64 vertices search at once, one bit each (M. Then and
//! others, *The More the Merrier: Efficient Multi-Source Graph Traversal*, 2014).

use crate::Graph;
use omnigo_base::vertex::Vertex;

/// Maximum number of arcs and vertices that single searches visit.
const SINGLE: u64 = 60_000_000;
/// Maximum number of arcs and vertices that searches of 64 vertices visit.
const JOINT: u64 = 400_000_000;
/// Marks vertices that have not been reached.
const FAR: u32 = u32::MAX;

/// Returns the largest distance in a connected graph, or `None` if finding it takes too long.
pub fn diameter(graph: &Graph) -> Option<usize> {
    let n = graph.vertices();
    if n == 0 {
        return None;
    }
    let mut bounds = Bounds {
        low: vec![0; n],
        high: vec![FAR; n],
        open: graph.all().collect(),
        least: 0,
    };
    if !bounds.narrow(graph) {
        bounds.settle(graph)?;
    }
    Some(bounds.least as usize)
}

/// Bounds of the eccentricity of each vertex.
struct Bounds {
    low: Vec<u32>,
    high: Vec<u32>,
    /// Vertices whose eccentricity may be above `least`.
    open: Vec<Vertex>,
    /// Largest distance that is known to occur.
    least: u32,
}

impl Bounds {
    /// Runs single searches until no vertex is open. Returns false if the work limit is reached.
    fn narrow(&mut self, graph: &Graph) -> bool {
        let n = graph.vertices();
        let mut left = SINGLE;
        let mut upper = true;
        let mut distance = vec![FAR; n];
        let mut queue: Vec<Vertex> = Vec::with_capacity(n);
        while let Some(&any) = self.open.first() {
            // Alternate between the vertex that may be most remote and the one that may be most
            // central.
            let key = |v: &Vertex| {
                if upper {
                    u32::MAX - self.high[v.index()]
                } else {
                    self.low[v.index()]
                }
            };
            let root = self.open.iter().copied().min_by_key(key).unwrap_or(any);
            upper = !upper;
            distance.fill(FAR);
            queue.clear();
            queue.push(root);
            distance[root.index()] = 0;
            let mut work = 3 * n as u64;
            let mut at = 0;
            // Stop once all vertices are reached. In a dense graph, a few rows suffice.
            while queue.len() < n
                && let Some(&v) = queue.get(at)
            {
                at += 1;
                work += graph.degree(v) as u64;
                for &u in graph.neighbors(v) {
                    if distance[u.index()] == FAR {
                        distance[u.index()] = distance[v.index()] + 1;
                        queue.push(u);
                    }
                }
            }
            let eccentricity = queue.last().map_or(0, |v| distance[v.index()]);
            self.least = self.least.max(eccentricity);
            for v in graph.all() {
                let d = distance[v.index()];
                let low = &mut self.low[v.index()];
                *low = (*low).max(d.max(eccentricity.saturating_sub(d)));
                self.least = self.least.max(*low);
                let high = &mut self.high[v.index()];
                *high = (*high).min(eccentricity.saturating_add(d));
            }
            let (high, least) = (&self.high, self.least);
            self.open.retain(|v| *v != root && high[v.index()] > least);
            left = left.saturating_sub(work);
            if left == 0 && !self.open.is_empty() {
                return false;
            }
        }
        true
    }

    /// Searches from all open vertices, 64 at once. Returns `None` if the work would exceed the
    /// limit.
    fn settle(&mut self, graph: &Graph) -> Option<()> {
        let mut left = JOINT;
        let mut search = Joint::new(graph);
        let open = std::mem::take(&mut self.open);
        let batches = open.chunks(64);
        let count = batches.len() as u64;
        for (number, batch) in batches.enumerate() {
            let sources = batch.iter().copied();
            let sources: Vec<Vertex> = sources
                .filter(|v| self.high[v.index()] > self.least)
                .collect();
            let before = left;
            self.least = self.least.max(search.farthest(&sources, &mut left)?);
            // All batches take about as long as the first one.
            if number == 0 && (before - left).saturating_mul(count) > JOINT {
                return None;
            }
        }
        Some(())
    }
}

/// Search from up to 64 vertices at once. Bit `i` of a word stands for source `i`.
struct Joint<'a> {
    graph: &'a Graph,
    seen: Vec<u64>,
    /// Sources whose search reached the vertex in the last step.
    fresh: Vec<u64>,
    next: Vec<u64>,
}

impl Joint<'_> {
    fn new(graph: &Graph) -> Joint<'_> {
        let words = || vec![0; graph.vertices()];
        Joint {
            graph,
            seen: words(),
            fresh: words(),
            next: words(),
        }
    }

    /// Returns the largest distance from one of the sources, at most 64. Returns `None` if `left`
    /// arcs and vertices do not suffice.
    fn farthest(&mut self, sources: &[Vertex], left: &mut u64) -> Option<u32> {
        self.seen.fill(0);
        *left = left.checked_sub(self.seen.len() as u64 / 8)?;
        let mut active: Vec<Vertex> = Vec::new();
        for (bit, &v) in sources.iter().enumerate() {
            self.seen[v.index()] |= 1 << bit;
            self.fresh[v.index()] |= 1 << bit;
            active.push(v);
        }
        let mut steps = 0;
        loop {
            let mut reached: Vec<Vertex> = Vec::new();
            for &v in &active {
                let fresh = std::mem::take(&mut self.fresh[v.index()]);
                *left = left.checked_sub(1 + self.graph.degree(v) as u64)?;
                for &u in self.graph.neighbors(v) {
                    let new = fresh & !self.seen[u.index()];
                    if new != 0 {
                        if self.next[u.index()] == 0 {
                            reached.push(u);
                        }
                        self.next[u.index()] |= new;
                    }
                }
            }
            if reached.is_empty() {
                return Some(steps);
            }
            steps += 1;
            for &u in &reached {
                self.seen[u.index()] |= self.next[u.index()];
            }
            std::mem::swap(&mut self.fresh, &mut self.next);
            active = reached;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn graph(text: &str) -> std::sync::Arc<Graph> {
        text.parse::<Spec>().unwrap().build().unwrap().graph
    }

    #[test]
    fn joint_searches_agree_with_single_ones() {
        for text in [
            "torus:12x9",
            "regular:300,3",
            "path:70",
            "petersen",
            "tree:2,6",
        ] {
            let graph = graph(text);
            let mut bounds = Bounds {
                low: vec![0; graph.vertices()],
                high: vec![FAR; graph.vertices()],
                open: graph.all().collect(),
                least: 0,
            };
            bounds.settle(&graph).unwrap();
            assert_eq!(Some(bounds.least as usize), diameter(&graph), "{text}");
        }
    }

    /// Single searches settle only one vertex each in a torus.
    #[test]
    fn the_diameter_of_a_large_torus_is_computed() {
        assert_eq!(diameter(&graph("torus:80x80")), Some(80));
    }

    #[test]
    fn the_work_is_bounded() {
        assert_eq!(diameter(&graph("regular:60000,3")), None);
    }
}
