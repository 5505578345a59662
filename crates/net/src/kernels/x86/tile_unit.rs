//! Intel's tile unit (AMX): its detection, its configuration for a thread, and its instructions.
//!
//! Stable Rust has no intrinsics for tile instructions, so they are written in assembly. The
//! process asks the operating system once for permission to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::layer::TileRow;

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
    /// The machine must have the unit, and the operating system must have permitted its use. This
    /// thread must not have another `Unit`.
    pub(super) unsafe fn configure() -> Unit {
        // SAFETY: by this function's contract, the unit may be used. The configuration is valid and
        // static.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION, options(nostack, readonly));
        }
        Unit(PhantomData)
    }

    /// Sets the four tiles of sums to zero.
    #[inline(always)]
    pub(super) fn clear(&self) {
        // SAFETY: the unit is configured.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                options(nomem, nostack)
            );
        }
    }

    /// Adds the products of 32 inputs to the sums: two tiles of rows by two tiles of weights.
    ///
    /// # Safety
    /// Each of `rows` must point to 16 rows of 32 numbers in bf16, `stride` bytes apart. Each of
    /// `weights` must point to 16 consecutive rows of 16 pairs.
    #[inline(always)]
    pub(super) unsafe fn add(
        &self,
        rows: [*const u16; 2],
        stride: usize,
        weights: [*const TileRow; 2],
    ) {
        // SAFETY: the unit is configured. By this function's contract, all rows exist.
        unsafe {
            asm!(
                "tileloadd tmm6, [{low} + {width}*1]",
                "tileloadd tmm4, [{first} + {stride}*1]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{high} + {width}*1]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{second} + {stride}*1]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                low = in(reg) weights[0],
                high = in(reg) weights[1],
                width = in(reg) 64usize,
                first = in(reg) rows[0],
                second = in(reg) rows[1],
                stride = in(reg) stride,
                options(nostack, readonly)
            );
        }
    }

    /// Writes the sums.
    #[inline(always)]
    pub(super) fn store(&self, sums: &mut Sums) {
        // SAFETY: the unit is configured. Four tiles of 16 rows of 64 bytes, two side by side, fill
        // `sums` exactly.
        unsafe {
            asm!(
                "tilestored [{sums} + {width}*1], tmm0",
                "tilestored [{sums} + {width}*1 + 64], tmm1",
                "tilestored [{sums} + {width}*1 + 2048], tmm2",
                "tilestored [{sums} + {width}*1 + 2112], tmm3",
                sums = in(reg) sums.0.as_mut_ptr(),
                width = in(reg) 128usize,
                options(nostack)
            );
        }
    }
}

/// The four tiles of sums: 32 rows by 32 outputs.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Sums(pub(super) [[f32; 32]; 32]);

impl Sums {
    pub(super) const ZERO: Sums = Sums([[0.0; 32]; 32]);
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the unit was configured.
        unsafe {
            asm!("tilerelease", options(nomem, nostack));
        }
    }
}
