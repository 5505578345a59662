//! Choice of a move from the result of a search: passing, cleaning up, variety, and resignation.
//! `status` has the status of the chains at the end.

pub(super) mod confidence;
pub(super) mod dead_stone_removal;
pub(super) mod decide;
pub(super) mod finished;
pub(super) mod opening;
pub(super) mod resign;
pub(super) mod search_result;
pub(super) mod stage;
pub(super) mod status;
pub(super) mod territory_moves;
