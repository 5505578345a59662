//! Random numbers: one generator for the whole engine.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random number generator of the engine: small, fast, and identical on every machine.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Returns a generator that depends only on the seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a random number below `bound`, which is at most 2³². Returns 0 if `bound` is 0.
    #[inline(always)]
    pub fn below(&mut self, bound: usize) -> usize {
        // Lemire's multiplication; the bias is below bound / 2³².
        (((self.0.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Returns true with a probability of `percent` %.
    #[inline(always)]
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Puts the items into a random order, each order with about the same probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// Returns the underlying generator, for distributions.
    pub fn generator(&mut self) -> &mut impl Rng {
        &mut self.0
    }

    /// Returns a random 64-bit number.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}
