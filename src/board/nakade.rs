//! *Nakade*: killing a group from within its eye, in terms of chains and liberties alone, so that it holds on every graph.

use super::Board;
use crate::color::Color;
use crate::vertex::Vertex;

/// The most points of an eye that one placement can keep from becoming two.
const MOST: usize = 6;

/// A few points that lie together.
struct Shape {
    points: [Vertex; MOST],
    count: usize,
}

impl Shape {
    fn of(point: Vertex) -> Shape {
        let mut points = [Vertex::NONE; MOST];
        points[0] = point;
        Shape { points, count: 1 }
    }

    fn points(&self) -> &[Vertex] {
        &self.points[..self.count]
    }

    /// Adds a point that is not there yet; `false` if there is no room for it.
    fn add(&mut self, point: Vertex) -> bool {
        if self.points().contains(&point) {
            return true;
        }
        let room = self.count < MOST;
        if room {
            self.points[self.count] = point;
            self.count += 1;
        }
        room
    }

    /// The point that makes two eyes of this one, or keeps it one: where there is such a point, the one that most others of the
    /// shape lie next to. On a square lattice: three points, the pyramid of four, the bulky and the crossed five, the rabbity six; and
    /// the square of four, which is one eye whoever plays.
    fn vital<B: Board>(&self, board: &B) -> Option<Vertex> {
        let within = |&point: &Vertex| {
            let near = board.around(point);
            near.filter(|near| self.points().contains(near)).count()
        };
        let (mut sum, mut best) = (0, (0, Vertex::NONE));
        for point in self.points() {
            let degree = within(point);
            sum += degree;
            if degree > best.0 {
                best = (degree, *point);
            }
        }
        let (edges, degree) = (sum / 2, best.0);
        let one_eye = match self.count {
            0..=3 => true,
            4 => degree == 3 || edges == 4,
            5 => degree == 4 || (degree == 3 && edges == 5),
            _ => degree == 4 && edges == 6,
        };
        (one_eye && degree > 0).then_some(best.1)
    }
}

/// Whether a stone of `color` on the vacant vertex `at`, which leaves a chain of its own in atari, fills an eye of another color
/// with a shape that stays one eye when it is taken, and leaves what is around that eye no other liberty. Never among more than
/// two colors: there the stones in the eye are not left to its owner.
pub(crate) fn fills_an_eye<B: Board>(board: &B, color: Color, at: Vertex) -> bool {
    // What tells most of the others apart comes first: playouts ask this often.
    if board.colors() > 2 || !is_enclosed(board, color, at, at) {
        return false;
    }
    let mut shape = Shape::of(at);
    for near in board.around(at) {
        if board.at(near) == Some(color) && !shape.points().contains(&near) {
            if shape.count + board.chain_size(near) > MOST {
                return false;
            }
            board.for_chain(near, |stone| {
                shape.add(stone);
            });
        }
    }
    let stones = shape.points();
    let strange = |near: Vertex| board.at(near).is_some_and(|other| other != color);
    shape.vital(board).is_some()
        && stones.iter().any(|&stone| board.around(stone).any(strange))
        && stones[1..]
            .iter()
            .all(|&stone| is_enclosed(board, color, stone, at))
}

/// Whether chains of other colors next to `point` have one more liberty than `at`, and no others.
fn is_enclosed<B: Board>(board: &B, color: Color, point: Vertex, at: Vertex) -> bool {
    let mut found = [Vertex::NONE; 8];
    board.around(point).all(|near| {
        board.at(near).is_none_or(|other| other == color)
            || (board.liberties(near, 3, &mut found) == 2 && found[..2].contains(&at))
    })
}

/// The vital point of an eye of three to six points of the color of the stone at `last`, which lies next to it. Among more
/// than two colors there is none.
pub(crate) fn vital_point<B: Board>(board: &B, last: Vertex) -> Option<Vertex> {
    let owner = board.at(last).filter(|_| board.colors() == 2)?;
    let start = board.around(last).find(|&near| board.at(near).is_none())?;
    let mut shape = Shape::of(start);
    let mut next = 0;
    while next < shape.count {
        for near in board.around(shape.points[next]) {
            match board.at(near) {
                Some(other) if other != owner => return None,
                Some(_) => {}
                None if !shape.add(near) => return None,
                None => {}
            }
        }
        next += 1;
    }
    if shape.count < 3 {
        return None;
    }
    shape.vital(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::both;

    /// Whether Black fills White's eye at the point of this index, on both boards.
    #[track_caller]
    fn fills(rows: [&str; 4], at: usize) -> bool {
        let (grid, graph) = both(&rows);
        let found = fills_an_eye(&grid, Color::BLACK, Vertex::at(at));
        assert_eq!(
            found,
            fills_an_eye(&graph, Color::BLACK, Vertex::at(at)),
            "{rows:?}"
        );
        found
    }

    #[test]
    fn eyes_are_filled_with_shapes_that_stay_one() {
        assert!(fills(["OOOOX", "OX.OX", "OX.OX", "OOOOX"], 7));
        assert!(fills(["OOOOX", "OX.OX", "OX.OX", "OOOOX"], 12));
        // White has a liberty elsewhere: first things first.
        assert!(!fills(["OOOO.", "OX.OX", "OX.OX", "OOOOX"], 7));
        assert!(fills(["XXXXX", "OOOOO", ".XX.O", "OOOOO"], 5));
        // Four in a row become two eyes when they are taken.
        assert!(!fills(["XXXXXX", "OOOOOO", "XXX..O", "OOOOOO"], 9));
        // So do seven stones, however they lie.
        assert!(!fills(["OOOOOO", "OXXX.O", "OXXX.O", "OOOOOO"], 10));
        // Nobody else is there.
        assert!(!fills([".", "X", "X", "."], 3));
    }

    /// The vital point of White's eye, by the rows of a board that White fills but for it.
    #[track_caller]
    fn vital(rows: &[&str]) -> Option<usize> {
        let find = |board: &dyn Fn(Vertex) -> Option<Vertex>| {
            let found = (0..rows.len() * rows[0].len()).map(|i| board(Vertex::at(i)));
            found.flatten().next().map(Vertex::index)
        };
        let (grid, graph) = both(rows);
        let found = find(&|last| vital_point(&grid, last));
        assert_eq!(found, find(&|last| vital_point(&graph, last)), "{rows:?}");
        found
    }

    #[test]
    fn eyes_have_their_vital_points() {
        let one_eye: [(&[&str], usize); 6] = [
            (&["OOOOO", "O...O", "OOOOO"], 7),
            (&["OOOO", "O.OO", "O..O", "OOOO"], 5),
            (&["OOOOO", "O...O", "OO.OO", "OOOOO"], 12),
            (&["OOOOO", "O...O", "O..OO", "OOOOO"], 12),
            (&["OOOOO", "OO.OO", "O...O", "OO.OO", "OOOOO"], 12),
            (&["OOOOO", "OO.OO", "O...O", "O..OO", "OOOOO"], 12),
        ];
        for (rows, at) in one_eye {
            assert_eq!(vital(rows), Some(at), "{rows:?}");
        }
        assert!(vital(&["OOOO", "O..O", "O..O", "OOOO"]).is_some());
        let others: [&[&str]; 6] = [
            // Two points are one eye anyway.
            &["OOOO", "O..O", "OOOO"],
            &["OOOOOO", "O....O", "OOOOOO"],
            &["OOOOO", "O...O", "O.OOO", "OOOOO"],
            &["OOOOO", "O...O", "O...O", "OOOOO"],
            &["OOOOO", "O...O", "O...O", "O.OOO", "OOOOO"],
            // Not White's alone.
            &["OOOOO", "O...O", "OOXOO"],
        ];
        for rows in others {
            assert_eq!(vital(rows), None, "{rows:?}");
        }
    }
}
