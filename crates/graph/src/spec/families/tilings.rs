//! Pieces of the Archimedean tilings: regular polygons of side 1, in the same order around every
//! vertex. Names follow Conway's school; each family's description gives the polygons around a
//! vertex.
//!
//! Points are integer combinations of 1, ζ, ζ², ζ³ for a root of unity ζ of order 12 (or 8, for
//! octagons). Equal points therefore compare equal without rounding, and each edge is a difference
//! of ζᵏ. Vertices are numbered row by row from the bottom, each row from the left.

use std::collections::HashMap;

use super::Family;
use super::sizes::{sides, sizes};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::Drawing;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "kagome",
        "N",
        "Trihexagonal tiling (3.6.3.6), N hexagons per side.",
        |family, text| {
            sizes(
                family,
                text,
                1,
                |[n]| upper(9 * n * n - 3 * n, 4),
                |[n]| hexagonal(n, HEXAGON, [2, 0, 0, 0]),
            )
        },
    ),
    Family::row(
        "rhombitrihexagonal",
        "N",
        "Rhombitrihexagonal tiling (3.4.6.4), N hexagons per side.",
        |family, text| {
            sizes(
                family,
                text,
                1,
                |[n]| upper(6 * cells(n), 4),
                |[n]| hexagonal(n, HEXAGON, [1, 1, 1, 0]),
            )
        },
    ),
    Family::row(
        "snubhexagonal",
        "N",
        "Snub trihexagonal tiling (3.3.3.3.6), N hexagons per side.",
        |family, text| {
            sizes(
                family,
                text,
                1,
                |[n]| upper(6 * cells(n), 5),
                |[n]| hexagonal(n, HEXAGON, [2, 0, 1, 0]),
            )
        },
    ),
    Family::row(
        "truncatedhexagonal",
        "N",
        "Truncated hexagonal tiling (3.12.12), N dodecagons per side.",
        |family, text| {
            let size = |[n]: [u64; 1]| {
                let touching = 3 * cells(n) - 3 * (2 * n - 1);
                upper(12 * cells(n) - 2 * touching, 3)
            };
            sizes(family, text, 1, size, |[n]| {
                hexagonal(n, DODECAGON, [2, 2, 0, -1])
            })
        },
    ),
    Family::row(
        "truncatedtrihexagonal",
        "N",
        "Truncated trihexagonal tiling (4.6.12), N dodecagons per side.",
        |family, text| {
            sizes(
                family,
                text,
                1,
                |[n]| upper(12 * cells(n), 3),
                |[n]| hexagonal(n, DODECAGON, [3, 2, 0, -1]),
            )
        },
    ),
    Family::row(
        "truncatedsquare",
        "WxH",
        "Truncated square tiling (4.8.8), H rows of W octagons.",
        |family, text| {
            let size = |[w, h]: [u64; 2]| upper(8 * w * h - 2 * (2 * w * h - w - h), 3);
            sides(family, text, size, octagons)
        },
    ),
    Family::row(
        "snubsquare",
        "WxH",
        "Snub square tiling (3.3.4.3.4), H rows of W vertices.",
        |family, text| sides(family, text, |[w, h]| upper(w * h, 5), snub_square),
    ),
    Family::row(
        "elongatedtriangular",
        "WxH",
        "Elongated triangular tiling (3.3.3.4.4), H rows of W vertices, alternating between squares and triangles.",
        |family, text| sides(family, text, |[w, h]| upper(w * h, 5), elongated),
    ),
];

/// Returns an upper bound for graphs with `vertices` vertices of at most this degree.
fn upper(vertices: u64, degree: u64) -> Size {
    Size {
        vertices,
        edges: vertices * degree / 2,
    }
}

/// Returns the number of cells of a hexagon of cells with `n` per side.
fn cells(n: u64) -> u64 {
    3 * n * (n - 1) + 1
}

/// Integer coefficients of 1, ζ, ζ², ζ³.
type Point = [i64; 4];

/// Directions of edges.
#[derive(Clone, Copy)]
struct Directions {
    /// The order of ζ: 12 or 8.
    order: usize,
}

const TWELVE: Directions = Directions { order: 12 };
const EIGHT: Directions = Directions { order: 8 };

/// Polygon given by the directions of its sides, counterclockwise.
type Polygon = &'static [usize];

const HEXAGON: Polygon = &[0, 2, 4, 6, 8, 10];
const DODECAGON: Polygon = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const OCTAGON: Polygon = &[0, 1, 2, 3, 4, 5, 6, 7];

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

fn times(a: Point, factor: i64) -> Point {
    a.map(|part| part * factor)
}

impl Directions {
    /// Rotates the point by one direction. ζ⁴ is ζ² − 1 for order 12, and −1 for order 8.
    fn turned(self, [a, b, c, d]: Point) -> Point {
        match self.order {
            12 => [-d, a, b + d, c],
            _ => [-d, a, b, c],
        }
    }

    /// Returns the unit step in this direction.
    fn step(self, direction: usize) -> Point {
        (0..direction).fold([1, 0, 0, 0], |point, _| self.turned(point))
    }

    fn place(self, point: Point) -> [f64; 2] {
        let angle = std::f64::consts::TAU / self.order as f64;
        let mut place = [0.0, 0.0];
        for (k, part) in point.into_iter().enumerate() {
            let (sin, cos) = (angle * k as f64).sin_cos();
            place = [place[0] + part as f64 * cos, place[1] + part as f64 * sin];
        }
        place
    }

    /// Builds the graph that joins points a unit step apart. No other vertices of a tiling by
    /// regular polygons are that close to each other.
    fn graph(self, mut points: Vec<Point>) -> BoardParts {
        points.sort_unstable();
        points.dedup();
        // Sort by location. The unit is fine enough to separate all different coordinates, and
        // coarse enough to hide rounding errors.
        const FINE: f64 = 1e6;
        points.sort_by_cached_key(|&point| {
            let [x, y] = self.place(point);
            ((y * FINE).round() as i64, (x * FINE).round() as i64)
        });
        let index: HashMap<Point, usize> = points.iter().copied().zip(0..).collect();
        // Half of the directions are enough to find each edge once.
        let steps: Vec<Point> = (0..self.order / 2).map(|k| self.step(k)).collect();
        let edges = points.iter().enumerate().flat_map(|(v, &point)| {
            let (index, steps) = (&index, &steps);
            let ends = steps
                .iter()
                .filter_map(move |&step| index.get(&plus(point, step)));
            ends.map(move |&end| (v, end))
        });
        let places = points.iter().map(|&point| self.place(point)).collect();
        BoardParts::new(points.len(), edges).drawn(Drawing::planar(places))
    }

    /// Returns the corners of a polygon whose first corner is `corner`.
    fn corners(self, corner: Point, polygon: Polygon) -> impl Iterator<Item = Point> {
        polygon.iter().scan(corner, move |at, &side| {
            let corner = *at;
            *at = plus(corner, self.step(side));
            Some(corner)
        })
    }
}

/// Builds polygons in the shape of a hexagon with `n` per side. `apart` is the step from one
/// polygon to the next.
fn hexagonal(n: usize, polygon: Polygon, apart: Point) -> BoardParts {
    let upward = TWELVE.turned(TWELVE.turned(apart));
    let n = n as i64;
    let rows = (1 - n..n).flat_map(|y| {
        let from = (1 - n).max(1 - n - y);
        let to = (n - 1).min(n - 1 - y);
        (from..=to).map(move |x| plus(times(apart, x), times(upward, y)))
    });
    TWELVE.graph(
        rows.flat_map(|corner| TWELVE.corners(corner, polygon))
            .collect(),
    )
}

/// Builds octagons in rows and columns.
fn octagons([width, height]: [usize; 2]) -> BoardParts {
    // A step of 1 + √2 to the right and upward.
    let right = [1, 1, 0, -1];
    let upward = EIGHT.turned(EIGHT.turned(right));
    let rows = (0..height as i64)
        .flat_map(|y| (0..width as i64).map(move |x| plus(times(right, x), times(upward, y))));
    EIGHT.graph(
        rows.flat_map(|corner| EIGHT.corners(corner, OCTAGON))
            .collect(),
    )
}

/// Builds a grid whose columns and rows alternately lean by 15 degrees to either side. Every other
/// cell is then a rhombus of two triangles.
fn snub_square([width, height]: [usize; 2]) -> BoardParts {
    let lean = |i: usize| {
        let degrees: f64 = if i.is_multiple_of(2) { 15.0 } else { -15.0 };
        degrees.to_radians()
    };
    let along = |n: usize, turn: f64| -> Vec<[f64; 2]> {
        let steps = (0..n).scan([0.0, 0.0], |at, i| {
            let place = *at;
            let (sin, cos) = (turn + lean(i)).sin_cos();
            *at = [at[0] + cos, at[1] + sin];
            Some(place)
        });
        steps.collect()
    };
    let (columns, rows) = (
        along(width, 0.0),
        along(height, std::f64::consts::FRAC_PI_2),
    );
    let places = rows
        .iter()
        .flat_map(|&[dx, dy]| columns.iter().map(move |&[x, y]| [x + dx, y + dy]));
    let edges = (0..width * height).flat_map(|v| {
        let (x, y) = (v % width, v / width);
        let (right, up) = (x + 1 < width, y + 1 < height);
        let diagonal = (right && up).then_some(match (x % 2, y % 2) {
            (0, 1) => Some((v + 1, v + width)),
            (1, 0) => Some((v, v + width + 1)),
            _ => None,
        });
        let square = [right.then_some((v, v + 1)), up.then_some((v, v + width))];
        square.into_iter().chain(diagonal).flatten()
    });
    BoardParts::new(width * height, edges).drawn(Drawing::planar(places.collect()))
}

/// Builds squares above rows 0, 2, … and triangles above rows 1, 3, …
fn elongated([width, height]: [usize; 2]) -> BoardParts {
    const TRIANGLE: f64 = 0.866_025_403_784_438_6;
    // Rows 2 and 3, 6 and 7, … are shifted right by half a step.
    let shifted = |row: usize| row % 4 >= 2;
    let edges = (0..width * height).flat_map(|v| {
        let (x, y) = (v % width, v / width);
        let along = (x + 1 < width).then_some((v, v + 1));
        let up = (y + 1 < height).then_some((v, v + width));
        let aslant = match (y % 2 == 1 && y + 1 < height, shifted(y)) {
            (true, false) if x > 0 => Some((v, v + width - 1)),
            (true, true) if x + 1 < width => Some((v, v + width + 1)),
            _ => None,
        };
        [along, up, aslant].into_iter().flatten()
    });
    let places = (0..width * height).map(|v| {
        let (x, y) = (v % width, v / width);
        let height = y.div_ceil(2) as f64 + (y / 2) as f64 * TRIANGLE;
        [x as f64 + if shifted(y) { 0.5 } else { 0.0 }, height]
    });
    BoardParts::new(width * height, edges).drawn(Drawing::planar(places.collect()))
}
