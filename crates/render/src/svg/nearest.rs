//! Distance from each location to the nearest other one.

use omnigo_base::hash::FastMap;
use omnigo_graph::layout::{Place, length};

/// Maximum number of comparisons, so that many vertices at one location take no longer than
/// scattered ones. After that, the remaining locations get `far`.
const COMPARISONS: usize = 4_000_000;

/// Returns the distance from each location to the nearest other one, or `far` if none is nearer
/// than that.
pub(super) fn nearest_distances(places: &[Place], far: f64) -> Vec<f64> {
    let side = far.max(1e-9);
    let cell = |[x, y]: Place| ((x / side).floor() as i64, (y / side).floor() as i64);
    let mut cells: FastMap<(i64, i64), Vec<Place>> = FastMap::default();
    for &place in places {
        cells.entry(cell(place)).or_default().push(place);
    }
    let mut left = COMPARISONS;
    let mut distances = Vec::with_capacity(places.len());
    for &place in places {
        let (column, row) = cell(place);
        let mut nearest = far;
        // Locations at this place, the location itself included.
        let mut coincident = 0;
        // Coordinates from files can be so large that a cell index saturates.
        for x in column.saturating_sub(1)..=column.saturating_add(1) {
            for y in row.saturating_sub(1)..=row.saturating_add(1) {
                let others = cells.get(&(x, y));
                for other in others.into_iter().flatten().take(left) {
                    left = left.saturating_sub(1);
                    let distance = length(place, *other);
                    if distance == 0.0 {
                        coincident += 1;
                    } else {
                        nearest = nearest.min(distance);
                    }
                }
            }
        }
        distances.push(if coincident > 1 { 0.0 } else { nearest });
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_distances_are_correct_for_a_few_points() {
        let places = [[0.0, 0.0], [0.6, 0.8], [5.0, 5.0], [5.0, 5.0]];
        assert_eq!(nearest_distances(&places, 2.0), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(nearest_distances(&[[3.0, 3.0]], 2.0), [2.0]);
        let remote = [[0.0, 0.0], [1.0, 0.0], [1e100, -1e100]];
        assert_eq!(nearest_distances(&remote, 2.0), [1.0, 1.0, 2.0]);
    }
}
