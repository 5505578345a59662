//! Light playouts on rectangles in lock step: bit sets of several games side by side in vector
//! registers.
//!
//! A game is two bit sets: the stones of the player to move, and those of the other player. Each
//! step makes one move in every game at once. It finds the empty points that are not eyes and draws
//! one of them. Then it finds the chains without liberties by spreading whole sets. There are no
//! chain structures and almost no branches. So a step costs the same in every game, and all games
//! together cost little more than one.
//!
//! The games are those of light playouts in [`super::scored`], with two differences. Hostile
//! diagonals alone decide about eyes (Brügmann 1993). Every legal move that fills no eye is equally
//! likely, while the order of empty points matters there.
//!
//! The same seed gives the same samples on every machine. [`VectorSet`] affects only the speed.

mod games;
mod lanes;
mod packed;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::Random;
use crate::board::Board;
use crate::board::bits::Rectangle;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

use games::Games;
use packed::PackedStart;

/// Vector instructions for playouts in lock step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorSet {
    /// AVX-512 with VBMI2 and VPOPCNTDQ: Ice Lake, Zen 4, and later.
    Avx512,
    /// AVX2.
    Avx2,
    /// Plain 64-bit words.
    Portable,
}

impl VectorSet {
    /// All vector sets, the fastest first.
    pub const ALL: [VectorSet; 3] = [VectorSet::Avx512, VectorSet::Avx2, VectorSet::Portable];

    /// Returns true if this processor supports the vector set.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            VectorSet::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512vpopcntdq")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            VectorSet::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"),
            #[cfg(not(target_arch = "x86_64"))]
            VectorSet::Avx512 | VectorSet::Avx2 => false,
            VectorSet::Portable => true,
        }
    }

    /// Returns the fastest vector set that this processor supports.
    pub fn detect() -> VectorSet {
        VectorSet::ALL
            .into_iter()
            .find(|set| set.is_available())
            .unwrap_or(VectorSet::Portable)
    }
}

/// A starting position.
#[derive(Clone, Debug)]
pub struct Start {
    width: usize,
    height: usize,
    /// Black and White stones, point by point.
    stones: [Vec<bool>; 2],
    ko: Option<Vertex>,
    /// The color that moves first. If `None`, playouts start with Black and White alternately.
    to_move: Option<Color>,
}

impl Start {
    /// Returns the position on `board`, or `None` if the board is not a rectangle of two colors
    /// with both sides in 2…25.
    ///
    /// Every chain must have a liberty.
    pub fn of<B: Board>(board: &B, to_move: Option<Color>) -> Option<Start> {
        let (width, height) = board.rectangle()?;
        let sides = 2..=Rectangle::MAX_SIDE;
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

/// Results of a number of playouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Black's area minus White's at the end of each playout, in no particular order.
    pub margins: Vec<i32>,
    /// Total number of placements.
    pub moves: u64,
    /// Number of playouts in which Black, and White, owned each point at the end. A color owns its
    /// stones and the empty points surrounded by its stones alone.
    pub owned: [Vec<u32>; 2],
}

/// Plays `count` playouts with the fastest vector set of the processor.
pub fn sample(start: &Start, count: usize, random: &mut Random) -> Sample {
    sample_with(VectorSet::detect(), start, count, random)
}

/// Plays `count` playouts with the given vector set, or with plain words if the processor does not
/// support it.
pub fn sample_with(set: VectorSet, start: &Start, count: usize, random: &mut Random) -> Sample {
    let packed = PackedStart::new(start);
    let set = if set.is_available() {
        set
    } else {
        VectorSet::Portable
    };
    match set {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the vector set is available.
        VectorSet::Avx512 => unsafe { avx512(&packed, count, random) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the vector set is available.
        VectorSet::Avx2 => unsafe { avx2(&packed, count, random) },
        #[cfg(not(target_arch = "x86_64"))]
        VectorSet::Avx512 | VectorSet::Avx2 => portable(&packed, count, random),
        VectorSet::Portable => portable(&packed, count, random),
    }
}

/// Number of 64-bit words per set of points on the largest board. Each row has one extra bit, as in
/// [`PackedStart`].
const MOST_WORDS: usize = ((Rectangle::MAX_SIDE + 1) * Rectangle::MAX_SIDE).div_ceil(64);

// Sets of 2, 3, and 6 words fit 9×9, 13×13, and 19×19 exactly. Only AVX-512 has the variant of 3
// words. A board uses the shortest variant that holds it.

fn portable(packed: &PackedStart, count: usize, random: &mut Random) -> Sample {
    match packed.words() {
        ..=2 => Games::<lanes::Plain, 2>::new(packed, count, random).finish(),
        3..=6 => Games::<lanes::Plain, 6>::new(packed, count, random).finish(),
        _ => Games::<lanes::Plain, MOST_WORDS>::new(packed, count, random).finish(),
    }
}

/// # Safety
/// Requires [`VectorSet::Avx512`] to be available.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,avx512vpopcntdq,bmi2")]
unsafe fn avx512(packed: &PackedStart, count: usize, random: &mut Random) -> Sample {
    match packed.words() {
        ..=2 => Games::<x86::Avx512, 2>::new(packed, count, random).finish(),
        3 => Games::<x86::Avx512, 3>::new(packed, count, random).finish(),
        4..=6 => Games::<x86::Avx512, 6>::new(packed, count, random).finish(),
        _ => Games::<x86::Avx512, MOST_WORDS>::new(packed, count, random).finish(),
    }
}

/// # Safety
/// Requires [`VectorSet::Avx2`] to be available.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn avx2(packed: &PackedStart, count: usize, random: &mut Random) -> Sample {
    match packed.words() {
        ..=2 => Games::<x86::Avx2, 2>::new(packed, count, random).finish(),
        3..=6 => Games::<x86::Avx2, 6>::new(packed, count, random).finish(),
        _ => Games::<x86::Avx2, MOST_WORDS>::new(packed, count, random).finish(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::grid::{Grid, GridBoard};
    use crate::board::{BareBoard, Chains};

    fn board(width: usize, height: usize, stones: &str) -> GridBoard {
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        let position: Vec<Option<Color>> = stones.chars().map(Color::from_symbol).collect();
        if !position.is_empty() {
            board.set_position(&position);
        }
        board
    }

    /// Light playouts with lists and flood fills, as a simple reference implementation.
    struct Naive {
        width: usize,
        cells: Vec<Option<usize>>,
    }

    impl Naive {
        fn steps(&self, at: usize, steps: [(i64, i64); 4]) -> Vec<usize> {
            let (width, height) = (self.width as i64, (self.cells.len() / self.width) as i64);
            let (x, y) = (at as i64 % width, at as i64 / width);
            steps
                .into_iter()
                .map(|(dx, dy)| (x + dx, y + dy))
                .filter(|&(x, y)| (0..width).contains(&x) && (0..height).contains(&y))
                .map(|(x, y)| (y * width + x) as usize)
                .collect()
        }

        fn around(&self, at: usize) -> Vec<usize> {
            self.steps(at, [(0, 1), (1, 0), (0, -1), (-1, 0)])
        }

        fn chain(&self, at: usize) -> (Vec<usize>, bool) {
            let (mut chain, mut has_liberty) = (vec![at], false);
            let mut next = 0;
            while next < chain.len() {
                for near in self.around(chain[next]) {
                    has_liberty |= self.cells[near].is_none();
                    if self.cells[near] == self.cells[at] && !chain.contains(&near) {
                        chain.push(near);
                    }
                }
                next += 1;
            }
            (chain, has_liberty)
        }

        fn eye(&self, at: usize, mover: usize) -> bool {
            let corners = self.steps(at, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
            let hostile = corners
                .iter()
                .filter(|&&c| self.cells[c] == Some(1 - mover))
                .count();
            self.around(at)
                .iter()
                .all(|&n| self.cells[n] == Some(mover))
                && hostile + usize::from(corners.len() < 4) < 2
        }

        /// Places a stone unless this is suicide. Returns the number of captured stones and the
        /// point of the last one, or `None` for suicide.
        fn place(&mut self, at: usize, mover: usize) -> Option<(usize, usize)> {
            self.cells[at] = Some(mover);
            let mut captured = Vec::new();
            for near in self.around(at) {
                if self.cells[near] == Some(1 - mover) {
                    let (chain, has_liberty) = self.chain(near);
                    if !has_liberty {
                        captured.extend(chain);
                    }
                }
            }
            captured.sort_unstable();
            captured.dedup();
            if captured.is_empty() && !self.chain(at).1 {
                self.cells[at] = None;
                return None;
            }
            captured.iter().for_each(|&stone| self.cells[stone] = None);
            Some((captured.len(), captured.last().copied().unwrap_or(0)))
        }

        /// Plays to the end. Returns the number of moves.
        fn play(&mut self, mut mover: usize, mut ko: Option<usize>, random: &mut Random) -> u64 {
            let (mut moves, mut passes) = (0, 0);
            while passes < 2 && moves < 3 * self.cells.len() as u64 + 16 {
                let mut open: Vec<usize> = (0..self.cells.len())
                    .filter(|&at| self.cells[at].is_none() && Some(at) != ko)
                    .filter(|&at| !self.eye(at, mover))
                    .collect();
                passes += 1;
                ko = None;
                while !open.is_empty() {
                    let at = open.swap_remove(random.below(open.len()));
                    if let Some((captured, last)) = self.place(at, mover) {
                        let alone = self.chain(at).0.len() == 1;
                        let open = self
                            .around(at)
                            .iter()
                            .filter(|&&n| self.cells[n].is_none())
                            .count();
                        ko = (captured == 1 && alone && open == 1).then_some(last);
                        moves += 1;
                        passes = 0;
                        break;
                    }
                }
                mover = 1 - mover;
            }
            moves
        }
    }

    #[test]
    fn all_vector_sets_play_the_same_games() {
        for (width, height) in [(2, 2), (5, 5), (9, 7), (9, 9), (13, 13), (19, 19), (25, 20)] {
            let start = Start::of(&board(width, height, ""), None).unwrap();
            let count = 4000 / (width * height) + 3;
            let samples =
                VectorSet::ALL.map(|set| sample_with(set, &start, count, &mut Random::new(5)));
            assert_eq!(samples[0].margins.len(), count);
            assert_eq!(samples[0], samples[2], "{width}x{height}");
            assert_eq!(samples[1], samples[2], "{width}x{height}");
        }
    }

    #[test]
    fn statistics_agree_with_plain_playouts() {
        // The last case has a ko that White may not retake at once.
        let cases = [
            (5, 5, "", 0),
            (4, 6, "", 1),
            (5, 4, "..XO.XXXOO..XO......", 0),
            (4, 4, ".XO.X.XO.XO.....", 0),
        ];
        for (width, height, stones, first) in cases {
            let mut begin = board(width, height, stones);
            let mut ko = None;
            let mut to_move = first;
            if stones.starts_with(".XO.X") {
                begin.place(Color::WHITE, Vertex::at(5), |_, _| {});
                to_move = 0;
                ko = begin.ko_point().map(|at| at.index());
                assert!(ko.is_some());
            }
            let start = Start::of(&begin, Color::from_index(to_move)).unwrap();
            let games = 3000;
            let fast = sample(&start, games, &mut Random::new(3));
            let mut random = Random::new(4);
            let (mut moves, mut black) = (0, vec![0u32; width * height]);
            for _ in 0..games {
                let mut naive = Naive {
                    width,
                    cells: begin
                        .position()
                        .iter()
                        .map(|stone| stone.map(|color| color.index()))
                        .collect(),
                };
                moves += naive.play(to_move, ko, &mut random);
                for (at, count) in black.iter_mut().enumerate() {
                    let mine = |cell: &Option<usize>| *cell == Some(0);
                    let owned = mine(&naive.cells[at])
                        || naive.cells[at].is_none()
                            && naive.around(at).iter().all(|&n| mine(&naive.cells[n]));
                    *count += u32::from(owned);
                }
            }
            let (fast_moves, moves) = (fast.moves as f64, moves as f64);
            assert!(
                (fast_moves / moves - 1.0).abs() < 0.02,
                "{fast_moves} {moves}"
            );
            for (at, (&fast, &naive)) in fast.owned[0].iter().zip(&black).enumerate() {
                // Five standard deviations of the difference of two counts with probability 1/2.
                let limit = 5.0 * (games as f64 / 2.0).sqrt();
                let apart = f64::from(fast) - f64::from(naive);
                assert!(
                    apart.abs() < limit,
                    "{width}x{height} {stones} point {at}: {fast} {naive}"
                );
            }
        }
    }
}
