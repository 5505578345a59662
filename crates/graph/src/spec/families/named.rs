//! Named graphs on one or two rings.

use super::Family;
use super::basic::{circle, on_circle};
use super::sizes::{read, sound_sizes};
use super::{Recipe, SpecError};
use crate::model::board_parts::{Aliases, BoardParts, Size};
use crate::model::drawing::Drawing;

pub(super) const FAMILIES: &[Family] = &[
    Family::row(
        "petersen",
        "",
        "Petersen graph, outer ring first: 10 vertices, 15 edges.",
        |family, text| family.alone(text, || gpetersen([5, 2])),
    ),
    Family::row(
        "gpetersen",
        "N,K",
        "Generalized Petersen graph: an outer ring of N vertices, then N inner vertices. Each is \
         joined to its outer partner and to the inner vertices K positions away.",
        |family, text| {
            let sound = |[n, k]: [u64; 2]| n >= 3 && k >= 1 && 2 * u128::from(k) < u128::from(n);
            let also = "with N from 3, and K from 1 to below half of N";
            sound_sizes(
                family,
                text,
                (sound, also),
                |[n, _]| two_rings(n, 3),
                gpetersen,
            )
        },
    )
    .joined_by(","),
    Family::row(
        "prism",
        "N",
        "Two rings of N vertices, outer then inner, each vertex joined to its partner.",
        |family, text| {
            let also = "with N from 3";
            sound_sizes(
                family,
                text,
                (|[n]| n >= 3, also),
                |[n]| two_rings(n, 3),
                prism,
            )
        },
    ),
    Family::row(
        "antiprism",
        "N",
        "Two rings of N vertices, outer then inner, with a band of triangles between them.",
        |family, text| {
            let also = "with N from 3";
            sound_sizes(
                family,
                text,
                (|[n]| n >= 3, also),
                |[n]| two_rings(n, 4),
                antiprism,
            )
        },
    ),
    Family::row(
        "circulant",
        "N,J,...",
        "Ring of N vertices, each joined to the vertices J positions away, for every J.",
        circulant,
    )
    .joined_by(","),
];

/// Returns the size of two rings of `n` vertices, all of degree `degree`.
fn two_rings(n: u64, degree: u64) -> Size {
    Size {
        vertices: n.saturating_mul(2),
        edges: n.saturating_mul(degree),
    }
}

/// Builds the outer ring 0…n−1, then the inner vertices. The inner ring is drawn half as large.
fn gpetersen([n, k]: [usize; 2]) -> BoardParts {
    let edges = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)]);
    let outer = 1.0 / (std::f64::consts::PI / n as f64).sin();
    let drawing = Drawing {
        planar: k == 1,
        ..Drawing::new(
            on_circle(n, outer)
                .chain(on_circle(n, outer / 2.0))
                .collect(),
        )
    };
    BoardParts::new(2 * n, edges).pictured(drawing)
}

fn prism([n]: [usize; 1]) -> BoardParts {
    BoardParts {
        aliases: Aliases::Drawing,
        ..gpetersen([n, 1])
    }
}

/// Builds the outer ring 0…n−1, then the inner ring, turned by half a step. Inner vertex i is
/// adjacent to the outer vertices i and i+1.
fn antiprism([n]: [usize; 1]) -> BoardParts {
    let edges = (0..n).flat_map(|i| {
        let next = (i + 1) % n;
        [(i, next), (n + i, n + next), (n + i, i), (n + i, next)]
    });
    let half_step = std::f64::consts::PI / n as f64;
    let outer = 1.0 / half_step.sin();
    // At half the radius, the corners of an inner triangle would lie on the sides of the outer
    // triangle.
    let inner = if n == 3 { outer / 4.0 } else { outer / 2.0 };
    let turned = on_circle(n, inner).map(|[x, y]| {
        let (sin, cos) = half_step.sin_cos();
        [x * cos + y * sin, y * cos - x * sin]
    });
    let places = on_circle(n, outer).chain(turned);
    BoardParts::new(2 * n, edges).drawn(Drawing::planar(places.collect()))
}

fn circulant(family: &Family, text: &str) -> Result<Recipe, SpecError> {
    let refuse = || family.refuse(text, "with N from 1 and jumps from 1 to N");
    let numbers = read(family, text).ok_or_else(refuse)?;
    let (&n, jumps) = numbers.split_first().ok_or_else(refuse)?;
    if n == 0 || jumps.is_empty() || jumps.iter().any(|&jump| jump == 0 || jump > n) {
        return Err(refuse());
    }
    family.limit(text, n)?;
    // A jump and its reverse are the same. A jump of N gives loops, which are not counted below.
    let mut distinct: Vec<u64> = jumps
        .iter()
        .map(|&jump| (jump % n).min(n - jump % n))
        .collect();
    distinct.sort_unstable();
    distinct.dedup();
    let proper_jumps = distinct.iter().filter(|&&jump| jump > 0);
    let edges = proper_jumps
        .map(|&jump| if 2 * jump == n { n / 2 } else { n })
        .sum();
    let n = n as usize;
    let arguments: Vec<String> = numbers.iter().map(u64::to_string).collect();
    Ok(Recipe::new(
        arguments.join(","),
        Size {
            vertices: n as u64,
            edges,
        },
        move || {
            let jumps: Vec<usize> = distinct.iter().map(|&jump| jump as usize).collect();
            // The loops of jump 0 are dropped when the graph is built.
            let edges = circulant_edges(n, &jumps);
            let drawing = Drawing {
                // Without other jumps, the drawing has no crossings.
                planar: matches!(*distinct, [0 | 1] | [0, 1]),
                ..Drawing::new(circle(n).collect())
            };
            Ok(BoardParts::new(n, edges).pictured(drawing))
        },
    ))
}

/// Returns the edges of a ring of `n` in which each vertex is adjacent to those `jumps` places
/// away. Jumps must be at most n / 2.
pub(super) fn circulant_edges(n: usize, jumps: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    jumps.iter().flat_map(move |&jump| {
        // For a jump of n / 2, both ends would list the same edge.
        let steps = if 2 * jump == n { n / 2 } else { n };
        (0..steps).map(move |v| (v, (v + jump) % n))
    })
}
