//! Faces of a graph on a surface.

use crate::hash::FastMap;
use crate::vertex::Vertex;

/// The faces of an embedding, each as the vertices around it, clockwise seen from outside of it. `rotation` holds the
/// neighbours of each vertex counterclockwise. An isolated vertex has no face.
///
/// ```
/// use omnigo::graph::faces::faces;
/// use omnigo::graph::spec::Spec;
/// let cube = "cube".parse::<Spec>().unwrap().build().unwrap();
/// let rotation = cube.drawing.unwrap().rotation(&cube.graph);
/// let faces = faces(&rotation);
/// assert_eq!(faces.len(), 6);
/// assert!(faces.iter().all(|face| face.len() == 4));
/// ```
pub fn faces(rotation: &[Vec<Vertex>]) -> Vec<Vec<Vertex>> {
    // After arriving at v from u the face goes on to the neighbour before u in counterclockwise order.
    let mut next: FastMap<(Vertex, Vertex), Vertex> = FastMap::default();
    for (v, around) in rotation.iter().enumerate() {
        let before = around.iter().cycle().skip(around.len().saturating_sub(1));
        for (&u, &turn) in around.iter().zip(before) {
            next.insert((u, Vertex::at(v)), turn);
        }
    }
    let mut faces = Vec::new();
    for (v, around) in rotation.iter().enumerate() {
        for &u in around {
            let mut face = Vec::new();
            let (mut from, mut to) = (Vertex::at(v), u);
            while let Some(turn) = next.remove(&(from, to)) {
                face.push(from);
                (from, to) = (to, turn);
            }
            if !face.is_empty() {
                faces.push(face);
            }
        }
    }
    faces
}
