//! Choice of a move from the result of a search: passing, cleaning up, variety, and resignation.

pub(super) mod clearing;
pub(super) mod decide;
pub(super) mod finished;
pub(super) mod opening;
pub(super) mod resign;
pub(super) mod thrift;
pub(super) mod verdict;
