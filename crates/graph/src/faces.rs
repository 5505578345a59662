//! Faces of a graph embedded in a surface.

use omnigo_base::vertex::Vertex;

/// Returns the faces of an embedding, each as the vertices along its border, with the face on the
/// left. In a plane drawing, inner faces are counterclockwise and the outer face is clockwise.
/// `rotation` holds the neighbors of each vertex counterclockwise. An isolated vertex has no face.
///
/// ```
/// use omnigo_graph::faces::faces;
/// use omnigo_graph::spec::Spec;
/// let cube = "cube".parse::<Spec>().unwrap().build().unwrap();
/// let rotation = cube.drawing.unwrap().rotation(&cube.graph);
/// let faces = faces(&rotation);
/// assert_eq!(faces.len(), 6);
/// assert!(faces.iter().all(|face| face.len() == 4));
/// ```
pub fn faces(rotation: &[Vec<Vertex>]) -> Vec<Vec<Vertex>> {
    walks(rotation, Turn::Before)
}

/// Rule by which a walk continues from a vertex, in the order of its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Continues to the neighbor before the one that it came from.
    Before,
    /// Continues to the neighbor after it.
    After,
}

/// Returns every face as the closed walk along its border. Each edge occurs once in each direction
/// over all faces.
pub(super) fn walks(rotation: &[Vec<Vertex>], turn: Turn) -> Vec<Vec<Vertex>> {
    // Arcs are numbered row by row.
    let mut offsets = Vec::with_capacity(rotation.len());
    let mut arcs = 0;
    for row in rotation {
        offsets.push(arcs);
        arcs += row.len();
    }
    let mut places: Vec<Vec<(Vertex, usize)>> = rotation
        .iter()
        .map(|row| row.iter().copied().zip(0..).collect())
        .collect();
    for row in &mut places {
        row.sort_unstable();
    }
    let mut seen = vec![false; arcs];
    let mut faces = Vec::new();
    for start in 0..rotation.len() {
        for first in 0..rotation[start].len() {
            if seen[offsets[start] + first] {
                continue;
            }
            let mut face = Vec::new();
            let (mut at, mut out) = (start, first);
            while !seen[offsets[at] + out] {
                seen[offsets[at] + out] = true;
                face.push(Vertex::at(at));
                let to = rotation[at][out].index();
                let row = &places[to];
                let back = row.partition_point(|&(v, _)| v.index() < at);
                let (back, degree) = (row[back].1, row.len());
                out = match turn {
                    Turn::Before => (back + degree - 1) % degree,
                    Turn::After => (back + 1) % degree,
                };
                at = to;
            }
            faces.push(face);
        }
    }
    faces
}
