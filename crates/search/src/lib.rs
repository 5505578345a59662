//! Monte-Carlo tree search on any board, with RAVE or guided by a network.
//!
//! Without a network, each visit descends the tree by [`tree::Node::urgency`] and plays the
//! position to its end. It adds the result to the moves of its path and to the all-moves-as-first
//! statistics (Gelly and Silver 2007). With a network, moves are selected by PUCT, and the network
//! evaluates leaves.
//!
//! Threads share the tree (Chaslot et al. 2008), and virtual losses spread them over
//! it.
//!
//! One thread with a seed, a playout limit, and no network finds the same moves on every machine.
//! Its arithmetic uses only additions, multiplications, and divisions of IEEE floats. With a
//! network, the moves are the same on machines that compute it by the same kernel.

mod choose;
mod estimate;
mod grow;
mod parameters;
mod raw;
mod request;
mod searcher;

pub use choose::decide::{Choice, decide, list_best_pass_first};
pub use choose::finished::settled_ownership;
pub use choose::opening::{Variety, vary};
pub use choose::resign::{LostTurns, is_lost};
pub use choose::search_result::{Candidate, SearchResult};
pub use choose::status::{ANSWERED_IN, agreed_status};
pub use estimate::judge::{
    JudgedChain, MAX_JUDGE_TIME, Status, judge, judge_by, sample, sample_by,
};
pub use estimate::ownership::Ownership;
pub use estimate::root_record::Lead;
pub use grow::blend::playout_percent;
pub use grow::guide::Guidance;
pub use grow::limits::Limits;
pub use grow::noise::Noise;
pub use grow::restriction::Restriction;
pub use grow::tree;
pub use grow::watch::Watch;
pub use parameters::{ExploresBy, Parameter, Parameters};
pub use raw::{NoOutput, RawOutput, raw_output};
pub use request::{SearchRequest, Settings};
pub use searcher::Searcher;
