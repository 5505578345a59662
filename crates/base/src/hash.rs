//! Hashing: hash table types of the crate, and bit mixing. To change the hasher, change only the
//! `use` line below.

use fxhash::FxBuildHasher as Hasher;

/// Hash map for keys that no adversary chooses, such as Zobrist keys, vertices, and indices.
pub type FastMap<K, V> = std::collections::HashMap<K, V, Hasher>;
/// Hash set for the same kinds of keys as [`FastMap`].
pub type FastSet<K> = std::collections::HashSet<K, Hasher>;

/// Returns pseudorandom bits, different for each number; 0 stays 0. This is a step of SplitMix64
/// (Steele, Lea, and Flood 2014). Never change the result: stored weights identify shapes by sums
/// of these bits.
///
/// ```
/// assert_eq!(omnigo_base::hash::scatter(1), 0xe220_a839_7b1d_cdaf);
/// ```
pub const fn scatter(number: u64) -> u64 {
    // 2^64 divided by the golden ratio. It moves adjacent numbers far apart.
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll, and Vo) of some bytes, for identifying files. It
/// is the same on every machine and in every version.
///
/// ```
/// assert_eq!(omnigo_base::hash::fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
