//! Hashing: the tables of the crate, of which a change of hasher changes the one `use` line below, and how bits are mixed.

use fxhash::FxBuildHasher as Hasher;

/// A map for keys that no adversary chooses: Zobrist keys, vertices, indices.
pub type FastMap<K, V> = std::collections::HashMap<K, V, Hasher>;
/// The set that goes with [`FastMap`].
pub type FastSet<K> = std::collections::HashSet<K, Hasher>;

/// Bits that pass for random, others for each number (a step of SplitMix64: Steele, Lea and Flood 2014). 0 stays 0. Weights that
/// are stored know shapes by sums of such bits: they have to stay as they are.
///
/// ```
/// assert_eq!(omnigo::hash::scatter(1), 0xe220_a839_7b1d_cdaf);
/// ```
pub const fn scatter(number: u64) -> u64 {
    // 2^64 over the golden ratio, so that numbers close together are far apart.
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A hash of bytes that is the same everywhere and for ever, for telling files apart (FNV-1a, 64 bits: Fowler, Noll and Vo).
///
/// ```
/// assert_eq!(omnigo::hash::fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
