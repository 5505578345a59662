//! Convolutions on Intel's tile unit (AMX). A tile of sums has 16 cells by 16 channels; one
//! instruction adds the products of 32 inputs.
//!
//! Four tiles of sums (32 cells by 32 channels) stay in the unit while all taps and inputs are
//! added. Each step loads two tiles of activations and two of weights. Activations are loaded
//! directly from their layout, shifted by the tap.
//!
//! While the tile unit multiplies, the vector unit finishes the previous outputs: bias, residual,
//! ReLU, rounding. Stable Rust has no intrinsics for tile instructions, so they are written in
//! assembly. The process asks the operating system once for permission to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::OnceLock;

use crate::bf16;
use crate::kernels::{Arithmetic, Job, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;

/// Cells per place, two tiles; divides [`GROUP`](crate::layout::GROUP).
const CELLS: usize = 32;
/// Channels per place, two tiles; divides [`BLOCK`](crate::layer::BLOCK).
const CHANNELS: usize = 32;

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

/// Arithmetic on tiles, with room for the sums of two places: one is finished while the unit
/// computes the next.
#[derive(Debug)]
pub struct Amx {
    sums: Box<[Sums; 2]>,
    /// Present during a pass.
    unit: Option<Unit>,
}

/// Sums of a place.
#[derive(Debug)]
#[repr(C, align(64))]
struct Sums([[f32; CHANNELS]; CELLS]);

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

/// Tile configuration of this thread. It lasts from the first convolution of a pass to the pass's
/// end; no other pass starts in between.
#[derive(Debug)]
struct Unit(PhantomData<*const ()>);

impl Unit {
    /// Configures the tile unit of this thread.
    ///
    /// # Safety
    /// The machine must have the unit, and the operating system must have permitted its use.
    unsafe fn configure() -> Unit {
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

/// A block of a layer's outputs: [`CELLS`] by [`CHANNELS`], starting at this cell and channel.
#[derive(Clone, Copy)]
struct Place {
    cell: usize,
    channel: usize,
}

/// Final step of a convolution.
enum Finish<'a> {
    /// Writes activations: adds the residual, applies ReLU, and rounds. Cells outside the board
    /// become zero.
    Activate {
        residual: Option<&'a [u16]>,
        output: &'a mut [u16],
    },
    /// Writes the sums plus bias unchanged.
    Keep(&'a mut [f32]),
}

impl Finish<'_> {
    /// Finishes some rows of the sums of a place.
    ///
    /// # Safety
    /// The machine must have AVX-512 F, BW, VL and BF16.
    #[inline(always)]
    unsafe fn rows(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        bias: &[f32],
        place: Place,
        sums: &Sums,
        rows: Range<usize>,
    ) {
        let Place { cell, channel } = place;
        let outputs = layer.outputs;
        let sums = &sums.0[rows.clone()];
        let cells = cell + rows.start..cell + rows.end;
        let bias = &bias[channel..][..CHANNELS];
        // SAFETY: by this function's contract, the machine has AVX-512F. The slice holds 32 floats.
        let bias = unsafe { load(bias.as_ptr()) };
        match self {
            Finish::Activate { residual, output } => {
                let inside = &layout.inside()[cells.clone()];
                // The slices start at the place's first channel in the first row, and end after its
                // last channel in the last row.
                let from = (layout.margin() + cells.start) * outputs + channel;
                let length = (rows.len() * outputs).saturating_sub(outputs - CHANNELS);
                let output = &mut output[from..from + length];
                let residual = residual.map(|residual| &residual[from..from + length]);
                for (row, (sum, &inside)) in sums.iter().zip(inside).enumerate() {
                    let at = row * outputs;
                    // SAFETY: a row of sums has 32 floats. The length of the slices covers 32
                    // numbers from each multiple `row * outputs`. The machine has AVX-512 by this
                    // function's contract.
                    unsafe {
                        let mut values = add(load(sum.as_ptr()), bias);
                        if let Some(residual) = residual {
                            let more = residual.as_ptr().add(at).cast::<__m256i>();
                            let more = [more.read_unaligned(), more.add(1).read_unaligned()];
                            values = add(values, more.map(|bits| widen(bits)));
                        }
                        let [low, high] = values.map(|v| _mm512_max_ps(v, _mm512_setzero_ps()));
                        let mask = if inside { u32::MAX } else { 0 };
                        let rounded = _mm512_maskz_cvtne2ps_pbh(mask, high, low);
                        let out = output.as_mut_ptr().add(at).cast::<__m512bh>();
                        out.write_unaligned(rounded);
                    }
                }
            }
            Finish::Keep(output) => {
                for (cell, sum) in cells.zip(sums) {
                    let out = &mut output[cell * outputs + channel..][..CHANNELS];
                    // SAFETY: both slices hold 32 floats. The machine has AVX-512F by this
                    // function's contract.
                    unsafe {
                        let [low, high] = add(load(sum.as_ptr()), bias);
                        _mm512_storeu_ps(out.as_mut_ptr(), low);
                        _mm512_storeu_ps(out.as_mut_ptr().add(16), high);
                    }
                }
            }
        }
    }
}

/// Reads 32 floats.
///
/// # Safety
/// The machine must have AVX-512 F, and 32 floats must be at `from`.
#[inline(always)]
unsafe fn load(from: *const f32) -> [__m512; 2] {
    // SAFETY: by this function's contract, the machine has AVX-512F, and 32 floats are at `from`.
    unsafe { [_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16))] }
}

/// Adds 32 pairs of floats.
///
/// # Safety
/// The machine must have AVX-512 F.
#[inline(always)]
unsafe fn add(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
    // SAFETY: by this function's contract, the machine has AVX-512F.
    unsafe { [_mm512_add_ps(a[0], b[0]), _mm512_add_ps(a[1], b[1])] }
}

/// Converts sixteen bf16 to floats.
///
/// # Safety
/// The machine must have AVX-512 F.
#[inline(always)]
unsafe fn widen(bits: __m256i) -> __m512 {
    // SAFETY: by this function's contract, the machine has AVX-512F.
    unsafe { _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16)) }
}

impl Amx {
    /// Returns the arithmetic, or `None` if the machine cannot run [`Kernel::Amx`].
    pub fn new() -> Option<Amx> {
        let zero = || Sums([[0.0; CHANNELS]; CELLS]);
        Kernel::Amx.is_available().then(|| Amx {
            sums: Box::new([zero(), zero()]),
            unit: None,
        })
    }

    /// Computes all sums of a layer. The vector unit finishes a place while the tile unit computes
    /// the next.
    fn run(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[u16],
        bias: &[f32],
        finish: &mut Finish<'_>,
    ) {
        // SAFETY: `Amx::new` returns a value only if `Kernel::Amx` is available.
        unsafe {
            let unit = self.unit.get_or_insert_with(|| Unit::configure());
            run(unit, &mut self.sums, layer, layout, input, bias, finish);
        }
    }
}

/// Computes all sums of a layer and finishes them.
///
/// # Safety
/// The machine must have all features of [`Kernel::Amx`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn run(
    unit: &Unit,
    sums: &mut [Sums; 2],
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[u16],
    bias: &[f32],
    finish: &mut Finish<'_>,
) {
    let [one, two] = sums;
    let (mut filling, mut ready) = (one, two);
    let mut waiting = None;
    // Loop over cells inside. The weights of a place are larger than its activations and are then
    // still cached for the next place.
    for channel in (0..layer.outputs).step_by(CHANNELS) {
        for cell in (0..layout.cells()).step_by(CELLS) {
            let place = Place { cell, channel };
            tiles(unit, layer, layout, input, place, filling, |rows| {
                if let Some(place) = waiting {
                    // SAFETY: by this function's contract, the machine has the features of
                    // `Kernel::Amx`.
                    unsafe { finish.rows(layer, layout, bias, place, ready, rows) };
                }
            });
            waiting = Some(place);
            std::mem::swap(&mut filling, &mut ready);
        }
    }
    if let Some(place) = waiting {
        // SAFETY: by this function's contract, the machine has the features of `Kernel::Amx`.
        unsafe { finish.rows(layer, layout, bias, place, ready, 0..CELLS) };
    }
}

/// Computes four tiles of sums: the products of all taps and inputs for a place.
///
/// In the last sixth of the steps, calls `meanwhile` with all rows of the previous place, a few at
/// a time. The tile unit has enough queued work for that time. In earlier steps, `meanwhile` would
/// wait for the previous place's sums to reach memory.
#[inline(always)]
fn tiles(
    _unit: &Unit,
    layer: &Convolution,
    layout: &BoardLayout,
    input: &[u16],
    place: Place,
    sums: &mut Sums,
    mut meanwhile: impl FnMut(Range<usize>),
) {
    let row = layer.inputs;
    let steps = row / 32;
    let count = layer.taps * steps;
    // The weights of sixteen channels, then of sixteen more.
    let weights = &layer.tiles[place.channel * count..][..CHANNELS * count];
    let early = count * 5 / 6;
    let share = CELLS.div_ceil(count - early);
    let mut done = 0;
    // SAFETY: `_unit` proves that the unit is configured.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            options(nomem, nostack)
        );
    }
    for tap in 0..layer.taps {
        let from = (layout.tap(tap, layer.taps) + place.cell) * row;
        let seen = &input[from..from + CELLS * row];
        for step in 0..steps {
            let at = tap * steps + step;
            let [low, high] = [at, count + at].map(|tile| weights[tile * 16..][..16].as_ptr());
            let [first, second] = [0, 16].map(|cell| seen[cell * row + step * 32..].as_ptr());
            // SAFETY: a weight tile is 16 consecutive rows. The two activation tiles are 32 rows of
            // 32 numbers; the last row ends at or before the end of `seen`. Both slices were
            // checked above.
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
                    low = in(reg) low,
                    high = in(reg) high,
                    width = in(reg) 64usize,
                    first = in(reg) first,
                    second = in(reg) second,
                    stride = in(reg) row * 2,
                    options(nostack, readonly)
                );
            }
            if at >= early {
                let next = (done + share).min(CELLS);
                meanwhile(done..next);
                done = next;
            }
        }
    }
    // SAFETY: four tiles of 16 rows of 64 bytes, two side by side, fill `sums` exactly. `_unit`
    // proves that the unit is configured.
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

/// Writes the sum of each channel, then the maximum of each, 16 channels at a time.
///
/// # Safety
/// The machine must have AVX-512 F.
#[target_feature(enable = "avx512f")]
unsafe fn sum_and_most(input: &[u16], channels: usize, output: &mut [f32]) {
    for channel in (0..channels).step_by(16) {
        let mut sum = _mm512_setzero_ps();
        let mut most = _mm512_setzero_ps();
        for cell in input.chunks_exact(channels) {
            let bits = &cell[channel..channel + 16];
            // SAFETY: the slice holds sixteen numbers of 16 bits. The target feature is enabled.
            let value = unsafe { widen(_mm256_loadu_si256(bits.as_ptr().cast())) };
            sum = _mm512_add_ps(sum, value);
            most = _mm512_max_ps(most, value);
        }
        let (sums, maxima) = output.split_at_mut(channels);
        // SAFETY: both slices hold sixteen floats. The target feature is enabled.
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

    fn with_target_features(&self, job: impl Job) {
        super::with_target_features(Kernel::Amx, job);
    }

    fn convolve(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[u16],
        bias: &[f32],
        residual: Option<&[u16]>,
        output: &mut [u16],
    ) {
        let mut finish = Finish::Activate { residual, output };
        self.run(layer, layout, input, bias, &mut finish);
    }

    fn convolve_raw(
        &mut self,
        layer: &Convolution,
        layout: &BoardLayout,
        input: &[u16],
        output: &mut [f32],
    ) {
        self.run(layer, layout, input, &layer.bias, &mut Finish::Keep(output));
    }

    fn pool(&mut self, layout: &BoardLayout, channels: usize, input: &[u16], output: &mut [f32]) {
        // SAFETY: `Amx::new` returns a value only if `Kernel::Amx` is available.
        unsafe { sum_and_most(input, channels, output) };
        let share = 1.0 / layout.points() as f32;
        output[..channels]
            .iter_mut()
            .for_each(|mean| *mean *= share);
    }
}
