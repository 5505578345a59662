//! The frontier method: how many colorings of the vertices so far lead to each state, vertex by vertex.
//!
//! After J. Tromp and G. Farnebäck, "Combinatorics of Go" (2007), who counted the positions of rectangles so; here on any
//! graph, for any number of colors. A layer of states lies in shards by hash. Threads empty the shards of one layer and
//! write to those of the next, each under its own lock; sums do not depend on the order, so neither do the answers.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::budget::{Budget, CountError};
use super::cut::Step;
use super::state::{Key, State};
use super::tally::{Tally, Ways};

/// Shards of a layer, a power of two.
const SHARDS: usize = 64;
/// Layers with fewer states are worked off by one thread.
const FEW: usize = 2048;
/// Entries collected before a shard is locked.
const BATCH: usize = 64;

type Layer<const N: usize, T> = Vec<Mutex<Shard<N, T>>>;
type Shard<const N: usize, T> = std::collections::HashMap<Key<N>, T, BuildHasherDefault<Folded>>;

/// Why a layer could not be finished.
#[derive(Debug)]
pub(super) enum Halt {
    /// A state does not fit into a key of this size.
    Key,
    /// The budget is spent.
    Budget(CountError),
}

/// The number of colorings of all vertices of a connected graph in which every chain has a liberty.
pub(super) fn run<const N: usize, T: Tally>(
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
    // Every vertex empty is legal, so there is a last state.
    last.ok_or(Halt::Key)
}

fn lock<const N: usize, T>(shard: &mut Mutex<Shard<N, T>>) -> &mut Shard<N, T> {
    shard.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Says at which vertex the budget was spent.
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

/// The next layer.
fn advance<const N: usize, T: Tally>(
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
        for (done, (key, tally)) in shard.into_iter().enumerate() {
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
            worker.expand(&state, &tally, &mut made)?;
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

/// What one thread needs to work off a shard.
struct Worker<'a, const N: usize, T: Tally> {
    step: &'a Step,
    colors: T::Colors,
    most_colors: usize,
    next: &'a Layer<N, T>,
    batches: Vec<Vec<(Key<N>, T)>>,
    held: &'a AtomicUsize,
}

impl<const N: usize, T: Tally> Worker<'_, N, T> {
    /// Colors the vertex of the step in every way.
    fn expand(&mut self, state: &State, tally: &T, made: &mut State) -> Result<(), Halt> {
        if state.leave_empty(self.step, made) {
            self.send(made, tally, Ways::One)?;
        }
        let active = state.sides.len();
        for own in 0..active {
            if state.place(self.step, own, made) {
                self.send(made, tally, Ways::One)?;
            }
        }
        if active < self.most_colors && state.place(self.step, active, made) {
            self.send(made, tally, Ways::ColorsBut(active))?;
        }
        Ok(())
    }

    fn send(&mut self, state: &State, tally: &T, ways: Ways) -> Result<(), Halt> {
        let key = state.encode::<N>(self.step.after).map_err(|_| Halt::Key)?;
        let Some(tally) = tally.times(ways, self.colors) else {
            return Ok(());
        };
        let shard = shard_of(BuildHasherDefault::<Folded>::default().hash_one(key));
        let batch = &mut self.batches[shard];
        batch.push((key, tally));
        if batch.len() >= BATCH {
            self.flush(shard);
        }
        Ok(())
    }

    /// Hands what was collected for a shard over.
    fn flush(&mut self, shard: usize) {
        // A thread that fails leaves a shard whole: entries are added one by one.
        let mut target = self.next[shard]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = target.capacity();
        let mut heap = 0;
        for (key, tally) in self.batches[shard].drain(..) {
            match target.entry(key) {
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().add(&tally, Ways::One, self.colors);
                }
                std::collections::hash_map::Entry::Vacant(entry) => {
                    heap += tally.heap();
                    entry.insert(tally);
                }
            }
        }
        let grown = target.capacity() - before + heap / size_of::<(Key<N>, T)>();
        self.held.fetch_add(grown, Ordering::Relaxed);
    }
}

/// The shard of a hash. The map itself uses the lowest and the highest bits.
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}

/// Mixes each word by a multiplication to 128 bits whose halves are folded together: keys are packed bits, of which a
/// weaker hash would lose the upper ones.
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
        // The length of an array says nothing.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
