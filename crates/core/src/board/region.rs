//! Regions: connected points with something in common, such as empty points.

use super::BareBoard;
use omnigo_base::vertex::Vertex;

/// Collects the region of `start` into `region`, by distance: the points for which `inside` is true
/// and that such points connect with `start`. Marks them in `seen`, which has an entry per point.
///
/// Calls `border` for each other neighbor of the region, once per adjacent point of the region.
/// `start` itself must belong to the region, and the whole region must be unseen.
pub fn flood<B: BareBoard>(
    board: &B,
    start: Vertex,
    region: &mut Vec<Vertex>,
    seen: &mut [bool],
    inside: impl Fn(Vertex) -> bool,
    mut border: impl FnMut(Vertex),
) {
    region.clear();
    region.push(start);
    seen[start.index()] = true;
    let mut next = 0;
    while let Some(&point) = region.get(next) {
        next += 1;
        for near in board.around(point) {
            if !inside(near) {
                border(near);
            } else if !std::mem::replace(&mut seen[near.index()], true) {
                region.push(near);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::grid::{Grid, GridBoard};
    use omnigo_base::color::Color;

    #[test]
    fn a_region_lists_its_points_by_distance_and_its_border_once_per_adjacency() {
        let mut board = GridBoard::new(Grid::new(3, 3).unwrap(), 2).unwrap();
        for at in [4, 8] {
            board.place(Color::BLACK, Vertex::at(at), |_, _| {});
        }
        let (mut region, mut seen) = (Vec::new(), vec![false; 9]);
        let mut border = Vec::new();
        let is_empty = |point| board.at(point).is_none();
        let note = |stone: Vertex| border.push(stone.index());
        flood(
            &board,
            Vertex::at(0),
            &mut region,
            &mut seen,
            is_empty,
            note,
        );
        let steps = |point: &Vertex| point.index() % 3 + point.index() / 3;
        assert!(region.is_sorted_by_key(steps), "{region:?}");
        region.sort_unstable();
        assert_eq!(region, [0, 1, 2, 3, 5, 6, 7].map(Vertex::at));
        border.sort_unstable();
        assert_eq!(border, [4, 4, 4, 4, 8, 8]);
        assert!(!seen[4] && !seen[8] && seen[7]);
    }
}
