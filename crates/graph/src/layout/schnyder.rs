//! Straight-line drawing of a triangulation by counting faces. The distance of any two vertices is
//! at least about 1/(2n) of the drawing, even if triangles are nested deeply.
//!
//! W. Schnyder, *Embedding planar graphs on the grid* (1990): the inner edges form three trees,
//! rooted at the corners of the outer triangle. The three paths from a vertex to the roots divide
//! the triangle into three regions. The numbers of faces in the regions are the coordinates of the
//! vertex. The trees are found by removing vertices from the border one by one: M. Chrobak and T.
//! Payne, *A linear-time algorithm for drawing a planar graph on a grid* (1995).

use omnigo_base::hash::FastMap;

use super::Place;
use super::relax::Mesh;

/// Marks a missing vertex.
const NONE: usize = usize::MAX;

/// Returns a mesh of these triangles in which every vertex has room. An extra vertex adjacent to
/// the whole ring is added outside; two ring vertices become the other corners. Returns `None` if
/// the triangles are not a triangulation, for example if two vertices are joined twice.
pub(super) fn draw(mesh: &Mesh) -> Option<Mesh> {
    let top = mesh.places.len();
    let n = top + 1;
    let ring = &mesh.ring;
    // Find the direction of each side of the ring from the adjacent triangle.
    let mut apex: FastMap<(usize, usize), usize> = FastMap::default();
    let mut triangles = mesh.triangles.clone();
    for &[a, b, c] in &triangles {
        for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            if apex.insert((from, to), third).is_some() {
                return None;
            }
        }
    }
    let next = ring.iter().cycle().skip(1);
    for (&a, &b) in ring.iter().zip(next) {
        let (from, to) = match (apex.contains_key(&(a, b)), apex.contains_key(&(b, a))) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => return None,
        };
        triangles.push([from, to, top]);
    }
    for &[a, b, c] in triangles.get(mesh.triangles.len()..)? {
        for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            if apex.insert((from, to), third).is_some() {
                return None;
            }
        }
    }
    let [right, left, _] = triangles.pop()?;
    let parents = trees(n, &apex, [left, right, top])?;
    let places = count(n, triangles.len(), &parents, [left, right, top])?;
    let mesh = Mesh {
        places,
        triangles,
        ring: vec![left, right, top],
    };
    mesh.is_sound().then_some(mesh)
}

/// The parents of each vertex in the three trees, and the order of removal.
struct Trees {
    parents: [Vec<usize>; 3],
    order: Vec<usize>,
}

/// Removes one vertex after another from the border, starting with the top.
fn trees(
    n: usize,
    apex: &FastMap<(usize, usize), usize>,
    [left, right, top]: [usize; 3],
) -> Option<Trees> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n];
    for &(from, to) in apex.keys() {
        rows[from].push(to);
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    let mut parents = [vec![NONE; n], vec![NONE; n], vec![NONE; n]];
    let mut order = Vec::with_capacity(n);
    let (mut gone, mut outer) = (vec![false; n], vec![false; n]);
    // Number of neighbors on the border: exactly two if no inner edge joins the vertex to the
    // border.
    let mut beside = vec![0usize; n];
    let (mut before, mut after) = (vec![NONE; n], vec![NONE; n]);
    for v in [left, right, top] {
        outer[v] = true;
        beside[v] = 2;
    }
    (after[left], after[top]) = (top, right);
    (before[right], before[top]) = (top, left);
    let mut ready = vec![top];
    while let Some(v) = ready.pop() {
        if gone[v] || beside[v] != 2 || v == left || v == right {
            continue;
        }
        let (from, to) = (before[v], after[v]);
        gone[v] = true;
        order.push(v);
        (parents[0][v], parents[1][v]) = (from, to);
        // The vertices behind `v` become border vertices, from the left.
        let mut inner = Vec::new();
        let mut at = *apex.get(&(v, from))?;
        while at != to {
            if gone[at] || outer[at] || inner.len() > n {
                return None;
            }
            inner.push(at);
            at = *apex.get(&(v, at))?;
        }
        for (&x, i) in inner.iter().zip(0..) {
            parents[2][x] = v;
            before[x] = if i == 0 { from } else { inner[i - 1] };
            after[x] = inner.get(i + 1).copied().unwrap_or(to);
        }
        after[from] = inner.first().copied().unwrap_or(to);
        before[to] = inner.last().copied().unwrap_or(from);
        for end in [from, to] {
            beside[end] = beside[end].checked_sub(1)?;
        }
        // If there are none, the two border neighbors of `v` become consecutive on the border. They
        // were adjacent before, so their counts already include each other.
        for &x in &inner {
            outer[x] = true;
            for &y in rows[x].iter().filter(|&&y| outer[y] && !gone[y]) {
                beside[x] += 1;
                beside[y] += 1;
            }
        }
        ready.extend(inner.into_iter().chain([from, to]));
    }
    (order.len() + 2 == n).then_some(Trees { parents, order })
}

/// Computes the locations by counting faces; `faces` is the total number.
fn count(n: usize, faces: usize, trees: &Trees, roots: [usize; 3]) -> Option<Vec<Place>> {
    let [left, right, top] = roots;
    // Parents come before children. Parents are removed later in the first two trees, and earlier
    // in the third.
    let inner = || trees.order.iter().copied().filter(|&v| v != top);
    let downward: [Vec<usize>; 3] = [
        inner().rev().collect(),
        inner().rev().collect(),
        inner().collect(),
    ];
    // Size of the subtree of each vertex in each tree, and number of vertices on the path to each
    // root. Both include the vertex.
    let mut below = [vec![1i64; n], vec![1i64; n], vec![1i64; n]];
    let mut path = [vec![1i64; n], vec![1i64; n], vec![1i64; n]];
    for tree in 0..3 {
        for &v in &downward[tree] {
            path[tree][v] = path[tree][*trees.parents[tree].get(v)?] + 1;
        }
        for &v in downward[tree].iter().rev() {
            below[tree][trees.parents[tree][v]] += below[tree][v];
        }
    }
    // Sums the subtree sizes in `tree` over the path to root `along`.
    let sums = |tree: usize, along: usize| {
        let mut sum = vec![0i64; n];
        sum[roots[along]] = below[tree][roots[along]];
        for &v in &downward[along] {
            sum[v] = sum[trees.parents[along][v]] + below[tree][v];
        }
        sum
    };
    // The corners are centered on the origin.
    let height = 0.75f64.sqrt();
    let corners = [
        [-0.5, -height / 3.0],
        [0.5, -height / 3.0],
        [0.0, height * 2.0 / 3.0],
    ];
    let mut places = vec![[0.0, 0.0]; n];
    for tree in 0..3 {
        let (next, last) = ((tree + 1) % 3, (tree + 2) % 3);
        let (one, other) = (sums(tree, next), sums(tree, last));
        for v in inner() {
            let vertices = one[v] + other[v] - below[tree][v];
            let border = path[next][v] + path[last][v] - 1;
            let share = (2 * vertices - border - 2) as f64 / faces as f64;
            for axis in 0..2 {
                places[v][axis] += share * corners[tree][axis];
            }
        }
    }
    for (root, corner) in [left, right, top].into_iter().zip(corners) {
        places[root] = corner;
    }
    Some(places)
}
