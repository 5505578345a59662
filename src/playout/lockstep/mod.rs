//! Light playouts of a rectangle, many in lock step: the bit sets of several games side by side in vector registers.
//!
//! A game is two bit sets, the stones of the player to move and those of the other. Each step makes one move in every game
//! at once: the empty points that are no eyes, one of them at random, the chains that it leaves without liberties by
//! spreading whole sets. There are no chains to keep and hardly a branch, so that a step costs the same in every game, and
//! all of them together little more than one. What comes out is what [`super::scored`] plays in its light style, with the
//! eye rule by hostile diagonals alone (Brügmann 1993), and each legal move exactly as likely as any other.
//!
//! The samples are the same on every machine: [`Width`] decides how fast they come, not what they are.

mod games;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::Chance;
use crate::board::Board;
use crate::board::bits::Frame;
use crate::color::Color;
use crate::vertex::Vertex;

use games::{Games, Shape};

/// What the processor offers for playouts in lock step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// AVX-512 with VBMI2 and VPOPCNTDQ: Ice Lake, Zen 4 and later.
    Avx512,
    /// AVX2.
    Avx2,
    /// Plain words.
    Portable,
}

impl Width {
    /// All, the fastest first.
    pub const ALL: [Width; 3] = [Width::Avx512, Width::Avx2, Width::Portable];

    /// Whether this processor can do it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"),
            #[cfg(not(target_arch = "x86_64"))]
            Width::Avx512 | Width::Avx2 => false,
            Width::Portable => true,
        }
    }

    /// The fastest that this processor can do.
    pub fn detect() -> Width {
        Width::ALL
            .into_iter()
            .find(|width| width.is_available())
            .unwrap_or(Width::Portable)
    }
}

/// A position to play on from.
#[derive(Clone, Debug)]
pub struct Start {
    width: usize,
    height: usize,
    /// Black and white stones, point by point.
    stones: [Vec<bool>; 2],
    ko: Option<Vertex>,
    /// Who moves first; each color in turn where nobody is named.
    to_move: Option<Color>,
}

impl Start {
    /// The position on `board`, `None` where it is not a rectangle of two colours with both sides in 2…25.
    ///
    /// Every group must have a liberty.
    pub fn of<B: Board>(board: &B, to_move: Option<Color>) -> Option<Start> {
        let (width, height) = board.rectangle()?;
        let sides = 2..=Frame::MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || board.colors() != 2 {
            return None;
        }
        let stones = [Color::BLACK, Color::WHITE].map(|color| {
            (0..board.points())
                .map(|i| board.at(Vertex::at(i)) == Some(color))
                .collect()
        });
        Some(Start {
            width,
            height,
            stones,
            ko: board.ko_point(),
            to_move,
        })
    }
}

/// What became of a number of playouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Black's area less White's at the end of each, in no particular order.
    pub margins: Vec<i32>,
    /// Placements in all of them.
    pub moves: u64,
    /// How often Black, and White, owned each point at the end: by a stone, or an empty point between stones of theirs alone.
    pub owned: [Vec<u32>; 2],
}

/// Plays `count` playouts as fast as the processor can.
pub fn sample(start: &Start, count: usize, chance: &mut Chance) -> Sample {
    sample_with(Width::detect(), start, count, chance)
}

/// Plays `count` playouts with what `width` names, or with plain words where the processor lacks it.
pub fn sample_with(width: Width, start: &Start, count: usize, chance: &mut Chance) -> Sample {
    let shape = Shape::new(start);
    let width = if width.is_available() {
        width
    } else {
        Width::Portable
    };
    // A word more or less is a quarter of the time: each size has its own code up to 19×19, and then every third.
    match shape.words() {
        1 => play::<1>(width, &shape, count, chance),
        2 => play::<2>(width, &shape, count, chance),
        3 => play::<3>(width, &shape, count, chance),
        4 => play::<4>(width, &shape, count, chance),
        5 | 6 => play::<6>(width, &shape, count, chance),
        7..=9 => play::<9>(width, &shape, count, chance),
        _ => play::<11>(width, &shape, count, chance),
    }
}

fn play<const W: usize>(width: Width, shape: &Shape, count: usize, chance: &mut Chance) -> Sample {
    match width {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the width is available.
        Width::Avx512 => unsafe { play_avx512::<W>(shape, count, chance) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the width is available.
        Width::Avx2 => unsafe { play_avx2::<W>(shape, count, chance) },
        #[cfg(not(target_arch = "x86_64"))]
        Width::Avx512 | Width::Avx2 => Games::<lanes::Plain, W>::new(shape, count, chance).finish(),
        Width::Portable => Games::<lanes::Plain, W>::new(shape, count, chance).finish(),
    }
}

/// # Safety
/// Only where [`Width::Avx512`] is available.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,avx512vpopcntdq,bmi2")]
unsafe fn play_avx512<const W: usize>(shape: &Shape, count: usize, chance: &mut Chance) -> Sample {
    Games::<x86::Avx512, W>::new(shape, count, chance).finish()
}

/// # Safety
/// Only where [`Width::Avx2`] is available.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn play_avx2<const W: usize>(shape: &Shape, count: usize, chance: &mut Chance) -> Sample {
    Games::<x86::Avx2, W>::new(shape, count, chance).finish()
}
