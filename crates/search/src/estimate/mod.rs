//! Estimates of a position from playouts: status of stones, ownership, and score leads.

pub(super) mod certain_points;
pub(super) mod enclosure;
pub(super) mod handicap;
pub(super) mod judge;
pub(super) mod margins;
pub(super) mod ownership;
pub(super) mod results;
