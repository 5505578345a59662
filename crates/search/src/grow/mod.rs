//! Growth of the tree: nodes, the threads that visit them, the network, and the limits.
//!
//! [`tree`] has the nodes, `worker` one thread, and `rollout` and `backup` the end of its visit.
//! `guide`, `leaf_evaluation`, and `blend` use the network, `select` chooses moves by it, and
//! `utility`, `moments`, and `reweigh` have the values that it selects by. `bias` corrects them by
//! observed errors, and `symmetry` finds equivalent moves at the root. `cache` keeps evaluations of
//! the network, and `arena` stores the moments.
//!
//! `agreement` removes dead stones where a line ends. `limits` ends a search, and `watch` reports
//! on it. `restriction` and `noise` change the moves at the root. `scout` proposes moves there, and
//! `urgent` finds moves that must be tried.

pub(super) mod agreement;
mod arena;
pub(super) mod backup;
pub(super) mod bias;
pub(super) mod blend;
pub(super) mod cache;
pub(super) mod guide;
pub(super) mod leaf_evaluation;
pub(super) mod limits;
pub(super) mod moments;
pub(super) mod noise;
pub(super) mod restriction;
pub(super) mod reweigh;
pub(super) mod rollout;
pub(super) mod scout;
pub(super) mod select;
pub(super) mod symmetry;
pub mod tree;
pub(super) mod urgent;
pub(super) mod utility;
pub(super) mod watch;
pub(super) mod worker;
