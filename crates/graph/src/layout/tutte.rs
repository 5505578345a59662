//! Barycentric drawing: the border is convex, and every other vertex is at the weighted mean of its
//! neighbors.
//!
//! W. T. Tutte, *How to Draw a Graph* (1963); M. Floater, *Parametrization and smooth approximation
//! of surface triangulations* (1997) for weights. If each face is a triangle, or if the graph is
//! 3-connected, there are no crossings for any weights. The weights of long edges are therefore
//! raised, round by round, which spreads out the crowded center.

use super::Place;
use super::clean::length;

/// Number of rounds that raise the weights of long edges.
const ROUNDS: usize = 8;
/// Maximum number of solver steps per axis and round.
const STEPS: usize = 600;
/// Maximum number of edges and vertices that the solver visits per axis and round. Large graphs
/// get fewer steps.
const WORK: usize = 10_000_000;
/// Maximum weight; its reciprocal is the minimum.
const STIFFEST: f64 = 1e4;

/// Draws with equal weights: each free vertex is exactly at the mean of its neighbors. The vertices
/// of `fixed` keep their locations. The result is crowded, but as precise as floating-point numbers
/// allow.
pub(super) fn draw_plain(
    vertices: usize,
    edges: &[(usize, usize)],
    fixed: &[(usize, Place)],
) -> Vec<Place> {
    // Solving again from the last result reduces the error further.
    const TIMES: usize = 4;
    let (mut places, free) = start(vertices, fixed);
    for _ in 0..TIMES {
        solve(&mut places, &free, edges, &vec![1.0; edges.len()]);
    }
    places
}

/// Returns the initial locations, and a flag for each vertex that is free.
fn start(vertices: usize, fixed: &[(usize, Place)]) -> (Vec<Place>, Vec<bool>) {
    let mut places = vec![[0.0, 0.0]; vertices];
    let mut free = vec![true; vertices];
    for &(v, place) in fixed {
        places[v] = place;
        free[v] = false;
    }
    (places, free)
}

/// Draws with weights that shorten long edges. The vertices of `fixed` keep their locations; each
/// other vertex is at the weighted mean of its neighbors.
pub(super) fn draw(
    vertices: usize,
    edges: &[(usize, usize)],
    fixed: &[(usize, Place)],
) -> Vec<Place> {
    let (mut places, free) = start(vertices, fixed);
    let mut weights = vec![1.0; edges.len()];
    solve(&mut places, &free, edges, &weights);
    for _ in 0..ROUNDS {
        let lengths: Vec<f64> = edges
            .iter()
            .map(|&(a, b)| length(places[a], places[b]))
            .collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        if mean <= 0.0 {
            break;
        }
        for (weight, length) in weights.iter_mut().zip(&lengths) {
            *weight =
                (*weight * (length / mean).clamp(0.25, 4.0).sqrt()).clamp(1.0 / STIFFEST, STIFFEST);
        }
        solve(&mut places, &free, edges, &weights);
    }
    places
}

/// Solves for the free locations by conjugate gradients, starting from the current ones.
fn solve(places: &mut [Place], free: &[bool], edges: &[(usize, usize)], weights: &[f64]) {
    let n = places.len();
    let mut diagonal = vec![0.0; n];
    for (&(a, b), weight) in edges.iter().zip(weights) {
        diagonal[a] += weight;
        diagonal[b] += weight;
    }
    // Multiplies the Laplacian by `x`, for free vertices.
    let product = |x: &[f64], result: &mut [f64]| {
        for v in 0..n {
            result[v] = diagonal[v] * x[v];
        }
        for (&(a, b), weight) in edges.iter().zip(weights) {
            result[a] -= weight * x[b];
            result[b] -= weight * x[a];
        }
        for v in 0..n {
            if !free[v] {
                result[v] = 0.0;
            }
        }
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for axis in 0..2 {
        let mut x: Vec<f64> = places.iter().map(|place| place[axis]).collect();
        let mut image = vec![0.0; n];
        product(&x, &mut image);
        let mut residual: Vec<f64> = image.iter().map(|value| -value).collect();
        // Preconditions by the diagonal.
        let scaled = |residual: &[f64]| -> Vec<f64> {
            residual
                .iter()
                .zip(&diagonal)
                .map(|(r, d)| if *d > 0.0 { r / d } else { 0.0 })
                .collect()
        };
        let mut step = scaled(&residual);
        let mut rest = dot(&residual, &step);
        let goal = rest * 1e-18;
        let steps = (WORK / (edges.len() + n).max(1)).clamp(20, STEPS);
        for _ in 0..steps {
            if rest <= goal || rest <= 1e-24 {
                break;
            }
            // The border does not move.
            for v in 0..n {
                if !free[v] {
                    step[v] = 0.0;
                }
            }
            product(&step, &mut image);
            let curve = dot(&step, &image);
            if curve <= 0.0 {
                break;
            }
            let far = rest / curve;
            for v in 0..n {
                x[v] += far * step[v];
                residual[v] -= far * image[v];
            }
            let next = scaled(&residual);
            let grown = dot(&residual, &next);
            let keep = grown / rest;
            rest = grown;
            for v in 0..n {
                step[v] = next[v] + keep * step[v];
            }
        }
        for v in 0..n {
            if free[v] {
                places[v][axis] = x[v];
            }
        }
    }
}
