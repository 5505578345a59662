//! All states that can follow a position under simple ko, up to symmetry.

use crate::dfpn::{NO_POINT, SmallGraph, State};
use crate::limits::Stopped;
use omnigo_base::hash::FastMap;

/// Maximum number of points: one table has an entry for every position.
pub(crate) const MOST_POINTS: usize = 16;

/// Bit offset of the point in a move word. The bits below are the state that the move leads to.
const AT: u32 = 28;
/// Marks states with a ko point until the number of states without one is known.
const WITH_KO: u32 = 1 << 27;
/// Marks a position without a number.
const NONE: u32 = u32::MAX;

/// Bit sets of Black's and White's stones.
pub(super) type Stones = [u32; 2];

/// The positions that can follow a given one, and the effect of each placement.
///
/// A *state* is a position, the player to move, and the point where simple ko forbids recapture.
/// State `2 * number + mover` has no such point. States with a ko point are numbered after all of
/// these.
pub(crate) struct StateSpace {
    pub(super) graph: SmallGraph,
    suicide: bool,
    /// For each automorphism, the identity first, and each set of points: the value of the set's
    /// image in the base-3 code of a position.
    codes: Vec<Vec<u32>>,
    /// The automorphisms, as the image of each point.
    maps: Vec<Vec<u8>>,
    numbers: Vec<u32>,
    stones: Vec<Stones>,
    starts: Vec<u32>,
    moves: Vec<u32>,
    kos: Vec<(u32, u8)>,
    ko_numbers: FastMap<(u32, u8), u32>,
    /// Pairs of a position and a state of it with a ko point, in ascending order.
    ko_states: Vec<(u32, u32)>,
}

/// Callback of long computations. It receives the number of states found since the last call and
/// returns an error to stop.
pub(super) type Tick<'a> = &'a mut dyn FnMut(u64) -> Result<(), Stopped>;

impl StateSpace {
    /// Explores the states that can follow `root`. Returns `None` if this needs more than `memory`
    /// bytes.
    ///
    /// # Errors
    /// An error of `tick`.
    pub(super) fn explore(
        graph: SmallGraph,
        maps: &[Vec<usize>],
        suicide: bool,
        root: Stones,
        memory: usize,
        tick: Tick<'_>,
    ) -> Result<Option<StateSpace>, Stopped> {
        let points = graph.points();
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
        let mut state_space = StateSpace {
            codes: codes.collect(),
            maps: all,
            numbers: vec![NONE; 3usize.pow(points as u32)],
            stones: Vec::new(),
            starts: vec![0],
            moves: Vec::new(),
            kos: Vec::new(),
            ko_numbers: FastMap::default(),
            ko_states: Vec::new(),
            graph,
            suicide,
        };
        state_space.intern(root);
        let mut next = 0;
        while let Some(&stones) = state_space.stones.get(next) {
            next += 1;
            if next.is_multiple_of(256) {
                tick(256)?;
                if state_space.bytes() > memory || state_space.stones.len() >= WITH_KO as usize / 4
                {
                    return Ok(None);
                }
            }
            for mover in [0, 1] {
                for (at, after, ko) in state_space.placements(stones, mover, NO_POINT) {
                    let to = state_space.enter(after, 1 - mover, ko);
                    state_space.moves.push(at << AT | to);
                }
                state_space.starts.push(state_space.moves.len() as u32);
            }
        }
        state_space.finish();
        Ok(Some(state_space))
    }

    /// Returns the size in bytes, including the ranks of two fixed points.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.len() * 4 + self.stones.len() * 48 + self.moves.len() * 4
    }

    /// Renumbers the states with a ko point after all others.
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

    /// Returns a player's placements: the point, the stones after it, and the point where recapture
    /// is forbidden.
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
        let points = 0..self.graph.points() as u32;
        let vacant = points.filter(|at| (stones[0] | stones[1]) >> at & 1 == 0);
        vacant
            .filter_map(|at| {
                let next = self.graph.place(&state, at, self.suicide)?;
                Some((at, [next.holder, next.other], next.ko))
            })
            .collect()
    }

    /// Returns the least code among the images of the stones, and the first automorphism that gives
    /// it.
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
            // Store the canonical image, because ko points refer to it (see `enter`).
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

    /// Returns the number of a position, or `None` if it cannot occur.
    pub(super) fn number(&self, stones: Stones) -> Option<u32> {
        let number = self.numbers[self.canonical(stones).0 as usize];
        (number != NONE).then_some(number)
    }

    /// Returns a state, or `None` if it cannot occur.
    pub(super) fn state(&self, stones: Stones, mover: usize, ko: u8) -> Option<u32> {
        let (code, _) = self.canonical(stones);
        let base = 2 * self.number(stones)? + mover as u32;
        if ko == NO_POINT {
            return Some(base);
        }
        // If some automorphisms fix the stones, the ko point has several images.
        let maps = self.codes.iter().zip(&self.maps);
        maps.filter(|(codes, _)| codes[stones[0] as usize] + 2 * codes[stones[1] as usize] == code)
            .find_map(|(_, map)| self.ko_numbers.get(&(base, map[usize::from(ko)])).copied())
    }

    /// Returns the number of positions.
    pub(super) fn positions(&self) -> usize {
        self.stones.len()
    }

    /// Returns the number of states.
    pub(super) fn states(&self) -> usize {
        2 * self.stones.len() + self.kos.len()
    }

    /// Returns the stones of a position, or of one of its images.
    pub(super) fn stones(&self, number: u32) -> Stones {
        self.stones[number as usize]
    }

    /// Returns the state without its ko point, and that point.
    #[inline]
    pub(super) fn base(&self, state: u32) -> (u32, u8) {
        match (state as usize).checked_sub(2 * self.stones.len()) {
            None => (state, NO_POINT),
            Some(i) => self.kos[i],
        }
    }

    /// Returns the states after the placements of a state.
    #[inline]
    pub(super) fn next(&self, base: u32, ko: u8) -> impl Iterator<Item = u32> {
        let (start, end) = (self.starts[base as usize], self.starts[base as usize + 1]);
        let moves = self.moves[start as usize..end as usize].iter();
        moves
            .filter(move |&&word| (word >> AT) as u8 != ko)
            .map(|word| word & ((1 << AT) - 1))
    }

    /// Returns the states of a position that have a ko point.
    pub(super) fn kos_of(&self, number: u32) -> impl Iterator<Item = u32> {
        let from = self.ko_states.partition_point(|&(other, _)| other < number);
        self.ko_states[from..]
            .iter()
            .take_while(move |&&(other, _)| other == number)
            .map(|&(_, state)| state)
    }
}
