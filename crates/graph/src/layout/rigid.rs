//! Scales and rotates a drawing as a whole.

use std::f64::consts::{FRAC_PI_2, PI};

use super::clean::typical_length;
use super::{Part, Place};

/// Minimum alignment (0 to 1) at which edges count as parallel to a few axes.
const ALIGNED: f64 = 0.35;

/// Scales edges to mean length 1, centers the drawing, and rotates it. If edges are aligned along
/// axes, as in grids and lattices, rotates to these axes. Otherwise, makes the drawing widest from
/// left to right.
pub(super) fn straighten(part: &Part, places: &mut [Place]) {
    let n = places.len() as f64;
    let edges = part.edges();
    if edges.is_empty() {
        return;
    }
    let unit = typical_length(places, &edges);
    let center = [0, 1].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / n);
    for place in places.iter_mut() {
        for axis in 0..2 {
            place[axis] = (place[axis] - center[axis]) / unit;
        }
    }
    let axes = |fold: f64| {
        let (mut x, mut y) = (0.0, 0.0);
        for &(a, b) in &edges {
            let along = [0, 1].map(|axis| places[b][axis] - places[a][axis]);
            let angle = along[1].atan2(along[0]) * fold;
            x += angle.cos();
            y += angle.sin();
        }
        (x.hypot(y) / edges.len() as f64, y.atan2(x) / fold)
    };
    let (square, square_angle) = axes(4.0);
    let (triangle, triangle_angle) = axes(6.0);
    let wide = principal_angle(places);
    let angle = if square.max(triangle) < ALIGNED {
        wide
    } else if square >= triangle {
        nearest(square_angle, FRAC_PI_2, wide)
    } else {
        nearest(triangle_angle, PI / 3.0, wide)
    };
    turn_by(places, -angle);
    // Put the heavier side at the bottom and the first vertex on the left, so that rotation and
    // reflection do not depend on chance.
    let skew: f64 = places.iter().map(|place| place[1].powi(3)).sum();
    if skew > 1e-6 {
        turn_by(places, PI);
    }
    if places.first().is_some_and(|first| first[0] > 1e-6) {
        places.iter_mut().for_each(|place| place[0] = -place[0]);
    }
}

/// Returns the angle nearest to `wide` among `angle` plus multiples of `step`.
fn nearest(angle: f64, step: f64, wide: f64) -> f64 {
    angle + ((wide - angle) / step).round() * step
}

fn turn_by(places: &mut [Place], angle: f64) {
    let (sin, cos) = angle.sin_cos();
    for [x, y] in places.iter_mut() {
        (*x, *y) = (*x * cos - *y * sin, *x * sin + *y * cos);
    }
}

/// Returns the direction in which the drawing is longest.
fn principal_angle(places: &[Place]) -> f64 {
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for &[x, y] in places {
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    // A drawing without a long side keeps its direction.
    if (xx - yy).hypot(2.0 * xy) < 1e-3 * (xx + yy) {
        0.0
    } else {
        (2.0 * xy).atan2(xx - yy) / 2.0
    }
}
