//! Prefetching of weights. Those of large networks exceed the caches.

use super::even_blocks::EvenBlocks;
use super::vector::Vector;
use crate::layer::BLOCK;

/// Weights that a block of points or tiles prefetches while it uses earlier ones.
///
/// All blocks use the same weights and then need the next ones, so each prefetches an equal part of
/// those, in the order of memory. If the first block prefetched all, it would wait for memory, and
/// memory would be idle during the others. Reading every second cache line is half as fast as the
/// order of memory.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<T> {
    /// Next weights of the part of this block.
    weights: *const T,
    /// Next step at which it prefetches.
    step: usize,
    /// Number of blocks, and so of steps from one prefetching to the next.
    blocks: usize,
}

impl<T> Ahead<T> {
    /// Returns the part of a block that computes the outputs from `channel` on. `weights` are those
    /// of a layer or pair of interpolation points: for each [`BLOCK`] of outputs, a row per step.
    /// The vectors of a block of outputs share the weights of the next one. After the last block of
    /// a pair of interpolation points, those are weights of the next pair.
    #[inline(always)]
    pub(crate) fn new<V: Vector>(
        weights: *const T,
        channel: usize,
        steps: usize,
        blocks: EvenBlocks,
        block: usize,
    ) -> Ahead<T> {
        let next = (channel / BLOCK + 1) * BLOCK * steps;
        let start = next + channel % BLOCK * steps;
        let part = steps.div_ceil(blocks.count) * 2 * V::FLOATS;
        Ahead {
            weights: weights.wrapping_add(start + block * part),
            step: 0,
            blocks: blocks.count,
        }
    }

    /// Prefetches the next two vectors of the part, if this step is one for that. The steps must
    /// count up from 0.
    ///
    /// # Safety
    /// The machine must have the vectors `V`.
    #[inline(always)]
    pub(crate) unsafe fn prefetch<V: Vector>(&mut self, step: usize) {
        if let Some(weights) = self.next::<V>(step) {
            // SAFETY: by this function's contract, the machine has the vectors. Any address may be
            // prefetched.
            unsafe {
                V::prefetch(weights);
                // A cache line holds two vectors of 8 floats or one of 16.
                if V::FLOATS == 16 {
                    V::prefetch(weights.wrapping_add(V::FLOATS));
                }
            }
        }
    }

    /// Returns the weights to prefetch at a step.
    #[inline(always)]
    fn next<V: Vector>(&mut self, step: usize) -> Option<*const T> {
        (step == self.step).then(|| {
            let weights = self.weights;
            self.step += self.blocks;
            self.weights = weights.wrapping_add(2 * V::FLOATS);
            weights
        })
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::arch::x86_64::{__m256, __m512};

    use super::*;

    /// Checks that blocks of tiles prefetch all weights of the second block of outputs once while
    /// they use those of the first.
    fn check<V: Vector>(count: usize, steps: usize) {
        let blocks = EvenBlocks::new(count, 1);
        let (start, lanes) = (std::ptr::null::<u32>(), 2 * V::FLOATS);
        let place = |at: *const u32| at.addr() / size_of::<u32>();
        for channel in (0..BLOCK).step_by(lanes) {
            let mut found = Vec::new();
            for block in 0..count {
                let mut ahead = Ahead::new::<V>(start, channel, steps, blocks, block);
                found.extend(
                    (0..steps)
                        .filter_map(|step| ahead.next::<V>(step))
                        .map(place),
                );
            }
            // The parts are equal, so the last one may exceed the weights.
            let first = (BLOCK + channel) * steps;
            let expected = (0..steps.next_multiple_of(count)).map(|i| first + i * lanes);
            assert!(expected.eq(found), "{count} blocks, {steps} steps");
        }
    }

    #[test]
    fn blocks_prefetch_all_weights_in_the_order_of_memory() {
        for count in 1..=9 {
            for steps in 1..=40 {
                check::<__m256>(count, steps);
                check::<__m512>(count, steps);
            }
        }
    }
}
