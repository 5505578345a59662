//! The komi gadget of General Graph Go.

use super::sizes::sizes;
use super::{Family, basic};
use crate::model::board_parts::BoardParts;
use omnigo_base::color::Color;

pub(super) const FAMILIES: &[Family] = &[Family::row(
    "komipath",
    "N",
    "Komi gadget: N vertices in a row, with both ends empty and white stones between them.",
    |family, text| sizes(family, text, 2, basic::path_size, komipath),
)];

/// Builds a path with both ends empty and white stones between them. Two vertices have no stone.
fn komipath([n]: [usize; 1]) -> BoardParts {
    let start = (0..n)
        .map(|v| (v > 0 && v + 1 < n).then_some(Color::WHITE))
        .collect();
    BoardParts {
        start,
        ..basic::path([n])
    }
}
