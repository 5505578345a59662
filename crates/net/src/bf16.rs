//! Conversion between `f32` and bf16, the upper 16 bits of a 32-bit float.

/// Returns the nearest bf16; ties round to even. NaN stays NaN.
#[inline(always)]
pub fn round(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return (bits >> 16) as u16 | 0x40;
    }
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// Returns the float with the same value as the bf16 `bits`.
#[inline(always)]
pub fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_nearest_even() {
        for (value, expected) in [(1.0, 0x3f80), (-0.5, 0xbf00), (0.0, 0)] {
            assert_eq!(round(value), expected);
        }
        assert_eq!(round(f32::from_bits(0x3f80_8000)), 0x3f80);
        assert_eq!(round(f32::from_bits(0x3f81_8000)), 0x3f82);
        assert_eq!(round(f32::from_bits(0x3f80_8001)), 0x3f81);
        assert!(widen(round(f32::NAN)).is_nan());
        assert_eq!(widen(0x4049), 3.140625);
    }
}
