//! Allocator setting for long-running processes: freed blocks of 1 MiB or more return to the
//! operating system (Linux with glibc only).

/// Minimum size, in bytes, of blocks that return to the system when freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Sets the allocator to map each large block, such as a chunk of a tree, separately. Freeing such
/// a block returns all of its memory.
///
/// By default, glibc does this from 128 KiB on, but only until the first such block is freed. It
/// then raises the limit and takes blocks of that size from heaps, one for each thread. Small
/// blocks that remain in use keep these heaps from shrinking. Measurements are in
/// `docs/performance.md`.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_large_blocks() {
    // SAFETY: `mallopt` takes two numbers and keeps no pointer to our memory.
    let set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    debug_assert_eq!(set, 1, "a size that the C library refuses");
}

/// Does nothing: other systems keep their own policy for freed memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_large_blocks() {}
