//! Choice of the order in which vertices are colored, to keep the number of states small.
//!
//! Finding the best order is as hard as finding the pathwidth of the graph. This module tries three
//! kinds of orders and takes the cheapest by an estimate of the number of states:
//!
//! - The vertices by index.
//! - Rows: by the sum of the distances to two vertices, then by the distance to one of them. For
//!   two corners of a rectangle on the same side, this is row by row.
//! - Greedy orders from several starts: the next vertex is one that leaves the fewest classes.

use super::cut::{Classes, MOST_CLASSES};
use omnigo_base::vertex::Vertex;
use omnigo_graph::Graph;

/// Maximum work for row orders: visits to vertices, neighbors, and classes, approximately. Greedy
/// orders stop at twice this total.
const WORK: usize = 20_000_000;
/// Maximum number of vertices whose distances are used for row orders.
const MOST_ENDS: usize = 24;

/// An order of the vertices with its estimated cost.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// All vertices, each once.
    pub(super) vertices: Vec<Vertex>,
    /// Maximum number of classes at once.
    pub(super) classes: usize,
    /// Estimated maximum number of states at once, as a logarithm to base 2.
    pub(super) most: u32,
    /// Cost to minimize: the sum over all layers of the estimated number of states to the power of
    /// 3/2. A state of a large layer costs more, because the layer no longer fits in the caches,
    /// and memory is the limit. Example: on a square, an order by diagonals has as few states as
    /// one by rows, but all of them in the middle layers.
    sum: u128,
}

/// Returns an order of the vertices of a connected graph with few states, or `None` if no order
/// with at most [`MOST_CLASSES`] classes was found.
pub(super) fn good(graph: &Graph) -> Option<Order> {
    let mut best: Option<Order> = None;
    let mut work = 0;
    let mut consider = |vertices: Vec<Vertex>, work: &mut usize| {
        if let Some(order) = estimate(graph, vertices, work)
            && best.as_ref().is_none_or(|best| order.sum < best.sum)
        {
            best = Some(order);
        }
    };
    consider(graph.all().collect(), &mut work);
    // Vertices of low degree, such as ends of paths and corners of grids, are good starts.
    let mut starts: Vec<Vertex> = graph.all().collect();
    starts.sort_by_key(|&v| graph.degree(v));
    let ends: Vec<(Vertex, Vec<usize>)> = starts
        .iter()
        .take(MOST_ENDS)
        .map(|&v| (v, distances(graph, v)))
        .collect();
    for (i, (_, from)) in ends.iter().enumerate() {
        for (_, to) in &ends[..=i] {
            if work > WORK {
                break;
            }
            let mut rows: Vec<Vertex> = graph.all().collect();
            rows.sort_by_key(|v| (from[v.index()] + to[v.index()], from[v.index()]));
            consider(rows, &mut work);
        }
    }
    for start in starts {
        if work > 2 * WORK {
            break;
        }
        if let Some(order) = greedy(graph, start, &mut work) {
            consider(order, &mut work);
        }
    }
    best
}

/// Estimates the cost of an order. Returns [`None`] if there are too many classes.
///
/// A colored vertex with uncolored neighbors has five possible states: empty, or a stone of either
/// color with or without a liberty. Some of these cannot be adjacent. The number of states is also
/// bounded by the number of classes and by the number of colorings.
fn estimate(graph: &Graph, vertices: Vec<Vertex>, work: &mut usize) -> Option<Order> {
    /// Logarithms to base 2, times 100. `STATES` is five states per vertex. `AGREEMENT` is a factor
    /// of about 4/5 per edge, which on rectangles gives the 4.15 states per column that were
    /// measured. `COLORS` is three colors per vertex.
    const STATES: usize = 232;
    const AGREEMENT: usize = 30;
    const COLORS: usize = 158;
    let mut classes = Classes::new(graph);
    let mut later: Vec<usize> = graph.all().map(|v| graph.degree(v)).collect();
    let mut inner = vec![false; graph.vertices()];
    let (mut size, mut edges) = (0usize, 0usize);
    let (mut most, mut widest, mut sum) = (0, 0, 0u128);
    for (number, &vertex) in vertices.iter().enumerate() {
        *work += classes.count() + graph.degree(vertex) + 1;
        classes.color(vertex);
        if classes.count() > MOST_CLASSES {
            return None;
        }
        let beside = |v: Vertex, inner: &[bool]| {
            let near = graph.neighbors(v).iter();
            near.filter(|u| inner[u.index()]).count()
        };
        edges += beside(vertex, &inner);
        size += 1;
        inner[vertex.index()] = true;
        let near = graph.neighbors(vertex).iter().copied();
        for v in near.chain([vertex]) {
            if v != vertex {
                later[v.index()] -= 1;
            }
            if inner[v.index()] && later[v.index()] == 0 {
                inner[v.index()] = false;
                edges -= beside(v, &inner);
                size -= 1;
            }
        }
        let cost = (STATES * size)
            .saturating_sub(AGREEMENT * edges)
            .min(STATES * classes.count())
            .min(COLORS * (number + 1));
        let power = (cost / 100) as u32;
        most = most.max(power);
        widest = widest.max(classes.count());
        // Interpolate linearly between powers of two.
        let worth = cost * 3 / 2;
        let step = 1u128
            .checked_shl((worth / 100) as u32)
            .unwrap_or(u128::MAX >> 8);
        let part = step.saturating_mul(100 + (worth % 100) as u128) / 100;
        sum = sum.saturating_add(part);
    }
    Some(Order {
        vertices,
        classes: widest,
        most,
        sum,
    })
}

/// Returns the distance of every vertex of a connected graph from `start`.
fn distances(graph: &Graph, start: Vertex) -> Vec<usize> {
    let mut distance = vec![usize::MAX; graph.vertices()];
    let mut reached = vec![start];
    distance[start.index()] = 0;
    let mut next = 0;
    while let Some(&vertex) = reached.get(next) {
        next += 1;
        for &near in graph.neighbors(vertex) {
            if distance[near.index()] == usize::MAX {
                distance[near.index()] = distance[vertex.index()] + 1;
                reached.push(near);
            }
        }
    }
    distance
}

fn greedy(graph: &Graph, start: Vertex, work: &mut usize) -> Option<Vec<Vertex>> {
    let mut classes = Classes::new(graph);
    let mut order = Vec::with_capacity(graph.vertices());
    let mut next = Some(start);
    while let Some(vertex) = next {
        order.push(vertex);
        classes.color(vertex);
        if classes.count() > MOST_CLASSES {
            return None;
        }
        let candidates = classes.candidates();
        next = candidates.min_by_key(|&v| {
            *work += graph.degree(v) + 1;
            classes.count_after(v)
        });
    }
    Some(order)
}
