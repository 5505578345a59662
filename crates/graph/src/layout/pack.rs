//! Arranges components side by side, in rows.

use super::Place;

/// Space between components, in edge lengths.
const GAP: f64 = 1.0;

/// Returns a shift for each drawing so that they do not touch. Drawings are placed in order, in
/// rows from the top. The whole is slightly wider than high.
pub(super) fn shifts(drawings: &[&[Place]]) -> Vec<Place> {
    let boxes: Vec<[Place; 2]> = drawings.iter().map(|places| bounds(places)).collect();
    if boxes.len() < 2 {
        return vec![[0.0, 0.0]; boxes.len()];
    }
    let size = |[low, high]: &[Place; 2]| [high[0] - low[0] + GAP, high[1] - low[1] + GAP];
    let area: f64 = boxes.iter().map(size).map(|[w, h]| w * h).sum();
    let widest = boxes.iter().map(|b| size(b)[0]).fold(0.0, f64::max);
    // Slightly wider than high, like pages and screens.
    let width = (area * 1.5).sqrt().max(widest) + 1e-9;
    let mut shifts = Vec::with_capacity(boxes.len());
    let (mut x, mut top, mut deepest) = (0.0, 0.0, 0.0f64);
    for b in &boxes {
        let [w, h] = size(b);
        if x > 0.0 && x + w > width {
            top -= deepest;
            (x, deepest) = (0.0, 0.0);
        }
        shifts.push([x - b[0][0], top - b[1][1]]);
        x += w;
        deepest = deepest.max(h);
    }
    shifts
}

/// Returns the lower left and the upper right corner.
fn bounds(places: &[Place]) -> [Place; 2] {
    let mut low = [f64::MAX; 2];
    let mut high = [f64::MIN; 2];
    for place in places {
        for axis in 0..2 {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
    }
    if places.is_empty() {
        [[0.0; 2]; 2]
    } else {
        [low, high]
    }
}
