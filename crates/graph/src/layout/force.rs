//! Compact drawing by forces, for sparse graphs that other drawings crowd or stretch.
//!
//! Edges pull like springs, and close vertices repel each other. A weak pull toward the center
//! keeps the drawing compact: T. Fruchterman and E. Reingold, *Graph Drawing by Force-directed
//! Placement* (1991). Only close vertices repel, so a round takes linear time.

use super::clean::typical_length;
use super::{Part, Place};
use omnigo_base::hash::FastMap;

/// Distance in edge lengths at which repulsion ends.
const REACH: f64 = 3.0;
/// Strength of the springs, relative to the repulsion.
const SPRING: f64 = 2.0;
/// Strength of the pull toward the center, relative to the repulsion.
const PULL: f64 = 0.2;
/// Maximum number of rounds.
const ROUNDS: usize = 400;
/// Maximum number of distances that are computed.
const WORK: usize = 25_000_000;
/// Maximum length of a move in the first round, in edge lengths. It shrinks to a tenth.
const FIRST: f64 = 0.4;

/// Returns the locations after the forces have acted, starting from `places`.
pub(super) fn draw(part: &Part, mut places: Vec<Place>) -> Vec<Place> {
    let n = places.len();
    let unit = typical_length(&places, &part.edges());
    for place in &mut places {
        *place = place.map(|x| x / unit);
    }
    let mut left = WORK;
    for round in 0..ROUNDS {
        let middle = [0, 1].map(|axis| places.iter().map(|p| p[axis]).sum::<f64>() / n as f64);
        let cell = |[x, y]: Place| ((x / REACH).floor() as i64, (y / REACH).floor() as i64);
        let mut cells: FastMap<(i64, i64), Vec<usize>> = FastMap::default();
        for (v, &place) in places.iter().enumerate() {
            cells.entry(cell(place)).or_default().push(v);
        }
        let most = FIRST * (1.0 - 0.9 * round as f64 / ROUNDS as f64);
        for v in 0..n {
            let here = places[v];
            let (column, row) = cell(here);
            let mut force = [0.0, 0.0];
            for near in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy))) {
                for &u in cells.get(&near).into_iter().flatten() {
                    left = left.saturating_sub(1);
                    if u != v {
                        repel(&mut force, here, places[u], v < u);
                    }
                }
            }
            for &u in &part.rows[v] {
                let [dx, dy] = [places[u][0] - here[0], places[u][1] - here[1]];
                let apart = (dx * dx + dy * dy).sqrt().max(1e-9);
                let share = SPRING * (apart - 1.0) / apart;
                force = [force[0] + share * dx, force[1] + share * dy];
            }
            let [dx, dy] = [middle[0] - here[0], middle[1] - here[1]];
            let out = (dx * dx + dy * dy).sqrt().max(1.0);
            force = [force[0] + PULL * dx / out, force[1] + PULL * dy / out];
            let far = (force[0] * force[0] + force[1] * force[1]).sqrt();
            let share = 0.2f64.min(most / far.max(1e-9));
            places[v] = [here[0] + share * force[0], here[1] + share * force[1]];
        }
        if left == 0 {
            break;
        }
    }
    places
}

/// Adds the repulsion of a vertex at `there`. It falls to 0 at [`REACH`].
fn repel(force: &mut Place, here: Place, there: Place, is_first: bool) {
    let [dx, dy] = [here[0] - there[0], here[1] - there[1]];
    let square = dx * dx + dy * dy;
    if square >= REACH * REACH {
        return;
    }
    if square < 1e-12 {
        // Vertices at one location separate in opposite directions.
        force[0] += if is_first { 1.0 } else { -1.0 };
        return;
    }
    let share = (1.0 / square - 1.0 / (REACH * REACH)).min(20.0);
    *force = [force[0] + share * dx, force[1] + share * dy];
}
