//! Room between points: points whose stones would overlap are pushed apart.

use super::nearest::nearest_distances;
use omnigo_base::hash::FastMap;
use omnigo_graph::layout::{Place, length, to_segment, turn};

/// Distance to which points are pushed apart, as a fraction of the median edge length.
const GOAL: f64 = 0.47;
/// Distance on crowded boards, as a fraction of the side of a square with the area available per
/// point. The smaller of the two distances is the goal.
const CROWDED: f64 = 0.75;
/// Maximum number of rounds of pushing per goal.
const ROUNDS: usize = 300;
/// Maximum number of edges for which a drawing without crossings is recognized and stays one.
const GUARDED: usize = 3_000;
/// Minimum distance of a point from edges of other points, as a fraction of the goal.
const CLEARANCE: f64 = 0.35;
/// Maximum distance, in goals, that a point may move in a drawing without crossings.
const FAR: f64 = 1.2;

/// Work that may still be done on one picture.
pub(super) struct Work {
    /// Distances, and cells that are searched for close points.
    distances: usize,
    /// Comparisons between edges that move and other edges or points.
    comparisons: usize,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            distances: 30_000_000,
            comparisons: 100_000_000,
        }
    }
}

/// Pushes points apart until stones have room, as far as possible. A drawing without crossings
/// stays one. `median` is the length of a typical edge. Ends early without work left.
pub(super) fn push_apart(
    places: &mut [Place],
    edges: &[(usize, usize)],
    median: f64,
    work: &mut Work,
) {
    let goal = (GOAL * median).min(CROWDED * side_of_each(places, median));
    let is_roomy = |places: &[Place]| {
        let near = nearest_distances(places, goal);
        near.iter().all(|&distance| distance > 0.98 * goal)
    };
    if places.len() < 2 || !goal.is_finite() || goal <= 0.0 || is_roomy(places) {
        return;
    }
    let guard = Guard::of(places, edges, goal);
    // A drawing without crossings may have no room for the full goal, but room for a smaller one.
    let goals: &[f64] = if guard.is_some() {
        &[1.0, 0.7, 0.5]
    } else {
        &[1.0]
    };
    let before = places.to_vec();
    for share in goals {
        let goal = goal * share;
        for _ in 0..ROUNDS {
            let near = Grid::new(places, goal);
            let mut moved = false;
            for v in 0..places.len() {
                let Some(&here) = places.get(v) else { continue };
                let push = near.push(places, v, here, goal, &mut work.distances);
                if push[0].hypot(push[1]) < 1e-3 * goal {
                    continue;
                }
                for part in [1.0, 0.5, 0.2] {
                    let there = [here[0] + part * push[0], here[1] + part * push[1]];
                    // Limit the distance: points that cannot pass each other would push on forever.
                    let is_near = before.get(v).is_none_or(|start| {
                        (there[0] - start[0]).hypot(there[1] - start[1]) < FAR * goal
                    });
                    let free = guard.as_ref().is_none_or(|guard| {
                        is_near && guard.allows(places, v, there, &mut work.comparisons)
                    });
                    if free {
                        if let Some(place) = places.get_mut(v) {
                            *place = there;
                        }
                        moved = true;
                        break;
                    }
                }
            }
            if !moved || work.distances == 0 || work.comparisons == 0 {
                break;
            }
        }
    }
}

/// Returns the side of a square with the area available per point.
pub(super) fn side_of_each(places: &[Place], median: f64) -> f64 {
    let extent = |axis: fn(&Place) -> f64| {
        let low = places.iter().map(axis).fold(f64::MAX, f64::min);
        let high = places.iter().map(axis).fold(f64::MIN, f64::max);
        high - low + median
    };
    let area = extent(|place| place[0]) * extent(|place| place[1]);
    (area / places.len().max(1) as f64).max(0.0).sqrt()
}

/// Points in square cells, whose side is the distance that the points should keep.
struct Grid {
    /// Range of each cell in `order`.
    cells: FastMap<(i64, i64), (usize, usize)>,
    /// Points by cell, and by index within a cell.
    order: Vec<usize>,
    side: f64,
}

impl Grid {
    fn new(places: &[Place], side: f64) -> Grid {
        let mut grid = Grid {
            cells: FastMap::default(),
            order: Vec::with_capacity(places.len()),
            side,
        };
        let cells = places.iter().map(|&place| grid.cell(place));
        let mut sorted: Vec<((i64, i64), usize)> = cells.zip(0..).collect();
        sorted.sort_unstable();
        for (at, (cell, v)) in sorted.into_iter().enumerate() {
            grid.order.push(v);
            grid.cells.entry(cell).or_insert((at, at)).1 = at + 1;
        }
        grid
    }

    fn cell(&self, [x, y]: Place) -> (i64, i64) {
        (
            (x / self.side).floor() as i64,
            (y / self.side).floor() as i64,
        )
    }

    /// Returns the shift that the surrounding points cause. `left` is the number of distances that
    /// may still be computed.
    fn push(&self, places: &[Place], v: usize, here: Place, goal: f64, left: &mut usize) -> Place {
        let (column, row) = self.cell(here);
        let mut push = [0.0, 0.0];
        *left = left.saturating_sub(9);
        for x in column.saturating_sub(1)..=column.saturating_add(1) {
            for y in row.saturating_sub(1)..=row.saturating_add(1) {
                let range = self.cells.get(&(x, y)).copied();
                let others = range.and_then(|(from, to)| self.order.get(from..to));
                for &u in others.into_iter().flatten().take(*left) {
                    *left = left.saturating_sub(1);
                    let Some(there) = places.get(u).filter(|_| u != v) else {
                        continue;
                    };
                    let (dx, dy) = (here[0] - there[0], here[1] - there[1]);
                    let apart = (dx * dx + dy * dy).sqrt();
                    if apart >= goal {
                        continue;
                    }
                    // Points at the same location separate in directions that depend on their
                    // indices.
                    let (dx, dy) = if apart > 1e-6 * goal {
                        (dx / apart, dy / apart)
                    } else {
                        let angle = (v * 7 + u * 3) as f64 + if v < u { 0.0 } else { 1.5 };
                        (angle.cos(), angle.sin())
                    };
                    let share = 0.55 * (goal - apart);
                    push = [push[0] + share * dx, push[1] + share * dy];
                }
            }
        }
        // Limit the shift, because only points in adjacent cells were considered.
        let far = push[0].hypot(push[1]);
        let most = 0.5 * goal;
        if far > most {
            push = push.map(|x| x * most / far);
        }
        push
    }
}

/// Check that keeps a drawing free of crossings.
struct Guard<'a> {
    edges: &'a [(usize, usize)],
    around: Vec<Vec<usize>>,
    /// Minimum distance of points from edges that are not theirs.
    clearance: f64,
}

impl<'a> Guard<'a> {
    /// Returns `None` if there are no edges, if some of them cross, or if there are too many to
    /// check.
    fn of(places: &[Place], edges: &'a [(usize, usize)], goal: f64) -> Option<Guard<'a>> {
        if edges.is_empty() || edges.len() > GUARDED || edges.len() > 3 * places.len() {
            return None;
        }
        for (number, &first) in edges.iter().enumerate() {
            let later = edges.iter().skip(number + 1);
            if later
                .into_iter()
                .any(|&second| meets(places, first, second))
            {
                return None;
            }
        }
        let mut around = vec![Vec::new(); places.len()];
        for &(a, b) in edges {
            for (v, u) in [(a, b), (b, a)] {
                if let Some(around) = around.get_mut(v) {
                    around.push(u);
                }
            }
        }
        Some(Guard {
            edges,
            around,
            clearance: CLEARANCE * goal,
        })
    }

    /// Returns the minimum distance of a point from an edge. It is smaller near the ends of the
    /// edge.
    fn room(&self, place: Place, from: Place, to: Place) -> f64 {
        let far = |end: Place| length(place, end);
        self.clearance.min(CLEARANCE * far(from).min(far(to)))
    }

    /// Returns true if the point may move `there`. None of its edges may cross another edge, during
    /// the move or after it. No point may come close to an edge that is not its own.
    fn allows(&self, places: &[Place], v: usize, there: Place, left: &mut usize) -> bool {
        let (Some(&here), Some(around)) = (places.get(v), self.around.get(v)) else {
            return false;
        };
        *left = left.saturating_sub((self.edges.len() + places.len()) * (around.len() + 1));
        let at = |u: usize| places.get(u).copied().unwrap_or_default();
        let others = || self.edges.iter().filter(|&&(a, b)| a != v && b != v);
        let is_free = |&(a, b): &(usize, usize)| {
            let (a, b) = (at(a), at(b));
            let near = to_segment(there, a, b);
            !cross(here, there, a, b)
                && (near >= self.room(there, a, b) || near >= to_segment(here, a, b))
        };
        others().all(is_free)
            && around.iter().all(|&u| {
                let end = at(u);
                let apart =
                    others().all(|&(a, b)| a == u || b == u || !cross(there, end, at(a), at(b)));
                // Nor may a neighbor end up on the other side of the edge.
                let aside = around
                    .iter()
                    .all(|&w| w == u || !within(at(w), here, there, end));
                apart
                    && aside
                    && places.iter().enumerate().all(|(w, &place)| {
                        let near = to_segment(place, there, end);
                        w == v
                            || w == u
                            || near >= self.room(place, there, end)
                            || near >= to_segment(place, here, end)
                    })
            })
    }
}

/// Returns true if `p` lies in the triangle or on its border.
fn within(p: Place, a: Place, b: Place, c: Place) -> bool {
    let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    turns.iter().all(|&t| t >= 0.0) || turns.iter().all(|&t| t <= 0.0)
}

/// Returns true if two edges without a common end touch.
fn meets(places: &[Place], (a, b): (usize, usize), (c, d): (usize, usize)) -> bool {
    if a == c || a == d || b == c || b == d {
        return false;
    }
    let at = |v: usize| places.get(v).copied().unwrap_or_default();
    cross(at(a), at(b), at(c), at(d))
}

fn cross(a: Place, b: Place, c: Place, d: Place) -> bool {
    let apart = |axis: fn(&Place) -> f64| {
        let (a, b, c, d) = (axis(&a), axis(&b), axis(&c), axis(&d));
        a.max(b) < c.min(d) || c.max(d) < a.min(b)
    };
    !apart(|p| p[0])
        && !apart(|p| p[1])
        && turn(a, b, c) * turn(a, b, d) <= 0.0
        && turn(c, d, a) * turn(c, d, b) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_one_location_are_separated() {
        let mut places = vec![[0.0, 0.0]; 12];
        push_apart(&mut places, &[], 1.0, &mut Work::default());
        let goal = (GOAL).min(CROWDED * side_of_each(&[[0.0; 2]; 12], 1.0));
        let near = nearest_distances(&places, 1.0);
        assert!(near.iter().all(|&d| d > 0.95 * goal), "{near:?}");
    }

    #[test]
    fn pushing_points_apart_adds_no_crossings() {
        // A long edge, and two points on its two sides.
        let mut places = vec![[-2.0, 0.0], [2.0, 0.0], [0.0, 0.1], [0.0, -0.1]];
        let edges = [(0, 1), (2, 0), (3, 0)];
        push_apart(&mut places, &edges, 1.0, &mut Work::default());
        assert!(places[2][1] > 0.0 && places[3][1] < 0.0, "{places:?}");
        assert!(places[2][1] - places[3][1] > 0.4, "{places:?}");
    }
}
