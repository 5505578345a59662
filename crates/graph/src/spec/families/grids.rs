//! Rectangles, plain and wrapped, and the cubic lattice. The index is `x + width * y`, from A1.

use super::Family;
use super::sizes::sides;
use crate::model::board_parts::{BoardParts, Labels, Size};
use crate::model::drawing::{Drawing, Wrap};
use omnigo_base::vertex::Vertex;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "grid",
        "WxH",
        "Rectangular grid of width W and height H. N alone means NxN.",
        |family, text| sides(family, text, grid_size, grid),
    ),
    Family::row(
        "torus",
        "WxH",
        "Grid whose width and height both wrap around.",
        |family, text| {
            sides(family, text, wrapped_size, |sides| {
                rectangle(sides, Side::Wraps, Side::Wraps, SQUARE)
            })
        },
    ),
    Family::row(
        "cylinder",
        "WxH",
        "Grid whose width wraps around.",
        |family, text| {
            sides(family, text, wrapped_size, |sides| {
                rectangle(sides, Side::Wraps, Side::Open, SQUARE)
            })
        },
    ),
    Family::row(
        "mobius",
        "WxH",
        "Möbius strip: a grid whose width wraps around with the height reversed.",
        |family, text| {
            sides(family, text, wrapped_size, |sides| {
                rectangle(sides, Side::Reversed, Side::Open, SQUARE)
            })
        },
    ),
    Family::row(
        "klein",
        "WxH",
        "Klein bottle: a grid whose width wraps around with the height reversed. The height wraps around without reversal.",
        |family, text| {
            sides(family, text, wrapped_size, |sides| {
                rectangle(sides, Side::Reversed, Side::Wraps, SQUARE)
            })
        },
    ),
    Family::row(
        "projective",
        "WxH",
        "Projective plane: a grid whose width and height both wrap around with the other side reversed.",
        |family, text| {
            sides(family, text, wrapped_size, |sides| {
                rectangle(sides, Side::Reversed, Side::Reversed, SQUARE)
            })
        },
    ),
    Family::row(
        "king",
        "WxH",
        "Grid whose diagonal neighbors are also adjacent.",
        |family, text| {
            sides(family, text, king_size, |sides| {
                rectangle(sides, Side::Open, Side::Open, KING)
            })
        },
    ),
    Family::row(
        "grid3d",
        "AxBxC",
        "Cubic lattice; the first coordinate varies fastest. N alone means NxNxN.",
        |family, text| sides(family, text, grid3d_size, grid3d),
    ),
];

/// Neighbors of the vertices on a side of a rectangle, across that side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// None.
    Open,
    /// The vertices of the opposite side.
    Wraps,
    /// The vertices of the opposite side, in reverse order.
    Reversed,
}

/// Steps to neighbors, one of each pair of opposite steps.
const SQUARE: &[(isize, isize)] = &[(1, 0), (0, 1)];
/// Each vertex is adjacent to all eight around it, like the moves of a chess king.
const KING: &[(isize, isize)] = &[(1, 0), (0, 1), (1, 1), (-1, 1)];

fn grid_size([width, height]: [u64; 2]) -> Size {
    Size {
        vertices: width * height,
        edges: (2 * width * height).saturating_sub(width + height),
    }
}

/// Exact, unless a side is so short that edges coincide.
fn wrapped_size([width, height]: [u64; 2]) -> Size {
    Size {
        vertices: width * height,
        edges: 2 * width * height,
    }
}

fn king_size([width, height]: [u64; 2]) -> Size {
    Size {
        vertices: width * height,
        edges: (4 * width * height + 2).saturating_sub(3 * (width + height)),
    }
}

fn grid3d_size([a, b, c]: [u64; 3]) -> Size {
    Size {
        vertices: a * b * c,
        edges: (3 * a * b * c).saturating_sub(a * b + b * c + a * c),
    }
}

/// Destination of a step.
enum Target {
    Inside(usize),
    /// Across one side.
    Across(usize),
}

/// Builds the graph in which every vertex has an edge along each step.
fn rectangle(sides: [usize; 2], width: Side, height: Side, steps: &[(isize, isize)]) -> BoardParts {
    let [w, h] = sides;
    let target = |x: usize, y: usize, (dx, dy): (isize, isize)| -> Option<Target> {
        let (to_x, to_y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        let over = |side: Side, along: usize, length: usize| match side {
            Side::Open => None,
            Side::Wraps => Some(along),
            Side::Reversed => Some(length - 1 - along),
        };
        match (to_x < w, to_y < h) {
            (true, true) => Some(Target::Inside(to_x + w * to_y)),
            (false, true) => over(width, to_y, h).map(|y| Target::Across(w * y)),
            (true, false) => over(height, to_x, w).map(Target::Across),
            (false, false) => None,
        }
    };
    let mut inside = Vec::new();
    let mut across = Vec::new();
    for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
        for &(dx, dy) in steps {
            match target(x, y, (dx, dy)) {
                Some(Target::Inside(to)) => inside.push((x + w * y, to)),
                Some(Target::Across(to)) => across.push((x + w * y, to, (dx, dy))),
                None => {}
            }
        }
    }
    let place = |v: usize| [(v % w) as f64, (v / w) as f64];
    let near = |a: usize, b: usize| {
        let ((ax, ay), (bx, by)) = ((a % w, a / w), (b % w, b / w));
        ax.abs_diff(bx) + ay.abs_diff(by) <= 1
    };
    let wraps =
        across
            .iter()
            .filter(|&&(from, to, _)| !near(from, to))
            .map(|&(from, to, (dx, dy))| {
                let beyond =
                    |[x, y]: [f64; 2], sign: f64| [x + sign * dx as f64, y + sign * dy as f64];
                Wrap {
                    ends: [Vertex::at(from), Vertex::at(to)],
                    beside: [beyond(place(from), 1.0), beyond(place(to), -1.0)],
                }
            });
    let wraps: Vec<Wrap> = wraps.collect();
    let drawing = Drawing {
        planar: wraps.is_empty() && steps.len() == SQUARE.len(),
        wraps: wraps.into(),
        ..Drawing::new((0..w * h).map(place).collect())
    };
    let across = across.into_iter().map(|(from, to, _)| (from, to));
    BoardParts {
        labels: Labels::Coordinates(w),
        drawing: Some(drawing),
        ..BoardParts::new(w * h, inside.into_iter().chain(across))
    }
}

fn grid(sides: [usize; 2]) -> BoardParts {
    BoardParts {
        rectangle: Some(sides.into()),
        ..rectangle(sides, Side::Open, Side::Open, SQUARE)
    }
}

/// The index is `x + a * (y + b * z)`. Edges run along the three axes.
fn grid3d([a, b, c]: [usize; 3]) -> BoardParts {
    let vertices = a * b * c;
    let edges = (0..vertices).flat_map(|v| {
        let along = [(v % a, a, 1), (v / a % b, b, a), (v / (a * b), c, a * b)];
        along
            .into_iter()
            .filter(|&(at, side, _)| at + 1 < side)
            .map(move |(_, _, step)| (v, v + step))
    });
    let points = (0..vertices).map(|v| [v % a, v / a % b, v / (a * b)].map(|at| at as f64));
    BoardParts::new(vertices, edges).pictured(Drawing::in_space(points.collect()))
}
