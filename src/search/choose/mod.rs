//! Choice of a move from the result of a search: passing, cleaning up, variety, resignation, and the
//! status of the chains at the end.

pub(super) mod clearing;
pub(super) mod decide;
pub(super) mod finished;
pub(super) mod opening;
pub(super) mod resign;
pub(super) mod status;
pub(super) mod thrift;
pub(super) mod verdict;
