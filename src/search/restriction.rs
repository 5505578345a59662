//! Moves that a search is told to leave out, or to look at alone.

use crate::color::Color;
use crate::vertex::{Move, Vertex};

/// Moves that a search leaves out near its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Whose moves.
    color: Color,
    /// These moves …, each once, ascending.
    moves: Vec<Move>,
    /// … alone are looked at, or are left out.
    only: bool,
    /// In so many plies from the root on.
    depth: usize,
}

impl Restriction {
    /// The moves of a color that are left out, or with `only` those that alone are looked at, in so many plies from the root
    /// on.
    pub fn new(color: Color, mut moves: Vec<Move>, only: bool, depth: usize) -> Restriction {
        moves.sort_unstable();
        moves.dedup();
        Restriction {
            color,
            moves,
            only,
            depth,
        }
    }

    /// Whether it names what alone is looked at.
    pub fn admits_only(&self) -> bool {
        self.only
    }

    /// Whether the move may be looked at, `ply` moves after the root.
    fn admits(&self, color: Color, mv: Move, ply: usize) -> bool {
        color != self.color
            || ply >= self.depth
            || self.moves.binary_search(&mv).is_ok() == self.only
    }
}

/// Takes what the restrictions leave out of the legal placements of `color`, `ply` moves after the root; whether a pass that was
/// possible stays so. Where nothing would be left, everything stays.
pub(super) fn restrict(
    restrictions: &[Restriction],
    color: Color,
    ply: usize,
    legal: &mut Vec<Vertex>,
    pass: bool,
) -> bool {
    if restrictions.is_empty() {
        return pass;
    }
    let admitted = |mv: Move| restrictions.iter().all(|r| r.admits(color, mv, ply));
    let passes = pass && admitted(Move::Pass);
    if passes || legal.iter().any(|&at| admitted(Move::Place(at))) {
        legal.retain(|&at| admitted(Move::Place(at)));
        passes
    } else {
        pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(restrictions: &[Restriction], ply: usize, pass: bool) -> (Vec<usize>, bool) {
        let mut legal: Vec<Vertex> = (0..4).map(Vertex::at).collect();
        let pass = restrict(restrictions, Color::BLACK, ply, &mut legal, pass);
        (legal.into_iter().map(Vertex::index).collect(), pass)
    }

    #[test]
    fn restrictions_hold_for_a_color_and_a_depth() {
        let restriction = |color, moves: &[usize], only| {
            let moves = moves.iter().map(|&v| Move::Place(Vertex::at(v)));
            Restriction::new(color, moves.collect(), only, 2)
        };
        let avoid = restriction(Color::BLACK, &[2, 1, 2], false);
        assert_eq!(
            left(std::slice::from_ref(&avoid), 0, true),
            (vec![0, 3], true)
        );
        assert_eq!(
            left(std::slice::from_ref(&avoid), 2, true),
            (vec![0, 1, 2, 3], true)
        );
        let allow = restriction(Color::BLACK, &[1, 2], true);
        assert_eq!(
            left(std::slice::from_ref(&allow), 1, true),
            (vec![1, 2], false)
        );
        assert_eq!(
            left(&[avoid, allow], 0, true),
            (vec![0, 1, 2, 3], true),
            "nothing left"
        );
        let white = restriction(Color::WHITE, &[0, 1, 2, 3], false);
        assert_eq!(left(&[white], 0, false), (vec![0, 1, 2, 3], false));
    }
}
