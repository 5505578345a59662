//! A lock-free table of proof numbers, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a state that is proved or disproved.
pub(super) const INFINITE: u32 = (1 << 24) - 1;

/// Results for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Proof number: the estimated minimum work for a proof; 0 if proved.
    pub(super) proof: u32,
    /// Disproof number: the same for a disproof.
    pub(super) disproof: u32,
    /// Binary logarithm of the number of nodes searched.
    pub(super) effort: u8,
    /// For a proof, the maximum number of moves it takes; 255 if more.
    pub(super) height: u8,
}

impl Entry {
    pub(super) const PROVED: Entry = Entry {
        proof: 0,
        disproof: INFINITE,
        effort: 0,
        height: 0,
    };
    pub(super) const DISPROVED: Entry = Entry {
        proof: INFINITE,
        disproof: 0,
        effort: 0,
        height: u8::MAX,
    };

    /// Returns the number that the player to move minimizes, then the other one.
    #[inline]
    pub(super) fn numbers(&self, holder_to_move: bool) -> (u32, u32) {
        if holder_to_move {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.proof)
            | u64::from(self.disproof) << 24
            | u64::from(self.effort) << 48
            | u64::from(self.height) << 56
    }

    fn unpack(word: u64) -> Entry {
        Entry {
            proof: word as u32 & INFINITE,
            disproof: (word >> 24) as u32 & INFINITE,
            effort: (word >> 48) as u8,
            height: (word >> 56) as u8,
        }
    }
}

/// Number of slots per bucket. The slot of lowest effort is overwritten first.
const WAYS: usize = 4;

/// The table. Each slot holds a word of data and the mixed key, xored with the data. If two threads
/// write a slot at once, it matches a key only by an unlikely coincidence.
pub(super) struct ProofTable {
    buckets: Vec<Bucket>,
}

/// The slots of one hash, in one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// Mixes the bits of a key, one to one. Keys differ in few bits, as data does. Unmixed, the parts
/// of two entries could match the key of a third.
#[inline]
fn mix(key: u64) -> u64 {
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl ProofTable {
    /// Creates a table of at most `bytes` bytes. Returns `None` if the allocation fails.
    pub(super) fn new(bytes: usize) -> Option<ProofTable> {
        let buckets = 1 << (bytes / size_of::<Bucket>()).max(16).ilog2();
        let mut table = Vec::new();
        table.try_reserve_exact(buckets).ok()?;
        table.resize_with(buckets, Bucket::default);
        Some(ProofTable { buckets: table })
    }

    /// Clears the table.
    pub(super) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
    }

    /// Returns the bucket of a mixed key.
    fn bucket(&self, mixed: u64) -> &Bucket {
        &self.buckets[(mixed >> 20) as usize & (self.buckets.len() - 1)]
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Prefetches a state's bucket by reading a word of it. Reads of several states overlap if
    /// nothing depends on them yet.
    #[inline]
    pub(super) fn fetch(&self, key: u64) -> u64 {
        self.bucket(mix(key)).0[0][1].load(Ordering::Relaxed)
    }

    /// Returns the entry of a state, if there is one.
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let mixed = mix(key);
        for slot in &self.bucket(mixed).0 {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == mixed && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores the entry of a state.
    pub(super) fn store(&self, key: u64, entry: Entry) {
        let mixed = mix(key);
        let bucket = &self.bucket(mixed).0;
        let mut target = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == mixed {
                target = slot;
                break;
            }
            let worth = if data == 0 { 0 } else { 1 + (data >> 48 & 255) };
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        let data = entry.pack();
        target[1].store(data, Ordering::Relaxed);
        target[0].store(mixed ^ data, Ordering::Relaxed);
    }
}
