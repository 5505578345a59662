//! Curved edges. An edge that would run through a third point is drawn as a curve, so that it is
//! not mistaken for two edges.

use std::collections::HashMap;

use omnigo_graph::layout::{Place, length, to_segment};

/// Maximum number of distances that are computed, so that a large board takes no longer than its
/// drawing.
const DISTANCES: usize = 20_000_000;
/// Distance from an edge, in stone radii, below which a point hides the edge.
const HIDDEN: f64 = 0.15;
/// Distances of the middle of a curve from the straight line, in stone radii, in the order in which
/// they are tried.
const BENDS: [f64; 6] = [0.9, -0.9, 1.5, -1.5, 2.4, -2.4];
/// Distance between a curve and other points, in stone radii, that is good enough.
const CLEAR: f64 = 0.55;
/// Number of steps in which a curve is checked.
const STEPS: usize = 12;

/// Returns the control point of the quadratic curve for each edge that needs one.
pub(super) fn bends(
    places: &[Place],
    edges: &[(usize, usize)],
    radius: f64,
) -> HashMap<(usize, usize), Place> {
    let mut bends = HashMap::new();
    let mut left = DISTANCES;
    for &(a, b) in edges {
        let (Some(&from), Some(&to)) = (places.get(a), places.get(b)) else {
            continue;
        };
        if left < places.len() {
            break;
        }
        left -= places.len();
        let others = || {
            let places = places.iter().enumerate();
            places.filter(|&(v, _)| v != a && v != b).map(|(_, p)| *p)
        };
        if others().all(|place| to_segment(place, from, to) >= HIDDEN * radius) {
            continue;
        }
        let clearance = |control: Place| {
            let apart = (1..STEPS).flat_map(|step| {
                let on = on_curve(from, control, to, step as f64 / STEPS as f64);
                others().map(move |place| length(on, place))
            });
            apart.fold(f64::MAX, f64::min)
        };
        let mut best: Option<(f64, Place)> = None;
        for bend in BENDS {
            let work = places.len() * STEPS;
            if left < work {
                break;
            }
            left -= work;
            let control = control(from, to, bend * radius);
            let clear = clearance(control).min(CLEAR * radius);
            if best.is_none_or(|(other, _)| clear > other) {
                best = Some((clear, control));
            }
        }
        bends.extend(best.map(|(_, control)| ((a, b), control)));
    }
    bends
}

/// Returns the control point of a curve whose middle is `aside` away from the straight line, to one
/// side.
fn control(from: Place, to: Place, aside: f64) -> Place {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1e-9);
    // The middle of the curve is half as far out as its control point.
    let out = 2.0 * aside / length;
    [
        (from[0] + to[0]) / 2.0 - out * dy,
        (from[1] + to[1]) / 2.0 + out * dx,
    ]
}

pub(super) fn on_curve(from: Place, control: Place, to: Place, t: f64) -> Place {
    let s = 1.0 - t;
    let (a, b, c) = (s * s, 2.0 * s * t, t * t);
    [
        a * from[0] + b * control[0] + c * to[0],
        a * from[1] + b * control[1] + c * to[1],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_through_a_third_point_are_bent_around_it() {
        let places = [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [2.0, 2.0]];
        let edges = [(0, 1), (0, 2), (1, 2), (0, 3)];
        let bends = bends(&places, &edges, 1.0);
        assert_eq!(bends.len(), 1);
        let middle = on_curve(places[0], bends[&(0, 2)], places[2], 0.5);
        assert!(length(middle, places[1]) > 0.8, "{middle:?}");
        assert!(length(middle, places[3]) > 0.8, "{middle:?}");
    }

    #[test]
    fn edges_between_coinciding_points_are_bent() {
        assert!(bends(&[[1.0, 1.0]; 3], &[(0, 1), (1, 2)], 1.0).len() == 2);
        assert!(bends(&[], &[(0, 1)], 1.0).is_empty());
    }
}
