//! Arena of records that several threads allocate and read without locks.
//!
//! Its memory grows by chunks up to a limit. Records keep their places until the arena is dropped.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::*};

/// Number of records in a chunk of an arena.
pub(super) const CHUNK: usize = 1 << 10;

/// Arena of records, which are numbered from 1.
#[derive(Debug)]
pub(super) struct Arena<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    /// Number of records in use.
    used: AtomicU32,
}

impl<T: Default> Arena<T> {
    /// Creates an empty arena. It uses at most `bytes` of memory, but at least one chunk.
    pub(super) fn new(bytes: usize) -> Arena<T> {
        let most = u32::MAX as usize / CHUNK;
        let chunks = (bytes / (CHUNK * size_of::<T>())).clamp(1, most);
        Arena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(0),
        }
    }

    /// Returns the record with this number. `None` for 0 and beyond the capacity.
    pub(super) fn get(&self, number: u32) -> Option<&T> {
        let index = number.checked_sub(1)? as usize;
        let fresh = || (0..CHUNK).map(|_| T::default()).collect();
        let chunk = self.chunks.get(index / CHUNK)?.get_or_init(fresh);
        chunk.get(index % CHUNK)
    }

    /// Returns the number of an unused record, or `None` if memory is used up.
    pub(super) fn allocate(&self) -> Option<u32> {
        let most = self.capacity() as u32;
        let claim = |used: u32| (used < most).then_some(used + 1);
        let used = self.used.fetch_update(Relaxed, Relaxed, claim).ok()?;
        Some(used + 1)
    }

    /// Returns the greatest number of records.
    pub(super) fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// Returns the number of records in use.
    pub(super) fn used(&self) -> usize {
        self.used.load(Relaxed) as usize
    }

    /// Returns true if memory is used up.
    pub(super) fn is_full(&self) -> bool {
        self.used() >= self.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_numbered_from_one_up_to_the_capacity() {
        let arena: Arena<AtomicU32> = Arena::new(0);
        assert!(arena.get(0).is_none());
        for number in 1..=CHUNK as u32 {
            assert!(!arena.is_full());
            assert_eq!(arena.allocate(), Some(number));
            arena.get(number).unwrap().store(number, Relaxed);
        }
        assert!(arena.is_full());
        assert_eq!(arena.allocate(), None);
        assert_eq!((arena.used(), arena.capacity()), (CHUNK, CHUNK));
        assert_eq!(arena.get(7).unwrap().load(Relaxed), 7);
        assert!(arena.get(CHUNK as u32 + 1).is_none());
    }
}
