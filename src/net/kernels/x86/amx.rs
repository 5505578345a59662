//! Convolutions on the tile unit (Intel AMX): 16 cells by 16 channels in a tile, 32 inputs an instruction.
//!
//! Six tiles of results (96 cells of 16 channels) stay in the unit while all taps and inputs are gone through; activations
//! lie so that a tile of them is loaded straight from its place, shifted by the tap. While the unit multiplies, the vector
//! unit finishes the results before: bias, residual, ReLU, rounding. The tile instructions are no intrinsics
//! on stable Rust, so they are written as assembly; the operating system is asked once for leave to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::OnceLock;

use crate::net::bf16;
use crate::net::kernels::{Arithmetic, Job, Kernel};
use crate::net::layer::Convolution;
use crate::net::shape::{GROUP, Shape};

/// Whether the machine has the tile unit and the operating system lets this process use it.
pub(super) fn is_permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| has_unit() && ask())
}

/// Whether processor and operating system know the tiles and their bf16 product.
fn has_unit() -> bool {
    // SAFETY: every processor with 64 bits has this instruction. Newer compilers know that it is safe.
    #[allow(unused_unsafe)]
    let (leaves, basic) = unsafe { (__cpuid(0), __cpuid(1)) };
    if leaves.eax < 7 || basic.ecx >> 27 & 1 == 0 {
        return false;
    }
    // SAFETY: as above.
    #[allow(unused_unsafe)]
    let features = unsafe { __cpuid_count(7, 0) }.edx;
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

/// Arithmetic on tiles, with room for the sums of two groups: one is finished while the unit computes the next.
#[derive(Debug)]
pub struct Amx {
    sums: Box<[Sums; 2]>,
    /// While a pass is on.
    unit: Option<Unit>,
}

/// Sums of a group, `[cell][16 outputs]`.
#[derive(Debug)]
#[repr(C, align(64))]
struct Sums([[f32; 16]; GROUP]);

/// What `ldtilecfg` reads: palette 1, eight tiles of 16 rows of 64 bytes.
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

/// The unit of this thread, configured while this lives: from the start of a pass to its end, within which no other begins.
#[derive(Debug)]
struct Unit(PhantomData<*const ()>);

impl Unit {
    /// # Safety
    /// The machine has the unit, and this process may use it.
    unsafe fn configure() -> Unit {
        // SAFETY: the caller's promise; the configuration is valid and lives forever.
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

/// How many rows of weights ahead of the one in use are called for: two tiles.
const AHEAD: usize = 32;

/// A group of cells and sixteen outputs of it.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    number: usize,
}

/// What sums become.
enum Finish<'a> {
    /// Activations: the residual added, what is negative cut off, rounded; zero outside the board.
    Activate {
        residual: Option<&'a [u16]>,
        output: &'a mut [u16],
    },
    /// Themselves.
    Keep(&'a mut [f32]),
}

impl Finish<'_> {
    /// Finishes these rows of the sums of a place.
    ///
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and BF16.
    #[inline(always)]
    unsafe fn rows(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        bias: &[f32],
        place: Place,
        sums: &Sums,
        rows: Range<usize>,
    ) {
        let Place { first, number } = place;
        let outputs = layer.outputs;
        let sums = &sums.0[rows.clone()];
        let cells = first + rows.start..first + rows.end;
        let bias = &bias[number * 16..][..16];
        // SAFETY: sixteen floats.
        let bias = unsafe { _mm512_loadu_ps(bias.as_ptr()) };
        match self {
            Finish::Activate { residual, output } => {
                let inside = &shape.inside()[cells.clone()];
                // The rows of sixteen channels from here to the last one's end.
                let from = (shape.margin() + cells.start) * outputs + number * 16;
                let length = (rows.len() * outputs).saturating_sub(outputs - 16);
                let output = &mut output[from..from + length];
                let residual = residual.map(|residual| &residual[from..from + length]);
                for (row, (sum, &inside)) in sums.iter().zip(inside).enumerate() {
                    let at = row * outputs;
                    // SAFETY: a row of sums is sixteen floats; sixteen numbers from the `row`th multiple of `outputs` on are
                    // within the slices, whose length is reckoned for that.
                    unsafe {
                        let mut value = _mm512_add_ps(_mm512_loadu_ps(sum.as_ptr()), bias);
                        if let Some(residual) = residual {
                            let more = _mm256_loadu_si256(residual.as_ptr().add(at).cast());
                            value = _mm512_add_ps(value, widen(more));
                        }
                        let value = _mm512_max_ps(value, _mm512_setzero_ps());
                        let mask = if inside { u16::MAX } else { 0 };
                        let rounded = _mm512_maskz_cvtneps_pbh(mask, value);
                        let out = output.as_mut_ptr().add(at).cast::<__m256bh>();
                        out.write_unaligned(rounded);
                    }
                }
            }
            Finish::Keep(output) => {
                for (cell, sum) in cells.zip(sums) {
                    let out = &mut output[cell * outputs + number * 16..][..16];
                    // SAFETY: sixteen floats each.
                    unsafe {
                        let sum = _mm512_add_ps(_mm512_loadu_ps(sum.as_ptr()), bias);
                        _mm512_storeu_ps(out.as_mut_ptr(), sum);
                    }
                }
            }
        }
    }
}

/// Sixteen bf16 as floats.
///
/// # Safety
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn widen(bits: __m256i) -> __m512 {
    // SAFETY: the caller's promise.
    unsafe { _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16)) }
}

impl Amx {
    /// `None` where the machine has no unit.
    pub fn new() -> Option<Amx> {
        let zero = || Sums([[0.0; 16]; GROUP]);
        Kernel::Amx.is_available().then(|| Amx {
            sums: Box::new([zero(), zero()]),
            unit: None,
        })
    }

    /// All sums of a layer. The vector unit finishes a group while the tile unit computes the next.
    fn run(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        input: &[u16],
        bias: &[f32],
        finish: &mut Finish<'_>,
    ) {
        // SAFETY: this type exists only where the machine has what `Kernel::Amx` asks for.
        unsafe {
            let unit = self.unit.get_or_insert_with(|| Unit::configure());
            run(unit, &mut self.sums, layer, shape, input, bias, finish);
        }
    }
}

/// # Safety
/// The machine has what [`Kernel::Amx`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn run(
    unit: &Unit,
    sums: &mut [Sums; 2],
    layer: &Convolution,
    shape: &Shape,
    input: &[u16],
    bias: &[f32],
    finish: &mut Finish<'_>,
) {
    let [one, two] = sums;
    let (mut filling, mut ready) = (one, two);
    let mut waiting = None;
    for first in (0..shape.cells()).step_by(GROUP) {
        for number in 0..layer.outputs / 16 {
            let place = Place { first, number };
            tiles(unit, layer, shape, input, place, filling, |rows| {
                if let Some(place) = waiting {
                    // SAFETY: the caller's promise.
                    unsafe { finish.rows(layer, shape, bias, place, ready, rows) };
                }
            });
            waiting = Some(place);
            std::mem::swap(&mut filling, &mut ready);
        }
    }
    if let Some(place) = waiting {
        // SAFETY: the caller's promise.
        unsafe { finish.rows(layer, shape, bias, place, ready, 0..GROUP) };
    }
}

/// Six tiles of sums: the products of all taps and inputs for a place. Between the steps `meanwhile` is called with all rows
/// of a group, some at a time: the tile unit has work queued for so long.
#[inline(always)]
fn tiles(
    _unit: &Unit,
    layer: &Convolution,
    shape: &Shape,
    input: &[u16],
    place: Place,
    sums: &mut Sums,
    mut meanwhile: impl FnMut(Range<usize>),
) {
    let row = layer.inputs;
    let steps = row / 32;
    let count = layer.taps * steps;
    let weights = &layer.tiles[place.number * count * 16..][..count * 16];
    let share = GROUP.div_ceil(count);
    let mut done = 0;
    // SAFETY: the unit is configured.
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
        let from = (shape.tap(tap, layer.taps) + place.first) * row;
        let seen = &input[from..from + GROUP * row];
        for step in 0..steps {
            let weight = weights[(tap * steps + step) * 16..][..16].as_ptr();
            for row in AHEAD..AHEAD + 16 {
                // Past the last weights nothing comes of it.
                // SAFETY: the machine has SSE, and a prefetch reads nothing that the program sees.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(weight.wrapping_add(row).cast()) };
            }
            let cells = &seen[step * 32..];
            // SAFETY: a weight tile is 16 rows, one after the other. The six tiles of activations are 96 rows of 32 numbers, the
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
                    weights = in(reg) weight,
                    width = in(reg) 64usize,
                    cells = inout(reg) cells.as_ptr() => _,
                    stride = in(reg) row * 2,
                    tile = in(reg) row * 32,
                    options(nostack, readonly)
                );
            }
            let next = (done + share).min(GROUP);
            meanwhile(done..next);
            done = next;
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
            let value = unsafe { widen(_mm256_loadu_si256(bits.as_ptr().cast())) };
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

    fn end(&mut self) {
        self.unit = None;
    }

    fn widely(&self, job: impl Job) {
        super::widely(Kernel::Amx, job);
    }

    fn convolve(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        input: &[u16],
        bias: &[f32],
        residual: Option<&[u16]>,
        output: &mut [u16],
    ) {
        let mut finish = Finish::Activate { residual, output };
        self.run(layer, shape, input, bias, &mut finish);
    }

    fn convolve_raw(
        &mut self,
        layer: &Convolution,
        shape: &Shape,
        input: &[u16],
        output: &mut [f32],
    ) {
        self.run(layer, shape, input, &layer.bias, &mut Finish::Keep(output));
    }

    fn pool(&mut self, shape: &Shape, channels: usize, input: &[u16], output: &mut [f32]) {
        // SAFETY: this type exists only where the machine has what `Kernel::Amx` asks for.
        unsafe { sum_and_most(input, channels, output) };
        let share = 1.0 / shape.points() as f32;
        output[..channels]
            .iter_mut()
            .for_each(|mean| *mean *= share);
    }
}
