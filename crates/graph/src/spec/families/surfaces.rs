//! Rings, the surface of a cube, the diamond lattice, and the Sierpiński triangle.

use std::collections::HashMap;

use super::Family;
use super::basic::on_circle;
use super::sizes::{sides, sizes};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::{Drawing, Place, Wrap};
use omnigo_base::vertex::Vertex;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "rings",
        "RxS",
        "R rings of S vertices each, numbered from the inside and joined along S spokes.",
        |family, text| sizes(family, text, 1, rings_size, rings),
    ),
    Family::row(
        "cubesurface",
        "N",
        "Surface of a cube with NxN vertices on each face. Faces are joined across the edges of the cube.",
        |family, text| sizes(family, text, 1, cube_size, cube_surface),
    ),
    Family::row(
        "diamond",
        "AxBxC",
        "Diamond lattice: two vertices in each of AxBxC cells, each with up to four neighbors. N alone means NxNxN.",
        |family, text| sides(family, text, diamond_size, diamond),
    ),
    Family::row(
        "sierpinski",
        "N",
        "Sierpiński triangle: sierpinski:1 is a triangle. Each larger one joins three copies of the previous one at corners.",
        |family, text| sizes(family, text, 1, sierpinski_size, sierpinski),
    ),
];

fn rings_size([rings, spokes]: [u64; 2]) -> Size {
    Size {
        vertices: rings * spokes,
        edges: rings * spokes + (rings - 1) * spokes,
    }
}

fn rings([rings, spokes]: [usize; 2]) -> BoardParts {
    let edges = (0..rings * spokes).flat_map(|v| {
        let (ring, spoke) = (v / spokes, v % spokes);
        let along = (v, ring * spokes + (spoke + 1) % spokes);
        let out = (ring + 1 < rings).then_some((v, v + spokes));
        std::iter::once(along).chain(out)
    });
    // The innermost ring is large enough for its vertices, and none of them lies at the center.
    let inner = spokes as f64 / std::f64::consts::TAU;
    let places = (0..rings).flat_map(|ring| on_circle(spokes, inner.max(0.5) + ring as f64));
    let drawing = Drawing {
        planar: spokes != 2 || rings == 1,
        ..Drawing::new(places.collect())
    };
    BoardParts::new(rings * spokes, edges).drawn(drawing)
}

fn cube_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: 6 * n * n,
        edges: 12 * n * n,
    }
}

/// Face of the unfolded cube: its location in the net, in units of faces, and its axes. They are
/// the axes of space that point right, up, and outward on the face. Axes are numbered 1 to 3; a
/// negative number means the opposite direction.
struct Face {
    net: [i64; 2],
    right: i64,
    up: i64,
    out: i64,
}

const FACES: [Face; 6] = [
    Face {
        net: [1, 0],
        right: 1,
        up: -2,
        out: -3,
    },
    Face {
        net: [0, 1],
        right: -2,
        up: 3,
        out: -1,
    },
    Face {
        net: [1, 1],
        right: 1,
        up: 3,
        out: -2,
    },
    Face {
        net: [2, 1],
        right: 2,
        up: 3,
        out: 1,
    },
    Face {
        net: [3, 1],
        right: -1,
        up: 3,
        out: 2,
    },
    Face {
        net: [1, 2],
        right: 1,
        up: 2,
        out: 3,
    },
];

/// Numbers vertices face by face, each row by row. Draws the unfolded cube.
fn cube_surface([n]: [usize; 1]) -> BoardParts {
    let n = n as i64;
    let set = |point: &mut [i64; 3], axis: i64, value: i64| {
        if let Some(part) = point.get_mut(axis.unsigned_abs() as usize - 1) {
            *part = value * axis.signum();
        }
    };
    // Faces are at ±n in space; their vertices have coordinates −n+1, −n+3, …, n−1.
    let mut points: Vec<[i64; 3]> = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    for face in &FACES {
        for (y, x) in (0..n).flat_map(|y| (0..n).map(move |x| (y, x))) {
            let mut point = [0; 3];
            set(&mut point, face.out, n);
            set(&mut point, face.right, 2 * x + 1 - n);
            set(&mut point, face.up, 2 * y + 1 - n);
            points.push(point);
            places.push([(face.net[0] * n + x) as f64, (face.net[1] * n + y) as f64]);
        }
    }
    let index: HashMap<[i64; 3], usize> = points.iter().copied().zip(0..).collect();
    let mut edges = Vec::new();
    let mut wraps = Vec::new();
    for (v, (point, face)) in points
        .iter()
        .zip(FACES.iter().flat_map(|face| (0..n * n).map(move |_| face)))
        .enumerate()
    {
        let place = |v: usize| places.get(v).copied().unwrap_or_default();
        for (axis, step) in [
            (face.right, [1.0, 0.0]),
            (-face.right, [-1.0, 0.0]),
            (face.up, [0.0, 1.0]),
            (-face.up, [0.0, -1.0]),
        ] {
            let along = point
                .get(axis.unsigned_abs() as usize - 1)
                .copied()
                .unwrap_or(0)
                * axis.signum();
            let mut next = *point;
            if along + 2 < n {
                set(&mut next, axis, along + 2);
            } else {
                set(&mut next, axis, n);
                set(&mut next, face.out, n - 1);
            }
            let Some(&to) = index.get(&next) else {
                continue;
            };
            if v < to {
                edges.push((v, to));
            }
            let ([x, y], [to_x, to_y]) = (place(v), place(to));
            if (x - to_x).abs() + (y - to_y).abs() > 1.5 {
                wraps.push((v, to, [x + step[0], y + step[1]]));
            }
        }
    }
    // Each wrapped edge was found from both ends.
    let seen: HashMap<(usize, usize), Place> = wraps
        .iter()
        .map(|&(v, to, beside)| ((v, to), beside))
        .collect();
    let both = wraps
        .iter()
        .filter(|(v, to, _)| v < to)
        .filter_map(|&(v, to, beside)| {
            Some(Wrap {
                ends: [Vertex::at(v), Vertex::at(to)],
                beside: [beside, *seen.get(&(to, v))?],
            })
        });
    let drawing = Drawing {
        solid: Some(
            points
                .iter()
                .map(|point| point.map(|part| part as f64 / 2.0))
                .collect(),
        ),
        wraps: both.collect(),
        ..Drawing::new(places)
    };
    BoardParts::new(points.len(), edges).drawn(drawing)
}

fn diamond_size([a, b, c]: [u64; 3]) -> Size {
    let cells = a * b * c;
    Size {
        vertices: 2 * cells,
        edges: (4 * cells).saturating_sub(b * c + a * c + a * b),
    }
}

/// Cell i = x + a (y + b z) has the vertices 2i and 2i+1. The second is adjacent to the first
/// vertex of its own cell and of the next cell in each direction.
fn diamond([a, b, c]: [usize; 3]) -> BoardParts {
    let cells = (0..c).flat_map(|z| (0..b).flat_map(move |y| (0..a).map(move |x| [x, y, z])));
    let index = |[x, y, z]: [usize; 3]| 2 * (x + a * (y + b * z));
    let edges = cells.clone().flat_map(|[x, y, z]| {
        let second = index([x, y, z]) + 1;
        let next = [
            Some([x, y, z]),
            (x + 1 < a).then_some([x + 1, y, z]),
            (y + 1 < b).then_some([x, y + 1, z]),
            (z + 1 < c).then_some([x, y, z + 1]),
        ];
        next.into_iter()
            .flatten()
            .map(move |cell| (second, index(cell)))
    });
    let points = cells.flat_map(|cell| {
        let [x, y, z] = cell.map(|side| side as f64);
        let corner = [y + z, x + z, x + y];
        [corner, corner.map(|part| part + 0.5)]
    });
    BoardParts::new(2 * a * b * c, edges).pictured(Drawing::in_space(points.collect()))
}

fn sierpinski_size([n]: [u64; 1]) -> Size {
    let edges = u32::try_from(n).ok().and_then(|n| 3u64.checked_pow(n));
    let edges = edges.unwrap_or(u64::MAX);
    Size {
        vertices: (edges / 3).saturating_add(1).saturating_mul(3) / 2,
        edges,
    }
}

/// A small triangle exists at (x, y) if x and y have no bit in common. These are the odd entries of
/// Pascal's triangle.
fn sierpinski([n]: [usize; 1]) -> BoardParts {
    let side = 1usize << (n - 1);
    let triangles = (0..side)
        .flat_map(|y| (0..side - y).map(move |x| (x, y)))
        .filter(|(x, y)| x & y == 0);
    let triangles: Vec<(usize, usize)> = triangles.collect();
    let corners = triangles
        .iter()
        .flat_map(|&(x, y)| [(y, x), (y, x + 1), (y + 1, x)]);
    let mut corners: Vec<(usize, usize)> = corners.collect();
    corners.sort_unstable();
    corners.dedup();
    let index: HashMap<(usize, usize), usize> = corners.iter().copied().zip(0..).collect();
    let at = |y: usize, x: usize| index.get(&(y, x)).copied().unwrap_or(0);
    let edges = triangles.iter().flat_map(|&(x, y)| {
        let (left, right, top) = (at(y, x), at(y, x + 1), at(y + 1, x));
        [(left, right), (left, top), (right, top)]
    });
    let edges: Vec<(usize, usize)> = edges.collect();
    const HEIGHT: f64 = 0.866_025_403_784_438_6;
    let places = corners
        .iter()
        .map(|&(y, x)| [x as f64 + y as f64 / 2.0, y as f64 * HEIGHT]);
    let drawing = Drawing::planar(places.collect());
    BoardParts::new(corners.len(), edges).drawn(drawing)
}
