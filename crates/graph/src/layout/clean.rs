//! Test for drawings with straight edges: no crossings, and no vertices on each other or on edges.

use std::collections::HashMap;

use super::Place;

/// Minimum distance, in typical edge lengths. Anything closer counts as touching.
pub(super) const CLEAR: f64 = 0.12;
/// Minimum distance, in typical edge lengths, at which a gap is still visible.
pub(super) const NARROW: f64 = 0.06;
/// Maximum number of compared pairs of edges, per edge. A drawing that needs more counts as not
/// clean.
const COMPARISONS: usize = 400;
/// Maximum number of grid cells that the bounding box of an edge may cover in a clean drawing.
const CELLS: usize = 64;

/// Returns true if no two edges cross or touch, and if vertices keep a distance from each other and
/// from all edges except their own. The distance is `clearance` typical edge lengths.
pub(super) fn is_clean(places: &[Place], edges: &[(usize, usize)], clearance: f64) -> bool {
    let typical = typical_length(places, edges);
    let clearance = clearance * typical;
    let cell = |[x, y]: Place| ((x / typical).floor() as i64, (y / typical).floor() as i64);
    let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (number, &(a, b)) in edges.iter().enumerate() {
        let (a, b) = (places[a], places[b]);
        let low = cell([a[0].min(b[0]) - clearance, a[1].min(b[1]) - clearance]);
        let high = cell([a[0].max(b[0]) + clearance, a[1].max(b[1]) + clearance]);
        let (width, height) = (high.0 - low.0 + 1, high.1 - low.1 + 1);
        if width.saturating_mul(height) > CELLS as i64 {
            return false;
        }
        for x in low.0..=high.0 {
            for y in low.1..=high.1 {
                cells.entry((x, y)).or_default().push(number);
            }
        }
    }
    let mut left = COMPARISONS * (edges.len() + 1);
    for numbers in cells.values() {
        for (i, &first) in numbers.iter().enumerate() {
            for &second in &numbers[i + 1..] {
                left = match left.checked_sub(1) {
                    Some(left) => left,
                    None => return false,
                };
                if !apart(places, edges[first], edges[second], clearance) {
                    return false;
                }
            }
        }
    }
    true
}

/// Returns the number of pairs of edges that cross or come too close to each other. Compares all
/// pairs; intended for small graphs.
pub(super) fn faults(places: &[Place], edges: &[(usize, usize)]) -> usize {
    let clearance = CLEAR * typical_length(places, edges);
    let mut faults = 0;
    for (i, &first) in edges.iter().enumerate() {
        for &second in &edges[i + 1..] {
            faults += usize::from(!apart(places, first, second, clearance));
        }
    }
    faults
}

/// Returns the distance that 19 of 20 vertices keep from all other vertices and from all edges
/// except their own. The unit is the longer side, so the value describes the drawing when scaled to
/// fit a page. In large graphs, only a sample of the vertices is measured.
pub(super) fn air(places: &[Place], edges: &[(usize, usize)]) -> f64 {
    /// Approximate maximum number of distances to measure.
    const WORK: usize = 20_000_000;
    let stride = places.len() * (places.len() + edges.len()) / WORK + 1;
    let mut low = [f64::MAX; 2];
    let mut high = [f64::MIN; 2];
    for place in places {
        for axis in 0..2 {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
    }
    let side = (high[0] - low[0]).max(high[1] - low[1]).max(1e-12);
    let room = |v: usize| {
        let others = (0..places.len()).filter(|&u| u != v);
        let others = others.map(|u| length(places[v], places[u]));
        let edges = edges.iter().filter(|&&(a, b)| a != v && b != v);
        let edges = edges.map(|&(a, b)| to_segment(places[v], places[a], places[b]));
        others.chain(edges).fold(f64::MAX, f64::min)
    };
    let mut rooms: Vec<f64> = (0..places.len()).step_by(stride).map(room).collect();
    rooms.sort_unstable_by(f64::total_cmp);
    rooms.get(rooms.len() / 20).map_or(0.0, |room| room / side)
}

/// Returns the mean length of the edges, or 1 without edges.
pub(super) fn typical_length(places: &[Place], edges: &[(usize, usize)]) -> f64 {
    let sum: f64 = edges
        .iter()
        .map(|&(a, b)| length(places[a], places[b]))
        .sum();
    let mean = sum / edges.len().max(1) as f64;
    if mean > 1e-12 { mean } else { 1.0 }
}

/// Returns the distance of two locations. A square root is faster than `hypot` and is rounded the
/// same way on every machine.
pub fn length(a: Place, b: Place) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y).sqrt()
}

/// Returns twice the area of the triangle, positive if it is counterclockwise.
pub fn turn(a: Place, b: Place, c: Place) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns the distance of `p` from the segment.
pub fn to_segment(p: Place, a: Place, b: Place) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let share = if square > 0.0 {
        (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(p, [a[0] + share * along[0], a[1] + share * along[1]])
}

/// Returns true if two edges meet at most in a common end, and no end of one comes close to the
/// other.
fn apart(places: &[Place], (a, b): (usize, usize), (c, d): (usize, usize), clearance: f64) -> bool {
    let clear = |v: usize, (from, to): (usize, usize)| {
        v == from || v == to || to_segment(places[v], places[from], places[to]) > clearance
    };
    if !(clear(a, (c, d)) && clear(b, (c, d)) && clear(c, (a, b)) && clear(d, (a, b))) {
        return false;
    }
    if a == c || a == d || b == c || b == d {
        return true;
    }
    let [a, b, c, d] = [a, b, c, d].map(|v| places[v]);
    let crosses = turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0;
    !crosses
}
