//! Standard graphs such as paths, cycles, stars, and hypercubes. Size predictions do not overflow
//! for arguments up to the vertex limit.

use super::Family;
use super::sizes::{sizes, sound_sizes};
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::{Drawing, Place};

pub(super) const FAMILIES: &[Family] = &[
    Family::row("path", "N", "N vertices in a row.", |family, text| {
        sizes(family, text, 1, path_size, path)
    }),
    Family::row("cycle", "N", "N vertices in a ring.", |family, text| {
        sizes(family, text, 1, cycle_size, cycle)
    }),
    Family::row(
        "complete",
        "N",
        "N vertices, all adjacent to each other.",
        |family, text| sizes(family, text, 1, complete_size, complete),
    ),
    Family::row(
        "bipartite",
        "AxB",
        "A vertices, then B vertices, each adjacent to all vertices of the other side.",
        |family, text| sizes(family, text, 1, bipartite_size, bipartite),
    ),
    Family::row(
        "star",
        "N",
        "A hub, vertex 0, and N leaves.",
        |family, text| sizes(family, text, 1, star_size, star),
    ),
    Family::row(
        "wheel",
        "N",
        "A hub, vertex 0, joined to a ring of N vertices.",
        |family, text| sizes(family, text, 1, wheel_size, wheel),
    ),
    Family::row(
        "tree",
        "B,H",
        "Balanced tree of height H with B children per inner vertex, numbered breadth first from the root.",
        |family, text| {
            let sound = |[branches, _]: [u64; 2]| branches > 0;
            let also = "with B from 1 and H from 0";
            sound_sizes(family, text, (sound, also), tree_size, tree)
        },
    )
    .joined_by(","),
    Family::row(
        "hypercube",
        "D",
        "Corners of the D-dimensional cube. Neighbors differ in one bit of the index.",
        |family, text| sizes(family, text, 0, hypercube_size, hypercube),
    ),
];

/// Returns `n` locations on a circle, clockwise from the top. Neighbors have distance 1.
pub(super) fn circle(n: usize) -> impl Iterator<Item = Place> {
    on_circle(n, circle_radius(n))
}

/// Returns the radius of a circle on which `n` locations are at unit distance.
fn circle_radius(n: usize) -> f64 {
    match n {
        0 | 1 => 0.0,
        _ => 0.5 / (std::f64::consts::PI / n as f64).sin(),
    }
}

/// Returns `n` locations on a circle around the origin, clockwise from the top.
pub(super) fn on_circle(n: usize, radius: f64) -> impl Iterator<Item = Place> {
    (0..n).map(move |i| {
        let angle = std::f64::consts::TAU * i as f64 / n as f64;
        [radius * angle.sin(), radius * angle.cos()]
    })
}

pub(super) fn path_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n.saturating_sub(1),
    }
}

pub(super) fn path([n]: [usize; 1]) -> BoardParts {
    let places = (0..n).map(|v| [v as f64, 0.0]);
    BoardParts::new(n, (1..n).map(|v| (v - 1, v))).pictured(Drawing::planar(places.collect()))
}

fn cycle_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n,
    }
}

/// One vertex gives a loop, and two vertices give parallel edges; the graph drops them.
fn cycle([n]: [usize; 1]) -> BoardParts {
    BoardParts::new(n, (0..n).map(|v| (v, (v + 1) % n)))
        .pictured(Drawing::planar(circle(n).collect()))
}

fn complete_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n * n.saturating_sub(1) / 2,
    }
}

fn complete([n]: [usize; 1]) -> BoardParts {
    let drawing = Drawing {
        planar: n < 4,
        ..Drawing::new(circle(n).collect())
    };
    BoardParts::new(n, (0..n).flat_map(|b| (0..b).map(move |a| (a, b)))).pictured(drawing)
}

fn bipartite_size([first, second]: [u64; 2]) -> Size {
    Size {
        vertices: first + second,
        edges: first * second,
    }
}

/// Draws two rows, the first one below. If one side is at least twice as large as the other and has
/// six vertices, it is a circle around the other.
fn bipartite([first, second]: [usize; 2]) -> BoardParts {
    let (few, many) = (first.min(second), first.max(second));
    let places: Vec<Place> = if many >= 6.max(2 * few) {
        let inner = circle_radius(few);
        let outer = circle_radius(many).max(inner + 1.0);
        let radius = |n: usize| if n == few { inner } else { outer };
        let sides = [first, second].map(|n| on_circle(n, radius(n)));
        sides.into_iter().flatten().collect()
    } else {
        let row = |n: usize, y: f64| {
            (0..n).map(move |i| [(i as f64 + 0.5) * many as f64 / n as f64 - 0.5, y])
        };
        let apart = (many as f64 / 2.0).max(1.0);
        row(first, 0.0).chain(row(second, apart)).collect()
    };
    let drawing = Drawing {
        planar: few < 2,
        ..Drawing::new(places)
    };
    BoardParts::new(
        first + second,
        (0..first).flat_map(|a| (0..second).map(move |b| (a, first + b))),
    )
    .pictured(drawing)
}

fn star_size([leaves]: [u64; 1]) -> Size {
    Size {
        vertices: leaves + 1,
        edges: leaves,
    }
}

/// Returns a drawing with the hub in the center of a circle of `n` other vertices.
fn around_a_hub(n: usize) -> Drawing {
    let radius = match n {
        0..=6 => 1.0,
        _ => 0.5 / (std::f64::consts::PI / n as f64).sin(),
    };
    let hub = std::iter::once([0.0, 0.0]);
    Drawing::planar(hub.chain(on_circle(n, radius)).collect())
}

fn star([leaves]: [usize; 1]) -> BoardParts {
    BoardParts::new(leaves + 1, (1..=leaves).map(|leaf| (0, leaf))).pictured(around_a_hub(leaves))
}

fn wheel_size([rim]: [u64; 1]) -> Size {
    Size {
        vertices: rim + 1,
        edges: 2 * rim,
    }
}

/// Builds the hub, then the rim, which is a cycle.
fn wheel([rim]: [usize; 1]) -> BoardParts {
    BoardParts::new(rim + 1, (1..=rim).flat_map(|v| [(0, v), (v, v % rim + 1)])).pictured(Drawing {
        // The edge between two rim vertices would run through the hub.
        planar: rim != 2,
        ..around_a_hub(rim)
    })
}

fn tree_size([branches, height]: [u64; 2]) -> Size {
    let (mut vertices, mut level) = (1u64, 1u64);
    for _ in 0..height {
        level = level.saturating_mul(branches);
        vertices = vertices.saturating_add(level);
        if vertices > u64::from(u32::MAX) {
            break;
        }
    }
    Size {
        vertices,
        edges: vertices.saturating_sub(1),
    }
}

/// The children of `v` are `B v + 1` to `B v + B`. The root is at the top; the leaves are evenly
/// spaced at the bottom.
fn tree([branches, height]: [usize; 2]) -> BoardParts {
    let mut places = Vec::new();
    let mut width = 1usize;
    let leaves = branches.pow(height as u32);
    for depth in 0..=height {
        let gap = (leaves / width) as f64;
        // Increase the distance between levels with the number of branches, so that the branches
        // remain distinguishable.
        let y = -(depth as f64) * (1.0 + branches as f64 / 2.0);
        places.extend((0..width).map(|i| [(i as f64 + 0.5) * gap, y]));
        width *= branches;
    }
    let n = places.len();
    BoardParts::new(n, (1..n).map(|v| ((v - 1) / branches, v))).pictured(Drawing::planar(places))
}

fn hypercube_size([dimension]: [u64; 1]) -> Size {
    let vertices = u32::try_from(dimension)
        .ok()
        .and_then(|d| 1u64.checked_shl(d))
        .unwrap_or(u64::MAX);
    Size {
        vertices,
        edges: (vertices / 2).saturating_mul(dimension),
    }
}

/// Draws each dimension in a direction of its own.
fn hypercube([dimension]: [usize; 1]) -> BoardParts {
    let vertices = 1usize << dimension;
    let edges = (0..vertices).flat_map(|v| (0..dimension).map(move |bit| (v, v | 1 << bit)));
    let direction = |bit: usize| {
        // The first two directions are the axes. The others lie between them and grow, so that no
        // two sums coincide.
        let angle = match bit {
            0 => 0.0,
            1 => std::f64::consts::FRAC_PI_2,
            _ => std::f64::consts::PI * (0.16 + 0.618_034 * (bit - 2) as f64).fract(),
        };
        let length = match bit {
            0 | 1 => 1.0,
            _ => 0.55 * 1.37f64.powi(bit as i32 - 2),
        };
        [length * angle.cos(), length * angle.sin()]
    };
    let place = |v: usize| {
        let bits = (0..dimension)
            .filter(|bit| v >> bit & 1 == 1)
            .map(direction);
        bits.fold([0.0, 0.0], |[x, y], [dx, dy]| [x + dx, y + dy])
    };
    let drawing = Drawing {
        planar: dimension < 3,
        ..Drawing::new((0..vertices).map(place).collect())
    };
    BoardParts::new(vertices, edges.filter(|(a, b)| a != b)).pictured(drawing)
}
