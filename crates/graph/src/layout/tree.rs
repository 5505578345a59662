//! Draws trees in rings around their center.
//!
//! Each vertex gets a wedge proportional to its number of leaves, but narrow enough that its edges
//! stay between two rings: P. Eades, *Drawing Free Trees* (1992). There are no crossings.

use std::f64::consts::TAU;

use super::{Part, Place};

/// Draws a tree.
pub(super) fn draw(part: &Part) -> Vec<Place> {
    let n = part.len();
    let root = middle(part);
    let depth = part.distances(root);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by_key(|&v| (depth[v], v));
    let children = |v: usize| {
        let row = part.rows[v].iter().copied();
        row.filter(|&u| depth[u] > depth[v]).collect::<Vec<_>>()
    };
    let mut leaves = vec![0usize; n];
    for &v in order.iter().rev() {
        leaves[v] = children(v).iter().map(|&u| leaves[u]).sum::<usize>().max(1);
    }
    let mut places = vec![[0.0, 0.0]; n];
    // Wedge of each vertex: start angle and width.
    let mut wedge = vec![(0.0, TAU); n];
    // Make the distance between rings large enough for the fullest ring.
    let widest = (1..=depth.iter().copied().max().unwrap_or(0))
        .map(|ring| depth.iter().filter(|&&d| d == ring).count() as f64 / f64::from(ring))
        .fold(0.0, f64::max);
    let step = (widest / TAU).max(1.0);
    for &v in &order {
        let (start, width) = wedge[v];
        let radius = f64::from(depth[v]) * step;
        let angle = start + width / 2.0;
        places[v] = [radius * angle.cos(), radius * angle.sin()];
        let (mut start, mut width) = (start, width);
        if depth[v] > 0 {
            let most = 2.0 * (f64::from(depth[v]) / f64::from(depth[v] + 1)).acos();
            if width > most {
                start += (width - most) / 2.0;
                width = most;
            }
        }
        for u in children(v) {
            let share = width * leaves[u] as f64 / leaves[v] as f64;
            wedge[u] = (start, share);
            start += share;
        }
    }
    places
}

/// Returns the vertex in the middle of a longest path.
fn middle(part: &Part) -> usize {
    let farthest = |from: usize| {
        let distances = part.distances(from);
        (0..part.len())
            .max_by_key(|&v| (distances[v], part.len() - v))
            .unwrap_or(0)
    };
    let one = farthest(0);
    let other = farthest(one);
    let (from, to) = (part.distances(one), part.distances(other));
    let length = from[other];
    (0..part.len())
        .find(|&v| from[v] == length / 2 && from[v] + to[v] == length)
        .unwrap_or(one)
}
