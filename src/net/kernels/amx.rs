//! Convolutions on the tile unit (Intel AMX): 16 cells by 16 channels in a tile, 32 inputs an instruction.
//!
//! Six tiles of results (96 cells of 16 channels) stay in the unit while all taps and inputs are gone through; activations
//! lie so that a tile of them is loaded straight from its place, shifted by the tap. The tile instructions are no intrinsics
//! on stable Rust, so they are written as assembly; the operating system is asked once for leave to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::sync::OnceLock;

use super::Arithmetic;
use crate::net::bf16;
use crate::net::layer::Convolution;
use crate::net::shape::{GROUP, Shape};

/// Whether the machine has the tile unit and the operating system lets this process use it.
pub(super) fn is_permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| has_unit() && ask())
}

/// Whether processor and operating system know the tiles and their bf16 product.
fn has_unit() -> bool {
    if __cpuid(0).eax < 7 || __cpuid(1).ecx >> 27 & 1 == 0 {
        return false;
    }
    let features = __cpuid_count(7, 0).edx;
    let (bf16, tile) = (features >> 22 & 1, features >> 24 & 1);
    // SAFETY: OSXSAVE, checked above, is what this needs.
    let state = unsafe { read_xcr0() };
    bf16 & tile == 1 && state >> 17 & 0b11 == 0b11
}

/// # Safety
/// The machine has XSAVE, enabled by the operating system.
unsafe fn read_xcr0() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: the caller's promise; the instruction reads a register.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// Asks Linux for leave to use tile data (`arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`).
#[cfg(target_os = "linux")]
fn ask() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let answer: i64;
    // SAFETY: the call takes two numbers, writes no memory and changes only what this process may use.
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

/// Arithmetic on tiles; holds the unit of this thread configured while it lives.
#[derive(Debug)]
pub struct Amx(PhantomData<*const ()>);

/// What `ldtilecfg` reads: palette 1, eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Amx {
    /// Configures the unit for this thread, `None` where there is none.
    pub fn new() -> Option<Amx> {
        if !super::Kernel::Amx.is_available() {
            return None;
        }
        let used = |tile: usize| tile < 8;
        let configuration = Configuration {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: std::array::from_fn(|tile| if used(tile) { 64 } else { 0 }),
            rows: std::array::from_fn(|tile| if used(tile) { 16 } else { 0 }),
        };
        // SAFETY: the unit is there and permitted; the configuration is valid and outlives the instruction.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &raw const configuration, options(nostack, readonly));
        }
        Some(Amx(PhantomData))
    }

    /// Six tiles of sums: the products of all taps and inputs for [`GROUP`] cells from `first` on and the 16 outputs of
    /// this number.
    fn tiles(
        layer: &Convolution,
        shape: &Shape,
        input: &[u16],
        first: usize,
        number: usize,
        sums: &mut Sums,
    ) {
        let row = layer.inputs;
        let steps = row / 32;
        let weights = &layer.tiles[number * layer.taps * row * 16..][..layer.taps * row * 16];
        // SAFETY: tiles are configured while an `Amx` lives, and only its methods come here.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "tilezero tmm4",
                "tilezero tmm5",
                options(nomem, nostack)
            );
        }
        for tap in 0..layer.taps {
            let from = (shape.tap(tap, layer.taps) + first) * row;
            let seen = &input[from..from + GROUP * row];
            for step in 0..steps {
                let weight = &weights[(tap * steps + step) * 512..][..512];
                let cells = &seen[step * 32..];
                // SAFETY: a weight tile is 512 numbers in a row. The six tiles of activations are 96 rows of 32 numbers, the
                // last of which ends where `seen` does or before; both slices are checked above.
                unsafe {
                    asm!(
                        "tileloadd tmm6, [{weights} + {width}*1]",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm0, tmm7, tmm6",
                        "add {cells}, {tile}",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm1, tmm7, tmm6",
                        "add {cells}, {tile}",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm2, tmm7, tmm6",
                        "add {cells}, {tile}",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm3, tmm7, tmm6",
                        "add {cells}, {tile}",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm4, tmm7, tmm6",
                        "add {cells}, {tile}",
                        "tileloadd tmm7, [{cells} + {stride}*1]",
                        "tdpbf16ps tmm5, tmm7, tmm6",
                        weights = in(reg) weight.as_ptr(),
                        width = in(reg) 64usize,
                        cells = inout(reg) cells.as_ptr() => _,
                        stride = in(reg) row * 2,
                        tile = in(reg) row * 32,
                        options(nostack, readonly)
                    );
                }
            }
        }
        // SAFETY: six tiles of 16 rows of 64 bytes are exactly `sums`.
        unsafe {
            asm!(
                "tilestored [{sums} + {width}*1], tmm0",
                "tilestored [{sums} + {width}*1 + 1024], tmm1",
                "tilestored [{sums} + {width}*1 + 2048], tmm2",
                "tilestored [{sums} + {width}*1 + 3072], tmm3",
                "tilestored [{sums} + {width}*1 + 4096], tmm4",
                "tilestored [{sums} + {width}*1 + 5120], tmm5",
                sums = in(reg) sums.0.as_mut_ptr(),
                width = in(reg) 64usize,
                options(nostack)
            );
        }
    }
}

impl Drop for Amx {
    fn drop(&mut self) {
        // SAFETY: the unit was configured in `new`.
        unsafe {
            asm!("tilerelease", options(nomem, nostack));
        }
    }
}

/// Sums of a group, `[cell][16 outputs]`.
#[repr(C, align(64))]
struct Sums([[f32; 16]; GROUP]);

/// Finishes a group: bias, residual, ReLU, rounding; cells outside the board become zero.
///
/// # Safety
/// The machine has AVX-512 F, BW and BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn activate(
    sums: &Sums,
    inside: &[bool],
    bias: &[f32; 16],
    residual: Option<&[u16]>,
    output: &mut [u16],
    outputs: usize,
) {
    // SAFETY: sixteen floats.
    let bias = unsafe { _mm512_loadu_ps(bias.as_ptr()) };
    let zero = _mm512_setzero_ps();
    for (cell, (sum, &inside)) in sums.0.iter().zip(inside).enumerate() {
        let out = &mut output[cell * outputs..][..16];
        if !inside {
            out.fill(0);
            continue;
        }
        // SAFETY: a row of sums is sixteen floats.
        let mut value = _mm512_add_ps(unsafe { _mm512_loadu_ps(sum.as_ptr()) }, bias);
        if let Some(residual) = residual {
            let more = &residual[cell * outputs..][..16];
            // SAFETY: sixteen numbers of 16 bits, checked by the slice.
            let more = unsafe { _mm256_loadu_si256(more.as_ptr().cast()) };
            let more = _mm512_slli_epi32(_mm512_cvtepu16_epi32(more), 16);
            value = _mm512_add_ps(value, _mm512_castsi512_ps(more));
        }
        let rounded = _mm512_cvtneps_pbh(_mm512_max_ps(value, zero));
        // SAFETY: 32 bytes, checked by the slice; both types are 256 bits.
        unsafe { out.as_mut_ptr().cast::<__m256bh>().write_unaligned(rounded) };
    }
}

/// Sums and maxima of each channel, 16 at a time.
///
/// # Safety
/// The machine has AVX-512 F.
#[target_feature(enable = "avx512f")]
unsafe fn sum_and_most(input: &[u16], channels: usize, output: &mut [f32]) {
    for channel in (0..channels).step_by(16) {
        let mut sum = _mm512_setzero_ps();
        let mut most = _mm512_setzero_ps();
        for cell in input.chunks_exact(channels) {
            let bits = &cell[channel..channel + 16];
            // SAFETY: sixteen numbers of 16 bits, checked by the slice.
            let bits = unsafe { _mm256_loadu_si256(bits.as_ptr().cast()) };
            let value = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
            sum = _mm512_add_ps(sum, value);
            most = _mm512_max_ps(most, value);
        }
        let (sums, maxima) = output.split_at_mut(channels);
        // SAFETY: sixteen floats each, checked by the slices.
        unsafe {
            _mm512_storeu_ps(sums[channel..channel + 16].as_mut_ptr(), sum);
            _mm512_storeu_ps(maxima[channel..channel + 16].as_mut_ptr(), most);
        }
    }
}

impl Arithmetic for Amx {
    type Cell = u16;

    fn cell(value: f32) -> u16 {
        bf16::round(value)
    }

    fn convolve(
        &self,
        layer: &Convolution,
        shape: &Shape,
        input: &[u16],
        bias: &[f32],
        residual: Option<&[u16]>,
        output: &mut [u16],
    ) {
        let mut sums = Sums([[0.0; 16]; GROUP]);
        for first in (0..shape.cells()).step_by(GROUP) {
            let inside = &shape.inside()[first..first + GROUP];
            for (number, bias) in bias.as_chunks::<16>().0.iter().enumerate() {
                Self::tiles(layer, shape, input, first, number, &mut sums);
                let from = (shape.margin() + first) * layer.outputs + number * 16;
                let residual = residual.map(|residual| &residual[from..]);
                let output = &mut output[from..];
                // SAFETY: this type exists only where the machine has what `Kernel::Amx` asks for.
                unsafe { activate(&sums, inside, bias, residual, output, layer.outputs) };
            }
        }
    }

    fn convolve_raw(&self, layer: &Convolution, shape: &Shape, input: &[u16], output: &mut [f32]) {
        let mut sums = Sums([[0.0; 16]; GROUP]);
        for first in (0..shape.cells()).step_by(GROUP) {
            for (number, bias) in layer.bias.as_chunks::<16>().0.iter().enumerate() {
                Self::tiles(layer, shape, input, first, number, &mut sums);
                for (cell, sum) in (first..).zip(&sums.0) {
                    let out = &mut output[cell * layer.outputs + number * 16..][..16];
                    for ((out, sum), bias) in out.iter_mut().zip(sum).zip(bias) {
                        *out = sum + bias;
                    }
                }
            }
        }
    }

    fn pool(&self, shape: &Shape, channels: usize, input: &[u16], output: &mut [f32]) {
        // SAFETY: this type exists only where the machine has what `Kernel::Amx` asks for.
        unsafe { sum_and_most(input, channels, output) };
        let share = 1.0 / shape.points() as f32;
        output[..channels]
            .iter_mut()
            .for_each(|mean| *mean *= share);
    }
}
