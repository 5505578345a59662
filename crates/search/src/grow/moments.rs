//! Sums of utilities, for searches that select moves by utility.
//!
//! Most nodes of a guided search are moves without a visit, so only visited nodes get sums. The
//! sums have an arena of their own, so nodes need no more memory.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

use super::arena::Arena;
use super::tree::{Node, Tree};

/// Moments may use 1/8 of the memory of their tree. About one node in a hundred has moments.
const SHARE: usize = 8;

/// Sums over the completed visits of a node, from the view of the player of its move.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    /// Sums of weight · utility, weight · utility², weight, and weight², as the bits of an `f64`.
    utility: AtomicU64,
    square: AtomicU64,
    weight: AtomicU64,
    weight_square: AtomicU64,
    completed: AtomicU32,
    /// Utility and weight of the first visit, as the bits of an `f32`.
    first: AtomicU32,
    first_weight: AtomicU32,
    /// 1 while a thread replaces the sums.
    replacing: AtomicU32,
}

/// Values of [`Moments`] at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    /// Sum of weight · utility.
    pub(crate) utility: f64,
    /// Sum of weight · utility².
    pub(crate) square: f64,
    /// Sum of weights.
    pub(crate) weight: f64,
    /// Sum of squared weights.
    pub(crate) weight_square: f64,
    /// Number of visits.
    pub(crate) completed: u32,
    /// Utility of the first visit: of the position itself, before any move.
    pub(crate) first: f64,
    /// Weight of the first visit.
    pub(crate) first_weight: f64,
}

/// Adds to a sum, stored as the bits of an `f64`.
pub(super) fn add(sum: &AtomicU64, more: f64) {
    let add = |bits| Some((f64::from_bits(bits) + more).to_bits());
    // This cannot fail, because `add` always returns `Some`.
    let _ = sum.fetch_update(Relaxed, Relaxed, add);
}

impl Moments {
    /// Adds a visit. If it is the first, the utility `first` is kept.
    fn add(&self, first: f64, utility: f64, weight: f64) {
        if self.completed.fetch_add(1, Relaxed) == 0 {
            self.first.store((first as f32).to_bits(), Relaxed);
            self.first_weight.store((weight as f32).to_bits(), Relaxed);
        }
        add(&self.utility, weight * utility);
        add(&self.square, weight * utility * utility);
        add(&self.weight_square, weight * weight);
        add(&self.weight, weight);
    }

    /// Returns the sums, or `None` before the first visit is complete.
    fn sums(&self) -> Option<Sums> {
        let value = |sum: &AtomicU64| f64::from_bits(sum.load(Relaxed));
        let short = |value: &AtomicU32| f64::from(f32::from_bits(value.load(Relaxed)));
        let weight = value(&self.weight);
        (weight > 0.0).then(|| Sums {
            utility: value(&self.utility),
            square: value(&self.square),
            weight,
            weight_square: value(&self.weight_square),
            completed: self.completed.load(Relaxed),
            first: short(&self.first),
            first_weight: short(&self.first_weight),
        })
    }

    /// Sets all values.
    fn set(&self, sums: Sums) {
        self.set_sums(sums);
        self.completed.store(sums.completed, Relaxed);
        self.first.store((sums.first as f32).to_bits(), Relaxed);
        self.first_weight
            .store((sums.first_weight as f32).to_bits(), Relaxed);
    }

    /// Sets the sums, and counts a visit. If another thread is setting sums now, those stay.
    fn replace(&self, sums: Sums) {
        self.completed.fetch_add(1, Relaxed);
        // Sums of two threads must not be mixed. The next visit replaces them anyway.
        if self.replacing.swap(1, Acquire) == 0 {
            self.set_sums(sums);
            self.replacing.store(0, Release);
        }
    }

    /// Sets the sums of utilities and weights.
    fn set_sums(&self, sums: Sums) {
        self.utility.store(sums.utility.to_bits(), Relaxed);
        self.square.store(sums.square.to_bits(), Relaxed);
        self.weight.store(sums.weight.to_bits(), Relaxed);
        self.weight_square
            .store(sums.weight_square.to_bits(), Relaxed);
    }
}

impl Sums {
    /// Returns the mean utility.
    pub(crate) fn mean(&self) -> f64 {
        self.utility / self.weight
    }

    /// Returns the mean of the squared utility, at least the square of the mean.
    pub(crate) fn mean_square(&self) -> f64 {
        let mean = self.mean();
        // Rounding, and other threads between two reads, can make the quotient too small.
        (self.square / self.weight).max(mean * mean)
    }

    /// Returns the sums times a share, with this number of visits.
    fn scaled(self, share: f64, completed: u32) -> Sums {
        Sums {
            utility: share * self.utility,
            square: share * self.square,
            weight: share * self.weight,
            weight_square: share * self.weight_square,
            completed,
            ..self
        }
    }

    /// Returns the sums from the view of the other player.
    pub(crate) fn turned(self) -> Sums {
        Sums {
            utility: -self.utility,
            first: -self.first,
            ..self
        }
    }
}

impl Arena<Moments> {
    /// Returns the sums of a node whose number is in `place`. `None` without completed visits, or
    /// if memory was used up.
    #[inline]
    pub(super) fn sums(&self, place: &AtomicU32) -> Option<Sums> {
        self.get(place.load(Relaxed))?.sums()
    }

    /// Returns the number of the moments of a node, which are allocated if it has none. `None` if
    /// memory is used up.
    pub(super) fn number(&self, place: &AtomicU32) -> Option<u32> {
        let number = place.load(Relaxed);
        if number > 0 {
            return Some(number);
        }
        let new = self.allocate()?;
        // Another thread may have been faster. Then its moments count.
        match place.compare_exchange(0, new, Relaxed, Relaxed) {
            Ok(_) => Some(new),
            Err(theirs) => Some(theirs),
        }
    }

    /// Returns the moments of the node, which are allocated if it has none. `None` if memory is
    /// used up.
    fn of(&self, place: &AtomicU32) -> Option<&Moments> {
        self.get(self.number(place)?)
    }

    /// Adds a visit to the node, with the utility to keep if it is the first, and the utility to
    /// sum up. Does nothing if memory is used up.
    pub(super) fn add(&self, place: &AtomicU32, first: f64, utility: f64, weight: f64) {
        if let Some(moments) = self.of(place) {
            moments.add(first, utility, weight);
        }
    }

    /// Replaces the sums of the node. Does nothing if memory is used up.
    pub(super) fn set(&self, place: &AtomicU32, sums: Sums) {
        if let Some(moments) = self.of(place) {
            moments.set(sums);
        }
    }

    /// Replaces the sums of the node, which counts a visit. Does nothing if memory is used up.
    fn replace(&self, place: &AtomicU32, sums: Sums) {
        if let Some(moments) = self.of(place) {
            moments.replace(sums);
        }
    }
}

impl Tree {
    /// Creates a tree with only a root. With moments, nodes sum up utilities instead of
    /// all-moves-as-first results.
    pub(crate) fn for_search(bytes: usize, has_moments: bool) -> Tree {
        if !has_moments {
            return Tree::new(bytes);
        }
        let moments = bytes / SHARE;
        let mut tree = Tree::new(bytes - moments);
        tree.arena = Some(Arena::new(moments));
        tree
    }

    /// Returns true if nodes sum up utilities.
    pub(crate) fn has_moments(&self) -> bool {
        self.arena.is_some()
    }

    /// Returns the sums of a node's utilities. `None` without completed visits or without moments.
    #[inline]
    pub(crate) fn sums(&self, node: &Node) -> Option<Sums> {
        self.arena.as_ref()?.sums(&node.amaf_wins)
    }

    /// Adds the utility of a visit, from the view of the player of the node's move. Does nothing
    /// without moments.
    pub(crate) fn add_utility(&self, node: &Node, utility: f64, weight: f64) {
        if let Some(arena) = &self.arena {
            arena.add(&node.amaf_wins, utility, utility, weight);
        }
    }

    /// Replaces the sums of a node's utilities, which counts a visit. Does nothing without moments.
    pub(super) fn replace_utilities(&self, node: &Node, sums: Sums) {
        if let Some(arena) = &self.arena {
            arena.replace(&node.amaf_wins, sums);
        }
    }

    /// Returns true if some nodes may have no sums, because memory is used up.
    pub(super) fn is_out_of_moments(&self) -> bool {
        self.arena.as_ref().is_none_or(Arena::is_full)
    }

    /// Copies the statistics of a node to one of another tree, which has moments if this one does.
    pub(super) fn copy_node(&self, from: &Node, copy: &Tree, to: &Node) {
        to.copy_from(from);
        if let Some(arena) = &copy.arena {
            // Each tree has its own numbers.
            to.amaf_wins.store(0, Relaxed);
            if let Some(sums) = self.sums(from) {
                arena.set(&to.amaf_wins, sums);
            }
        }
    }

    /// Removes visits of left-out moves from the root, whose mean stays.
    pub(super) fn forget_visits(&self, visits: u32) {
        let root = self.node(self.root());
        let all = root.visits();
        // The root's own evaluation stays.
        let kept = all.saturating_sub(visits).max(1);
        if visits == 0 || kept >= all {
            return;
        }
        root.visits.store(kept, Relaxed);
        self.scale_utilities(root, kept, all);
    }

    /// Reduces the sums of a node to those of `kept` of its `all` visits, with the same mean.
    fn scale_utilities(&self, node: &Node, kept: u32, all: u32) {
        if let (Some(arena), Some(sums)) = (&self.arena, self.sums(node)) {
            let share = f64::from(kept) / f64::from(all);
            arena.set(&node.amaf_wins, sums.scaled(share, kept));
        }
    }

    /// Returns the memory of the moments and corrections in use, in bytes.
    pub(super) fn bytes_of_utilities(&self) -> usize {
        let used = self.arena.as_ref().map_or(0, Arena::used);
        let corrections = self.corrections.as_ref();
        used * size_of::<Moments>() + corrections.map_or(0, |corrections| corrections.bytes(used))
    }

    /// Converts the utilities of a node to the view of the other player.
    pub(super) fn turn_utilities(&self, node: &Node) {
        if let (Some(arena), Some(sums)) = (&self.arena, self.sums(node)) {
            arena.set(&node.amaf_wins, sums.turned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grow::arena::CHUNK;

    #[test]
    fn sums_are_weighted_and_keep_the_first_visit() {
        let arena: Arena<Moments> = Arena::new(0);
        let place = AtomicU32::new(0);
        assert_eq!(arena.sums(&place), None);
        arena.add(&place, 0.5, 0.5, 2.0);
        arena.add(&place, -1.0, -1.0, 1.0);
        let sums = arena.sums(&place).unwrap();
        assert_eq!((sums.mean(), sums.first, sums.completed), (0.0, 0.5, 2));
        assert_eq!((sums.weight, sums.weight_square), (3.0, 5.0));
        assert_eq!(sums.mean_square(), 0.5);
        assert_eq!((sums.turned().first, sums.first_weight), (-0.5, 2.0));
        let copy = AtomicU32::new(0);
        arena.set(&copy, sums.turned());
        assert_eq!(arena.sums(&copy), Some(sums.turned()));
        assert_eq!(arena.sums(&place), Some(sums));
        arena.replace(&copy, sums);
        let replaced = arena.sums(&copy).unwrap();
        assert_eq!((replaced.completed, replaced.first), (3, -0.5));
        assert_eq!(replaced.square, sums.square);
    }

    #[test]
    fn a_full_arena_adds_nothing_to_new_nodes() {
        let arena: Arena<Moments> = Arena::new(0);
        let places: Vec<AtomicU32> = (0..=CHUNK).map(|_| AtomicU32::new(0)).collect();
        for place in &places {
            arena.add(place, 0.25, 0.25, 1.0);
            arena.add(place, 0.25, 0.25, 1.0);
        }
        let known = places.iter().filter(|place| arena.sums(place).is_some());
        assert_eq!(known.count(), CHUNK);
        assert_eq!(arena.sums(&places[CHUNK]), None);
        assert_eq!(arena.sums(&places[0]).unwrap().completed, 2);
        assert_eq!(arena.used(), CHUNK);
    }

    #[test]
    fn moments_take_48_bytes() {
        assert_eq!(size_of::<Moments>(), 48);
    }
}
