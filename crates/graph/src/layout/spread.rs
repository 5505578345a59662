//! Spreads crowded drawings. Vertices of a triangulated drawing move until no triangle is much
//! smaller than the others.
//!
//! Each vertex in turn moves downhill on an energy. The sum of the reciprocal areas of its
//! triangles prevents triangles from flipping. The squared lengths of its edges prevent triangles
//! from becoming too narrow.

use super::Place;
use super::clean::turn;
use super::relax::Mesh;

/// Approximate maximum number of moves of all vertices together.
const WORK: usize = 800_000;
/// Weight of the squared edge lengths relative to the reciprocal areas.
const TENSION: f64 = 0.1;

/// Returns the first `n` locations of the mesh after spreading. The ring does not move.
pub(super) fn draw(n: usize, mut mesh: Mesh) -> Vec<Place> {
    let count = mesh.triangles.len().max(1) as f64;
    let whole: f64 = mesh
        .triangles
        .iter()
        .map(|&[a, b, c]| turn(mesh.places[a], mesh.places[b], mesh.places[c]))
        .sum();
    // Scale the mean of twice the area of a triangle to 1.
    let scale = (count / whole.max(1e-12)).sqrt();
    for place in &mut mesh.places {
        *place = place.map(|x| x * scale);
    }
    let mut around: Vec<Vec<[usize; 2]>> = vec![Vec::new(); mesh.places.len()];
    for &[a, b, c] in &mesh.triangles {
        around[a].push([b, c]);
        around[b].push([c, a]);
        around[c].push([a, b]);
    }
    let mut fixed = vec![false; mesh.places.len()];
    for &v in &mesh.ring {
        fixed[v] = true;
    }
    for _ in 0..(WORK / mesh.places.len().max(1)).clamp(15, 400) {
        for v in (0..mesh.places.len()).filter(|&v| !fixed[v]) {
            let here = mesh.places[v];
            let (energy, slope) = energy(&mesh.places, &around[v], here);
            let steep = slope[0].hypot(slope[1]);
            if !(steep > 1e-9 && energy.is_finite()) {
                continue;
            }
            let mut step = 0.5 / steep;
            for _ in 0..12 {
                let there = [here[0] - step * slope[0], here[1] - step * slope[1]];
                if self::energy(&mesh.places, &around[v], there).0 < energy {
                    mesh.places[v] = there;
                    break;
                }
                step /= 2.0;
            }
        }
    }
    mesh.places.truncate(n);
    mesh.places
}

/// Returns the energy of a vertex at `here` and its gradient. The energy is infinite if a triangle
/// flips.
fn energy(places: &[Place], around: &[[usize; 2]], here: Place) -> (f64, Place) {
    let mut energy = 0.0;
    let mut slope = [0.0, 0.0];
    for &[a, b] in around {
        let (a, b) = (places[a], places[b]);
        let area = turn(here, a, b);
        if area <= 0.0 {
            return (f64::INFINITY, slope);
        }
        energy += 1.0 / area;
        // Gradient of the area: it grows away from the opposite side.
        let grow = [a[1] - b[1], b[0] - a[0]];
        for axis in 0..2 {
            slope[axis] -= grow[axis] / (area * area);
            let apart = here[axis] - a[axis];
            energy += TENSION * apart * apart;
            slope[axis] += 2.0 * TENSION * apart;
        }
    }
    (energy, slope)
}
