//! The komi gadget of General Graph Go.

use super::basic;
use crate::color::Color;
use crate::graph::part::Part;

/// A path with both ends empty and white stones between; two vertices hold no stone.
pub(super) fn komipath([n]: [usize; 1]) -> Part {
    let start = (0..n)
        .map(|v| (v > 0 && v + 1 < n).then_some(Color::WHITE))
        .collect();
    Part {
        start,
        ..basic::path([n])
    }
}
