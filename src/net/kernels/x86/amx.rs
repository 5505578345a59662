//! Convolutions on the tile unit (Intel AMX): 16 cells by 16 channels in a tile, 32 inputs an instruction.
//!
//! Four tiles of results (32 cells of 32 channels) stay in the unit while all taps and inputs are gone through, for each of
//! which two tiles of activations and two of weights are loaded; activations lie so that a tile of them is loaded straight
//! from its place, shifted by the tap. While the unit multiplies, the vector unit finishes the results before: bias, residual,
//! ReLU, rounding. The tile instructions are no intrinsics on stable Rust, so they are written as assembly; the operating
//! system is asked once for leave to use the unit's state.

use std::arch::asm;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::OnceLock;

use crate::net::bf16;
use crate::net::kernels::{Arithmetic, Job, Kernel};
use crate::net::layer::Convolution;
use crate::net::shape::Shape;

/// Cells of which results stay in the unit, two tiles; divides [`GROUP`](crate::net::shape::GROUP).
const CELLS: usize = 32;
/// Channels of them, two tiles; divides [`BLOCK`](crate::net::layer::BLOCK).
const CHANNELS: usize = 32;

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

/// Arithmetic on tiles, with room for the sums of two places: one is finished while the unit computes the next.
#[derive(Debug)]
pub struct Amx {
    sums: Box<[Sums; 2]>,
    /// While a pass is on.
    unit: Option<Unit>,
}

/// Sums of a place.
#[derive(Debug)]
#[repr(C, align(64))]
struct Sums([[f32; CHANNELS]; CELLS]);

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

/// Some results of a layer: [`CELLS`] by [`CHANNELS`], from these on.
#[derive(Clone, Copy)]
struct Place {
    cell: usize,
    channel: usize,
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
        let Place { cell, channel } = place;
        let outputs = layer.outputs;
        let sums = &sums.0[rows.clone()];
        let cells = cell + rows.start..cell + rows.end;
        let bias = &bias[channel..][..CHANNELS];
        // SAFETY: the caller's promise, and thirty-two floats.
        let bias = unsafe { load(bias.as_ptr()) };
        match self {
            Finish::Activate { residual, output } => {
                let inside = &shape.inside()[cells.clone()];
                // The rows of so many channels from here to the last one's end.
                let from = (shape.margin() + cells.start) * outputs + channel;
                let length = (rows.len() * outputs).saturating_sub(outputs - CHANNELS);
                let output = &mut output[from..from + length];
                let residual = residual.map(|residual| &residual[from..from + length]);
                for (row, (sum, &inside)) in sums.iter().zip(inside).enumerate() {
                    let at = row * outputs;
                    // SAFETY: a row of sums is thirty-two floats; so many numbers from the `row`th multiple of `outputs` on are
                    // within the slices, whose length is reckoned for that.
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
                    // SAFETY: thirty-two floats each.
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

/// Thirty-two floats.
///
/// # Safety
/// The machine has AVX-512 F, and so many floats are there.
#[inline(always)]
unsafe fn load(from: *const f32) -> [__m512; 2] {
    // SAFETY: the caller's promise.
    unsafe { [_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16))] }
}

/// The sums of thirty-two pairs.
///
/// # Safety
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn add(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
    // SAFETY: the caller's promise.
    unsafe { [_mm512_add_ps(a[0], b[0]), _mm512_add_ps(a[1], b[1])] }
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
        let zero = || Sums([[0.0; CHANNELS]; CELLS]);
        Kernel::Amx.is_available().then(|| Amx {
            sums: Box::new([zero(), zero()]),
            unit: None,
        })
    }

    /// All sums of a layer. The vector unit finishes a place while the tile unit computes the next.
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
    // Cells inside, so that the weights of a place, which are more than its activations, are still at hand for the next.
    for channel in (0..layer.outputs).step_by(CHANNELS) {
        for cell in (0..shape.cells()).step_by(CELLS) {
            let place = Place { cell, channel };
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
        unsafe { finish.rows(layer, shape, bias, place, ready, 0..CELLS) };
    }
}

/// Four tiles of sums: the products of all taps and inputs for a place. Between the late steps `meanwhile` is called with all
/// rows of a place, some at a time: the tile unit has work queued for so long, and what it stored of the place before has
/// come to memory, which early steps would wait for.
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
    // Of sixteen channels, then of sixteen more.
    let weights = &layer.tiles[place.channel * count..][..CHANNELS * count];
    let early = count * 5 / 6;
    let share = CELLS.div_ceil(count - early);
    let mut done = 0;
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
    for tap in 0..layer.taps {
        let from = (shape.tap(tap, layer.taps) + place.cell) * row;
        let seen = &input[from..from + CELLS * row];
        for step in 0..steps {
            let at = tap * steps + step;
            let [low, high] = [at, count + at].map(|tile| weights[tile * 16..][..16].as_ptr());
            let [first, second] = [0, 16].map(|cell| seen[cell * row + step * 32..].as_ptr());
            // SAFETY: a weight tile is 16 rows, one after the other. The two tiles of activations are 32 rows of 32 numbers, the
            // last of which ends where `seen` does or before; both slices are checked above.
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
    // SAFETY: four tiles of 16 rows of 64 bytes, two beside one another, are exactly `sums`.
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
