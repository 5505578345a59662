//! Evaluations of a network that a search keeps, because several orders of moves lead to the same
//! position.
//!
//! Moves before the latest one are left out, although networks see them. Leela Zero and KataGo
//! leave out the latest move too. Networks often answer it, so it counts here.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::utility::ValueEstimate;
use omnigo_base::hash::scatter;
use omnigo_base::vertex::Vertex;
use omnigo_core::board::Board;
use omnigo_core::game::Line;
use omnigo_net::{Evaluation, bonus};

/// Number of slots that share a lock. Threads rarely want slots of the same group at once.
const GROUP: usize = 64;

/// Identifies an evaluated position: hashes of the stones, and of everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// Returns the key of the position at the end of the line, after a move at `last`. `legal` must
    /// hold the legal placements, and `can_pass` must be true if a pass is legal.
    ///
    /// The legal placements stand for ko and superko. Prisoners count under territory rules.
    /// `advantage` is the assumed one of the player to move, in doublings of playouts.
    pub(super) fn of<B: Board>(
        line: &Line<'_, B>,
        last: Option<Vertex>,
        legal: &[Vertex],
        can_pass: bool,
        advantage: f32,
    ) -> Key {
        let button = line.button().map_or(0, |(color, _)| 1 + color.index());
        let flags = [can_pass, line.pass_would_end()].map(u64::from);
        let facts = [
            line.to_move().index() as u64,
            flags[0] + 2 * flags[1] + 4 * button as u64,
            bonus(line).halves().cast_unsigned(),
            last.map_or(0, |at| 1 + at.index() as u64),
            advantage.to_bits().into(),
        ];
        let prisoners = line.prisoners().iter().map(|count| count.cast_unsigned());
        let legal = legal.iter().map(|at| at.index() as u64);
        let all = facts.into_iter().chain(prisoners).chain(legal);
        // 0 must change the hash too.
        let context = all.fold(0, |hash: u64, fact| scatter(hash ^ fact.wrapping_add(1)));
        Key([line.board().hash(), context])
    }
}

/// Evaluation of a position, with everything that a search takes from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) evaluation: Evaluation,
    pub(super) estimate: ValueEstimate,
    /// Ownership of each point, positive for the player to move. Empty if it is unknown.
    pub(super) ownership: Vec<f32>,
}

impl Known {
    /// Returns the maximum memory of an evaluation on a board of `points` points, in bytes.
    const fn bytes(points: usize) -> usize {
        let numbers = 2 * points * size_of::<f32>();
        // Both counters of `Arc` lie beside the evaluation.
        numbers + size_of::<Known>() + 2 * size_of::<usize>() + size_of::<Slot>()
    }
}

type Slot = Option<(Key, Arc<Known>)>;

/// Evaluations by position. A new one replaces another in its slot, so the memory is bounded.
/// Threads share it.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Maximum memory in bytes.
    bytes: usize,
    /// Groups of slots, whose number follows from the first board.
    groups: OnceLock<Box<[Mutex<Vec<Slot>>]>>,
}

impl Cache {
    /// Returns an empty cache that takes at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Cache {
        Cache {
            bytes,
            groups: OnceLock::new(),
        }
    }

    /// Returns the number of evaluations in the cache.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        let groups = self.groups.get().into_iter().flatten();
        let kept = groups.map(|group| group.lock().unwrap().iter().flatten().count());
        kept.sum()
    }

    /// Returns the evaluation of a position, or `None` if it is not there.
    pub(super) fn find(&self, key: Key) -> Option<Arc<Known>> {
        let (group, number) = Cache::place(self.groups.get()?, key)?;
        let group = group.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, known) = group.get(number)?.as_ref().filter(|slot| slot.0 == key)?;
        Some(Arc::clone(known))
    }

    /// Keeps the evaluation of a position on a board of `points` points.
    pub(super) fn keep(&self, key: Key, points: usize, known: impl FnOnce() -> Known) {
        let groups = self.groups.get_or_init(|| {
            let slots = self.bytes / Known::bytes(points);
            let groups = 0..slots / GROUP;
            groups.map(|_| Mutex::default()).collect()
        });
        let Some((group, number)) = Cache::place(groups, key) else {
            return;
        };
        let known = Arc::new(known());
        let mut group = group.lock().unwrap_or_else(PoisonError::into_inner);
        if group.is_empty() {
            group.resize(GROUP, None);
        }
        group[number] = Some((key, known));
    }

    /// Returns the group of a key and its slot there. `None` without slots.
    fn place(groups: &[Mutex<Vec<Slot>>], key: Key) -> Option<(&Mutex<Vec<Slot>>, usize)> {
        let hash = scatter(key.0[0] ^ key.0[1]) as usize;
        let group = hash.checked_rem(groups.len())?;
        Some((&groups[group], hash / groups.len() % GROUP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::color::Color;
    use omnigo_base::vertex::Move;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::rules::{Points, presets};

    fn game(komi: i64) -> Game<GridBoard> {
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let rules = presets::find("japanese").unwrap().rules.clone();
        Game::new(board, rules, Points::from_halves(komi), Color::BLACK)
    }

    /// Returns the key after moves from the start: indices of points, and `None` for a pass.
    fn key(game: &Game<GridBoard>, moves: &[Option<usize>]) -> Key {
        let mut line = Line::new(game, Color::BLACK);
        for mv in moves {
            line.play(match mv {
                Some(at) => Move::Place(Vertex::at(*at)),
                None => Move::Pass,
            });
        }
        let mut legal: Vec<Vertex> = line.placements().collect();
        legal.sort_unstable();
        let last = moves.last().and_then(|mv| mv.map(Vertex::at));
        Key::of(&line, last, &legal, line.can_pass(), 0.0)
    }

    #[test]
    fn orders_of_moves_share_a_key() {
        let game = game(13);
        let places =
            |moves: &[usize]| key(&game, &moves.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(places(&[0, 7, 24, 8]), places(&[24, 7, 0, 8]));
        assert_ne!(places(&[0, 7, 24, 8]), places(&[0, 24, 7, 8]));
        // The latest move counts.
        assert_ne!(places(&[0, 7, 24]), places(&[24, 7, 0]));
    }

    #[test]
    fn facts_that_change_the_evaluation_change_the_key() {
        let game = game(13);
        let base = key(&game, &[Some(0), Some(7)]);
        // White to move instead of Black, who may have passed last.
        let passed = key(&game, &[Some(0), Some(7), None]);
        let placed = key(&game, &[None, Some(7), Some(0)]);
        assert_eq!(passed.0[0], placed.0[0]);
        assert!(base != passed && base != placed && passed != placed);
        assert_ne!(base, key(&self::game(14), &[Some(0), Some(7)]));
        // Chinese rules compensate White for handicap stones.
        let mut chinese = self::game(13);
        chinese.set_rules(presets::find("chinese").unwrap().rules.clone());
        let even = key(&chinese, &[Some(0), Some(7)]);
        chinese.set_handicap(2);
        assert_ne!(even, key(&chinese, &[Some(0), Some(7)]));
        // The same stones, but Black captured one, which a pass of White replaces.
        let captured = key(&game, &[Some(1), Some(0), Some(5), None]);
        let never = key(&game, &[Some(1), None, Some(5), None]);
        assert_eq!(captured.0[0], never.0[0]);
        assert_ne!(captured, never);
    }

    #[test]
    fn a_forbidden_placement_changes_the_key() {
        let game = game(13);
        let line = Line::new(&game, Color::BLACK);
        let all: Vec<Vertex> = line.placements().collect();
        let found = Key::of(&line, None, &all, true, 0.0);
        assert_ne!(found, Key::of(&line, None, &all[1..], true, 0.0));
        assert_ne!(found, Key::of(&line, None, &all, false, 0.0));
        assert_ne!(found, Key::of(&line, None, &all, true, 0.5));
    }

    fn known(win: f32) -> Known {
        let evaluation = Evaluation {
            win,
            ..Evaluation::default()
        };
        Known {
            evaluation,
            ..Known::default()
        }
    }

    #[test]
    fn kept_evaluations_are_found_by_their_keys() {
        let cache = Cache::new(1 << 20);
        let keys = (0..100).map(|number| Key([number, 7]));
        for (number, key) in keys.clone().enumerate() {
            assert!(cache.find(key).is_none());
            cache.keep(key, 25, || known(number as f32));
        }
        let found = keys.enumerate().filter_map(|(number, key)| {
            let known = cache.find(key)?;
            assert_eq!(known.evaluation.win, number as f32);
            Some(())
        });
        // Two keys of one slot replace each other.
        let count = found.count();
        assert!(count > 90, "{count}");
        assert_eq!(cache.len(), count);
        assert!(cache.find(Key([0, 8])).is_none());
    }

    #[test]
    fn memory_is_bounded() {
        let bytes = 1 << 18;
        let cache = Cache::new(bytes);
        for number in 0..20_000 {
            cache.keep(Key([number, number]), 361, || known(0.5));
        }
        let kept = cache.len();
        assert!(kept > 0 && kept * Known::bytes(361) <= bytes, "{kept}");
        let none = Cache::new(0);
        none.keep(Key([1, 1]), 361, || known(0.5));
        assert!(none.find(Key([1, 1])).is_none());
    }
}
