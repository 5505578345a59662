//! Random numbers with a fixed seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::Coloring;

/// A generator that depends only on the seed.
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// Returns true with a probability of `percent` percent.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns the numbers below `count` in a random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    /// Returns a position in which this percentage of vertices has a stone.
    pub fn coloring(&mut self, vertices: usize, colors: usize, percent: usize) -> Coloring {
        (0..vertices)
            .map(|_| {
                self.percent(percent)
                    .then(|| super::color(self.below(colors)))
            })
            .collect()
    }

    /// Returns the edges of a random graph, each pair with this probability in percent. Includes
    /// some loops and repeated edges.
    pub fn edges(&mut self, vertices: usize, percent: usize) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for a in 0..vertices {
            for b in a..vertices {
                let random = if a == b { 5 } else { percent };
                while self.percent(random) {
                    edges.push((a, b));
                    if !self.percent(10) {
                        break;
                    }
                }
            }
        }
        edges
    }
}
