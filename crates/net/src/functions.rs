//! `exp` and `tanh` of floats, written so that compilers can vectorize them. (Those of the C
//! library are not vectorized.)
//!
//! `FUSED` is true in code that is compiled for processors with an instruction for `a · b + c`.

/// Returns `a · b + c`, rounded once if `FUSED` and else twice.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    // Without the instruction, `mul_add` calls a slow function.
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Returns `e` to the power of `x`, with a relative error of about 1e-6. Clamps `x` to ±87.
#[inline(always)]
pub(super) fn exp<const FUSED: bool>(x: f32) -> f32 {
    /// 1.5 · 2²³. Adding it to a float and subtracting it again rounds to a whole number.
    const ROUNDER: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let rounded = multiply_add::<FUSED>(x, std::f32::consts::LOG2_E, ROUNDER);
    let whole = rounded - ROUNDER;
    // Subtract `whole` times ln 2 in two parts. The first part has few digits, so its product with
    // a whole number is exact.
    let rest = multiply_add::<FUSED>(whole, -0.693_359_4, x);
    let rest = multiply_add::<FUSED>(whole, 2.121_944_4e-4, rest);
    // Coefficients of the exponential series, the last ones adjusted for the interval (Cephes).
    let mut sum = 1.987_569_1e-4;
    for term in [
        1.398_2e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        0.5,
        1.0,
        1.0,
    ] {
        sum = multiply_add::<FUSED>(sum, rest, term);
    }
    // `whole + 127` is between 1 and 253. `whole` is in the lowest bits of `rounded`.
    let power = rounded.to_bits().wrapping_add(127) << 23;
    sum * f32::from_bits(power)
}

/// Returns the hyperbolic tangent of `x`, with an error of about 1e-6.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp::<false>(2.0 * x) + 1.0)
}

/// Returns true if all of these numbers are finite. Extreme weights overflow.
pub(super) fn are_finite<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> bool {
    numbers.into_iter().all(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_tanh_agree_with_the_library() {
        for i in -9000..=9000 {
            let x = i as f32 * 0.01;
            let expected = x.clamp(-87.0, 87.0).exp();
            for found in [exp::<false>(x), exp::<true>(x)] {
                assert!((found - expected).abs() <= 1e-6 * expected, "{x}: {found}");
            }
            assert!((tanh(x) - x.tanh()).abs() < 1e-6, "{x}: {}", tanh(x));
        }
        assert_eq!(exp::<false>(0.0), 1.0);
        assert_eq!(exp::<true>(0.0), 1.0);
    }
}
