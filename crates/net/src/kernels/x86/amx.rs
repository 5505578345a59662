//! Convolutions on Intel's tile unit (AMX). A tile of sums has 16 cells by 16 channels; one
//! instruction adds the products of 32 inputs.
//!
//! Four tiles of sums (32 cells by 32 channels) stay in the unit while all taps and inputs are
//! added. Each step loads two tiles of activations and two of weights. Activations are loaded
//! directly from their layout, shifted by the tap.
//!
//! While the tile unit multiplies, the vector unit finishes the previous outputs: bias, residual,
//! ReLU, rounding.
//!
//! [`Amx`] computes passes in bf16. [`multiply`] computes single layers for networks whose
//! activations are floats.

use std::arch::x86_64::*;
use std::ops::Range;

use super::tile_unit::{Sums, Unit};
use crate::bf16;
use crate::kernels::products::{LayerProduct, Operands};
use crate::kernels::{Arithmetic, Job, Kernel};
use crate::layer::Convolution;
use crate::layout::BoardLayout;

/// Activations per cache line.
const LINE: usize = 32;
/// Cells per place, two tiles; divides [`GROUP`](crate::layout::GROUP).
const CELLS: usize = 32;
/// Channels per place, two tiles; divides [`BLOCK`](crate::layer::BLOCK).
const CHANNELS: usize = 32;

/// Arithmetic on tiles, with room for the sums of two places: one is finished while the unit
/// computes the next.
#[derive(Debug)]
pub struct Amx {
    sums: Box<[Sums; 2]>,
    /// Present from the first convolution of a pass to the pass's end. No other pass starts in
    /// between.
    unit: Option<Unit>,
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
    /// Adds the sums plus bias to the numbers there.
    Add(&'a mut [f32]),
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
                        store(add(load(sum.as_ptr()), bias), out.as_mut_ptr());
                    }
                }
            }
            Finish::Add(output) => {
                for (cell, sum) in cells.zip(sums) {
                    let out = &mut output[cell * outputs + channel..][..CHANNELS];
                    // SAFETY: as above.
                    unsafe {
                        let sum = add(load(sum.as_ptr()), bias);
                        store(add(load(out.as_ptr()), sum), out.as_mut_ptr());
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

/// Writes 32 floats.
///
/// # Safety
/// The machine must have AVX-512 F, and `to` must have room for 32 floats.
#[inline(always)]
unsafe fn store(values: [__m512; 2], to: *mut f32) {
    // SAFETY: by this function's contract, the machine has AVX-512F, and `to` has room.
    unsafe {
        _mm512_storeu_ps(to, values[0]);
        _mm512_storeu_ps(to.add(16), values[1]);
    }
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
        Kernel::Amx.is_available().then(|| Amx {
            sums: Box::new([Sums::ZERO; 2]),
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
    unit: &Unit,
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
    let weights = &layer.tiles()[place.channel * count..][..CHANNELS * count];
    let early = count * 5 / 6;
    let share = CELLS.div_ceil(count - early);
    let mut done = 0;
    unit.clear();
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
            unsafe { unit.add([first, second], row * 2, [low, high]) };
            if at >= early {
                let next = (done + share).min(CELLS);
                meanwhile(done..next);
                done = next;
            }
        }
    }
    unit.store(sums);
}

/// Computes a product of a layer with activations rounded to bf16. Returns false if the machine
/// cannot run [`Kernel::Amx`].
///
/// # Panics
/// If a slice is too short.
pub(super) fn multiply(product: &mut LayerProduct<'_>, operands: &mut Operands) -> bool {
    let available = Kernel::Amx.is_available();
    if available {
        // SAFETY: the kernel is available.
        unsafe { multiply_rounded(product, &mut operands.rounded) };
    }
    available
}

/// # Safety
/// The machine must have all features of [`Kernel::Amx`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
unsafe fn multiply_rounded(product: &mut LayerProduct<'_>, rounded: &mut Vec<u16>) {
    let (layer, layout) = (product.layer, product.layout);
    let length = layout.all_cells() * layer.inputs;
    let input = &product.input[..length];
    // Start at a cache line, so that no row of a tile crosses the end of one.
    rounded.resize(length + LINE, 0);
    let start = rounded.as_ptr().align_offset(2 * LINE).min(LINE);
    let rounded = &mut rounded[start..start + length];
    // All cells together have a multiple of 32 activations.
    let rows = rounded.as_chunks_mut::<LINE>().0;
    for (from, to) in input.as_chunks::<LINE>().0.iter().zip(rows) {
        // SAFETY: both hold 32 numbers. The target features are enabled.
        unsafe {
            let [low, high] = load(from.as_ptr());
            let both = _mm512_cvtne2ps_pbh(high, low);
            to.as_mut_ptr().cast::<__m512bh>().write_unaligned(both);
        }
    }
    let mut finish = match product.adds {
        true => Finish::Add(&mut *product.output),
        false => Finish::Keep(&mut *product.output),
    };
    let mut sums = [Sums::ZERO; 2];
    // SAFETY: by this function's contract, the machine has the unit and the features.
    unsafe {
        let unit = Unit::configure();
        run(
            &unit,
            &mut sums,
            layer,
            layout,
            rounded,
            &layer.bias,
            &mut finish,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Float;
    use crate::kernels::products::checks::random_numbers;

    #[test]
    fn layers_are_products_of_rounded_operands() {
        if !Kernel::Amx.is_available() {
            return;
        }
        let mut number = random_numbers();
        let round = |value: f32| bf16::widen(bf16::round(value));
        for (taps, inputs, outputs, width, height) in [
            (1, 1, 1, 3, 3),
            (1, 384, 65, 9, 9),
            (9, 33, 31, 5, 7),
            (9, 96, 96, 4, 11),
        ] {
            let layout = BoardLayout::any(width, height);
            let count = taps * inputs * outputs;
            let weights: Vec<f32> = (0..count).map(|_| number()).collect();
            let layer = Convolution::from_floats(taps, inputs, outputs, &weights);
            let rounded: Vec<f32> = weights.into_iter().map(round).collect();
            let rounded = Convolution::from_floats(taps, inputs, outputs, &rounded);
            let mut input = vec![0.0; layout.all_cells() * layer.inputs];
            for point in 0..layout.points() {
                let cell = layout.margin() + layout.cell(point);
                for value in &mut input[cell * layer.inputs..][..inputs] {
                    *value = number();
                }
            }
            let rounded_input: Vec<f32> = input.iter().map(|&value| round(value)).collect();
            let mut expected = vec![0.0; layout.cells() * layer.outputs];
            let portable = &mut Float::new(Kernel::Portable);
            portable.convolve_raw(&rounded, &layout, &rounded_input, &mut expected);
            for adds in [false, true] {
                let mut found = vec![1.0; expected.len()];
                assert!(Float::new(Kernel::Amx).multiply(LayerProduct {
                    layer: &layer,
                    layout: &layout,
                    input: &input,
                    output: &mut found,
                    adds,
                }));
                for (cell, &inside) in layout.inside().iter().enumerate() {
                    for at in (cell * layer.outputs..).take(layer.outputs) {
                        let expected = expected[at] + f32::from(u8::from(adds));
                        let gap = (found[at] - expected).abs();
                        assert!(!inside || gap < 2e-4, "{at}: {} {expected}", found[at]);
                    }
                }
            }
        }
    }
}
