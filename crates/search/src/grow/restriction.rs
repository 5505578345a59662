//! Restrictions on a search: moves to leave out, or the only moves to search.

use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};

/// Restriction on the moves of one color near the root of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Color whose moves are restricted.
    color: Color,
    /// The listed moves, each once, in ascending order.
    moves: Vec<Move>,
    /// True if only the listed moves are searched; false if they are left out.
    only: bool,
    /// Number of plies, from the root on, in which the restriction applies.
    depth: usize,
}

impl Restriction {
    /// Creates a restriction for the first `depth` plies from the root. If `only` is true, the
    /// listed moves are the only moves of `color` to search; otherwise they are left out.
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

    /// Returns true if only the listed moves are searched.
    pub fn admits_only(&self) -> bool {
        self.only
    }

    /// Returns true if restrictions can hold together: one list of the only moves to search, or any
    /// number of lists of moves to leave out.
    pub fn fit_together(restrictions: &[Restriction]) -> bool {
        restrictions.len() < 2 || !restrictions.iter().any(Restriction::admits_only)
    }

    /// Returns true if restrictions exclude all legal moves of `color` at the root. A search
    /// ignores them there.
    pub fn exclude_all(restrictions: &[Restriction], color: Color, legal: &[Move]) -> bool {
        let admitted = |&mv: &Move| restrictions.iter().all(|r| r.admits(color, mv, 0));
        !legal.is_empty() && !legal.iter().any(admitted)
    }

    /// Returns true if the search may try the move `ply` moves after the root.
    fn admits(&self, color: Color, mv: Move, ply: usize) -> bool {
        color != self.color
            || ply >= self.depth
            || self.moves.binary_search(&mv).is_ok() == self.only
    }
}

/// Removes the placements of `color` from `legal` that the restrictions exclude `ply` moves after
/// the root. `pass` is true if a pass is legal. Returns true if passing stays allowed. If the
/// restrictions exclude every move, they are ignored.
pub(crate) fn restrict(
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

    #[test]
    fn one_list_of_only_moves_stands_alone() {
        let list = |only| Restriction::new(Color::BLACK, vec![Move::Pass], only, 1);
        assert!(Restriction::fit_together(&[]));
        assert!(Restriction::fit_together(&[list(true)]));
        assert!(Restriction::fit_together(&[list(false), list(false)]));
        assert!(!Restriction::fit_together(&[list(true), list(true)]));
        assert!(!Restriction::fit_together(&[list(false), list(true)]));
        let place = Move::Place(Vertex::at(0));
        let excluded =
            |only, legal: &[Move]| Restriction::exclude_all(&[list(only)], Color::BLACK, legal);
        assert!(excluded(true, &[place]) && !excluded(true, &[place, Move::Pass]));
        assert!(excluded(false, &[Move::Pass]) && !excluded(false, &[]));
    }
}
