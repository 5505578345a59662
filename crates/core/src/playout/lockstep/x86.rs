//! Lanes in the vector registers of x86-64.
//!
//! Use each type only after [`super::VectorSet::detect`] has found the features named in its doc.

use std::arch::x86_64::*;

use super::lanes::{Lanes, MOST};

/// Eight games in one register: AVX-512 F, VBMI2, VPOPCNTDQ, and BMI2.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

// SAFETY: (all blocks) values of this type are created only in code that runs after its features
// were detected.
impl Lanes for Avx512 {
    const GAMES: usize = 8;

    #[inline(always)]
    fn splat(word: u64) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn load(words: &[u64; MOST]) -> Avx512 {
        // SAFETY: see above; the array holds 64 bytes.
        Avx512(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; MOST]) {
        // SAFETY: see above; the array holds 64 bytes.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn plus(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn up(self, low: Avx512, by: u32) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_shldv_epi64(self.0, low.0, _mm512_set1_epi64(i64::from(by))) })
    }

    #[inline(always)]
    fn down(self, high: Avx512, by: u32) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_shrdv_epi64(self.0, high.0, _mm512_set1_epi64(i64::from(by))) })
    }

    #[inline(always)]
    fn count(self) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn any(self) -> u32 {
        // SAFETY: see above.
        u32::from(unsafe { _mm512_test_epi64_mask(self.0, self.0) })
    }

    #[inline(always)]
    fn below(self, other: Avx512) -> u32 {
        // SAFETY: see above.
        u32::from(unsafe { _mm512_cmplt_epu64_mask(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn pick(self, games: u32, other: Avx512) -> Avx512 {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_mask_blend_epi64(games as __mmask8, other.0, self.0) })
    }

    #[inline(always)]
    fn nth(self, rank: Avx512) -> Avx512 {
        let (mut words, mut ranks) = ([0; MOST], [0; MOST]);
        self.store(&mut words);
        rank.store(&mut ranks);
        for game in 0..Self::GAMES {
            // SAFETY: see above.
            words[game] = unsafe { _pdep_u64(1u64.wrapping_shl(ranks[game] as u32), words[game]) };
        }
        Avx512::load(&words)
    }
}

/// Eight games in two registers: AVX2 and BMI2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i, __m256i);

impl Avx2 {
    #[inline(always)]
    fn each(self, other: Avx2, f: impl Fn(__m256i, __m256i) -> __m256i) -> Avx2 {
        Avx2(f(self.0, other.0), f(self.1, other.1))
    }
}

// SAFETY: (all blocks) values of this type are created only in code that runs after its features
// were detected.
impl Lanes for Avx2 {
    const GAMES: usize = 8;

    #[inline(always)]
    fn splat(word: u64) -> Avx2 {
        // SAFETY: see above.
        let half = unsafe { _mm256_set1_epi64x(word as i64) };
        Avx2(half, half)
    }

    #[inline(always)]
    fn load(words: &[u64; MOST]) -> Avx2 {
        // SAFETY: see above; the array holds 64 bytes.
        unsafe {
            Avx2(
                _mm256_loadu_si256(words.as_ptr().cast()),
                _mm256_loadu_si256(words[4..].as_ptr().cast()),
            )
        }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; MOST]) {
        // SAFETY: see above; the array holds 64 bytes.
        unsafe {
            _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(words[4..].as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn and(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_and_si256(a, b) })
    }

    #[inline(always)]
    fn or(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_or_si256(a, b) })
    }

    #[inline(always)]
    fn xor(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_xor_si256(a, b) })
    }

    #[inline(always)]
    fn less(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_andnot_si256(b, a) })
    }

    #[inline(always)]
    fn plus(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_add_epi64(a, b) })
    }

    #[inline(always)]
    fn minus(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_sub_epi64(a, b) })
    }

    #[inline(always)]
    fn up(self, low: Avx2, by: u32) -> Avx2 {
        // SAFETY: see above.
        self.each(low, |a, b| unsafe {
            let (left, right) = (
                _mm_cvtsi32_si128(by as i32),
                _mm_cvtsi32_si128(64 - by as i32),
            );
            _mm256_or_si256(_mm256_sll_epi64(a, left), _mm256_srl_epi64(b, right))
        })
    }

    #[inline(always)]
    fn down(self, high: Avx2, by: u32) -> Avx2 {
        // SAFETY: see above.
        self.each(high, |a, b| unsafe {
            let (right, left) = (
                _mm_cvtsi32_si128(by as i32),
                _mm_cvtsi32_si128(64 - by as i32),
            );
            _mm256_or_si256(_mm256_srl_epi64(a, right), _mm256_sll_epi64(b, left))
        })
    }

    #[inline(always)]
    fn count(self) -> Avx2 {
        // Look up the bits of each half byte in a table, then sum over the bytes of each word (Mula
        // 2008).
        // SAFETY: see above.
        self.each(self, |a, _| unsafe {
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let low = _mm256_set1_epi8(15);
            let lower = _mm256_shuffle_epi8(table, _mm256_and_si256(a, low));
            let upper = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(a, 4), low));
            _mm256_sad_epu8(_mm256_add_epi8(lower, upper), _mm256_setzero_si256())
        })
    }

    #[inline(always)]
    fn any(self) -> u32 {
        // SAFETY: see above.
        let zero = |a| unsafe {
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(
                a,
                _mm256_setzero_si256(),
            )))
        };
        !(zero(self.0) as u32 | (zero(self.1) as u32) << 4) & 0xff
    }

    #[inline(always)]
    fn below(self, other: Avx2) -> u32 {
        // SAFETY: see above. The words are below 2³², so the signed comparison is correct.
        let less =
            |a, b| unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(b, a))) };
        less(self.0, other.0) as u32 | (less(self.1, other.1) as u32) << 4
    }

    #[inline(always)]
    fn times(self, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        self.each(other, |a, b| unsafe { _mm256_mul_epu32(a, b) })
    }

    #[inline(always)]
    fn pick(self, games: u32, other: Avx2) -> Avx2 {
        // SAFETY: see above.
        let choose = |games: u32, a, b| unsafe {
            let bits = _mm256_setr_epi64x(1, 2, 4, 8);
            let set = _mm256_and_si256(_mm256_set1_epi64x(i64::from(games)), bits);
            _mm256_blendv_epi8(b, a, _mm256_cmpeq_epi64(set, bits))
        };
        Avx2(
            choose(games, self.0, other.0),
            choose(games >> 4, self.1, other.1),
        )
    }

    #[inline(always)]
    fn nth(self, rank: Avx2) -> Avx2 {
        let (mut words, mut ranks) = ([0; MOST], [0; MOST]);
        self.store(&mut words);
        rank.store(&mut ranks);
        for game in 0..Self::GAMES {
            // SAFETY: see above.
            words[game] = unsafe { _pdep_u64(1u64.wrapping_shl(ranks[game] as u32), words[game]) };
        }
        Avx2::load(&words)
    }
}
