//! Platonic and Archimedean solids. Corners are points in space, edges join nearest corners, and
//! the drawing looks through a face.

use super::Family;
use crate::Graph;
use crate::faces::faces;
use crate::model::board_parts::BoardParts;
use crate::model::drawing::{Drawing, Place};
use omnigo_base::vertex::Vertex;

/// (1 + √5) / 2.
const PHI: f64 = 1.618_033_988_749_895;
/// The real root of x³ = x² + x + 1.
const TRIBONACCI: f64 = 1.839_286_755_214_161;

type Point = [f64; 3];

macro_rules! solid {
    ($name:literal, $sentence:literal, $points:expr) => {
        Family::row($name, "", $sentence, |family, text| {
            family.alone(text, || solid($points))
        })
    };
}

pub(super) const FAMILIES: &[Family] = &[
    solid!(
        "tetrahedron",
        "Tetrahedron: 4 vertices of degree 3.",
        even_signs(&[[1.0, 1.0, 1.0]], Turns::None)
    ),
    solid!(
        "cube",
        "Cube: 8 vertices of degree 3.",
        signs(&[[1.0, 1.0, 1.0]], Turns::None)
    ),
    solid!(
        "octahedron",
        "Octahedron: 6 vertices of degree 4.",
        signs(&[[1.0, 0.0, 0.0]], Turns::Even)
    ),
    solid!(
        "dodecahedron",
        "Dodecahedron: 20 vertices of degree 3.",
        signs(&[[1.0, 1.0, 1.0], [0.0, 1.0 / PHI, PHI]], Turns::Even)
    ),
    solid!(
        "icosahedron",
        "Icosahedron: 12 vertices of degree 5.",
        signs(&[[0.0, 1.0, PHI]], Turns::Even)
    ),
    solid!(
        "truncatedtetrahedron",
        "Truncated tetrahedron (3.6.6): 12 vertices of degree 3.",
        even_signs(&[[3.0, 1.0, 1.0]], Turns::Even)
    ),
    solid!(
        "cuboctahedron",
        "Cuboctahedron (3.4.3.4): 12 vertices of degree 4.",
        signs(&[[1.0, 1.0, 0.0]], Turns::Even)
    ),
    solid!(
        "truncatedcube",
        "Truncated cube (3.8.8): 24 vertices of degree 3.",
        signs(&[[std::f64::consts::SQRT_2 - 1.0, 1.0, 1.0]], Turns::Even)
    ),
    solid!(
        "truncatedoctahedron",
        "Truncated octahedron (4.6.6): 24 vertices of degree 3.",
        signs(&[[0.0, 1.0, 2.0]], Turns::All)
    ),
    solid!(
        "rhombicuboctahedron",
        "Rhombicuboctahedron (3.4.4.4): 24 vertices of degree 4.",
        signs(&[[1.0, 1.0, 1.0 + std::f64::consts::SQRT_2]], Turns::Even)
    ),
    solid!(
        "truncatedcuboctahedron",
        "Truncated cuboctahedron (4.6.8): 48 vertices of degree 3.",
        {
            let root = std::f64::consts::SQRT_2;
            signs(&[[1.0, 1.0 + root, 1.0 + 2.0 * root]], Turns::All)
        }
    ),
    solid!(
        "snubcube",
        "Snub cube (3.3.3.3.4): 24 vertices of degree 5.",
        {
            let corner = [1.0, 1.0 / TRIBONACCI, TRIBONACCI];
            let mirrored = [corner[1], corner[0], corner[2]];
            // Even permutations have an even number of minus signs, odd permutations an odd number.
            let mut points = even_signs(&[corner], Turns::Even);
            points.extend(
                even_signs(&[mirrored], Turns::Even)
                    .iter()
                    .map(|p| p.map(|x| -x)),
            );
            points
        }
    ),
    solid!(
        "icosidodecahedron",
        "Icosidodecahedron (3.5.3.5): 30 vertices of degree 4.",
        signs(
            &[[0.0, 0.0, PHI], [0.5, PHI / 2.0, PHI * PHI / 2.0]],
            Turns::Even
        )
    ),
    solid!(
        "truncateddodecahedron",
        "Truncated dodecahedron (3.10.10): 60 vertices of degree 3.",
        signs(
            &[
                [0.0, 1.0 / PHI, 2.0 + PHI],
                [1.0 / PHI, PHI, 2.0 * PHI],
                [PHI, 2.0, PHI + 1.0],
            ],
            Turns::Even
        )
    ),
    solid!(
        "c60",
        "Truncated icosahedron (5.6.6), a soccer ball: 60 vertices of degree 3.",
        signs(
            &[
                [0.0, 1.0, 3.0 * PHI],
                [1.0, 2.0 + PHI, 2.0 * PHI],
                [PHI, 2.0, 2.0 * PHI + 1.0],
            ],
            Turns::Even
        )
    ),
    solid!(
        "rhombicosidodecahedron",
        "Rhombicosidodecahedron (3.4.5.4): 60 vertices of degree 4.",
        signs(
            &[
                [1.0, 1.0, PHI * PHI * PHI],
                [PHI * PHI, PHI, 2.0 * PHI],
                [2.0 + PHI, 0.0, PHI * PHI],
            ],
            Turns::Even
        )
    ),
    solid!(
        "truncatedicosidodecahedron",
        "Truncated icosidodecahedron (4.6.10): 120 vertices of degree 3.",
        signs(
            &[
                [1.0 / PHI, 1.0 / PHI, 3.0 + PHI],
                [2.0 / PHI, PHI, 1.0 + 2.0 * PHI],
                [1.0 / PHI, PHI * PHI, 3.0 * PHI - 1.0],
                [2.0 * PHI - 1.0, 2.0, 2.0 + PHI],
                [PHI, 3.0, 2.0 * PHI],
            ],
            Turns::Even
        )
    ),
    solid!(
        "snubdodecahedron",
        "Snub dodecahedron (3.3.3.3.5): 60 vertices of degree 5.",
        {
            // The real root of ξ³ − 2 ξ = φ.
            let xi = 1.715_561_499_697_367_8;
            let (a, b) = (xi - 1.0 / xi, xi * PHI + PHI * PHI + PHI / xi);
            even_signs(
                &[
                    [2.0 * a, 2.0, 2.0 * b],
                    [
                        a + b / PHI + PHI,
                        -a * PHI + b + 1.0 / PHI,
                        a / PHI + b * PHI - 1.0,
                    ],
                    [
                        a + b / PHI - PHI,
                        a * PHI - b + 1.0 / PHI,
                        a / PHI + b * PHI + 1.0,
                    ],
                    [
                        -a / PHI + b * PHI + 1.0,
                        -a + b / PHI - PHI,
                        a * PHI + b - 1.0 / PHI,
                    ],
                    [
                        -a / PHI + b * PHI - 1.0,
                        a - b / PHI - PHI,
                        a * PHI + b + 1.0 / PHI,
                    ],
                ],
                Turns::Even,
            )
        }
    ),
];

/// Permutations of the coordinates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turns {
    None,
    /// The three even permutations.
    Even,
    All,
}

/// Returns every choice of signs for every permutation of the coordinates, each point once.
fn signs(corners: &[Point], turns: Turns) -> Vec<Point> {
    orbit(corners, turns, |_| true)
}

/// Same as [`signs`], but only choices that negate an even number of coordinates.
fn even_signs(corners: &[Point], turns: Turns) -> Vec<Point> {
    orbit(corners, turns, |choice| choice.count_ones() % 2 == 0)
}

fn orbit(corners: &[Point], turns: Turns, sound: fn(u32) -> bool) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for &[x, y, z] in corners {
        let orders = match turns {
            Turns::None => vec![[x, y, z]],
            Turns::Even => vec![[x, y, z], [y, z, x], [z, x, y]],
            Turns::All => vec![
                [x, y, z],
                [y, z, x],
                [z, x, y],
                [y, x, z],
                [x, z, y],
                [z, y, x],
            ],
        };
        for (point, choice) in orders.iter().flat_map(|p| (0..8u32).map(move |c| (p, c))) {
            let mut bit = 0;
            let point = point.map(|part| {
                bit += 1;
                if choice >> (bit - 1) & 1 == 1 {
                    -part
                } else {
                    part
                }
            });
            let new = points.iter().all(|&other| distance(point, other) > 1e-6);
            if sound(choice) && new {
                points.push(point);
            }
        }
    }
    points
}

fn distance(a: Point, b: Point) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b) * (a - b))
        .sum::<f64>()
        .sqrt()
}

/// Builds the solid with these corners and edges of length 1. Corners are numbered from the center
/// of the picture outward, starting at the top.
fn solid(points: Vec<Point>) -> BoardParts {
    let n = points.len();
    let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let far = |&(a, b): &(usize, usize)| match (points.get(a), points.get(b)) {
        (Some(&a), Some(&b)) => distance(a, b),
        _ => f64::INFINITY,
    };
    let side = pairs
        .clone()
        .map(|pair| far(&pair))
        .fold(f64::INFINITY, f64::min);
    let edges: Vec<(usize, usize)> = pairs.filter(|pair| far(pair) < side * 1.001).collect();
    let points: Vec<Point> = points
        .iter()
        .map(|point| point.map(|part| part / side))
        .collect();
    let (order, places) = seen_from_a_face(&points, &edges);
    let mut number = vec![0; n];
    for (new, &old) in order.iter().enumerate() {
        if let Some(number) = number.get_mut(old) {
            *number = new;
        }
    }
    let renamed = |v: usize| number.get(v).copied().unwrap_or(0);
    let drawing = Drawing {
        solid: Some(
            order
                .iter()
                .filter_map(|&v| points.get(v))
                .copied()
                .collect(),
        ),
        ..Drawing::planar(
            order
                .iter()
                .filter_map(|&v| places.get(v))
                .copied()
                .collect(),
        )
    };
    let edges = edges.iter().map(|&(a, b)| (renamed(a), renamed(b)));
    BoardParts::new(n, edges).drawn(drawing)
}

/// Returns a picture in which no edges cross. It looks into the solid through one of its largest
/// faces, which becomes the outer face. Also returns the corners ordered from the center of the
/// picture outward.
fn seen_from_a_face(points: &[Point], edges: &[(usize, usize)]) -> (Vec<usize>, Vec<Place>) {
    let narrow: Vec<(u16, u16)> = edges.iter().map(|&(a, b)| (a as u16, b as u16)).collect();
    let (graph, _) = Graph::from_edges(points.len(), &narrow);
    let at = |v: Vertex| points.get(v.index()).copied().unwrap_or_default();
    let rotation: Vec<Vec<Vertex>> = graph
        .all()
        .map(|v| {
            let mut around = graph.neighbors(v).to_vec();
            let [right, up] = plane(at(v));
            around.sort_by(|&a, &b| {
                let angle = |u: Vertex| dot(at(u), up).atan2(dot(at(u), right));
                // Viewed from outside, the corner itself is at the origin.
                angle(a).total_cmp(&angle(b))
            });
            around
        })
        .collect();
    let faces = faces(&rotation);
    let outer = faces.iter().rev().max_by_key(|face| face.len());
    let outer = outer.cloned().unwrap_or_default();
    let sum = |of: &mut dyn Iterator<Item = Point>| {
        of.fold([0.0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
    };
    let pole = sum(&mut outer.iter().map(|&v| at(v)));
    // Rotate the picture so that the first edge of the outer face is horizontal at the bottom.
    let bottom = sum(&mut outer.iter().take(2).map(|&v| at(v)));
    let [right, up] = plane(pole);
    let turn = dot(bottom, up).atan2(dot(bottom, right)) + std::f64::consts::FRAC_PI_2;
    let length = dot(pole, pole).sqrt();
    let polar = |point: Point| {
        let across = [dot(point, right), dot(point, up)];
        let aside = across[0].hypot(across[1]);
        let away = aside.atan2(-dot(point, pole) / length);
        let angle = across[1].atan2(across[0]) - turn;
        (away, angle)
    };
    // Try the most evenly spaced picture first. Even spacing bends edges, so that some may cross.
    // The last choice is the stereographic projection.
    let radii: [fn(f64) -> f64; 4] = [
        |away| away,
        |away| (away / 4.0).tan(),
        |away| (away / 3.0).tan(),
        |away| (away / 2.0).tan(),
    ];
    let picture = |radius: fn(f64) -> f64| -> Vec<Place> {
        let place = |&point: &Point| {
            let (away, angle) = polar(point);
            [radius(away) * angle.cos(), radius(away) * angle.sin()]
        };
        points.iter().map(place).collect()
    };
    let places = radii
        .iter()
        .map(|&radius| picture(radius))
        .find(|places| !crosses(places, edges));
    let places = places.unwrap_or_else(|| picture(radii[3]));
    let shortest = edges
        .iter()
        .filter_map(|&(a, b)| Some((places.get(a)?, places.get(b)?)))
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
        .fold(f64::INFINITY, f64::min);
    let places: Vec<Place> = places
        .iter()
        .map(|place| place.map(|part| part / shortest))
        .collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_cached_key(|&v| {
        let (away, angle) = polar(points.get(v).copied().unwrap_or_default());
        // Clockwise from the top within a ring. Rounding keeps corners of the same ring together.
        let clockwise = (std::f64::consts::FRAC_PI_2 - angle).rem_euclid(std::f64::consts::TAU);
        let full = std::f64::consts::TAU - 1e-6;
        let clockwise = if clockwise > full { 0.0 } else { clockwise };
        (
            (away * 1e6).round() as i64,
            (clockwise * 1e6).round() as i64,
        )
    });
    (order, places)
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns two unit vectors that span the plane perpendicular to `normal`, counterclockwise as seen
/// from its tip.
fn plane(normal: Point) -> [Point; 2] {
    let unit = |v: Point| {
        let length = dot(v, v).sqrt();
        v.map(|part| part / length)
    };
    let least = if normal[0].abs() < normal[1].abs() {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let right = unit(cross(least, normal));
    [right, unit(cross(normal, right))]
}

/// Returns true if two edges without a common end intersect when drawn as straight lines.
pub(super) fn crosses(places: &[Place], edges: &[(usize, usize)]) -> bool {
    let at = |v: usize| places.get(v).copied().unwrap_or_default();
    let side = |a: Place, b: Place, c: Place| {
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if turn.abs() < 1e-9 {
            0
        } else {
            turn.signum() as i32
        }
    };
    // Collinear segments intersect only if they overlap.
    let overlap = |axis: fn(Place) -> f64, [a, b, c, d]: [Place; 4]| {
        let (a, b, c, d) = (axis(a), axis(b), axis(c), axis(d));
        a.max(b) >= c.min(d) && c.max(d) >= a.min(b)
    };
    edges.iter().enumerate().any(|(i, &(a, b))| {
        edges.iter().take(i).any(|&(c, d)| {
            let apart = a != c && a != d && b != c && b != d;
            let corners = [at(a), at(b), at(c), at(d)];
            let [a, b, c, d] = corners;
            apart
                && side(a, b, c) * side(a, b, d) <= 0
                && side(c, d, a) * side(c, d, b) <= 0
                && overlap(|[x, _]| x, corners)
                && overlap(|[_, y]| y, corners)
        })
    })
}
