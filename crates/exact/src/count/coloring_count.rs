//! Numbers of colorings: integers of fixed size, big integers, and polynomials in the number of
//! colors.

use num_bigint::{BigInt, BigUint};

/// Number of choices of the next vertex's color that lead to a certain state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    /// One choice.
    One,
    /// One choice for each color except this number of them.
    ColorsBut(usize),
}

/// A number of colorings.
pub(super) trait ColoringCount: Clone + Send + Sync {
    /// The number of colors: a number, or `()` if it is the variable of a polynomial.
    type Colors: Copy + Send + Sync;
    /// Returns 1.
    fn one() -> Self;
    /// Adds `other` times the number of choices.
    fn add(&mut self, other: &Self, ways: Ways, colors: Self::Colors);
    /// Returns `self` times the number of choices, or `None` if there are none.
    fn times(&self, ways: Ways, colors: Self::Colors) -> Option<Self>;
    /// Returns the approximate size in bytes on the heap.
    fn heap(&self) -> usize;
}

/// Returns the number of choices if the number of colors is known.
fn count(ways: Ways, colors: u32) -> u64 {
    match ways {
        Ways::One => 1,
        Ways::ColorsBut(some) => u64::from(colors).saturating_sub(some as u64),
    }
}

/// An integer of 64 `L` bits. The caller must ensure that no sum overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limbs<const L: usize>([u64; L]);

impl<const L: usize> From<&Limbs<L>> for BigUint {
    fn from(limbs: &Limbs<L>) -> BigUint {
        let bytes: Vec<u8> = limbs.0.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        BigUint::from_bytes_le(&bytes)
    }
}

impl<const L: usize> ColoringCount for Limbs<L> {
    type Colors = u32;

    fn one() -> Self {
        let mut limbs = [0; L];
        limbs[0] = 1;
        Limbs(limbs)
    }

    #[inline]
    fn add(&mut self, other: &Self, ways: Ways, colors: u32) {
        let times = u128::from(count(ways, colors));
        let mut carry = 0u128;
        for (to, &from) in self.0.iter_mut().zip(&other.0) {
            // At most (2^64 - 1)^2 + 2 (2^64 - 1), which fits in 128 bits.
            let sum = u128::from(from) * times + u128::from(*to) + carry;
            *to = sum as u64;
            carry = sum >> 64;
        }
        debug_assert_eq!(carry, 0, "the caller has provided too few limbs");
    }

    fn times(&self, ways: Ways, colors: u32) -> Option<Self> {
        let mut product = Limbs([0; L]);
        product.add(self, ways, colors);
        (count(ways, colors) > 0).then_some(product)
    }

    fn heap(&self) -> usize {
        0
    }
}

impl ColoringCount for BigUint {
    type Colors = u32;

    fn one() -> Self {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &Self, ways: Ways, colors: u32) {
        match ways {
            Ways::One => *self += other,
            Ways::ColorsBut(_) => *self += other * count(ways, colors),
        }
    }

    fn times(&self, ways: Ways, colors: u32) -> Option<Self> {
        let times = count(ways, colors);
        (times > 0).then(|| self * times)
    }

    fn heap(&self) -> usize {
        self.bits() as usize / 8 + 16
    }
}

/// A polynomial in the number of colors. The coefficients start with the constant, and the last is
/// not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial(pub(super) Vec<BigInt>);

impl ColoringCount for Polynomial {
    type Colors = ();

    fn one() -> Self {
        Polynomial(vec![BigInt::from(1)])
    }

    fn add(&mut self, other: &Self, ways: Ways, colors: ()) {
        let Some(product) = other.times(ways, colors) else {
            return;
        };
        if self.0.len() < product.0.len() {
            self.0.resize(product.0.len(), BigInt::ZERO);
        }
        for (to, from) in self.0.iter_mut().zip(product.0) {
            *to += from;
        }
        while self.0.last() == Some(&BigInt::ZERO) {
            self.0.pop();
        }
    }

    fn times(&self, ways: Ways, (): ()) -> Option<Self> {
        match ways {
            Ways::One => Some(self.clone()),
            Ways::ColorsBut(some) => {
                Some(self * &Polynomial(vec![BigInt::from(-(some as i64)), BigInt::from(1)]))
            }
        }
    }

    fn heap(&self) -> usize {
        let limbs = self.0.iter().map(|c| c.bits() as usize / 8 + 16);
        limbs.sum::<usize>() + self.0.len() * size_of::<BigInt>()
    }
}

impl std::ops::Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: &Polynomial) -> Polynomial {
        if self.0.is_empty() || other.0.is_empty() {
            return Polynomial(Vec::new());
        }
        let mut product = vec![BigInt::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        while product.last() == Some(&BigInt::ZERO) {
            product.pop();
        }
        Polynomial(product)
    }
}
