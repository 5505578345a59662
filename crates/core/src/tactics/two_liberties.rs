//! A quick estimate of the liberties after a placement.

use crate::board::Chains;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Returns true if a stone of `color` at `at` would belong to a chain with at least two liberties.
/// May miss liberties gained by captures: of captured stones, only those adjacent to `at` count.
#[inline]
pub fn has_two_liberties_after<B: Chains>(board: &B, color: Color, at: Vertex) -> bool {
    let mut first = None;
    let mut gains = |liberty: Vertex| {
        if liberty != at {
            match first {
                None => first = Some(liberty),
                Some(found) => return found != liberty,
            }
        }
        false
    };
    for near in board.around(at) {
        match board.at(near) {
            None => {
                if gains(near) {
                    return true;
                }
            }
            Some(other) if other == color => {
                let mut found = [Vertex::NONE; 8];
                let count = board.liberties(near, 3, &mut found);
                for &liberty in &found[..count] {
                    if gains(liberty) {
                        return true;
                    }
                }
            }
            Some(_) => {
                if board.sole_liberty(near) == Some(at) && gains(near) {
                    return true;
                }
            }
        }
    }
    false
}
