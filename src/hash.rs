//! The hash tables of the crate. A change of hasher is a change of the one `use` line below.

use fxhash::FxBuildHasher as Hasher;

/// A map for keys that no adversary chooses: Zobrist keys, vertices, indices.
pub type FastMap<K, V> = std::collections::HashMap<K, V, Hasher>;
/// The set that goes with [`FastMap`].
pub type FastSet<K> = std::collections::HashSet<K, Hasher>;
