//! Automorphisms and canonical forms of small graphs.
//!
//! The canonical form is the least adjacency matrix over the orders of the vertices that sort them
//! by their classes of color refinement.

use super::Graph;

/// Maximum number of vertices. This simple method takes too long for larger graphs.
pub const MOST_VERTICES: usize = 8;

/// Adjacency rows of a graph: bit j of row i is the edge i-j.
type Rows = [u8; MOST_VERTICES];

/// Returns the number of automorphisms of a graph, or `None` if it has more than [`MOST_VERTICES`]
/// vertices.
pub fn automorphisms(graph: &Graph) -> Option<u32> {
    let rows = rows(graph)?;
    let n = graph.vertices();
    let identity: Vec<usize> = (0..n).collect();
    let own = code(&rows, &identity);
    let mut count = 0;
    // Automorphisms keep the classes, so only orders with the identity's sequence of classes
    // qualify.
    let classes = refine(&rows, n);
    arrange(
        &mut Vec::new(),
        n,
        &|place, v| classes[place] == classes[v],
        &mut |order| {
            count += u32::from(code(&rows, order) == own);
        },
    );
    Some(count)
}

/// Returns the canonical form, or `None` above [`MOST_VERTICES`] vertices. Graphs of the same size
/// have the same form exactly if they are isomorphic.
pub fn form(graph: &Graph) -> Option<u32> {
    rows(graph).map(|rows| canonical(&rows, graph.vertices()))
}

fn rows(graph: &Graph) -> Option<Rows> {
    if graph.vertices() > MOST_VERTICES {
        return None;
    }
    let mut rows = Rows::default();
    for v in graph.all() {
        for u in graph.neighbors(v) {
            rows[v.index()] |= 1 << u.index();
        }
    }
    Some(rows)
}

/// Returns the pairs of vertices in the order of the bits of a code.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..n).flat_map(|j| (0..j).map(move |i| (i, j)))
}

/// Returns the code of the graph whose vertex i is `order[i]`.
fn code(rows: &Rows, order: &[usize]) -> u32 {
    let bits = pairs(order.len()).enumerate();
    bits.fold(0, |code, (bit, (i, j))| {
        code | u32::from(rows[order[i]] >> order[j] & 1) << bit
    })
}

/// Returns the least code over all orders in which the classes ascend.
fn canonical(rows: &Rows, n: usize) -> u32 {
    let classes = refine(rows, n);
    let mut sorted = classes.clone();
    sorted.sort_unstable();
    let mut least = u32::MAX;
    arrange(
        &mut Vec::new(),
        n,
        &|place, v| sorted[place] == classes[v],
        &mut |order| {
            least = least.min(code(rows, order));
        },
    );
    least
}

/// Color refinement: returns a class for each vertex that depends on the graph alone. Vertices of
/// the same class have neighbors of the same classes.
fn refine(rows: &Rows, n: usize) -> Vec<usize> {
    let mut classes = vec![0usize; n];
    for _ in 0..n {
        let looks: Vec<(usize, Vec<usize>)> = (0..n)
            .map(|v| {
                let near = (0..n).filter(|&u| rows[v] >> u & 1 == 1);
                let mut near: Vec<usize> = near.map(|u| classes[u]).collect();
                near.sort_unstable();
                (classes[v], near)
            })
            .collect();
        let mut kinds: Vec<&(usize, Vec<usize>)> = looks.iter().collect();
        kinds.sort_unstable();
        kinds.dedup();
        classes = looks
            .iter()
            .map(|look| kinds.binary_search(&look).unwrap_or(0))
            .collect();
    }
    classes
}

/// Calls `visit` with every order of `n` vertices in which `fits` accepts each vertex at its index.
fn arrange(
    order: &mut Vec<usize>,
    n: usize,
    fits: &impl Fn(usize, usize) -> bool,
    visit: &mut impl FnMut(&[usize]),
) {
    if order.len() == n {
        visit(order);
        return;
    }
    for v in 0..n {
        if !order.contains(&v) && fits(order.len(), v) {
            order.push(v);
            arrange(order, n, fits, visit);
            order.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connected::connected_graphs;
    use std::collections::BTreeSet;

    #[test]
    fn automorphisms_and_forms_agree_with_published_counts() {
        // Number of labeled connected graphs, OEIS A001187: each graph counts n! divided by its
        // number of automorphisms.
        let labeled = |n: usize| -> u32 {
            let factorial: u32 = (1..=n as u32).product();
            let graphs = connected_graphs(n);
            graphs
                .iter()
                .map(|g| factorial / automorphisms(g).unwrap())
                .sum()
        };
        assert_eq!([3, 4, 5, 6].map(labeled), [4, 38, 728, 26704]);
        let forms: BTreeSet<u32> = connected_graphs(6).iter().filter_map(form).collect();
        assert_eq!(forms.len(), 112);
        let turned = Graph::from_edges(4, &[(2, 0), (0, 3), (3, 1)]).0;
        let path = Graph::from_edges(4, &[(0, 1), (1, 2), (2, 3)]).0;
        assert_eq!(form(&turned), form(&path));
    }
}
