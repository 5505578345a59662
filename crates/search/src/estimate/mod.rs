//! Estimates of a position: status of stones, ownership, score leads, dynamic komi, and the
//! difference in strength of handicap games.

pub(super) mod advantage;
pub(super) mod certain_points;
pub(super) mod enclosure;
pub(super) mod handicap;
pub(super) mod judge;
pub(super) mod ownership;
pub(super) mod results;
pub(super) mod root_record;
