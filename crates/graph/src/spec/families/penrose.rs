//! Rhombic Penrose tiling by de Bruijn's five grids. Each crossing of two lines gives a rhombus,
//! and each mesh gives a vertex.

use std::collections::HashMap;

use super::Family;
use super::sizes::sizes;
use crate::model::board_parts::{BoardParts, Size};
use crate::model::drawing::{Drawing, Place};

pub(super) const FAMILIES: &[Family] = &[Family::row(
    "penrose",
    "N",
    "Piece of the Penrose tiling by rhombi, with fivefold symmetry and a radius of N edges, 2 or more.",
    |family, text| sizes(family, text, 2, penrose_size, penrose),
)];

/// Upper bound: the tiling has 1.231 vertices per unit of area, which is 3.867 per square of the
/// radius. Rhombi that cross the circle are missing.
fn penrose_size([n]: [u64; 1]) -> Size {
    let vertices = (3870 * n * n).div_ceil(1000) + 8;
    Size {
        vertices,
        edges: 2 * vertices,
    }
}

/// Offset of the lines of each grid. The five offsets add up to a whole number, which gives the
/// tiling fivefold symmetry.
const SHIFT: f64 = 0.2;

/// Returns the direction of one of the five grids.
fn direction(grid: usize) -> Place {
    let angle = std::f64::consts::TAU * grid as f64 / 5.0 + std::f64::consts::FRAC_PI_2;
    [angle.cos(), angle.sin()]
}

/// Mesh that contains a point: for each grid, the number of lines between the point and the center.
type Mesh = [i64; 5];

fn place(mesh: &Mesh) -> Place {
    mesh.iter()
        .enumerate()
        .fold([0.0, 0.0], |[x, y], (grid, &count)| {
            let [dx, dy] = direction(grid);
            [x + count as f64 * dx, y + count as f64 * dy]
        })
}

fn penrose([n]: [usize; 1]) -> BoardParts {
    // A mesh at distance r from the center has its vertex at distance 5/2 r, plus or minus two.
    let reach = (0.4 * n as f64).ceil() as i64 + 2;
    let within = n as f64 + 1e-6;
    let mut rhombi: Vec<[Mesh; 4]> = Vec::new();
    for (j, k) in (0..5).flat_map(|k| (0..k).map(move |j| (j, k))) {
        let ([ax, ay], [bx, by]) = (direction(j), direction(k));
        let determinant = ax * by - ay * bx;
        for (p, q) in (-reach..=reach).flat_map(|p| (-reach..=reach).map(move |q| (p, q))) {
            // Solve a·x = p − shift and b·x = q − shift.
            let (c, d) = (p as f64 - SHIFT, q as f64 - SHIFT);
            let crossing = [
                (c * by - d * ay) / determinant,
                (ax * d - bx * c) / determinant,
            ];
            let mesh = |dp: i64, dq: i64| -> Mesh {
                std::array::from_fn(|grid| {
                    let [x, y] = direction(grid);
                    match grid {
                        _ if grid == j => p + dp,
                        _ if grid == k => q + dq,
                        _ => (crossing[0] * x + crossing[1] * y + SHIFT).ceil() as i64,
                    }
                })
            };
            let corners = [mesh(0, 0), mesh(1, 0), mesh(1, 1), mesh(0, 1)];
            let far = corners.iter().map(place).any(|[x, y]| x.hypot(y) > within);
            if !far {
                rhombi.push(corners);
            }
        }
    }
    let mut meshes: Vec<Mesh> = rhombi.iter().flatten().copied().collect();
    meshes.sort_unstable();
    meshes.dedup();
    const FINE: f64 = 1e6;
    meshes.sort_by_cached_key(|mesh| {
        let [x, y] = place(mesh);
        ((y * FINE).round() as i64, (x * FINE).round() as i64)
    });
    let index: HashMap<Mesh, usize> = meshes.iter().copied().zip(0..).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for corners in &rhombi {
        let next = corners.iter().cycle().skip(1);
        for (a, b) in corners.iter().zip(next) {
            if let (Some(&a), Some(&b)) = (index.get(a), index.get(b)) {
                edges.push((a.min(b), a.max(b)));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let drawing = Drawing::planar(meshes.iter().map(place).collect());
    BoardParts::new(meshes.len(), edges).drawn(drawing)
}
