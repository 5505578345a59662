//! Passes of several positions at once, shared by the threads of a search.
//!
//! A pass reads all weights. Those of large networks exceed the caches, so reading takes a large
//! part of the time on small boards. One pass for several positions reads them once.
//!
//! Each thread leaves its position and waits. The thread that completes a batch computes it. A
//! batch is complete if it is full, or if no other thread can add a position.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::KataGo;
use super::execute::{Executor, PassInputs, Raw};
use super::inputs::GLOBALS;
use crate::kernels::Kernel;

/// A position that waits for its pass.
#[derive(Debug)]
pub(super) struct Request {
    /// Planes of each point as bits, row by row from the top.
    pub(super) planes: Vec<u32>,
    /// Global inputs.
    pub(super) globals: [f32; GLOBALS],
    /// Inputs of the encoder, if the network has one.
    pub(super) facts: Option<Vec<f32>>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of threads that neither wait nor compute. They may still leave a position.
    active: usize,
    /// Positions that wait, with the numbers of their tickets.
    waiting: Vec<(u64, Request)>,
    /// Outputs that their threads have not yet taken.
    done: Vec<(u64, Raw)>,
    /// Executors at rest.
    idle: Vec<Executor>,
    /// Number of executors that compute now.
    computing: usize,
    /// Number of the next ticket.
    next: u64,
    /// True after a panic in a pass.
    is_broken: bool,
}

/// Passes of several positions at once.
#[derive(Debug)]
pub struct Batches {
    network: Arc<KataGo>,
    kernel: Kernel,
    /// Numbers of columns and rows.
    sides: (usize, usize),
    /// Maximum number of positions of a pass.
    most: usize,
    /// Maximum number of passes at the same time.
    passes: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// Microseconds per position of the latest pass.
    pace: AtomicU64,
}

impl Batches {
    /// Maximum number of positions of a pass. Cells have numbers of 16 bits in tiles, which suffice
    /// for 96 boards of 25x25.
    pub const MOST: usize = 16;

    /// Returns batches of at most `most` positions, at most [`Batches::MOST`], on boards of these
    /// sides. At most `passes` passes run at the same time.
    pub fn new(
        network: Arc<KataGo>,
        kernel: Kernel,
        sides: (usize, usize),
        most: usize,
        passes: usize,
    ) -> Batches {
        Batches {
            network,
            kernel,
            sides,
            most: most.clamp(1, Batches::MOST),
            passes: passes.max(1),
            state: Mutex::default(),
            changed: Condvar::new(),
            pace: AtomicU64::new(0),
        }
    }

    /// Returns the expected duration of a pass with a full batch.
    pub fn expected(&self) -> Duration {
        Duration::from_micros(self.pace.load(Relaxed).saturating_mul(self.most as u64))
    }

    /// Returns the network.
    pub(super) fn network(&self) -> &Arc<KataGo> {
        &self.network
    }

    /// Returns the numbers of columns and rows.
    pub(super) fn sides(&self) -> (usize, usize) {
        self.sides
    }

    /// Returns the kernel.
    pub(super) fn kernel(&self) -> Kernel {
        self.kernel
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent whenever the lock is free.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a thread that will leave positions.
    pub(super) fn join(self: &Arc<Batches>) -> Seat {
        self.lock().active += 1;
        Seat(Arc::clone(self))
    }

    /// Takes the positions of the next pass, and an executor for their boards. `None` while a batch
    /// is incomplete or all executors compute.
    fn take(&self, state: &mut State) -> Option<Pass<'_>> {
        let full = state.waiting.len() >= self.most || state.active == 0;
        if state.waiting.is_empty() || !full || state.computing >= self.passes {
            return None;
        }
        let count = state.waiting.len().min(self.most);
        state.computing += 1;
        Some(Pass {
            batches: self,
            requests: state.waiting.drain(..count).collect(),
            executor: state.idle.pop(),
            raws: Vec::new(),
        })
    }
}

/// A pass of a batch. It returns its executor and its outputs when it ends, also after a panic.
struct Pass<'a> {
    batches: &'a Batches,
    requests: Vec<(u64, Request)>,
    executor: Option<Executor>,
    raws: Vec<Raw>,
}

impl Pass<'_> {
    fn compute(mut self) {
        let plan = &self.batches.network.plan;
        let (width, height) = self.batches.sides;
        let executor = self.executor.take();
        let mut executor =
            executor.unwrap_or_else(|| Executor::new(plan, self.batches.kernel, width, height));
        let requests = self.requests.iter();
        let inputs: Vec<PassInputs<'_>> = requests
            .map(|(_, request)| PassInputs {
                planes: &request.planes,
                globals: &request.globals,
                facts: request.facts.as_deref(),
            })
            .collect();
        let mut raws = vec![Raw::default(); inputs.len()];
        let start = Instant::now();
        executor.pass(plan, &inputs, &mut raws);
        let micros = start.elapsed().as_micros() / raws.len().max(1) as u128;
        let pace = u64::try_from(micros).unwrap_or(u64::MAX);
        self.batches.pace.store(pace, Relaxed);
        self.raws = raws;
        self.executor = Some(executor);
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut state = self.batches.lock();
        state.computing -= 1;
        match self.executor.take() {
            Some(executor) => state.idle.push(executor),
            None => state.is_broken = true,
        }
        // Its threads continue, and they may leave new positions before a further pass begins.
        state.active += self.requests.len();
        let tickets = self.requests.iter().map(|&(ticket, _)| ticket);
        state.done.extend(tickets.zip(self.raws.drain(..)));
        self.batches.changed.notify_all();
    }
}

/// A thread's place at the batches. It leaves when it is dropped.
#[derive(Debug)]
pub(super) struct Seat(Arc<Batches>);

impl Seat {
    /// Returns the outputs for a position. Waits until a pass has computed them.
    ///
    /// # Panics
    /// If a pass of another thread panicked.
    pub(super) fn pass(&self, request: Request) -> Raw {
        let batches = &*self.0;
        let mut state = batches.lock();
        let ticket = state.next;
        state.next += 1;
        state.active -= 1;
        state.waiting.push((ticket, request));
        loop {
            if let Some(at) = state.done.iter().position(|&(done, _)| done == ticket) {
                return state.done.swap_remove(at).1;
            }
            assert!(!state.is_broken, "a pass of another thread panicked");
            state = match batches.take(&mut state) {
                Some(pass) => {
                    drop(state);
                    pass.compute();
                    batches.lock()
                }
                None => {
                    let woken = batches.changed.wait(state);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.active = state.active.saturating_sub(1);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;
    use crate::features::board_reference::Random;
    use crate::katago::inputs::PLANES;
    use crate::katago::sample::Recipe;

    const SIDES: (usize, usize) = (5, 4);

    fn network() -> Arc<KataGo> {
        let file = Recipe::default().write(2);
        Arc::new(KataGo::read(Cursor::new(&file), file.len() as u64).unwrap())
    }

    fn batches(most: usize, passes: usize) -> Arc<Batches> {
        let kernel = Kernel::Portable;
        Arc::new(Batches::new(network(), kernel, SIDES, most, passes))
    }

    fn request(dice: &mut Random) -> Request {
        let points = 0..SIDES.0 * SIDES.1;
        Request {
            planes: points.map(|_| dice.below(1 << PLANES) as u32 | 1).collect(),
            globals: std::array::from_fn(|_| dice.below(200) as f32 / 100.0 - 1.0),
            facts: None,
        }
    }

    fn single(network: &KataGo, request: &Request) -> Raw {
        let mut executor = Executor::new(&network.plan, Kernel::Portable, SIDES.0, SIDES.1);
        let inputs = PassInputs {
            planes: &request.planes,
            globals: &request.globals,
            facts: None,
        };
        let mut raws = [Raw::default()];
        executor.pass(&network.plan, &[inputs], &mut raws);
        let [raw] = raws;
        raw
    }

    #[test]
    fn threads_get_the_outputs_of_their_own_positions() {
        let network = network();
        for (most, passes, threads) in [(1, 1, 3), (3, 1, 3), (3, 2, 6), (4, 2, 5)] {
            let batches = batches(most, passes);
            let seats: Vec<Seat> = (0..threads).map(|_| batches.join()).collect();
            thread::scope(|scope| {
                for (number, seat) in seats.into_iter().enumerate() {
                    let network = &network;
                    scope.spawn(move || {
                        let mut dice = Random::new(number as u64 + 1);
                        // Threads end one after the other. Later batches are not full.
                        for turn in 0..=number {
                            let request = request(&mut dice);
                            let expected = single(network, &request);
                            assert_eq!(seat.pass(request), expected, "{number} {turn}");
                        }
                    });
                }
            });
            let state = batches.lock();
            assert_eq!((state.active, state.computing), (0, 0));
            assert!(state.waiting.is_empty() && state.done.is_empty());
            assert!((1..=passes).contains(&state.idle.len()));
            drop(state);
            assert!(batches.expected() > Duration::ZERO);
        }
    }

    #[test]
    fn positions_wait_for_a_full_batch() {
        let batches = batches(2, 1);
        let seats = [batches.join(), batches.join(), batches.join()];
        let mut dice = Random::new(1);
        let requests: Vec<_> = (0..3).map(|_| request(&mut dice)).collect();
        let mut state = batches.lock();
        for (ticket, request) in requests.into_iter().enumerate() {
            assert!(batches.take(&mut state).is_none());
            state.active -= 1;
            state.waiting.push((ticket as u64, request));
            let Some(pass) = batches.take(&mut state) else {
                assert_eq!(ticket, 0);
                continue;
            };
            drop(state);
            assert_eq!(pass.requests.len(), if ticket == 1 { 2 } else { 1 });
            pass.compute();
            state = batches.lock();
            // The threads of the first batch have not left.
            if ticket == 1 {
                state.active -= 2;
            }
        }
        assert_eq!(state.done.len(), 3);
        drop(state);
        drop(seats);
    }

    #[test]
    fn a_panic_in_a_pass_leaves_no_thread_waiting() {
        let batches = batches(2, 1);
        let seats = [(); 4].map(|()| batches.join());
        thread::scope(|scope| {
            for seat in seats {
                scope.spawn(move || {
                    let mut dice = Random::new(1);
                    let damaged = Request {
                        planes: Vec::new(),
                        ..request(&mut dice)
                    };
                    let found = catch_unwind(AssertUnwindSafe(|| seat.pass(damaged)));
                    assert!(found.is_err());
                });
            }
        });
        assert!(batches.lock().is_broken);
    }
}
