//! Intel's tile unit (AMX): its detection, and its configuration for a thread.
//!
//! Stable Rust has no intrinsics for tile instructions, so they are written in assembly. The
//! process asks the operating system once for permission to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// Returns true if the machine has the tile unit and the operating system lets this process use it.
pub(super) fn is_permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| has_unit() && ask())
}

/// Returns true if the processor has tiles with bf16 products and the operating system enables
/// their state.
fn has_unit() -> bool {
    // SAFETY: every x86-64 processor has this instruction. Newer compilers treat it as safe.
    #[allow(unused_unsafe)]
    let (leaves, basic) = unsafe { (__cpuid(0), __cpuid(1)) };
    if leaves.eax < 7 || basic.ecx >> 27 & 1 == 0 {
        return false;
    }
    // SAFETY: as above.
    #[allow(unused_unsafe)]
    let features = unsafe { __cpuid_count(7, 0) }.edx;
    let (bf16, tile) = (features >> 22 & 1, features >> 24 & 1);
    // SAFETY: OSXSAVE was checked above.
    let state = unsafe { read_xcr0() };
    bf16 & tile == 1 && state >> 17 & 0b11 == 0b11
}

/// Returns the state components that the operating system has enabled (XCR0).
///
/// # Safety
/// The machine must have XSAVE, enabled by the operating system.
unsafe fn read_xcr0() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: by this function's contract, XSAVE is enabled. The instruction only reads a register.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// Asks Linux for permission to use tile data (`arch_prctl(ARCH_REQ_XCOMP_PERM,
/// XFEATURE_XTILEDATA)`).
#[cfg(target_os = "linux")]
fn ask() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let answer: i64;
    // SAFETY: the call takes two numbers, writes no memory, and changes only this process's
    // permissions.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => answer,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack)
        );
    }
    answer == 0
}

#[cfg(not(target_os = "linux"))]
fn ask() -> bool {
    false
}

/// Operand of `ldtilecfg`: palette 1, eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

static CONFIGURATION: Configuration = Configuration {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Tile configuration of this thread, released when dropped. A thread has one at a time.
#[derive(Debug)]
pub(super) struct Unit(PhantomData<*const ()>);

impl Unit {
    /// Configures the tile unit of this thread.
    ///
    /// # Safety
    /// The machine must have the unit, and the operating system must have permitted its use.
    pub(super) unsafe fn configure() -> Unit {
        // SAFETY: by this function's contract, the unit may be used. The configuration is valid and
        // static.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION, options(nostack, readonly));
        }
        Unit(PhantomData)
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the unit was configured.
        unsafe {
            asm!("tilerelease", options(nomem, nostack));
        }
    }
}
