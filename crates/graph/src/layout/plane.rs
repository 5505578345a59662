//! Straight-line drawings of planar graphs without crossings, from an embedding.

use std::collections::HashSet;
use std::f64::consts::TAU;

use super::clean::{CLEAR, NARROW, air, is_clean, turn};
use super::relax::{self, Mesh};
use super::{Part, Place, force, schnyder, spread, tutte};
use crate::planar::Embedding;
use omnigo_base::vertex::Vertex;

/// Minimum number of vertices of a graph that may get crossings if they make it readable.
const LARGE: usize = 150;
/// Maximum number of edges per vertex of such a graph.
const SPARSE: f64 = 1.5;
/// Minimum factor by which crossings must enlarge the room of the vertices.
const WORTH: f64 = 2.0;

/// Draws a connected planar graph with a cycle. `stressed` is its drawing by stress. A large sparse
/// graph, such as a tree with a few more edges, may get a few crossings. Without them, its long
/// outer face would leave no room for most vertices.
pub(super) fn draw(part: &Part, embedding: &Embedding, stressed: Vec<Place>) -> Vec<Place> {
    let edges = part.edges();
    let mut faces: Vec<Vec<usize>> = embedding
        .faces()
        .iter()
        .map(|face| face.iter().copied().map(Vertex::index).collect())
        .collect();
    // The longest face becomes the outer face; the first one if several are equally long.
    let outer = faces
        .iter()
        .enumerate()
        .max_by_key(|(number, face)| (face.len(), usize::MAX - number))
        .map_or(0, |(number, _)| number);
    faces.swap(0, outer);
    if part.rows.iter().all(|row| row.len() >= 3)
        && let Some(places) = convex(part, &faces, &edges)
    {
        return places;
    }
    let mesh = triangulate(part, faces);
    let counted = schnyder::draw(&mesh);
    let mut crowded = Vec::new();
    for mesh in [Some(mesh).filter(Mesh::is_sound), counted]
        .into_iter()
        .flatten()
    {
        let relaxed = relax::draw(part, mesh.clone());
        if is_clean(&relaxed, &edges, NARROW) {
            return relaxed;
        }
        crowded.push(relaxed);
        crowded.push(spread::draw(part.len(), mesh));
    }
    let airy = |a: &Vec<Place>, b: &Vec<Place>| air(a, &edges).total_cmp(&air(b, &edges));
    let Some(best) = crowded.into_iter().max_by(airy) else {
        return stressed;
    };
    if part.len() >= LARGE && (edges.len() as f64) < SPARSE * part.len() as f64 {
        let forced = force::draw(part, stressed);
        if air(&forced, &edges) > WORTH * air(&best, &edges) {
            return forced;
        }
    }
    best
}

/// Returns the barycentric drawing of the graph, or `None` if it is not clean. All faces are convex
/// if the graph is 3-connected.
fn convex(part: &Part, faces: &[Vec<usize>], edges: &[(usize, usize)]) -> Option<Vec<Place>> {
    let outer = faces.first()?;
    let mut seen = HashSet::new();
    if !outer.iter().all(|v| seen.insert(v)) {
        return None;
    }
    let fixed: Vec<(usize, Place)> = circle(outer, (part.len() as f64).sqrt());
    let places = tutte::draw(part.len(), edges, &fixed);
    is_clean(&places, edges, CLEAR).then_some(places)
}

/// Returns locations for the vertices, evenly spaced on a circle.
fn circle(vertices: &[usize], radius: f64) -> Vec<(usize, Place)> {
    let place = |(i, &v): (usize, &usize)| {
        let angle = TAU * (0.25 + (i as f64 + 0.5) / vertices.len() as f64);
        (v, [radius * angle.cos(), radius * angle.sin()])
    };
    vertices.iter().enumerate().map(place).collect()
}

/// Triangulates every face; the first one is the outer face. Extra edges cut off repeated visits to
/// a vertex. Each longer face gets an extra vertex inside. A ring of extra vertices surrounds the
/// drawing.
fn triangulate(part: &Part, faces: Vec<Vec<usize>>) -> Mesh {
    let mut vertices = part.len();
    let mut triangles = Vec::new();
    let mut ring = Vec::new();
    for (number, face) in faces.into_iter().enumerate() {
        let cycle = cut_repetitions(face, &mut triangles);
        let k = cycle.len();
        let next = |i: usize| cycle[(i + 1) % k];
        if number == 0 {
            ring = (vertices..vertices + k).collect();
            vertices += k;
            for i in 0..k {
                let after = ring[(i + 1) % k];
                triangles.push([cycle[i], next(i), ring[i]]);
                triangles.push([ring[i], next(i), after]);
            }
        } else if let [a, b, c] = cycle[..] {
            triangles.push([a, b, c]);
        } else if k > 3 {
            triangles.extend((0..k).map(|i| [cycle[i], next(i), vertices]));
            vertices += 1;
        }
    }
    let mut edges: Vec<(usize, usize)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let fixed = circle(&ring, (part.len() as f64).sqrt() * 2.0);
    let areas = |places: &[Place]| -> Vec<f64> {
        let area = |&[a, b, c]: &[usize; 3]| turn(places[a], places[b], places[c]);
        triangles.iter().map(area).collect()
    };
    let mut places = tutte::draw(vertices, &edges, &fixed);
    let mut turns = areas(&places);
    let one_way = |turns: &[f64]| turns.iter().all(|&a| a > 0.0) || turns.iter().all(|&a| a < 0.0);
    if !one_way(&turns) {
        // The uneven weights lost too much precision.
        places = tutte::draw_plain(vertices, &edges, &fixed);
        turns = areas(&places);
    }
    if turns.iter().sum::<f64>() < 0.0 {
        // All triangles have the same orientation. Make it counterclockwise.
        triangles
            .iter_mut()
            .for_each(|triangle| triangle.swap(0, 1));
    }
    Mesh {
        places,
        triangles,
        ring,
    }
}

/// Converts the walk around a face to a cycle. Each repeated visit to a vertex is cut off as a
/// triangle.
fn cut_repetitions(face: Vec<usize>, triangles: &mut Vec<[usize; 3]>) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut cycle: Vec<usize> = Vec::with_capacity(face.len());
    for (i, &v) in face.iter().enumerate() {
        if seen.insert(v) {
            cycle.push(v);
            continue;
        }
        let before = cycle.last().copied().unwrap_or(v);
        let after = face[(i + 1) % face.len()];
        triangles.push([before, v, after]);
    }
    cycle
}
