//! The frontier method: a table from each state to the number of colorings that lead to it, updated
//! vertex by vertex.
//!
//! J. Tromp and G. Farnebäck ("Combinatorics of Go", 2007) counted the positions of rectangles this
//! way. This version takes any graph and any number of colors. A layer of states is divided into
//! shards by hash. Each thread takes shards of one layer and adds to those of the next layer, each
//! under its own lock. The results do not depend on thread timing, because sums do not depend on
//! their order.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::budget::{Budget, CountError};
use super::coloring_count::{ColoringCount, Ways};
use super::cut::Step;
use super::state::{Key, State};

/// Number of shards per layer, a power of two.
const SHARDS: usize = 64;
/// Layers with fewer states than this are processed by one thread.
const FEW: usize = 2048;
/// Number of entries collected before their shard is locked.
const BATCH: usize = 64;

type Layer<const N: usize, T> = Vec<Mutex<Shard<N, T>>>;
type Shard<const N: usize, T> = std::collections::HashMap<Key<N>, T, BuildHasherDefault<Folded>>;

/// Reason why a layer could not be finished.
#[derive(Debug)]
pub(super) enum Halt {
    /// A state does not fit in a key of this size.
    Key,
    /// The budget is exhausted.
    Budget(CountError),
}

/// Returns the number of colorings of a connected graph in which every chain has a liberty.
pub(super) fn run<const N: usize, T: ColoringCount>(
    steps: &[Step],
    colors: T::Colors,
    most_colors: usize,
    budget: &Budget<'_>,
) -> Result<T, Halt> {
    let mut layer: Layer<N, T> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let hasher = BuildHasherDefault::<Folded>::default();
    let start = State::default().encode::<N>(0).map_err(|_| Halt::Key)?;
    let shard = shard_of(hasher.hash_one(start));
    if let Some(first) = layer.get_mut(shard) {
        let first = first.get_mut().unwrap_or_else(PoisonError::into_inner);
        first.insert(start, T::one());
    }
    for (number, step) in steps.iter().enumerate() {
        let states: usize = layer.iter_mut().map(|shard| lock(shard).len()).sum();
        budget.report(number, steps.len(), states);
        layer = advance(layer, states, step, colors, most_colors, budget)
            .map_err(|halt| located(halt, number, steps))?;
    }
    let last = layer.into_iter().find_map(|shard| {
        let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
        shard.into_values().next()
    });
    budget.report(steps.len(), steps.len(), 1);
    // Leaving every vertex empty is legal, so a last state exists.
    last.ok_or(Halt::Key)
}

fn lock<const N: usize, T>(shard: &mut Mutex<Shard<N, T>>) -> &mut Shard<N, T> {
    shard.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the number of the vertex to an out-of-memory error.
fn located(halt: Halt, number: usize, steps: &[Step]) -> Halt {
    match halt {
        Halt::Budget(CountError::Memory { states, limit, .. }) => {
            Halt::Budget(CountError::Memory {
                states,
                limit,
                vertex: number + 1,
                vertices: steps.len(),
            })
        }
        other => other,
    }
}

/// Computes the next layer by coloring the vertex of `step`.
fn advance<const N: usize, T: ColoringCount>(
    layer: Layer<N, T>,
    states: usize,
    step: &Step,
    colors: T::Colors,
    most_colors: usize,
    budget: &Budget<'_>,
) -> Result<Layer<N, T>, Halt> {
    let next: Layer<N, T> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let halted = AtomicBool::new(false);
    let held = AtomicUsize::new(0);
    let room = budget.states(size_of::<(Key<N>, T)>());
    let work = |shard: Mutex<Shard<N, T>>| {
        let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut worker = Worker {
            step,
            colors,
            most_colors,
            next: &next,
            batches: vec![Vec::new(); SHARDS],
            held: &held,
        };
        let mut state = State::default();
        let mut made = State::default();
        for (done, (key, colorings)) in shard.into_iter().enumerate() {
            if done % 512 == 0 {
                if halted.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if budget.is_over() {
                    return Err(Halt::Budget(CountError::Stopped));
                }
                if held.load(Ordering::Relaxed) > room {
                    return Err(Halt::Budget(CountError::Memory {
                        states: held.load(Ordering::Relaxed),
                        limit: budget.mib(),
                        vertex: 0,
                        vertices: 0,
                    }));
                }
            }
            state.decode(&key, step.before);
            worker.expand(&state, &colorings, &mut made)?;
        }
        (0..SHARDS).for_each(|shard| worker.flush(shard));
        Ok(())
    };
    let work = |shard| {
        let done = work(shard);
        if done.is_err() {
            halted.store(true, Ordering::Relaxed);
        }
        done
    };
    if states < FEW {
        layer.into_iter().try_for_each(work)?;
    } else {
        layer.into_par_iter().try_for_each(work)?;
    }
    Ok(next)
}

/// Data that one thread needs to process a shard.
struct Worker<'a, const N: usize, T: ColoringCount> {
    step: &'a Step,
    colors: T::Colors,
    most_colors: usize,
    next: &'a Layer<N, T>,
    batches: Vec<Vec<(Key<N>, T)>>,
    held: &'a AtomicUsize,
}

impl<const N: usize, T: ColoringCount> Worker<'_, N, T> {
    /// Adds the states that follow from `state`, for every choice of the vertex's color.
    fn expand(&mut self, state: &State, colorings: &T, made: &mut State) -> Result<(), Halt> {
        if state.leave_empty(self.step, made) {
            self.send(made, colorings, Ways::One)?;
        }
        let active = state.sides.len();
        for own in 0..active {
            if state.place(self.step, own, made) {
                self.send(made, colorings, Ways::One)?;
            }
        }
        if active < self.most_colors && state.place(self.step, active, made) {
            self.send(made, colorings, Ways::ColorsBut(active))?;
        }
        Ok(())
    }

    fn send(&mut self, state: &State, colorings: &T, ways: Ways) -> Result<(), Halt> {
        let key = state.encode::<N>(self.step.after).map_err(|_| Halt::Key)?;
        let Some(colorings) = colorings.times(ways, self.colors) else {
            return Ok(());
        };
        let shard = shard_of(BuildHasherDefault::<Folded>::default().hash_one(key));
        let batch = &mut self.batches[shard];
        batch.push((key, colorings));
        if batch.len() >= BATCH {
            self.flush(shard);
        }
        Ok(())
    }

    /// Adds the entries collected for a shard to the next layer.
    fn flush(&mut self, shard: usize) {
        // A poisoned lock can be ignored. Entries are added one by one, so a panicking thread
        // leaves the shard consistent.
        let mut target = self.next[shard]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = target.capacity();
        let mut heap = 0;
        for (key, colorings) in self.batches[shard].drain(..) {
            match target.entry(key) {
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().add(&colorings, Ways::One, self.colors);
                }
                std::collections::hash_map::Entry::Vacant(entry) => {
                    heap += colorings.heap();
                    entry.insert(colorings);
                }
            }
        }
        let grown = target.capacity() - before + heap / size_of::<(Key<N>, T)>();
        self.held.fetch_add(grown, Ordering::Relaxed);
    }
}

/// Returns the shard of a hash. The shard uses middle bits, because the map itself uses the lowest
/// and the highest.
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}

/// Hash that multiplies each word to 128 bits and folds the two halves together. Keys are packed
/// bits, and a weaker hash would lose the upper ones.
#[derive(Clone, Copy, Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(0xd1b5_4a32_d192_ed03_u64);
        self.0 = (wide as u64) ^ (wide >> 64) as u64;
    }

    fn write_usize(&mut self, _: usize) {
        // Arrays have a fixed length, so it adds no information.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
