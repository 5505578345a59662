//! The order in which vertices are colored: what keeps the states few.
//!
//! Finding the best order is as hard as finding the pathwidth of the graph. Tried are the vertices by index, greedily from
//! several starts, where the vertex that leaves the fewest classes comes next, and in rows: by the sum of the distances to
//! two vertices, then by the distance to one of them, which on a rectangle with two corners is row by row. The cheapest by
//! an estimate of the states is taken.

use super::cut::{Classes, MOST_CLASSES};
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Vertices, neighbors and classes gone through at most, more or less.
const WORK: usize = 20_000_000;
/// Vertices that rows are measured from.
const MOST_ENDS: usize = 24;

/// An order with what it is expected to cost.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Every vertex once.
    pub(super) vertices: Vec<Vertex>,
    /// The most classes at once.
    pub(super) classes: usize,
    /// Estimate of the most states at once, as a power of two.
    pub(super) most: u32,
    /// What is minimized: estimated states to the power of 3/2, added up. A state of a large layer costs more, since that has
    /// left the caches, and memory is what runs out. Squares by diagonals have as few states as by rows, but all in the middle.
    sum: u128,
}

/// An order of the vertices of a connected graph with few states, if any has at most [`MOST_CLASSES`] classes.
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
    // Ends of paths and corners of grids are good to start from.
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

/// What an order is expected to cost; [`None`] where the classes are too many.
///
/// A colored vertex beside later ones is open, living or needy of either color: five states, some of which
/// no adjacent pair can have. Nor is there more to tell than the classes do, or the colorings.
fn estimate(graph: &Graph, vertices: Vec<Vertex>, work: &mut usize) -> Option<Order> {
    /// Hundredths of a power of two: five states a vertex, four fifths an edge, which on rectangles gives the 4.15 states
    /// a column that are found.
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
        // Between powers of two, linearly.
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

/// The distance of every vertex of a connected graph from `start`.
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
