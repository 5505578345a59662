//! Operations that the kernel needs from the processor. One value holds one 64-bit word of each of
//! several games.
//!
//! All implementations give the same result bit for bit, so samples do not depend on the machine.

/// Maximum number of games side by side, over all implementations.
pub(super) const MOST: usize = 8;

/// One word of each game.
pub(super) trait Lanes: Copy {
    /// Number of games.
    const GAMES: usize;
    /// True if the code for each word of a set is separate.
    const UNROLLED: bool = true;

    /// Returns the same word for all games.
    fn splat(word: u64) -> Self;
    /// Loads one word for each game.
    fn load(words: &[u64; MOST]) -> Self;
    /// Writes the word of each game.
    fn store(self, words: &mut [u64; MOST]);
    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self | other`
    fn or(self, other: Self) -> Self;
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self & !other`
    fn less(self, other: Self) -> Self;
    /// `self + other`, wrapping.
    fn plus(self, other: Self) -> Self;
    /// `self - other`, wrapping.
    fn minus(self, other: Self) -> Self;
    /// Returns the upper word of `self : low` shifted left by `by`, 0 < by < 64.
    fn up(self, low: Self, by: u32) -> Self;
    /// Returns the lower word of `high : self` shifted right by `by`, 0 < by < 64.
    fn down(self, high: Self, by: u32) -> Self;
    /// Returns the number of set bits per game.
    fn count(self) -> Self;
    /// Returns the games whose word is not zero, as a mask with game g in bit g.
    fn any(self) -> u32;
    /// Returns the games in which `self` is below `other`, as a mask. Both must be below 2³².
    fn below(self, other: Self) -> u32;
    /// Returns the products of the lower 32 bits.
    fn times(self, other: Self) -> Self;
    /// Returns `self` in the games of the mask `games`, and `other` in the rest.
    fn pick(self, games: u32, other: Self) -> Self;
    /// Returns only that set bit of `self` with exactly `rank` set bits below it. Zero if there is
    /// none.
    fn nth(self, rank: Self) -> Self;
}

/// Plain words. The portable version and the reference implementation for the others.
#[derive(Clone, Copy)]
pub(super) struct Plain([u64; 8]);

impl Plain {
    #[inline(always)]
    fn each(self, other: Plain, f: impl Fn(u64, u64) -> u64) -> Plain {
        Plain(std::array::from_fn(|g| f(self.0[g], other.0[g])))
    }

    #[inline(always)]
    fn which(self, other: Plain, f: impl Fn(u64, u64) -> bool) -> u32 {
        (0..8).fold(0, |games, g| {
            games | u32::from(f(self.0[g], other.0[g])) << g
        })
    }
}

/// Returns only that set bit of `word` with exactly `rank` set bits below it. Zero if there is
/// none.
pub(super) fn nth_bit(mut word: u64, rank: u64) -> u64 {
    for _ in 0..rank.min(64) {
        word &= word.wrapping_sub(1);
    }
    word & word.wrapping_neg()
}

impl Lanes for Plain {
    const GAMES: usize = 8;
    const UNROLLED: bool = false;

    #[inline(always)]
    fn splat(word: u64) -> Plain {
        Plain([word; 8])
    }

    #[inline(always)]
    fn load(words: &[u64; MOST]) -> Plain {
        Plain(std::array::from_fn(|g| words[g]))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; MOST]) {
        words[..8].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn and(self, other: Plain) -> Plain {
        self.each(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Plain) -> Plain {
        self.each(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Plain) -> Plain {
        self.each(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn less(self, other: Plain) -> Plain {
        self.each(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn plus(self, other: Plain) -> Plain {
        self.each(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, other: Plain) -> Plain {
        self.each(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn up(self, low: Plain, by: u32) -> Plain {
        self.each(low, |a, b| a << by | b >> (64 - by))
    }

    #[inline(always)]
    fn down(self, high: Plain, by: u32) -> Plain {
        self.each(high, |a, b| a >> by | b << (64 - by))
    }

    #[inline(always)]
    fn count(self) -> Plain {
        self.each(self, |a, _| u64::from(a.count_ones()))
    }

    #[inline(always)]
    fn any(self) -> u32 {
        self.which(self, |a, _| a != 0)
    }

    #[inline(always)]
    fn below(self, other: Plain) -> u32 {
        self.which(other, |a, b| a < b)
    }

    #[inline(always)]
    fn times(self, other: Plain) -> Plain {
        self.each(other, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }

    #[inline(always)]
    fn pick(self, games: u32, other: Plain) -> Plain {
        Plain(std::array::from_fn(|g| {
            if games >> g & 1 != 0 {
                self.0[g]
            } else {
                other.0[g]
            }
        }))
    }

    #[inline(always)]
    fn nth(self, rank: Plain) -> Plain {
        self.each(rank, nth_bit)
    }
}
