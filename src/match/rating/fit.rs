//! Computation of ratings: the mode of the posterior by Newton's method, and its curvature.

use std::collections::HashSet;

/// Standard deviation of the prior, in Elo.
const PRIOR: f64 = 1000.0;
/// Elo points per natural logarithm of odds.
pub(super) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Maximum number of Newton steps. Because the posterior is concave, few are needed.
const STEPS: usize = 100;

/// Returns the engines connected to `fixed` by games, directly or through others. The games do not
/// compare the other engines with it.
pub(super) fn linked(
    players: usize,
    fixed: usize,
    pairs: &[(usize, usize, f64)],
) -> HashSet<usize> {
    let mut linked = HashSet::from([fixed]);
    for _ in 0..players {
        for &(one, other, _) in pairs {
            if linked.contains(&one) || linked.contains(&other) {
                linked.extend([one, other]);
            }
        }
    }
    linked
}

/// Returns the ratings in natural units, with 0 for `fixed`, and their standard deviations.
pub(super) fn fit(
    players: usize,
    fixed: usize,
    pairs: &[(usize, usize, f64)],
) -> (Vec<f64>, Vec<f64>) {
    let prior = (SCALE / PRIOR).powi(2);
    let mut values = vec![0.0; players];
    let mut inverse = Vec::new();
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = values.iter().map(|value| -prior * value).collect();
        let mut curve = vec![vec![0.0; players]; players];
        for (player, row) in curve.iter_mut().enumerate() {
            add(row, player, prior);
        }
        for &(one, other, points) in pairs {
            if one == other {
                continue;
            }
            let (a, b) = (value(&values, one), value(&values, other));
            let expected = 1.0 / (1.0 + (b - a).exp());
            add(&mut slope, one, points - expected);
            add(&mut slope, other, expected - points);
            let weight = expected * (1.0 - expected);
            for (row, column, sign) in [
                (one, one, 1.0),
                (other, other, 1.0),
                (one, other, -1.0),
                (other, one, -1.0),
            ] {
                if let Some(row) = curve.get_mut(row) {
                    add(row, column, sign * weight);
                }
            }
        }
        // The rating of the anchor is fixed.
        for (player, row) in curve.iter_mut().enumerate() {
            if player == fixed {
                row.fill(0.0);
                add(row, fixed, 1.0);
            } else if let Some(cell) = row.get_mut(fixed) {
                *cell = 0.0;
            }
        }
        if let Some(cell) = slope.get_mut(fixed) {
            *cell = 0.0;
        }
        inverse = inverted(curve);
        let mut largest: f64 = 0.0;
        for (value, row) in values.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            // Far from the mode, a full Newton step overshoots.
            let step = step.clamp(-2.0, 2.0);
            *value += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let errors = inverse
        .iter()
        .enumerate()
        .map(|(player, row)| {
            if player == fixed {
                0.0
            } else {
                value(row, player).max(0.0).sqrt()
            }
        })
        .collect();
    (values, errors)
}

fn value(values: &[f64], place: usize) -> f64 {
    values.get(place).copied().unwrap_or(0.0)
}

fn add(values: &mut [f64], place: usize, what: f64) {
    if let Some(cell) = values.get_mut(place) {
        *cell += what;
    }
}

/// Returns the inverse of a positive definite matrix, by Gauss-Jordan elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (place, row) in matrix.iter_mut().enumerate() {
        row.resize(2 * size, 0.0);
        add(row, size + place, 1.0);
    }
    for pivot in 0..size {
        let Some(mut row) = matrix.get_mut(pivot).map(std::mem::take) else {
            break;
        };
        let scale = value(&row, pivot);
        row.iter_mut().for_each(|cell| *cell /= scale);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = value(other, pivot);
            for (cell, by) in other.iter_mut().zip(&row) {
                *cell -= factor * by;
            }
        }
        if let Some(place) = matrix.get_mut(pivot) {
            *place = row;
        }
    }
    matrix
        .into_iter()
        .map(|row| row.into_iter().skip(size).collect())
        .collect()
}
