//! History of positions: Zobrist hashes in order, with an index for lookups.

use omnigo_base::color::Color;
use omnigo_base::hash::FastMap;

/// Marks that there is no earlier situation.
const NONE: u32 = u32::MAX;

/// A position, identified by its hash, with a player to move.
#[derive(Clone, Copy, Debug)]
struct Situation {
    hash: u64,
    to_move: Color,
    /// Index of the latest earlier situation with the same hash.
    earlier: u32,
}

/// The situations of a game from its start to the present.
#[derive(Clone, Debug)]
pub(super) struct History {
    situations: Vec<Situation>,
    latest: FastMap<u64, u32>,
}

impl History {
    pub(super) fn new(hash: u64, to_move: Color) -> History {
        let mut history = History {
            situations: Vec::new(),
            latest: FastMap::default(),
        };
        history.push(hash, to_move);
        history
    }

    pub(super) fn push(&mut self, hash: u64, to_move: Color) {
        let earlier = self
            .latest
            .insert(hash, self.situations.len() as u32)
            .unwrap_or(NONE);
        self.situations.push(Situation {
            hash,
            to_move,
            earlier,
        });
    }

    pub(super) fn pop(&mut self) {
        if let Some(situation) = self.situations.pop() {
            if situation.earlier == NONE {
                self.latest.remove(&situation.hash);
            } else {
                self.latest.insert(situation.hash, situation.earlier);
            }
        }
    }

    /// Returns the number of situations, which is one more than the number of turns.
    pub(super) fn len(&self) -> usize {
        self.situations.len()
    }

    /// Returns the indices of the situations with this hash and, if given, this player to move, the
    /// latest first.
    pub(super) fn seen(
        &self,
        hash: u64,
        to_move: Option<Color>,
    ) -> impl Iterator<Item = usize> + '_ {
        let mut next = self.latest.get(&hash).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            while let Some(situation) = self.situations.get(next as usize) {
                let index = next as usize;
                next = situation.earlier;
                if to_move.is_none_or(|color| color == situation.to_move) {
                    return Some(index);
                }
            }
            None
        })
    }

    /// Returns the hash of the situation `back` turns before the latest one, or `None` if there is
    /// none.
    pub(super) fn hash_back(&self, back: usize) -> Option<u64> {
        self.situations
            .len()
            .checked_sub(back + 1)
            .and_then(|i| self.situations.get(i))
            .map(|s| s.hash)
    }
}
