//! Products of pairs of 16-bit integers: twice as many per instruction as with floats. Vectors have
//! 256 bits with AVX2 and FMA, and 512 bits with AVX-512 and its instructions for such products.
//!
//! The scale of the inputs follows from the extreme cells and the reach of the input transform, so
//! no input is clipped. The scale of the weights ensures that no sum overflows 32 bits
//! ([`Convolution::transformed_int16`]).

use std::arch::x86_64::*;

use crate::kernels::points::{HUGE, point_pairs};
use crate::kernels::vector::Vector;
use crate::layer::{Convolution, Row};
use crate::winograd::interpolation::{FREQS, TILE, freq};
use crate::winograd::{Products, REACH};

/// The format of 16-bit integer pairs, added up in 32 bits. The first input of a pair is in the
/// lower half. With `VNNI`, one instruction multiplies and adds.
pub(super) struct Int16Pairs<const VNNI: bool>;

/// Largest absolute value of an operand.
const MOST: f32 = i16::MAX as f32;

/// Scales of the inputs at each pair of interpolation points.
#[derive(Clone, Copy)]
pub(super) struct Scales {
    /// Integers per unit of the transformed inputs.
    scales: [f32; FREQS],
    /// The inverse: units of the transformed inputs per integer. Stored, to avoid a division for
    /// each vector of outputs. NaN if a cell is beyond [`HUGE`], so that the results are no
    /// plausible numbers.
    ones: [f32; FREQS],
}

/// Sums of the coefficients of the input transform at each pair of interpolation points, for each
/// sign.
///
/// Coefficients of one sign are products of two positive or two negative coefficients of a row.
/// Those of the other sign are products of a positive and a negative one.
const REACHES: [[f32; 2]; FREQS] = {
    let mut reaches = [[0.0; 2]; FREQS];
    let mut element = 0;
    while element < FREQS {
        let (y, x) = (element / TILE, element % TILE);
        let (up, along) = (REACH[y], REACH[x]);
        reaches[freq(y, x)] = [
            up[0] * along[0] + up[1] * along[1],
            up[0] * along[1] + up[1] * along[0],
        ];
        element += 1;
    }
    reaches
};

impl Scales {
    /// Returns the scales at which inputs reach [`MOST`], if all cells lie between `least` and
    /// `most`. The range must contain zero.
    fn of(least: f32, most: f32) -> Scales {
        // The limits are far outside the range of networks. They keep every scale nonzero and
        // finite.
        let (below, above) = (-least.clamp(-HUGE, 0.0), most.clamp(0.0, HUGE));
        let (below, above) = if below.max(above) < 1e-20 {
            (0.0, 1e-20)
        } else {
            (below, above)
        };
        let bounds = REACHES.map(|[alike, unlike]| {
            (alike * above + unlike * below).max(unlike * above + alike * below)
        });
        Scales {
            scales: bounds.map(|bound| MOST / bound),
            ones: bounds.map(|bound| match -least > HUGE || most > HUGE {
                true => f32::NAN,
                false => bound / MOST,
            }),
        }
    }
}

/// Returns the factors that turn the sums of a vector of outputs into floats.
///
/// # Safety
/// The machine must have these vectors.
#[inline(always)]
unsafe fn factor<V: Vector>(layer: &Convolution, scale: Scales, freq: usize, output: usize) -> V {
    let ones = &layer.transformed_int16().scales[freq * layer.outputs + output..];
    // SAFETY: by this function's contract, the machine has the vectors. The slice holds one.
    unsafe {
        // Prefetch the factors of the next freq: they are too far away for the processor's own
        // prefetching.
        V::prefetch(ones.as_ptr().wrapping_add(layer.outputs));
        let ones = V::load(ones[..V::FLOATS].as_ptr());
        V::splat(0.0).add_product(ones, V::splat(scale.ones[freq]))
    }
}

impl<const VNNI: bool> Products for Int16Pairs<VNNI> {
    type Vector = __m256;
    type Sums = __m256i;
    type Scale = Scales;
    type Factor = __m256;
    type Operand = u32;
    type Operands = __m256i;
    const INPUTS: usize = 2;

    fn weights(layer: &Convolution) -> &[Row<u32>] {
        &layer.transformed_int16().weights
    }

    #[inline(always)]
    unsafe fn scale(input: &[f32]) -> Scales {
        // SAFETY: by this function's contract, the machine has AVX2. Each chunk holds four vectors,
        // and each array has room for one.
        unsafe {
            let zero = _mm256_setzero_ps();
            let (mut least, mut most) = ([zero; 4], [zero; 4]);
            for chunk in input.as_chunks::<32>().0 {
                for (i, (least, most)) in least.iter_mut().zip(&mut most).enumerate() {
                    let values = _mm256_loadu_ps(chunk.as_ptr().add(8 * i));
                    *least = _mm256_min_ps(values, *least);
                    *most = _mm256_max_ps(values, *most);
                }
            }
            let mut lanes = [[0.0f32; 8]; 2];
            let [a, b, c, d] = least;
            let least = _mm256_min_ps(_mm256_min_ps(a, b), _mm256_min_ps(c, d));
            _mm256_storeu_ps(lanes[0].as_mut_ptr(), least);
            let [a, b, c, d] = most;
            let most = _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d));
            _mm256_storeu_ps(lanes[1].as_mut_ptr(), most);
            let [least, most] = lanes;
            Scales::of(
                least.into_iter().fold(0.0, f32::min),
                most.into_iter().fold(0.0, f32::max),
            )
        }
    }

    #[inline(always)]
    unsafe fn store(inputs: __m256, scale: Scales, freq: usize, to: *mut u32) {
        // SAFETY: by the contract of `store`, the machine has AVX2, and `to` has room for four
        // operands.
        unsafe {
            let scaled = _mm256_mul_ps(inputs, _mm256_set1_ps(scale.scales[freq]));
            let whole = _mm256_cvtps_epi32(scaled);
            let high = _mm256_extracti128_si256::<1>(whole);
            let shorts = _mm_packs_epi32(_mm256_castsi256_si128(whole), high);
            _mm_storeu_si128(to.cast(), shorts);
        }
    }

    #[inline(always)]
    unsafe fn zero() -> __m256i {
        // SAFETY: by this function's contract, the machine has AVX2.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn splat(operand: u32) -> __m256i {
        // SAFETY: by this function's contract, the machine has AVX2.
        unsafe { _mm256_set1_epi32(operand.cast_signed()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m256i {
        // SAFETY: by the contract of `load`, the machine has AVX2, and eight operands are at
        // `from`.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn add(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: by this function's contract, the machine has AVX2, and AVX-VNNI if `VNNI` is
        // true.
        unsafe {
            match VNNI {
                true => _mm256_dpwssd_avx_epi32(sum, a, b),
                false => _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)),
            }
        }
    }

    #[inline(always)]
    unsafe fn factor(layer: &Convolution, scale: Scales, freq: usize, output: usize) -> __m256 {
        // SAFETY: by this function's contract, the machine has AVX2.
        unsafe { factor(layer, scale, freq, output) }
    }

    #[inline(always)]
    unsafe fn results(sums: __m256i, factor: __m256) -> __m256 {
        // SAFETY: by this function's contract, the machine has AVX2.
        unsafe { _mm256_mul_ps(_mm256_cvtepi32_ps(sums), factor) }
    }
}

/// The same format in 512-bit vectors, with products and sums in one instruction.
pub(super) struct WideInt16Pairs;

impl Products for WideInt16Pairs {
    type Vector = __m512;
    type Sums = __m512i;
    type Scale = Scales;
    type Factor = __m512;
    type Operand = u32;
    type Operands = __m512i;
    const INPUTS: usize = 2;

    fn weights(layer: &Convolution) -> &[Row<u32>] {
        &layer.transformed_int16().weights
    }

    #[inline(always)]
    unsafe fn scale(input: &[f32]) -> Scales {
        // SAFETY: by this function's contract, the machine has AVX-512F. Each chunk holds two
        // vectors.
        unsafe {
            let zero = _mm512_setzero_ps();
            let (mut least, mut most) = ([zero; 2], [zero; 2]);
            for chunk in input.as_chunks::<32>().0 {
                for (i, (least, most)) in least.iter_mut().zip(&mut most).enumerate() {
                    let values = _mm512_loadu_ps(chunk.as_ptr().add(16 * i));
                    *least = _mm512_min_ps(values, *least);
                    *most = _mm512_max_ps(values, *most);
                }
            }
            Scales::of(
                _mm512_reduce_min_ps(_mm512_min_ps(least[0], least[1])),
                _mm512_reduce_max_ps(_mm512_max_ps(most[0], most[1])),
            )
        }
    }

    #[inline(always)]
    unsafe fn store(inputs: __m512, scale: Scales, freq: usize, to: *mut u32) {
        // SAFETY: by the contract of `store`, the machine has AVX-512F, and `to` has room for eight
        // operands.
        unsafe {
            let scaled = _mm512_mul_ps(inputs, _mm512_set1_ps(scale.scales[freq]));
            let shorts = _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(scaled));
            _mm256_storeu_si256(to.cast(), shorts);
        }
    }

    #[inline(always)]
    unsafe fn zero() -> __m512i {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn splat(operand: u32) -> __m512i {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_set1_epi32(operand.cast_signed()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512i {
        // SAFETY: by the contract of `load`, the machine has AVX-512F, and sixteen operands are at
        // `from`.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn add(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: by this function's contract, the machine has this instruction.
        unsafe { _mm512_dpwssd_epi32(sum, a, b) }
    }

    #[inline(always)]
    unsafe fn factor(layer: &Convolution, scale: Scales, freq: usize, output: usize) -> __m512 {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { factor(layer, scale, freq, output) }
    }

    #[inline(always)]
    unsafe fn results(sums: __m512i, factor: __m512) -> __m512 {
        // SAFETY: by this function's contract, the machine has AVX-512F.
        unsafe { _mm512_mul_ps(_mm512_cvtepi32_ps(sums), factor) }
    }
}

point_pairs!(Int16Pairs<false>);
point_pairs!(Int16Pairs<true>);
point_pairs!(WideInt16Pairs);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bf16;
    use crate::kernels::Kernel;
    use crate::kernels::products::checks::random_numbers;
    use crate::winograd::input_transform_row;

    /// Returns the coefficients of the input transform: `[cell][interpolation point]`.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn weights_of_cells() -> [[f32; TILE]; TILE] {
        let mut found = [[0.0; TILE]; TILE];
        for (cell, found) in found.iter_mut().enumerate() {
            // SAFETY: the target features are enabled, and `lanes` has room for one vector.
            unsafe {
                let mut row = [__m256::splat(0.0); TILE];
                row[cell] = __m256::splat(1.0);
                let transformed = input_transform_row(row);
                for (at, value) in transformed.into_iter().enumerate() {
                    let mut lanes = [0.0; 8];
                    value.store(lanes.as_mut_ptr());
                    found[at] = lanes[0];
                }
            }
        }
        found
    }

    #[test]
    fn the_largest_cells_reach_exactly_the_largest_operand() {
        if !Kernel::Avx2Int16.is_available() {
            return;
        }
        // SAFETY: the kernel is available.
        let weights = unsafe { weights_of_cells() };
        for (least, most) in [(0.0, 0.75), (-0.75, 0.0), (-0.3, 2.0), (-1.0, 1.0)] {
            let scale = Scales::of(least, most);
            for element in 0..FREQS {
                let (y, x) = (element / TILE, element % TILE);
                let of_cells = || (0..FREQS).map(|c| weights[c / TILE][y] * weights[c % TILE][x]);
                let largest = of_cells().map(|w| w.max(0.0) * most + w.min(0.0) * least);
                let smallest = of_cells().map(|w| w.max(0.0) * least + w.min(0.0) * most);
                let (above, below): (f32, f32) = (largest.sum(), smallest.sum());
                let greatest = above.max(-below) * scale.scales[freq(y, x)];
                assert!((greatest - MOST).abs() < 0.1, "{y} {x}: {above} {below}");
            }
        }
    }

    #[test]
    fn scales_are_normal_and_sums_of_huge_cells_are_no_numbers() {
        for bound in [
            0.0,
            1e-44,
            f32::MIN_POSITIVE,
            1e-35,
            4e-35,
            1e-30,
            1e-20,
            1e30,
            f32::MAX,
            f32::INFINITY,
        ] {
            for (least, most) in [(0.0, bound), (-bound, 0.0), (-bound, bound)] {
                let scale = Scales::of(least, most);
                for (number, one) in scale.scales.into_iter().zip(scale.ones) {
                    assert!(number.is_normal(), "{least} {most}");
                    if bound > HUGE {
                        assert!(one.is_nan(), "{least} {most}");
                        continue;
                    }
                    // The product with the scale of small weights is normal too.
                    assert!((one * 1e-10).is_normal(), "{least} {most}");
                    assert!((number * one - 1.0).abs() < 1e-6, "{least} {most}");
                }
            }
        }
    }

    #[test]
    fn the_scale_uses_the_extreme_cells_at_any_position() {
        if !Kernel::Avx2Int16.is_available() {
            return;
        }
        for at in 0..96 {
            for greatest in [2.5, -2.5] {
                let mut input = [0.25; 96];
                input[at] = greatest;
                // SAFETY: the kernel is available.
                let scale = unsafe { Int16Pairs::<false>::scale(&input) };
                let expected = Scales::of(greatest.min(0.0), greatest.max(0.25));
                assert_eq!(scale.scales, expected.scales, "{at}");
                if Kernel::Avx512Int16.is_available() {
                    // SAFETY: the kernel is available.
                    let scale = unsafe { WideInt16Pairs::scale(&input) };
                    assert_eq!(scale.scales, expected.scales, "{at}");
                }
            }
        }
    }

    /// Returns the sums of 64 inputs times the weights at a pair of interpolation points, for the
    /// first eight outputs.
    ///
    /// # Safety
    /// The machine must have AVX2 and FMA, and AVX-VNNI if `VNNI` is true.
    #[inline(always)]
    unsafe fn sums<const VNNI: bool>(
        layer: &Convolution,
        scale: Scales,
        freq: usize,
        inputs: &[f32; 64],
    ) -> [f32; 8] {
        let (mut operands, mut found) = ([0; 32], [0.0; 8]);
        // SAFETY: by this function's contract, the machine supports the format. Each array has as
        // much room as is used.
        unsafe {
            for (i, inputs) in inputs.as_chunks::<8>().0.iter().enumerate() {
                let to = operands[4 * i..].as_mut_ptr();
                Int16Pairs::<VNNI>::store(__m256::load(inputs.as_ptr()), scale, freq, to);
            }
            let mut sum = Int16Pairs::<VNNI>::zero();
            let rows = &Int16Pairs::<VNNI>::weights(layer)[freq * 32..][..32];
            for (&operand, row) in operands.iter().zip(rows) {
                sum = Int16Pairs::<VNNI>::add(
                    sum,
                    Int16Pairs::<VNNI>::splat(operand),
                    Int16Pairs::<VNNI>::load(row.0.as_ptr()),
                );
            }
            let factor = Int16Pairs::<VNNI>::factor(layer, scale, freq, 0);
            Int16Pairs::<VNNI>::results(sum, factor).store(found.as_mut_ptr());
        }
        found
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn plain_sums(
        layer: &Convolution,
        scale: Scales,
        freq: usize,
        inputs: &[f32; 64],
    ) -> [f32; 8] {
        // SAFETY: the target features are enabled.
        unsafe { sums::<false>(layer, scale, freq, inputs) }
    }

    #[target_feature(enable = "avx2,avxvnni,fma")]
    unsafe fn vnni_sums(
        layer: &Convolution,
        scale: Scales,
        freq: usize,
        inputs: &[f32; 64],
    ) -> [f32; 8] {
        // SAFETY: the target features are enabled.
        unsafe { sums::<true>(layer, scale, freq, inputs) }
    }

    #[test]
    fn integer_sums_agree_with_floats_over_the_input_range() {
        if !Kernel::Avx2Int16.is_available() {
            return;
        }
        let mut number = random_numbers();
        let mut weights: Vec<u16> = (0..9 * 64 * 32).map(|_| bf16::round(number())).collect();
        // Include an output whose weights are all equal, and one with a single nonzero weight.
        for (i, weight) in weights.iter_mut().enumerate() {
            match i % 32 {
                0 => *weight = bf16::round(0.5),
                1 if i != 1 => *weight = 0,
                _ => {}
            }
        }
        let layer = Convolution::new(9, 64, &weights, vec![0.0; 32]);
        let most = 2.5;
        let scale = Scales::of(0.0, most);
        for freq in 0..FREQS {
            let reach = MOST / scale.scales[freq];
            let rows = &layer.transformed_weights()[freq * 64..][..64];
            for inputs in [
                [reach; 64],
                [-reach; 64],
                std::array::from_fn(|i| if rows[i].0[2] < 0.0 { -reach } else { reach }),
                std::array::from_fn(|_| reach * number()),
            ] {
                // SAFETY: the kernel is available.
                let found = unsafe { plain_sums(&layer, scale, freq, &inputs) };
                if Kernel::Avx2Vnni.is_available() {
                    // SAFETY: the kernel is available.
                    let same = unsafe { vnni_sums(&layer, scale, freq, &inputs) };
                    assert_eq!(found, same);
                }
                for (lane, found) in found.into_iter().enumerate() {
                    let products = || {
                        rows.iter()
                            .zip(&inputs)
                            .map(|(row, input)| row.0[lane] * input)
                    };
                    let (expected, size) = (
                        products().sum::<f32>(),
                        products().map(f32::abs).sum::<f32>(),
                    );
                    let error = (found - expected).abs();
                    assert!(error <= 2e-3 * size, "{freq} {lane}: {found} {expected}");
                }
            }
        }
    }
}
