//! The graphs that every textbook starts with. Sizes are predicted without overflow for arguments up to the vertex limit.

use crate::graph::part::{Part, Size};

pub(super) fn path_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n.saturating_sub(1),
    }
}

pub(super) fn path([n]: [usize; 1]) -> Part {
    Part::new(n, (1..n).map(|v| (v - 1, v)))
}

pub(super) fn cycle_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n,
    }
}

/// One vertex and two vertices have a loop and a parallel edge, which the graph drops.
pub(super) fn cycle([n]: [usize; 1]) -> Part {
    Part::new(n, (0..n).map(|v| (v, (v + 1) % n)))
}

pub(super) fn complete_size([n]: [u64; 1]) -> Size {
    Size {
        vertices: n,
        edges: n * n.saturating_sub(1) / 2,
    }
}

pub(super) fn complete([n]: [usize; 1]) -> Part {
    Part::new(n, (0..n).flat_map(|b| (0..b).map(move |a| (a, b))))
}

pub(super) fn bipartite_size([first, second]: [u64; 2]) -> Size {
    Size {
        vertices: first + second,
        edges: first * second,
    }
}

pub(super) fn bipartite([first, second]: [usize; 2]) -> Part {
    Part::new(
        first + second,
        (0..first).flat_map(|a| (0..second).map(move |b| (a, first + b))),
    )
}

pub(super) fn star_size([leaves]: [u64; 1]) -> Size {
    Size {
        vertices: leaves + 1,
        edges: leaves,
    }
}

pub(super) fn star([leaves]: [usize; 1]) -> Part {
    Part::new(leaves + 1, (1..=leaves).map(|leaf| (0, leaf)))
}

pub(super) fn wheel_size([rim]: [u64; 1]) -> Size {
    Size {
        vertices: rim + 1,
        edges: 2 * rim,
    }
}

/// The hub, then the rim, a cycle.
pub(super) fn wheel([rim]: [usize; 1]) -> Part {
    Part::new(rim + 1, (1..=rim).flat_map(|v| [(0, v), (v, v % rim + 1)]))
}

pub(super) fn hypercube_size([dimension]: [u64; 1]) -> Size {
    let vertices = u32::try_from(dimension)
        .ok()
        .and_then(|d| 1u64.checked_shl(d))
        .unwrap_or(u64::MAX);
    Size {
        vertices,
        edges: (vertices / 2).saturating_mul(dimension),
    }
}

pub(super) fn hypercube([dimension]: [usize; 1]) -> Part {
    let vertices = 1usize << dimension;
    let edges = (0..vertices).flat_map(|v| (0..dimension).map(move |bit| (v, v | 1 << bit)));
    Part::new(vertices, edges.filter(|(a, b)| a != b))
}

/// The outer ring 0…4, then the inner star 5…9.
pub(super) fn petersen() -> Part {
    Part::new(
        10,
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, 5 + i), (5 + i, 5 + (i + 2) % 5)]),
    )
}
