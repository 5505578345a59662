//! Choice of a move from the result of a search.
//!
//! `decide` chooses the move of a `search_result`, by visits or by the bounds of `confidence`.
//! `dead_stone_removal`, `territory_moves`, and `finished` decide when to capture dead stones and
//! when to pass. `status` judges the chains at the end. `opening` varies the first moves, `stage`
//! tells the opening from later moves, and `resign` gives up.

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
