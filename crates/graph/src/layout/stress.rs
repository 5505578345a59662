//! Stress layout: distances in the drawing approximate distances in the graph.
//!
//! Stochastic gradient descent moves one pair of vertices at a time, with a step that shrinks from
//! round to round: J. Zheng, S. Pawar and D. Goodman, *Graph Drawing by Stochastic Gradient
//! Descent* (2019). Small graphs use all pairs. Large graphs use the edges and the distances to
//! some pivots. Each pivot is weighted by the number of vertices that it represents (M. Ortmann, M.
//! Klimenta and U. Brandes, *A Sparse Stress Model*, 2017).

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::clean::{faults, length};
use super::{Part, Place, take};

/// Maximum number of vertices of a component that is drawn from all pairs.
const ALL_PAIRS: usize = 700;
/// Maximum number of pivots in larger components.
const PIVOTS: usize = 50;
/// Minimum number of pivots, however large the component is.
const LEAST_PIVOTS: usize = 6;
/// Approximate maximum number of pairs. Each round of the descent visits all of them; very large
/// components use fewer pivots.
const MOST_PAIRS: usize = 600_000;
/// If a larger component has more edges than this, only a sample of its edges is used.
const MOST_EDGES: usize = 100_000;
/// Number of rounds of the gradient descent.
const ROUNDS: usize = 40;
/// Maximum number of pulls in the final polishing; sets the number of its rounds, 10 to 300.
const POLISH: usize = 5_000_000;
/// Step of the last round, relative to 1 / largest weight: the heaviest pair then corrects 2 % of
/// its error.
const LAST_STEP: f64 = 0.02;

/// Two vertices with a target distance.
struct Pair {
    a: usize,
    b: usize,
    distance: f64,
    weight_a: f64,
    weight_b: f64,
}

/// Maximum number of vertices of a graph that is drawn from several starts.
const SMALL: usize = 60;
/// Maximum number of edges of a graph that is drawn from several starts.
const SPARSE: usize = 300;
/// Number of starts for such graphs.
const STARTS: u64 = 12;

/// Draws a connected graph, with edges about 1 long. `left` is the number of steps that careful
/// drawings may still take; without enough steps, the drawing is coarser.
pub(super) fn draw(part: &Part, left: &mut usize) -> Vec<Place> {
    let n = part.len();
    let once = ROUNDS * n * n / 2 + polish_rounds(n) * n * n;
    let careful = n <= ALL_PAIRS && take(left, once);
    let mut pairs = if careful {
        all_pairs(part)
    } else {
        pivot_pairs(part)
    };
    let edges = part.edges();
    let is_small = n <= SMALL && edges.len() <= SPARSE;
    if !(careful && is_small && take(left, (STARTS as usize - 1) * once)) {
        let mut places = descend(n, &mut pairs, 0);
        if careful {
            polish(n, &pairs, &mut places);
        }
        return places;
    }
    // Choose the start with the fewest faults (crossings and vertices near edges), then with the
    // least stress.
    let drawn = (0..STARTS).map(|seed| {
        let mut places = descend(n, &mut pairs, seed);
        polish(n, &pairs, &mut places);
        let faults = faults(&places, &edges);
        (faults, stress(&pairs, &places), places)
    });
    let best = drawn.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map(|(.., places)| places).unwrap_or_default()
}

/// Returns the mean weighted squared error of the target distances, in units of 10⁻⁴. The result is
/// rounded, so that rounding errors cannot decide between drawings.
fn stress(pairs: &[Pair], places: &[Place]) -> f64 {
    let of = |pair: &Pair| {
        let off = length(places[pair.a], places[pair.b]) - pair.distance;
        pair.weight_a * off * off
    };
    let sum: f64 = pairs.iter().map(of).sum();
    (sum * 1e4 / pairs.len().max(1) as f64).round()
}

/// Returns the number of rounds of polishing for `n` vertices.
fn polish_rounds(n: usize) -> usize {
    (POLISH / (n * n).max(1)).clamp(10, 300)
}

/// Moves every vertex, one after another, to the mean of the locations that its pairs request. This
/// ends in the nearest local minimum of the stress.
fn polish(n: usize, pairs: &[Pair], places: &mut [Place]) {
    let mut pulls: Vec<Vec<(usize, f64, f64)>> = vec![Vec::new(); n];
    for pair in pairs {
        pulls[pair.a].push((pair.b, pair.distance, pair.weight_a));
        pulls[pair.b].push((pair.a, pair.distance, pair.weight_b));
    }
    for _ in 0..polish_rounds(n) {
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

/// Runs gradient descent over the pairs from a random start.
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
            let length = (dx * dx + dy * dy).sqrt();
            // Vertices at the same location are pushed apart in a random direction.
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

/// Returns the pairs of the edges, and of every vertex with each pivot. Pivots are far from each
/// other.
fn pivot_pairs(part: &Part) -> Vec<Pair> {
    let n = part.len();
    let edges = part.edges();
    // With hundreds of thousands of edges, the drawing looks the same without some of the pulls.
    let stride = edges.len() / MOST_EDGES + 1;
    let pivots = (MOST_PAIRS.saturating_sub(edges.len() / stride) / n).clamp(LEAST_PIVOTS, PIVOTS);
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
    let mut rows = Vec::with_capacity(pivots);
    let mut pivot = 0;
    for number in 0..pivots {
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
        // Count the vertices that the pivot represents, by their distance from it.
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
