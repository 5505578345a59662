//! States of the frontier method, which counts legal positions: everything about the colored part
//! of a graph that affects the rest.
//!
//! Masks are sets of classes of uncolored vertices (see [`super::cut`]). A state consists of these
//! masks:
//!
//! - The classes adjacent to an empty vertex.
//! - For each color that still matters, the classes adjacent to a stone that has a liberty.
//! - For each chain still without a liberty, the classes adjacent to it.
//!
//! For classes adjacent to an empty vertex, stones with liberties are not recorded, because a stone
//! there has a liberty anyway. Colors are interchangeable, so a state represents all its
//! recolorings. Its colors are sorted, and colors that no longer matter are left out.

use super::cut::Step;

/// Effect of one color on the uncolored vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// Classes adjacent to stones that have a liberty.
    pub(super) living: u64,
    /// For each chain that still needs a liberty, the classes adjacent to it. Never empty; sorted,
    /// without duplicates.
    pub(super) needy: Vec<u64>,
}

/// Effect of the colored part on the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// Classes adjacent to an empty vertex.
    pub(super) open: u64,
    /// The colors that matter, in ascending order.
    pub(super) sides: Vec<Side>,
}

/// Packed bits of a state.
pub(super) type Key<const N: usize> = [u64; N];

/// Error: a state does not fit in its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyOverflow;

impl State {
    /// Leaves the vertex of this step empty. Returns false if a chain can no longer get a liberty.
    pub(super) fn leave_empty(&self, step: &Step, next: &mut State) -> bool {
        next.open = step.carry(self.open) | step.adjacent;
        next.resize(self.sides.len());
        for (side, to) in self.sides.iter().zip(&mut next.sides) {
            let mut living = side.living;
            to.needy.clear();
            for &chain in &side.needy {
                if chain & step.own != 0 {
                    living |= chain;
                } else if !to.add_needy(step.carry(chain)) {
                    return false;
                }
            }
            to.living = step.carry(living);
        }
        next.normalize();
        true
    }

    /// Places a stone of the color with index `own` among the sides. If `own` is the number of
    /// sides, the color is one that does not matter yet. Returns false if a chain can no longer get
    /// a liberty.
    pub(super) fn place(&self, step: &Step, own: usize, next: &mut State) -> bool {
        next.open = step.carry(self.open);
        next.resize(self.sides.len().max(own + 1));
        let empty = Side::default();
        for (number, to) in next.sides.iter_mut().enumerate() {
            let side = self.sides.get(number).unwrap_or(&empty);
            to.needy.clear();
            let joins = if number == own { step.own } else { 0 };
            let mut joined = 0;
            for &chain in &side.needy {
                if chain & joins != 0 {
                    joined |= chain;
                } else if !to.add_needy(step.carry(chain)) {
                    return false;
                }
            }
            to.living = step.carry(side.living);
            if number == own {
                let beside = step.carry(joined) | step.adjacent;
                if (self.open | side.living) & step.own != 0 {
                    to.living |= beside;
                } else if !to.add_needy(beside) {
                    return false;
                }
            }
        }
        next.normalize();
        true
    }

    /// Sets the number of sides. Their contents are arbitrary.
    fn resize(&mut self, sides: usize) {
        self.sides.resize_with(sides, Side::default);
    }

    /// Brings the state into its normal form, which is equal for all equivalent states.
    fn normalize(&mut self) {
        for side in &mut self.sides {
            side.living &= !self.open;
            side.needy.sort_unstable();
            side.needy.dedup();
        }
        self.sides
            .retain(|side| side.living != 0 || !side.needy.is_empty());
        self.sides.sort_unstable();
    }

    /// Encodes the state as masks of `width` bits. First come the open classes, then for each side
    /// its living classes, its needy chains, and a zero. A side never starts with two zeros, so two
    /// zeros end the list.
    pub(super) fn encode<const N: usize>(&self, width: usize) -> Result<Key<N>, KeyOverflow> {
        let mut key = [0; N];
        let mut at = 0;
        let mut write = |mask: u64| {
            if mask != 0 {
                let (word, bit) = (at / 64, at % 64);
                *key.get_mut(word).ok_or(KeyOverflow)? |= mask << bit;
                let rest = mask.checked_shr(64 - bit as u32).unwrap_or(0);
                if rest != 0 {
                    *key.get_mut(word + 1).ok_or(KeyOverflow)? |= rest;
                }
            }
            at += width;
            Ok(())
        };
        write(self.open)?;
        for side in &self.sides {
            write(side.living)?;
            for &chain in &side.needy {
                write(chain)?;
            }
            write(0)?;
        }
        Ok(key)
    }

    /// Decodes the result of [`State::encode`].
    pub(super) fn decode<const N: usize>(&mut self, key: &Key<N>, width: usize) {
        let mask = u64::MAX.checked_shr(64 - width as u32).unwrap_or(0);
        let mut at = 0;
        let mut read = || {
            let (word, bit) = (at / 64, at % 64);
            at += width;
            let Some(&low) = key.get(word) else { return 0 };
            let high = key
                .get(word + 1)
                .map_or(0, |high| high.checked_shl(64 - bit as u32).unwrap_or(0));
            (low >> bit | high) & mask
        };
        self.open = read();
        let mut sides = 0;
        loop {
            let living = read();
            let first = read();
            if living == 0 && first == 0 {
                break;
            }
            if self.sides.len() == sides {
                self.sides.push(Side::default());
            }
            let side = &mut self.sides[sides];
            sides += 1;
            side.living = living;
            side.needy.clear();
            let mut chain = first;
            while chain != 0 {
                side.needy.push(chain);
                chain = read();
            }
        }
        self.sides.truncate(sides);
    }
}

impl Side {
    /// Records a chain that needs a liberty. Returns false if no uncolored vertex can give it one.
    fn add_needy(&mut self, beside: u64) -> bool {
        self.needy.push(beside);
        beside != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_encode_states_of_every_width() {
        for width in 1..=64 {
            let top = 1u64 << (width - 1);
            let side = |living, needy: &[u64]| Side {
                living,
                needy: needy.to_vec(),
            };
            let state = State {
                open: top,
                sides: vec![side(0, &[1, top | 1]), side(top, &[]), side(1, &[top])],
            };
            let key: Key<12> = state.encode(width).unwrap();
            let mut read = State::default();
            read.decode(&key, width);
            assert_eq!(read, state, "width {width}");
        }
        let state = State {
            open: 1,
            sides: vec![Side {
                living: 0,
                needy: vec![1 << 63],
            }],
        };
        assert_eq!(state.encode::<2>(64), Err(KeyOverflow));
    }
}
