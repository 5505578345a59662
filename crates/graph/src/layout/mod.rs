//! Layout of graphs that come without coordinates.
//!
//! Each component is drawn separately, first by stress. If that drawing is not clean and the graph
//! is planar, the component is drawn from a planar embedding instead. The components are then
//! packed side by side. The unit is the length of a typical edge, and y points up. The same graph
//! always gets the same layout, on every machine: all limits count steps, never time. The work is
//! bounded to a second or two for any graph.

mod clean;
mod force;
mod plane;
mod relax;
mod rigid;
mod schnyder;
mod spread;
mod stress;
mod tree;
mod tutte;

use super::Graph;
use super::planar::Embedding;
pub use crate::model::drawing::Place;
use crate::model::{drawing, pack};
pub use clean::{length, to_segment, turn};
use omnigo_base::vertex::Vertex;

/// Returns locations for all vertices, in index order.
///
/// ```
/// use omnigo_graph::layout::layout;
/// use omnigo_graph::spec::Spec;
/// let graph = "path:3".parse::<Spec>().unwrap().build().unwrap().graph;
/// let places = layout(&graph);
/// assert!((places[0][1] - places[2][1]).abs() < 0.01, "a path lies flat");
/// ```
pub fn layout(graph: &Graph) -> Vec<Place> {
    let components = graph.components();
    // Index of each vertex within its component.
    let mut number = vec![0; graph.vertices()];
    for vertices in &components {
        for (i, v) in vertices.iter().enumerate() {
            number[v.index()] = i;
        }
    }
    let mut drawn = Vec::with_capacity(components.len());
    let mut work = Work::default();
    for vertices in components {
        let part = Part::of(graph, &vertices, &number);
        let mut places = draw(&part, &mut work);
        rigid::straighten(&part, &mut places);
        drawn.push((vertices, places));
    }
    arrange(&drawn, graph.vertices())
}

/// Returns the locations of `n` vertices with the drawings of all components side by side, the
/// highest components first, from the top left.
fn arrange(drawn: &[(Vec<Vertex>, Vec<Place>)], n: usize) -> Vec<Place> {
    /// Space between components, in edge lengths.
    const GAP: f64 = 1.0;
    let mut boxes: Vec<(usize, [Place; 2])> = drawn
        .iter()
        .map(|(_, places)| drawing::bounds(places).unwrap_or_default())
        .enumerate()
        .collect();
    let size = |[low, high]: [Place; 2]| [high[0] - low[0] + GAP, high[1] - low[1] + GAP];
    boxes.sort_by(|&(_, a), &(_, b)| {
        let ([a_width, a_height], [b_width, b_height]) = (size(a), size(b));
        (b_height.total_cmp(&a_height)).then(b_width.total_cmp(&a_width))
    });
    let sizes: Vec<Place> = boxes.iter().map(|&(_, bounds)| size(bounds)).collect();
    let mut places = vec![[0.0, 0.0]; n];
    for ((part, [low, high]), [left, top]) in boxes
        .iter()
        .zip(pack::corners(&sizes, pack::page_width(&sizes)))
    {
        let (vertices, part) = &drawn[*part];
        for (v, [x, y]) in vertices.iter().zip(part) {
            // Corners count upward, and the components are placed downward.
            places[v.index()] = [x - low[0] + left, y - high[1] - top];
        }
    }
    places
}

/// A connected graph, with vertices numbered from 0.
struct Part {
    rows: Vec<Vec<usize>>,
}

impl Part {
    fn of(graph: &Graph, vertices: &[Vertex], number: &[usize]) -> Part {
        let row = |&v: &Vertex| {
            let neighbors = graph.neighbors(v).iter();
            neighbors.map(|u| number[u.index()]).collect()
        };
        Part {
            rows: vertices.iter().map(row).collect(),
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for (v, row) in self.rows.iter().enumerate() {
            edges.extend(row.iter().filter(|&&u| u > v).map(|&u| (v, u)));
        }
        edges
    }

    /// Returns the distance of every vertex from `root`.
    fn distances(&self, root: usize) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.len()];
        distance[root] = 0;
        let mut queue = vec![root];
        let mut done = 0;
        while let Some(&v) = queue.get(done) {
            done += 1;
            for &u in &self.rows[v] {
                if distance[u] == u32::MAX {
                    distance[u] = distance[v] + 1;
                    queue.push(u);
                }
            }
        }
        distance
    }

    fn graph(&self) -> Graph {
        let edges: Vec<(u16, u16)> = self
            .edges()
            .into_iter()
            .map(|(a, b)| (a as u16, b as u16))
            .collect();
        Graph::from_edges(self.len(), &edges).0
    }
}

/// Work that all components together may still do. Without it, components get cheaper drawings.
struct Work {
    /// Steps of careful drawings by stress.
    steps: usize,
    /// Vertices of components that are drawn from a planar embedding.
    planar: usize,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            steps: 120_000_000,
            planar: 5_000,
        }
    }
}

/// Takes `amount` from the work that is left. Returns false, and takes nothing, if less is left.
fn take(left: &mut usize, amount: usize) -> bool {
    let rest = left.checked_sub(amount);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// Draws one component.
fn draw(part: &Part, work: &mut Work) -> Vec<Place> {
    match part.len() {
        0 => return Vec::new(),
        1 => return vec![[0.0, 0.0]],
        _ => {}
    }
    let edges = part.edges();
    let stressed = stress::draw(part, &mut work.steps);
    // A planar graph has fewer than 3n edges, so skip the tests for denser graphs.
    if edges.len() > 3 * part.len() || clean::is_clean(&stressed, &edges, clean::CLEAR) {
        return stressed;
    }
    if edges.len() < part.len() {
        return tree::draw(part);
    }
    if !take(&mut work.planar, part.len()) {
        return stressed;
    }
    match Embedding::of(&part.graph()) {
        None => stressed,
        Some(embedding) => plane::draw(part, &embedding, stressed),
    }
}
