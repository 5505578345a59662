//! Reduces stress without creating crossings. Vertices of a triangulated drawing move toward their
//! locations of lower stress, as long as no adjacent triangle flips.

use super::clean::{length, turn};
use super::{Part, Place};

/// Drawing in which all faces are counterclockwise triangles.
#[derive(Clone)]
pub(super) struct Mesh {
    /// The vertices of the graph, then the extra vertices.
    pub(super) places: Vec<Place>,
    pub(super) triangles: Vec<[usize; 3]>,
    /// The extra vertices that surround the drawing.
    pub(super) ring: Vec<usize>,
}

impl Mesh {
    /// Returns true if every triangle is counterclockwise in floating-point arithmetic.
    pub(super) fn is_sound(&self) -> bool {
        let left =
            |&[a, b, c]: &[usize; 3]| turn(self.places[a], self.places[b], self.places[c]) > 0.0;
        self.triangles.iter().all(left)
    }
}

/// Maximum number of vertices at which all distances are used. Larger graphs use 8 to 60 anchors.
const PULLS: usize = 300;
/// Approximate maximum number of steps in total.
const WORK: usize = 30_000_000;
/// Approximate number of triangles that are tested per vertex and sweep.
const TESTS: usize = 30;
/// Minimum of twice the area of a triangle after a move, with edges about 1 long. A triangle that
/// is already smaller must not shrink.
const FLAT: f64 = 0.05;

/// Returns the locations of the graph's own vertices, with edges about 1 long.
pub(super) fn draw(part: &Part, mut mesh: Mesh) -> Vec<Place> {
    let n = part.len();
    let edges = part.edges();
    let typical = super::clean::typical_length(&mesh.places, &edges);
    for place in &mut mesh.places {
        *place = place.map(|x| x / typical);
    }
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); mesh.places.len()];
    for (number, triangle) in mesh.triangles.iter().enumerate() {
        for &v in triangle {
            around[v].push(number);
        }
    }
    let mut is_ring = vec![false; mesh.places.len()];
    for &v in &mesh.ring {
        is_ring[v] = true;
    }
    let anchors = anchors(part);
    let farthest = anchors.iter().flat_map(|(_, row)| row).copied().max();
    let radius = 1.5 * f64::from(farthest.unwrap_or(1)) + 2.0;
    // Each sweep visits the anchors of every vertex, and tests the triangles around it.
    let sweep = n * (anchors.len() + 8) + TESTS * mesh.places.len();
    let sweeps = (WORK / sweep).clamp(4, 200);
    for _ in 0..sweeps {
        for v in 0..mesh.places.len() {
            let [x, y] = mesh.places[v];
            let goal = if v < n {
                wish(part, &anchors, &mesh.places, v)
            } else if is_ring[v] {
                // Move outward to make room.
                let out = x.hypot(y).max(1e-9);
                let grown = (out * 1.2).min(radius.max(out));
                [x * grown / out, y * grown / out]
            } else {
                middle(&mesh, &around[v], v)
            };
            step(&mut mesh, &around[v], v, goal);
        }
    }
    mesh.places.truncate(n);
    mesh.places
}

/// Returns the vertices whose distances are used, with the distances of all vertices from them.
fn anchors(part: &Part) -> Vec<(usize, Vec<u32>)> {
    let n = part.len();
    let number = if n <= PULLS {
        n
    } else {
        (WORK / 400 / n).clamp(8, 60)
    };
    let mut anchors: Vec<(usize, Vec<u32>)> = Vec::with_capacity(number);
    let mut nearest = vec![u32::MAX; n];
    let mut next = 0;
    for _ in 0..number {
        let row = part.distances(next);
        for v in 0..n {
            nearest[v] = nearest[v].min(row[v]);
        }
        anchors.push((next, row));
        next = (0..n).max_by_key(|&v| (nearest[v], n - v)).unwrap_or(0);
    }
    anchors
}

/// Returns the location that minimizes the stress of the vertex.
fn wish(part: &Part, anchors: &[(usize, Vec<u32>)], places: &[Place], v: usize) -> Place {
    let here = places[v];
    let mut sum = [0.0, 0.0];
    let mut weights = 0.0;
    let mut pull = |u: usize, distance: f64, weight: f64| {
        let there = places[u];
        let apart = length(here, there).max(1e-9);
        for axis in 0..2 {
            sum[axis] += weight * (there[axis] + distance * (here[axis] - there[axis]) / apart);
        }
        weights += weight;
    };
    for (anchor, row) in anchors {
        if *anchor != v {
            let distance = f64::from(row[v]);
            pull(*anchor, distance, 1.0 / (distance * distance));
        }
    }
    for &u in &part.rows[v] {
        pull(u, 1.0, 1.0);
    }
    if weights > 0.0 {
        sum.map(|x| x / weights)
    } else {
        here
    }
}

/// Returns the mean location of the neighbors of an extra vertex.
fn middle(mesh: &Mesh, around: &[usize], v: usize) -> Place {
    let mut sum = [0.0, 0.0];
    let mut count = 0.0;
    for &number in around {
        for &u in mesh.triangles[number].iter().filter(|&&u| u != v) {
            sum = [sum[0] + mesh.places[u][0], sum[1] + mesh.places[u][1]];
            count += 1.0;
        }
    }
    sum.map(|x| x / f64::max(count, 1.0))
}

/// Moves the vertex toward `goal` as far as every adjacent triangle stays counterclockwise.
fn step(mesh: &mut Mesh, around: &[usize], v: usize, goal: Place) {
    let here = mesh.places[v];
    let area = |places: &[Place]| {
        around
            .iter()
            .map(|&number| {
                let [a, b, c] = mesh.triangles[number];
                turn(places[a], places[b], places[c])
            })
            .fold(f64::MAX, f64::min)
    };
    let least = area(&mesh.places).min(FLAT);
    let mut share = 1.0;
    let mut places = std::mem::take(&mut mesh.places);
    for _ in 0..5 {
        places[v] = [0, 1].map(|axis| here[axis] + share * (goal[axis] - here[axis]));
        if area(&places) >= least {
            mesh.places = places;
            return;
        }
        share /= 2.0;
    }
    places[v] = here;
    mesh.places = places;
}
