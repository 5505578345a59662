//! The heap of a process that lives for weeks.

/// Blocks of so many bytes and more go back to the system when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Has large blocks, such as the chunks of a tree, mapped one by one, so that none of their memory stays behind once they are
/// freed.
///
/// The GNU C library does so from 128 KiB on, but only until the first of them is freed: from then on it takes blocks of that
/// size from heaps, one for each thread, which small blocks that stay keep from shrinking. What that came to is in
/// `docs/performance.md`.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_large_blocks() {
    // SAFETY: `mallopt` takes two numbers and keeps none of our memory.
    let set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    debug_assert_eq!(set, 1, "a size that the C library refuses");
}

/// Nothing: how other systems keep freed memory is left to them.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_large_blocks() {}
