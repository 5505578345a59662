//! Growth of the tree: nodes, the threads that visit them, the network, and the limits.
//!
//! [`tree`] has the nodes. `worker` runs one thread, and `rollout` and `backup` finish its visits.
//! `guide`, `evaluated_position`, `leaf_evaluation`, and `blend` use the network, and `cache` keeps
//! its evaluations.
//! `select` chooses moves by the values of `utility`, `moments`, and `reweigh`. `bias` corrects
//! values of the network by observed errors. `symmetry` finds equivalent moves at the root, and
//! `arena` stores the moments. `proof` has the proven results of moves.
//!
//! `agreement` removes dead stones where a line ends. `limits` ends a search, and `watch` reports
//! on it. `restriction` limits the moves of the first plies, and `noise` changes move probabilities
//! at the root. `urgent` finds moves that must be tried there.

pub(super) mod agreement;
mod arena;
pub(super) mod backup;
pub(super) mod bias;
pub(super) mod blend;
pub(super) mod cache;
mod evaluated_position;
pub(super) mod guide;
pub(super) mod leaf_evaluation;
pub(super) mod limits;
pub(super) mod moments;
pub(super) mod noise;
pub mod proof;
pub(super) mod restriction;
pub(super) mod reweigh;
pub(super) mod rollout;
pub(super) mod select;
pub(super) mod symmetry;
pub mod tree;
pub(super) mod urgent;
pub(super) mod utility;
pub(super) mod watch;
pub(super) mod worker;
