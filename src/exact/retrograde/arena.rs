//! All that can follow a position by the rules of simple ko, up to symmetry.

use crate::exact::dfpn::{NO_POINT, Shape, State};
use crate::exact::limits::Stopped;
use crate::hash::FastMap;

/// The most points: a table has room for every coloring.
pub(in crate::exact) const MOST_POINTS: usize = 16;

/// Where `at` lies in the word of a move; the rest is the state that it leads to.
const AT: u32 = 28;
/// Marks states with a ko until it is known how many states there are without.
const WITH_KO: u32 = 1 << 27;
/// No number.
const NONE: u32 = u32::MAX;

/// A coloring of a player's stones each: Black's and White's.
pub(super) type Stones = [u32; 2];

/// The positions that can follow one, with what each placement makes of them.
///
/// A *state* is a position, who is to move and where simple ko forbids to take back. State `2 * number + mover` has no such
/// point; those that have one come after all of these.
pub(in crate::exact) struct Arena {
    pub(super) shape: Shape,
    suicide: bool,
    /// By map of the graph on itself, the identity first: what a set's image is worth in the ternary code of a coloring.
    codes: Vec<Vec<u32>>,
    /// The maps themselves.
    maps: Vec<Vec<u8>>,
    numbers: Vec<u32>,
    stones: Vec<Stones>,
    starts: Vec<u32>,
    moves: Vec<u32>,
    kos: Vec<(u32, u8)>,
    ko_numbers: FastMap<(u32, u8), u32>,
    /// Pairs of a position and a state with a ko in it, ascending.
    ko_states: Vec<(u32, u32)>,
}

/// What the arena asks now and then: whether to stop, with the states found since.
pub(super) type Tick<'a> = &'a mut dyn FnMut(u64) -> Result<(), Stopped>;

impl Arena {
    /// Explores what can follow `root`; `None` where it would take more than `memory` bytes.
    ///
    /// # Errors
    /// What `tick` says.
    pub(super) fn explore(
        shape: Shape,
        maps: &[Vec<usize>],
        suicide: bool,
        root: Stones,
        memory: usize,
        tick: Tick<'_>,
    ) -> Result<Option<Arena>, Stopped> {
        let points = shape.points();
        if points > MOST_POINTS || 3usize.pow(points as u32) * 4 > memory / 2 {
            return Ok(None);
        }
        let mut all: Vec<Vec<u8>> = vec![(0..points as u8).collect()];
        all.extend(
            maps.iter()
                .map(|map| map.iter().map(|&to| to as u8).collect()),
        );
        let codes = all.iter().map(|map| {
            let mut codes = vec![0u32; 1 << points];
            for (point, &to) in map.iter().enumerate() {
                let value = 3u32.pow(u32::from(to));
                for set in 1 << point..2usize << point {
                    codes[set] = codes[set ^ 1 << point] + value;
                }
            }
            codes
        });
        let mut arena = Arena {
            codes: codes.collect(),
            maps: all,
            numbers: vec![NONE; 3usize.pow(points as u32)],
            stones: Vec::new(),
            starts: vec![0],
            moves: Vec::new(),
            kos: Vec::new(),
            ko_numbers: FastMap::default(),
            ko_states: Vec::new(),
            shape,
            suicide,
        };
        arena.intern(root);
        let mut next = 0;
        while let Some(&stones) = arena.stones.get(next) {
            next += 1;
            if next.is_multiple_of(256) {
                tick(256)?;
                if arena.bytes() > memory || arena.stones.len() >= WITH_KO as usize / 4 {
                    return Ok(None);
                }
            }
            for mover in [0, 1] {
                for (at, after, ko) in arena.placements(stones, mover, NO_POINT) {
                    let to = arena.enter(after, 1 - mover, ko);
                    arena.moves.push(at << AT | to);
                }
                arena.starts.push(arena.moves.len() as u32);
            }
        }
        arena.finish();
        Ok(Some(arena))
    }

    /// Bytes that it takes, with the ranks of two searches.
    fn bytes(&self) -> usize {
        self.numbers.len() * 4 + self.stones.len() * 48 + self.moves.len() * 4
    }

    /// Gives states with a ko the numbers after all others.
    fn finish(&mut self) {
        let plain = 2 * self.stones.len() as u32;
        let renumber = |state: u32| {
            if state & WITH_KO == 0 {
                state
            } else {
                plain + (state & !WITH_KO)
            }
        };
        let mask = (1 << AT) - 1;
        for word in &mut self.moves {
            *word = *word & !mask | renumber(*word & mask);
        }
        for state in self.ko_numbers.values_mut() {
            *state = renumber(*state);
        }
        let states = (plain..).zip(&self.kos);
        self.ko_states = states
            .map(|(state, &(base, _))| (base / 2, state))
            .collect();
        self.ko_states.sort_unstable();
    }

    /// What a player's placements make of stones: where, the stones after it, and where they must not be taken back at once.
    pub(super) fn placements(
        &self,
        stones: Stones,
        mover: usize,
        ko: u8,
    ) -> Vec<(u32, Stones, u8)> {
        let state = State {
            holder: stones[0],
            other: stones[1],
            turn: mover == 0,
            ko,
        };
        let points = 0..self.shape.points() as u32;
        let vacant = points.filter(|at| (stones[0] | stones[1]) >> at & 1 == 0);
        vacant
            .filter_map(|at| {
                let next = self.shape.place(&state, at, self.suicide)?;
                Some((at, [next.holder, next.other], next.ko))
            })
            .collect()
    }

    /// The least code among the images of stones, and the first map that gives it.
    fn canonical(&self, [black, white]: Stones) -> (u32, usize) {
        let mut best = (u32::MAX, 0);
        for (number, codes) in self.codes.iter().enumerate() {
            let code = codes[black as usize] + 2 * codes[white as usize];
            if code < best.0 {
                best = (code, number);
            }
        }
        best
    }

    fn intern(&mut self, stones: Stones) -> (u32, usize) {
        let (code, map) = self.canonical(stones);
        let number = &mut self.numbers[code as usize];
        if *number == NONE {
            *number = self.stones.len() as u32;
            // The stones themselves will do: what matters is that equal codes have equal numbers.
            let image = |set: u32| {
                let points = self.maps[map].iter().enumerate();
                points
                    .filter(|(point, _)| set >> point & 1 == 1)
                    .fold(0u32, |image, (_, &to)| image | 1 << to)
            };
            self.stones.push(stones.map(image));
        }
        (*number, map)
    }

    fn enter(&mut self, stones: Stones, mover: usize, ko: u8) -> u32 {
        let (number, map) = self.intern(stones);
        let base = 2 * number + mover as u32;
        if ko == NO_POINT {
            return base;
        }
        let point = self.maps[map][usize::from(ko)];
        let fresh = WITH_KO | self.kos.len() as u32;
        let state = *self.ko_numbers.entry((base, point)).or_insert(fresh);
        if state == fresh {
            self.kos.push((base, point));
        }
        state
    }

    /// The number of a position, `None` if it does not follow.
    pub(super) fn number(&self, stones: Stones) -> Option<u32> {
        let number = self.numbers[self.canonical(stones).0 as usize];
        (number != NONE).then_some(number)
    }

    /// A state, `None` if it does not follow.
    pub(super) fn state(&self, stones: Stones, mover: usize, ko: u8) -> Option<u32> {
        let (code, _) = self.canonical(stones);
        let base = 2 * self.number(stones)? + mover as u32;
        if ko == NO_POINT {
            return Some(base);
        }
        // Stones that some map leaves as they are have several images of the point.
        let maps = self.codes.iter().zip(&self.maps);
        maps.filter(|(codes, _)| codes[stones[0] as usize] + 2 * codes[stones[1] as usize] == code)
            .find_map(|(_, map)| self.ko_numbers.get(&(base, map[usize::from(ko)])).copied())
    }

    /// Positions.
    pub(super) fn positions(&self) -> usize {
        self.stones.len()
    }

    /// States.
    pub(super) fn states(&self) -> usize {
        2 * self.stones.len() + self.kos.len()
    }

    /// The stones of a position, or of one of its images.
    pub(super) fn stones(&self, number: u32) -> Stones {
        self.stones[number as usize]
    }

    /// The state without its ko, and the forbidden point.
    #[inline]
    pub(super) fn base(&self, state: u32) -> (u32, u8) {
        match (state as usize).checked_sub(2 * self.stones.len()) {
            None => (state, NO_POINT),
            Some(i) => self.kos[i],
        }
    }

    /// Where the placements of a state lead.
    #[inline]
    pub(super) fn next(&self, base: u32, ko: u8) -> impl Iterator<Item = u32> {
        let (start, end) = (self.starts[base as usize], self.starts[base as usize + 1]);
        let moves = self.moves[start as usize..end as usize].iter();
        moves
            .filter(move |&&word| (word >> AT) as u8 != ko)
            .map(|word| word & ((1 << AT) - 1))
    }

    /// The states of a position that have a ko.
    pub(super) fn kos_of(&self, number: u32) -> impl Iterator<Item = u32> {
        let from = self.ko_states.partition_point(|&(other, _)| other < number);
        self.ko_states[from..]
            .iter()
            .take_while(move |&&(other, _)| other == number)
            .map(|&(_, state)| state)
    }
}
