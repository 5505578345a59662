//! Seeded random numbers: xoshiro256++ initialized by SplitMix64. All computations use integers, so
//! a seed gives the same results on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Random generator with a seed.
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a uniformly distributed number below `bound`; 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // Take the high half of the product. Low halves below 2⁶⁴ mod bound would favor some
        // numbers (D. Lemire, 2019).
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let unfair = if bound == 0 {
                0
            } else {
                bound.wrapping_neg() % bound
            };
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    pub(super) fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// Returns a word in which each bit is set independently with this probability, exact to 2⁻⁶⁴.
    pub(super) fn word(&mut self, probability: Probability) -> u64 {
        let Probability::Below(threshold) = probability else {
            return u64::MAX;
        };
        // Compare a random number in each lane to the threshold, bit by bit, until every lane
        // differs from it.
        let (mut set, mut open) = (0u64, u64::MAX);
        for bit in (0..u64::BITS).rev() {
            let random = self.0.next_u64();
            if threshold >> bit & 1 == 1 {
                set |= open & !random;
                open &= random;
            } else {
                open &= !random;
            }
            if open == 0 {
                break;
            }
        }
        set
    }

    pub(super) fn happens(&mut self, probability: Probability) -> bool {
        match probability {
            Probability::Sure => true,
            Probability::Below(threshold) => self.0.next_u64() < threshold,
        }
    }
}

/// Probability in units of 2⁻⁶⁴.
#[derive(Clone, Copy)]
pub(super) enum Probability {
    Below(u64),
    /// Probability 1.
    Sure,
}

/// Parses a decimal from 0 to 1. Returns the probability and its canonical text, or `None` if the
/// text is invalid.
pub(super) fn probability(text: &str) -> Option<(Probability, String)> {
    const DIGITS: usize = 18;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || !digits(whole) || !digits(part) || part.len() > DIGITS
    {
        return None;
    }
    let part = part.trim_end_matches('0');
    match (whole.trim_start_matches('0'), part) {
        ("1", "") => Some((Probability::Sure, "1".to_string())),
        ("", "") => Some((Probability::Below(0), "0".to_string())),
        ("", _) => {
            let number: u128 = format!("{part:0<DIGITS$}").parse().ok()?;
            let threshold = (number << 64) / 10u128.pow(DIGITS as u32);
            Some((Probability::Below(threshold as u64), format!("0.{part}")))
        }
        _ => None,
    }
}

/// Splits the arguments of a random family into `N` words and an optional seed, by default 1.
/// Returns `None` for another number of words.
pub(super) fn seeded<const N: usize>(text: &str) -> Option<([&str; N], u64)> {
    let mut words: Vec<&str> = text.split(',').collect();
    let seed = match words.len().checked_sub(N)? {
        0 => 1,
        1 => number(words.pop()?)?,
        _ => return None,
    };
    Some((words.try_into().ok()?, seed))
}

/// Parses an unsigned integer of at most 64 bits.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_read_exactly() {
        let read = |text| match probability(text) {
            Some((Probability::Below(threshold), decimal)) => Some((threshold, decimal)),
            Some((Probability::Sure, decimal)) => Some((u64::MAX, decimal)),
            None => None,
        };
        assert_eq!(read("0.5"), Some((1 << 63, "0.5".to_string())));
        assert_eq!(read(".250"), Some((1 << 62, "0.25".to_string())));
        assert_eq!(read("0"), Some((0, "0".to_string())));
        assert_eq!(read("1.0"), Some((u64::MAX, "1".to_string())));
        for text in [
            "",
            ".",
            "1.1",
            "2",
            "-0.5",
            "1e-3",
            "0,5",
            "0.0000000000000000001",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn random_words_have_the_expected_share_of_ones() {
        let mut random = Random::new(7);
        for (p, percent) in [("0", 0), ("0.1", 10), ("0.5", 50), ("0.93", 93), ("1", 100)] {
            let (p, _) = probability(p).unwrap();
            let ones: u32 = (0..10_000).map(|_| random.word(p).count_ones()).sum();
            let off = (f64::from(ones) / 6400.0 - f64::from(percent)).abs();
            assert!(off < 0.3, "{percent} percent, {off} off");
        }
    }
}
