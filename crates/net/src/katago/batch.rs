//! Passes of several positions at once, shared by the threads of a search.
//!
//! A pass reads all weights. Those of large networks exceed the caches, so reading takes a large
//! part of the time on small boards. One pass for several positions reads them once.
//!
//! Each thread leaves its position and waits. The thread that completes a batch computes it. A
//! batch is complete if it is full, or if no other thread can add a position.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::KataGo;
use super::execute::{Executor, PassInputs, Raw};
use super::inputs::GLOBALS;
use crate::kernels::Kernel;

/// A position that waits for its pass.
#[derive(Debug)]
pub(super) struct Request {
    /// Numbers of columns and rows.
    pub(super) sides: [usize; 2],
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
    /// Executors at rest, with the sides of their boards.
    idle: Vec<([usize; 2], Executor)>,
    /// Number of executors that compute now.
    computing: usize,
    /// Number of the next ticket.
    next: u64,
    /// True after a panic in a pass. Then all outputs are empty.
    is_broken: bool,
}

/// Passes of several positions at once.
#[derive(Debug)]
pub struct Batches {
    network: Arc<KataGo>,
    kernel: Kernel,
    /// Maximum number of positions of a pass.
    most: usize,
    /// Maximum number of passes at the same time.
    passes: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Batches {
    /// Returns batches of at most `most` positions. At most `passes` passes run at the same time.
    pub fn new(network: Arc<KataGo>, kernel: Kernel, most: usize, passes: usize) -> Batches {
        Batches {
            network,
            kernel,
            most: most.max(1),
            passes: passes.max(1),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Returns the network.
    pub(super) fn network(&self) -> &Arc<KataGo> {
        &self.network
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
        let (_, first) = state.waiting.first()?;
        if !full || state.computing >= self.passes {
            return None;
        }
        let sides = first.sides;
        let mut requests = Vec::with_capacity(self.most);
        let mut at = 0;
        while at < state.waiting.len() && requests.len() < self.most {
            // Positions in other symmetries of a rectangle need boards with other sides.
            match state.waiting[at].1.sides == sides {
                true => requests.push(state.waiting.remove(at)),
                false => at += 1,
            }
        }
        let known = state.idle.iter().position(|(found, _)| *found == sides);
        let executor = known.map(|at| state.idle.swap_remove(at).1);
        state.computing += 1;
        Some(Pass {
            batches: self,
            sides,
            requests,
            executor,
            raws: Vec::new(),
        })
    }
}

/// A pass of a batch. It returns its executor and its outputs when it ends, also after a panic.
struct Pass<'a> {
    batches: &'a Batches,
    sides: [usize; 2],
    requests: Vec<(u64, Request)>,
    executor: Option<Executor>,
    raws: Vec<Raw>,
}

impl Pass<'_> {
    fn compute(mut self) {
        let plan = &self.batches.network.plan;
        let [width, height] = self.sides;
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
        executor.pass(plan, &inputs, &mut raws);
        self.raws = raws;
        self.executor = Some(executor);
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let mut state = self.batches.lock();
        state.computing -= 1;
        match self.executor.take() {
            Some(executor) => state.idle.push((self.sides, executor)),
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
            if state.is_broken {
                let waits = |&(waiting, _): &(u64, Request)| waiting == ticket;
                if let Some(at) = state.waiting.iter().position(waits) {
                    state.waiting.swap_remove(at);
                    state.active += 1;
                }
                return Raw::default();
            }
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

    fn network() -> Arc<KataGo> {
        let file = Recipe::default().write(2);
        Arc::new(KataGo::read(Cursor::new(&file), file.len() as u64).unwrap())
    }

    fn request(dice: &mut Random, sides: [usize; 2]) -> Request {
        let points = 0..sides[0] * sides[1];
        Request {
            sides,
            planes: points.map(|_| dice.below(1 << PLANES) as u32 | 1).collect(),
            globals: std::array::from_fn(|_| dice.below(200) as f32 / 100.0 - 1.0),
            facts: None,
        }
    }

    fn single(network: &KataGo, request: &Request) -> Raw {
        let [width, height] = request.sides;
        let mut executor = Executor::new(&network.plan, Kernel::Portable, width, height);
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
            let batches = Batches::new(Arc::clone(&network), Kernel::Portable, most, passes);
            let batches = Arc::new(batches);
            let seats: Vec<Seat> = (0..threads).map(|_| batches.join()).collect();
            thread::scope(|scope| {
                for (number, seat) in seats.into_iter().enumerate() {
                    let network = &network;
                    scope.spawn(move || {
                        let mut dice = Random::new(number as u64 + 1);
                        // Threads end one after the other. Later batches are not full.
                        for turn in 0..=number {
                            let sides = if turn % 2 == 0 { [5, 4] } else { [4, 5] };
                            let request = request(&mut dice, sides);
                            let expected = single(network, &request);
                            assert_eq!(seat.pass(request), expected, "{number} {turn}");
                        }
                    });
                }
            });
            let state = batches.lock();
            assert_eq!((state.active, state.computing), (0, 0));
            assert!(state.waiting.is_empty() && state.done.is_empty());
            // One for each orientation and pass at the same time.
            assert!(state.idle.len() <= 2 * passes);
        }
    }

    #[test]
    fn positions_wait_for_a_full_batch() {
        let batches = Arc::new(Batches::new(network(), Kernel::Portable, 2, 1));
        let seats = [batches.join(), batches.join(), batches.join()];
        let mut dice = Random::new(1);
        let requests: Vec<_> = (0..3).map(|_| request(&mut dice, [3, 3])).collect();
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
        let batches = Arc::new(Batches::new(network(), Kernel::Portable, 2, 1));
        let seats = [(); 4].map(|()| batches.join());
        let results: Vec<bool> = thread::scope(|scope| {
            let threads = seats.map(|seat| {
                scope.spawn(move || {
                    let mut dice = Random::new(1);
                    let damaged = Request {
                        planes: Vec::new(),
                        ..request(&mut dice, [5, 5])
                    };
                    let found = catch_unwind(AssertUnwindSafe(|| seat.pass(damaged)));
                    found.is_ok_and(|raw| raw == Raw::default())
                })
            });
            threads.into_iter().map(|one| one.join().unwrap()).collect()
        });
        // The thread that computed the first batch panicked. The others got empty outputs.
        assert_eq!(results.iter().filter(|&&is_empty| is_empty).count(), 3);
    }
}
