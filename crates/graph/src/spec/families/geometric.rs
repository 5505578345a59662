//! Graphs of points in the plane: triangulations, their subgraphs, and their duals.

use delaunator::{EMPTY, Point, Triangulation, next_halfedge, triangulate};

use super::rng::{Random, number, seeded};
use super::sizes::sizes;
use super::{Family, Recipe};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::{Drawing, Place};
use crate::spec::SpecError;
use omnigo_base::hash::FastMap;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "sunflower",
        "N",
        "N seeds of a sunflower, numbered from the center and joined if no other seed lies between them.",
        |family, text| {
            let size = |[n]: [u64; 1]| Size {
                vertices: n,
                edges: 3 * n,
            };
            sizes(family, text, 1, size, |[n]| gabriel(sunflower(n)))
        },
    ),
    Family::row(
        "delaunay",
        "N[,SEED]",
        "Delaunay triangulation of N random points in a square, with a minimum distance.",
        |family, text| scattered(family, text, 1, delaunay),
    )
    .joined_by(","),
    Family::row(
        "gabriel",
        "N[,SEED]",
        "Points of delaunay, joined if the circle with the edge as its diameter contains no other point.",
        |family, text| scattered(family, text, 1, gabriel),
    )
    .joined_by(","),
    Family::row(
        "voronoi",
        "N[,SEED]",
        "Corners and sides of the Voronoi cells of the points of delaunay, within their square.",
        |family, text| scattered(family, text, 2, voronoi),
    )
    .joined_by(","),
];

/// Parses a family of N points and a seed, with about `each` vertices per point.
fn scattered(
    family: &Family,
    text: &str,
    each: u64,
    draw: fn(Vec<Place>) -> BoardParts,
) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with N from 1");
    let ([n], seed) = seeded(text).ok_or_else(refuse)?;
    let n = number(n).filter(|&n| n > 0).ok_or_else(refuse)?;
    family.limit(text, n)?;
    let vertices = if each == 1 { n } else { each * n + 2 };
    let size = Size {
        vertices,
        edges: 3 * vertices,
    };
    Ok(Recipe::new(format!("{n},{seed}"), size, move || {
        Ok(draw(points(n as usize, seed)))
    }))
}

/// Coordinate steps per unit. Coordinates are whole steps, so that the result does not depend on
/// how a math library rounds.
const STEPS: f64 = 65_536.0;

/// Returns `n` random points in a square of area `n`, in order of generation. They are at least 0.6
/// apart, unless 50 draws of a point do not suffice.
fn points(n: usize, seed: u64) -> Vec<Place> {
    const APART: f64 = 0.6;
    const DRAWS: usize = 50;
    let side = (n as f64).sqrt();
    let mut random = Random::new(seed);
    let mut points: Vec<Place> = Vec::with_capacity(n);
    // The cells are so small that each holds at most one point, except for points that ended up too
    // close.
    let mut cells: FastMap<(i64, i64), Vec<Place>> = FastMap::default();
    let cell = |[x, y]: Place| ((x / APART) as i64, (y / APART) as i64);
    for _ in 0..n {
        let mut drawn = [0.0, 0.0];
        for _ in 0..DRAWS {
            drawn = [0; 2].map(|_: i32| random.below((side * STEPS) as u64) as f64 / STEPS);
            let (column, row) = cell(drawn);
            let near =
                (row - 1..=row + 1).flat_map(|y| (column - 1..=column + 1).map(move |x| (x, y)));
            let mut others = near.filter_map(|key| cells.get(&key)).flatten();
            if others.all(|other| distance(*other, drawn) >= APART * APART) {
                break;
            }
        }
        cells.entry(cell(drawn)).or_default().push(drawn);
        points.push(drawn);
    }
    points
}

/// Returns the squared distance.
fn distance(a: Place, b: Place) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}

/// H. Vogel's model (1979), scaled to unit density. Each seed turns by the golden angle, and its
/// radius grows with the square root of its number.
fn sunflower(n: usize) -> Vec<Place> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let step = |x: f64| (x * STEPS).round() / STEPS;
    let seed = |k: usize| {
        let radius = ((k as f64 + 0.5) / std::f64::consts::PI).sqrt();
        let angle = golden * k as f64;
        [step(radius * angle.sin()), step(radius * angle.cos())]
    };
    (0..n).map(seed).collect()
}

fn triangulation(points: &[Place]) -> Triangulation {
    let points: Vec<Point> = points.iter().map(|&[x, y]| Point { x, y }).collect();
    triangulate(&points)
}

/// Returns the edges of the triangulation, each with the one or two corners opposite to it.
fn edges(points: &[Place]) -> Vec<((usize, usize), Vec<usize>)> {
    let mesh = triangulation(points);
    if mesh.triangles.is_empty() {
        // Fewer than three points, or points on a line; the library orders them along the line.
        let pairs = mesh.hull.iter().zip(mesh.hull.iter().skip(1));
        return pairs.map(|(&a, &b)| ((a, b), Vec::new())).collect();
    }
    let corner = |halfedge: usize| mesh.triangles.get(halfedge).copied().unwrap_or(0);
    let mut edges = Vec::new();
    for (halfedge, &twin) in mesh.halfedges.iter().enumerate() {
        let opposite = |halfedge: usize| corner(next_halfedge(next_halfedge(halfedge)));
        let ends = (corner(halfedge), corner(next_halfedge(halfedge)));
        if twin == EMPTY {
            edges.push((ends, vec![opposite(halfedge)]));
        } else if halfedge < twin {
            edges.push((ends, vec![opposite(halfedge), opposite(twin)]));
        }
    }
    edges
}

fn delaunay(points: Vec<Place>) -> BoardParts {
    let edges = edges(&points).into_iter().map(|(ends, _)| ends);
    BoardParts::new(points.len(), edges).drawn(Drawing::planar(points))
}

fn gabriel(points: Vec<Place>) -> BoardParts {
    let at = |v: usize| points.get(v).copied().unwrap_or_default();
    let free = |&((a, b), ref opposite): &((usize, usize), Vec<usize>)| {
        // A point lies within the circle over an edge exactly if it sees the edge at an obtuse
        // angle.
        let (a, b) = (at(a), at(b));
        opposite.iter().all(|&c| {
            let c = at(c);
            distance(a, c) + distance(b, c) >= distance(a, b)
        })
    };
    let kept: Vec<(usize, usize)> = edges(&points)
        .into_iter()
        .filter(free)
        .map(|(ends, _)| ends)
        .collect();
    BoardParts::new(points.len(), kept).drawn(Drawing::planar(points))
}

/// Reflects the points in the four sides of the square. This makes the sides parts of the diagram.
fn voronoi(points: Vec<Place>) -> BoardParts {
    let n = points.len();
    // The square is slightly larger than the area of the points, so that no point coincides with
    // its image.
    let (low, high) = (-0.25, (n as f64).sqrt() + 0.25);
    let images =
        |image: fn(Place, f64) -> Place, side: f64| points.iter().map(move |&p| image(p, side));
    let left_right = [low, high]
        .into_iter()
        .flat_map(|side| images(|[x, y], side| [2.0 * side - x, y], side));
    let down_up = [low, high]
        .into_iter()
        .flat_map(|side| images(|[x, y], side| [x, 2.0 * side - y], side));
    let all: Vec<Place> = points
        .iter()
        .copied()
        .chain(left_right)
        .chain(down_up)
        .collect();
    let mesh = triangulation(&all);
    let triangles: Vec<[usize; 3]> = mesh
        .triangles
        .chunks_exact(3)
        .filter_map(|corners| corners.try_into().ok())
        .collect();
    let at = |v: usize| all.get(v).copied().unwrap_or_default();
    let middles: Vec<Place> = triangles
        .iter()
        .map(|corners| circumcenter(corners.map(at)))
        .collect();
    let is_cell = |triangle: usize| {
        triangles
            .get(triangle)
            .is_some_and(|corners| corners.iter().any(|&v| v < n))
    };
    // Where more than three cells meet, several triangles have the same circumcenter.
    const SAME: f64 = 1e-7;
    let mut vertices: Vec<usize> = (0..triangles.len()).filter(|&t| is_cell(t)).collect();
    let place = |t: usize| middles.get(t).copied().unwrap_or_default();
    let key = |t: usize| {
        let [x, y] = place(t);
        ((y / SAME).round() as i64, (x / SAME).round() as i64)
    };
    vertices.sort_by_cached_key(|&t| key(t));
    let mut number: FastMap<usize, usize> = FastMap::default();
    let mut places: Vec<Place> = Vec::new();
    let mut merged: FastMap<(i64, i64), usize> = FastMap::default();
    for &t in &vertices {
        let (y, x) = key(t);
        let near = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (y, x)));
        let known = near.filter_map(|key| merged.get(&key)).next().copied();
        let vertex = known.unwrap_or_else(|| {
            places.push(place(t));
            places.len() - 1
        });
        merged.insert((y, x), vertex);
        number.insert(t, vertex);
    }
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (halfedge, &twin) in mesh.halfedges.iter().enumerate() {
        let corner = |halfedge: usize| mesh.triangles.get(halfedge).copied().unwrap_or(n);
        let cells = [corner(halfedge), corner(next_halfedge(halfedge))];
        // The edge between the cells of two images lies outside of the square.
        if twin == EMPTY || twin < halfedge || cells.iter().all(|&v| v >= n) {
            continue;
        }
        if let (Some(&a), Some(&b)) = (number.get(&(halfedge / 3)), number.get(&(twin / 3))) {
            edges.push((a, b));
        }
    }
    // Adjacent triangles with the same circumcenter have no edge between them.
    edges.retain(|(a, b)| a != b);
    BoardParts::new(places.len(), edges).drawn(Drawing::planar(places))
}

fn circumcenter([a, b, c]: [Place; 3]) -> Place {
    let (bx, by) = (b[0] - a[0], b[1] - a[1]);
    let (cx, cy) = (c[0] - a[0], c[1] - a[1]);
    let (b2, c2) = (bx * bx + by * by, cx * cx + cy * cy);
    let twice = 2.0 * (bx * cy - by * cx);
    [
        a[0] + (cy * b2 - by * c2) / twice,
        a[1] + (bx * c2 - cx * b2) / twice,
    ]
}
