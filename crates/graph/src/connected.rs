//! All connected graphs with a small number of vertices, one per isomorphism class.
//!
//! Every connected graph of n vertices has a vertex whose removal leaves it connected (a leaf of a
//! spanning tree). All such graphs therefore come from those of n - 1 vertices by adding one vertex
//! and joining it to some of the others. The canonical form ([`super::isomorphism`]) detects
//! duplicates. Each class is represented by its least adjacency code over all n! orders of the
//! vertices, which limits n.

use std::collections::BTreeSet;

use super::Graph;
use super::isomorphism::form;

/// Maximum number of vertices. 853 connected graphs have 7 vertices, 11,117 have 8.
pub const MOST_VERTICES: usize = 7;

/// Returns the connected graphs of `vertices` vertices up to isomorphism, sorted by number of
/// edges. Empty for 0 vertices or more than [`MOST_VERTICES`].
///
/// ```
/// use omnigo_graph::connected::connected_graphs;
/// let counts: Vec<usize> = (1..=5).map(|n| connected_graphs(n).len()).collect();
/// assert_eq!(counts, [1, 1, 2, 6, 21]);
/// ```
pub fn connected_graphs(vertices: usize) -> Vec<Graph> {
    if !(1..=MOST_VERTICES).contains(&vertices) {
        return Vec::new();
    }
    let mut codes = BTreeSet::from([0u32]);
    for n in 2..=vertices {
        let orders = orders(n);
        let mut forms = BTreeSet::new();
        codes = codes
            .iter()
            .flat_map(|&code| (1..1u32 << (n - 1)).map(move |joined| (code, joined)))
            .map(|(code, joined)| code | joined << pair(0, n - 1))
            .filter(|&code| forms.insert(form(&graph(code, n))))
            .map(|code| least(code, &orders))
            .collect();
    }
    let mut codes: Vec<u32> = codes.into_iter().collect();
    codes.sort_by_key(|code| (code.count_ones(), *code));
    codes
        .into_iter()
        .map(|code| graph(code, vertices))
        .collect()
}

/// Returns the bit of the edge between `a` and a greater `b`.
fn pair(a: usize, b: usize) -> usize {
    b * (b - 1) / 2 + a
}

fn edges(code: u32, vertices: usize) -> Vec<(u16, u16)> {
    let pairs = (1..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs
        .filter(|&(a, b)| code >> pair(a, b) & 1 == 1)
        .map(|(a, b)| (a as u16, b as u16))
        .collect()
}

fn graph(code: u32, vertices: usize) -> Graph {
    Graph::from_edges(vertices, &edges(code, vertices)).0
}

/// Returns all orders of n vertices.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for next in 0..n {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..=order.len()).map(|at| {
                    let mut longer = order.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    orders
}

/// Returns the least code over all orders.
fn least(code: u32, orders: &[Vec<usize>]) -> u32 {
    let n = orders.first().map_or(0, Vec::len);
    let edges = edges(code, n);
    let renamed = orders.iter().map(|order| {
        edges.iter().fold(0u32, |renamed, &(a, b)| {
            let (a, b) = (order[usize::from(a)], order[usize::from(b)]);
            renamed | 1 << pair(a.min(b), a.max(b))
        })
    });
    renamed.min().unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_graphs_are_as_many_as_published() {
        // OEIS A001349.
        let counts: Vec<usize> = (0..=6).map(|n| connected_graphs(n).len()).collect();
        assert_eq!(counts, [0, 1, 1, 2, 6, 21, 112]);
        assert!(connected_graphs(MOST_VERTICES + 1).is_empty());
        let five = connected_graphs(5);
        assert_eq!(five[0].edges(), 4);
        assert_eq!(five[20].edges(), 10);
    }
}
