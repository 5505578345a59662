//! Stress: vertices as far apart in the drawing as they are in the graph, as nearly as a plane allows.
//!
//! Stochastic gradient descent over pairs, one pair at a time, with a step that shrinks over the rounds: J. Zheng, S. Pawar
//! and D. Goodman, *Graph Drawing by Stochastic Gradient Descent* (2019). Small graphs use all pairs; large ones the edges
//! and the distances to some pivots, each weighted with the number of vertices that it speaks for (M. Ortmann, M. Klimenta
//! and U. Brandes, *A Sparse Stress Model*, 2017).

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::clean::{faults, length};
use super::{Part, Place};

/// Components of at most so many vertices are drawn from all pairs.
const ALL_PAIRS: usize = 700;
const PIVOTS: usize = 50;
const MOST_EDGES: usize = 200_000;
const ROUNDS: usize = 40;
/// Pulls that the last touch may cost.
const POLISH: usize = 5_000_000;
/// The step of the last round, relative to the smallest that still moves an edge.
const LAST_STEP: f64 = 0.02;

/// Two vertices that want a distance.
struct Pair {
    a: usize,
    b: usize,
    distance: f64,
    weight_a: f64,
    weight_b: f64,
}

/// Graphs of at most so many vertices are drawn from several starts.
const SMALL: usize = 60;
const SPARSE: usize = 300;
const STARTS: u64 = 12;

/// Places of a connected graph, an edge about 1 long.
pub(super) fn draw(part: &Part) -> Vec<Place> {
    let n = part.len();
    let mut pairs = if n <= ALL_PAIRS {
        all_pairs(part)
    } else {
        pivot_pairs(part)
    };
    let edges = part.edges();
    if n > SMALL || edges.len() > SPARSE {
        let mut places = descend(n, &mut pairs, 0);
        if n <= ALL_PAIRS {
            polish(n, &pairs, &mut places);
        }
        return places;
    }
    // The best of several: fewest crossings and vertices in the way, then least stress.
    let drawn = (0..STARTS).map(|seed| {
        let mut places = descend(n, &mut pairs, seed);
        polish(n, &pairs, &mut places);
        let faults = faults(&places, &edges);
        (faults, stress(&pairs, &places), places)
    });
    let best = drawn.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map(|(.., places)| places).unwrap_or_default()
}

/// How far the drawing is from what the pairs want, in hundredths of the worst, so that rounding decides nothing.
fn stress(pairs: &[Pair], places: &[Place]) -> f64 {
    let of = |pair: &Pair| {
        let off = length(places[pair.a], places[pair.b]) - pair.distance;
        pair.weight_a * off * off
    };
    let sum: f64 = pairs.iter().map(of).sum();
    (sum * 1e4 / pairs.len().max(1) as f64).round()
}

/// Everybody to where the others want it, one after the other: the descent ends in the nearest lowest stress.
fn polish(n: usize, pairs: &[Pair], places: &mut [Place]) {
    let mut pulls: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); n];
    for pair in pairs {
        pulls[pair.a].push((pair.b, pair.distance, pair.weight_a));
        pulls[pair.b].push((pair.a, pair.distance, pair.weight_b));
    }
    for _ in 0..(POLISH / (n * n)).clamp(10, 300) {
        for v in 0..n {
            let here = places[v];
            let (mut sum, mut weights) = ([0.0, 0.0], 0.0);
            for &(u, distance, weight) in &pulls[v] {
                let there = places[u];
                let apart = length(here, there).max(1e-9);
                for axis in 0..2 {
                    let along = (here[axis] - there[axis]) / apart;
                    sum[axis] += weight * (there[axis] + distance * along);
                }
                weights += weight;
            }
            if weights > 0.0 {
                places[v] = sum.map(|x| x / weights);
            }
        }
    }
}

/// Gradient descent over the pairs from a start of chance.
fn descend(n: usize, pairs: &mut [Pair], seed: u64) -> Vec<Place> {
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
    let side = (n as f64).sqrt();
    let mut places: Vec<Place> = (0..n)
        .map(|_| [unit(&mut chance) * side, unit(&mut chance) * side])
        .collect();
    let weights = || pairs.iter().flat_map(|p| [p.weight_a, p.weight_b]);
    let largest = weights().fold(0.0, f64::max);
    let smallest = weights().filter(|&w| w > 0.0).fold(f64::MAX, f64::min);
    let (first, last) = (1.0 / smallest, LAST_STEP / largest);
    // Steps shrink geometrically from the first to the last.
    let ratio = (last / first).ln() / (ROUNDS - 1) as f64;
    for round in 0..ROUNDS {
        let step = first * (ratio * round as f64).exp();
        pairs.shuffle(&mut chance);
        for pair in pairs.iter() {
            let [xa, ya] = places[pair.a];
            let [xb, yb] = places[pair.b];
            let (dx, dy) = (xa - xb, ya - yb);
            let length = dx.hypot(dy);
            // Vertices in one place are pushed apart in a direction of chance.
            let (dx, dy, length) = if length > 1e-9 {
                (dx, dy, length)
            } else {
                (unit(&mut chance) - 0.5, unit(&mut chance) - 0.5, 1.0)
            };
            let pull = (length - pair.distance) / (2.0 * length);
            let a = pull * (pair.weight_a * step).min(1.0);
            let b = pull * (pair.weight_b * step).min(1.0);
            places[pair.a] = [xa - a * dx, ya - a * dy];
            places[pair.b] = [xb + b * dx, yb + b * dy];
        }
    }
    places
}

fn unit(chance: &mut Xoshiro256PlusPlus) -> f64 {
    (chance.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn all_pairs(part: &Part) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(part.len() * (part.len() - 1) / 2);
    for a in 0..part.len() {
        let distances = part.distances(a);
        for (b, &steps) in distances.iter().enumerate().skip(a + 1) {
            let distance = f64::from(steps);
            let weight = 1.0 / (distance * distance);
            pairs.push(Pair {
                a,
                b,
                distance,
                weight_a: weight,
                weight_b: weight,
            });
        }
    }
    pairs
}

/// Edges, and every vertex with each pivot; pivots are far from each other.
fn pivot_pairs(part: &Part) -> Vec<Pair> {
    let n = part.len();
    let edges = part.edges();
    // A tangle of millions of edges looks the same when some of them do not pull.
    let stride = edges.len() / MOST_EDGES + 1;
    let mut pairs: Vec<Pair> = edges
        .into_iter()
        .step_by(stride)
        .map(|(a, b)| Pair {
            a,
            b,
            distance: 1.0,
            weight_a: 1.0,
            weight_b: 1.0,
        })
        .collect();
    let mut nearest = vec![u32::MAX; n];
    let mut owner = vec![0; n];
    let mut rows = Vec::with_capacity(PIVOTS);
    let mut pivot = 0;
    for number in 0..PIVOTS {
        let distances = part.distances(pivot);
        for v in 0..n {
            if distances[v] < nearest[v] {
                nearest[v] = distances[v];
                owner[v] = number;
            }
        }
        rows.push((pivot, distances));
        let Some(farthest) = (0..n).max_by_key(|&v| (nearest[v], n - v)) else {
            break;
        };
        if nearest[farthest] == 0 {
            break;
        }
        pivot = farthest;
    }
    for (number, (pivot, distances)) in rows.iter().enumerate() {
        // How many vertices the pivot speaks for, by their distance from it.
        let mut within: Vec<u32> = Vec::new();
        for v in (0..n).filter(|&v| owner[v] == number) {
            let steps = distances[v] as usize;
            if within.len() <= steps {
                within.resize(steps + 1, 0);
            }
            within[steps] += 1;
        }
        for steps in 1..within.len() {
            within[steps] += within[steps - 1];
        }
        for (v, &steps) in distances.iter().enumerate() {
            if steps < 2 {
                continue;
            }
            let near = (steps as usize / 2).min(within.len().saturating_sub(1));
            let count = within.get(near).copied().unwrap_or(1).max(1);
            let distance = f64::from(steps);
            pairs.push(Pair {
                a: v,
                b: *pivot,
                distance,
                weight_a: f64::from(count) / (distance * distance),
                weight_b: 0.0,
            });
        }
    }
    pairs
}
