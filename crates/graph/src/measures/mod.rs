//! Standard measures of a graph, as printed by `omnigo graph SPEC --info`.

mod diameter;
mod symmetry;

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::Graph;
use super::planar::Embedding;
use omnigo_base::vertex::Vertex;

pub use diameter::diameter;
pub use symmetry::automorphisms;

/// Measures of a graph. Infinite values are `None`. Limits count steps, so whether a value is
/// computed does not depend on the machine.
///
/// ```
/// use omnigo_graph::measures::Measures;
/// use omnigo_graph::spec::Spec;
/// let petersen = "petersen".parse::<Spec>().unwrap().build().unwrap();
/// let measures = Measures::of(&petersen.graph);
/// assert_eq!((measures.girth, measures.diameter), (Some(5), Some(2)));
/// assert_eq!((measures.bipartite, measures.planar), (false, false));
/// assert_eq!(measures.automorphisms.as_deref(), Some("120"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Measures {
    /// Number of vertices of each degree.
    pub degrees: BTreeMap<usize, usize>,
    /// Number of connected components.
    pub components: usize,
    /// Length of a shortest cycle. `None` without cycles, or if finding it takes too long.
    pub girth: Option<usize>,
    /// Largest distance between two vertices. `None` if the graph is not connected, or if finding
    /// it takes too long.
    pub diameter: Option<usize>,
    /// True if two colors suffice for a proper coloring of the vertices.
    pub bipartite: bool,
    /// True if the graph can be drawn without crossings.
    pub planar: bool,
    /// Order of the automorphism group in decimal; `None` if it would take too long to compute.
    pub automorphisms: Option<String>,
}

impl Measures {
    /// Returns all measures of the graph.
    pub fn of(graph: &Graph) -> Measures {
        let (components, bipartite) = components(graph);
        let mut degrees = BTreeMap::new();
        for v in graph.all() {
            *degrees.entry(graph.degree(v)).or_default() += 1;
        }
        Measures {
            degrees,
            components,
            girth: girth(graph),
            diameter: if components == 1 {
                diameter(graph)
            } else {
                None
            },
            bipartite,
            planar: Embedding::of(graph).is_some(),
            automorphisms: automorphisms(graph),
        }
    }
}

/// Marks vertices that have not been reached.
const FAR: u32 = u32::MAX;

/// Returns the number of connected components, and true if all of them are bipartite.
pub(super) fn components(graph: &Graph) -> (usize, bool) {
    let mut distance = vec![FAR; graph.vertices()];
    let mut queue = VecDeque::new();
    let (mut count, mut bipartite) = (0, true);
    for root in graph.all() {
        if distance[root.index()] != FAR {
            continue;
        }
        count += 1;
        distance[root.index()] = 0;
        queue.push_back(root);
        while let Some(v) = queue.pop_front() {
            let next = distance[v.index()] + 1;
            for &u in graph.neighbors(v) {
                if distance[u.index()] == FAR {
                    distance[u.index()] = next;
                    queue.push_back(u);
                } else if distance[u.index()] % 2 != next % 2 {
                    bipartite = false;
                }
            }
        }
    }
    (count, bipartite)
}

/// Returns the length of a shortest cycle. Returns `None` without cycles, or if finding it takes
/// too long.
///
/// Runs breadth-first searches from enough vertices that every cycle passes through one of them.
/// Each search stops at half the length of the shortest cycle so far. A vertex is removed after the
/// search from it.
pub fn girth(graph: &Graph) -> Option<usize> {
    /// Maximum number of arcs to follow, about one second.
    const WORK: u64 = 300_000_000;
    let mut left = WORK;
    let n = graph.vertices();
    let (components, bipartite) = components(graph);
    if graph.edges() + components == n {
        return None;
    }
    // Removing leaves repeatedly keeps every cycle.
    let mut degree: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
    let mut leaves: Vec<Vertex> = graph.all().filter(|v| degree[v.index()] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        degree[leaf.index()] = 0;
        for &u in graph.neighbors(leaf) {
            if degree[u.index()] > 0 {
                degree[u.index()] -= 1;
                if degree[u.index()] == 1 {
                    leaves.push(u);
                }
            }
        }
    }
    let mut gone: Vec<bool> = degree.iter().map(|&d| d < 2).collect();
    let mut shortest = u32::MAX;
    let mut distance = vec![FAR; n];
    let mut parent = vec![Vertex::NONE; n];
    let mut reached: Vec<Vertex> = Vec::new();
    // A ring without vertices of higher degree needs only one search, which removes all of it.
    let branching = graph.all().filter(|v| degree[v.index()] > 2);
    let rings = graph.all().filter(|v| degree[v.index()] == 2);
    for root in branching.chain(rings) {
        if gone[root.index()] {
            continue;
        }
        distance[root.index()] = 0;
        reached.push(root);
        let mut at = 0;
        let mut whole = true;
        while let Some(&v) = reached.get(at) {
            at += 1;
            let next = distance[v.index()] + 1;
            // An arc from here closes a cycle of at least `2 * next - 1` edges. A bipartite graph
            // has no odd cycles.
            let least = 2 * next - u32::from(!bipartite);
            if least >= shortest {
                whole = false;
                break;
            }
            left = left.checked_sub(1 + graph.degree(v) as u64)?;
            for &u in graph.neighbors(v).iter().filter(|u| !gone[u.index()]) {
                if distance[u.index()] == FAR {
                    distance[u.index()] = next;
                    parent[u.index()] = v;
                    reached.push(u);
                } else if parent[v.index()] != u {
                    shortest = shortest.min(distance[u.index()] + next);
                }
            }
        }
        let ring = degree[root.index()] == 2;
        for &v in &reached {
            distance[v.index()] = FAR;
            parent[v.index()] = Vertex::NONE;
            gone[v.index()] |= ring && whole;
        }
        gone[root.index()] = true;
        reached.clear();
        if shortest == 3 {
            break;
        }
    }
    Some(shortest as usize)
}

#[cfg(test)]
mod tests {
    mod published;

    use super::*;
    use crate::spec::Spec;

    fn graph(text: &str) -> std::sync::Arc<Graph> {
        text.parse::<Spec>().unwrap().build().unwrap().graph
    }

    /// Computes the distances of all pairs by repeated relaxation.
    fn slow_diameter(graph: &Graph) -> Option<usize> {
        let n = graph.vertices();
        let mut far = vec![vec![usize::MAX / 2; n]; n];
        for v in graph.all() {
            far[v.index()][v.index()] = 0;
            for u in graph.neighbors(v) {
                far[v.index()][u.index()] = 1;
            }
        }
        for k in 0..n {
            for a in 0..n {
                for b in 0..n {
                    far[a][b] = far[a][b].min(far[a][k] + far[k][b]);
                }
            }
        }
        let most = far.into_iter().flatten().max()?;
        (most < usize::MAX / 2).then_some(most)
    }

    /// For every edge, finds the shortest path between its ends without the edge.
    fn slow_girth(graph: &Graph) -> Option<usize> {
        let n = graph.vertices();
        let mut shortest = usize::MAX;
        for a in graph.all() {
            for &b in graph.neighbors(a) {
                let mut distance = vec![usize::MAX; n];
                distance[a.index()] = 0;
                let mut queue = VecDeque::from([a]);
                while let Some(v) = queue.pop_front() {
                    for &u in graph.neighbors(v) {
                        if (v, u) != (a, b) && distance[u.index()] == usize::MAX {
                            distance[u.index()] = distance[v.index()] + 1;
                            queue.push_back(u);
                        }
                    }
                }
                shortest = shortest.min(distance[b.index()].saturating_add(1));
            }
        }
        (shortest != usize::MAX).then_some(shortest)
    }

    #[test]
    fn fast_measures_agree_with_the_reference_implementation() {
        let mut texts: Vec<String> = [
            "edges:",
            "path:1",
            "path:6",
            "cycle:9",
            "petersen",
            "cycle:5+path:3",
            "torus:4x5",
            "tree:2,3",
            "cycle:8+cycle:5+cycle:6",
            "edges:a-b,b-c,c-d,d-e,e-f,f-d",
            "hypercube:4",
        ]
        .map(String::from)
        .to_vec();
        for seed in 0..40 {
            texts.push(format!("gnm:14,{},{seed}", 8 + seed % 12));
        }
        for text in texts {
            let graph = graph(&text);
            assert_eq!(girth(&graph), slow_girth(&graph), "{text}");
            let (components, _) = components(&graph);
            if components == 1 {
                assert_eq!(diameter(&graph), slow_diameter(&graph), "{text}");
            }
        }
    }

    #[test]
    fn the_empty_graph_has_measures() {
        let measures = Measures::of(&graph("edges:"));
        assert_eq!(
            (measures.components, measures.girth, measures.diameter),
            (0, None, None)
        );
        assert!(measures.bipartite && measures.planar);
        assert_eq!(measures.automorphisms.as_deref(), Some("1"));
    }
}
