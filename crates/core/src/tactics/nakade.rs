//! *Nakade*: killing a group by a move inside its eye. The code uses only chains and liberties, so
//! it works on every graph.

use crate::board::Chains;
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// Maximum number of points of an eye that one placement can keep from becoming two eyes.
const MOST: usize = 6;

/// A small set of connected points.
struct EyeShape {
    points: [Vertex; MOST],
    count: usize,
}

impl EyeShape {
    fn of(point: Vertex) -> EyeShape {
        let mut points = [Vertex::NONE; MOST];
        points[0] = point;
        EyeShape { points, count: 1 }
    }

    fn points(&self) -> &[Vertex] {
        &self.points[..self.count]
    }

    /// Adds a point unless it is already present. Returns `false` if the shape is full.
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

    /// Returns the vital point of this eye, or `None` if it has none. There the owner makes two
    /// eyes, or the opponent keeps it a single eye. The vital point is the one with the most
    /// neighbors in the shape.
    ///
    /// On a square lattice, these shapes have one: three points, the pyramid four, the bulky five,
    /// the crossed five, and the rabbity six. So does the square four, which is one eye whichever
    /// side plays first.
    fn vital<B: Chains>(&self, board: &B) -> Option<Vertex> {
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

/// Returns true if a stone of `color` on the vacant vertex `at` is a nakade in an eye of another
/// color. Callers ask this for a stone that leaves its own chain in atari.
///
/// The stone and the own chains next to it must form a shape that stays a single eye after its
/// capture. The chains around the eye must have exactly two liberties, one of them `at`. Always
/// false with more than two colors, because the owner of the eye is then not the only one to
/// capture the stones in it.
pub(crate) fn is_nakade<B: Chains>(board: &B, color: Color, at: Vertex) -> bool {
    // The test that rejects most candidates comes first, because playouts call this often.
    if board.colors() > 2 || !is_enclosed(board, color, at, at) {
        return false;
    }
    let mut shape = EyeShape::of(at);
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

/// Returns true if every chain of another color next to `point` has exactly two liberties, one of
/// them `at`.
fn is_enclosed<B: Chains>(board: &B, color: Color, point: Vertex, at: Vertex) -> bool {
    let mut found = [Vertex::NONE; 8];
    board.around(point).all(|near| {
        board.at(near).is_none_or(|other| other == color)
            || (board.liberties(near, 3, &mut found) == 2 && found[..2].contains(&at))
    })
}

/// Returns the vital point of an eye of three to six points next to the stone at `last`, owned by
/// that stone's color. Returns `None` if there is no such eye or with more than two colors.
pub(crate) fn vital_point<B: Chains>(board: &B, last: Vertex) -> Option<Vertex> {
    let owner = board.at(last).filter(|_| board.colors() == 2)?;
    let start = board.around(last).find(|&near| board.at(near).is_none())?;
    let mut shape = EyeShape::of(start);
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

    /// Returns true if Black fills White's eye at the point of this index. Checks both boards.
    #[track_caller]
    fn fills(rows: [&str; 4], at: usize) -> bool {
        let (grid, graph) = both(&rows);
        let found = is_nakade(&grid, Color::BLACK, Vertex::at(at));
        assert_eq!(
            found,
            is_nakade(&graph, Color::BLACK, Vertex::at(at)),
            "{rows:?}"
        );
        found
    }

    #[test]
    fn fills_eyes_only_with_nakade_shapes() {
        assert!(fills(["OOOOX", "OX.OX", "OX.OX", "OOOOX"], 7));
        assert!(fills(["OOOOX", "OX.OX", "OX.OX", "OOOOX"], 12));
        // White has a liberty elsewhere, so the nakade is not urgent yet.
        assert!(!fills(["OOOO.", "OX.OX", "OX.OX", "OOOOX"], 7));
        assert!(fills(["XXXXX", "OOOOO", ".XX.O", "OOOOO"], 5));
        // A row of four becomes two eyes when it is captured.
        assert!(!fills(["XXXXXX", "OOOOOO", "XXX..O", "OOOOOO"], 9));
        // So do seven stones in any shape.
        assert!(!fills(["OOOOOO", "OXXX.O", "OXXX.O", "OOOOOO"], 10));
        // There is no opposing stone.
        assert!(!fills([".", "X", "X", "."], 3));
    }

    /// Returns the vital point of White's eye. White's stones fill the rest of the board.
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
            // Two points are a single eye anyway.
            &["OOOO", "O..O", "OOOO"],
            &["OOOOOO", "O....O", "OOOOOO"],
            &["OOOOO", "O...O", "O.OOO", "OOOOO"],
            &["OOOOO", "O...O", "O...O", "OOOOO"],
            &["OOOOO", "O...O", "O...O", "O.OOO", "OOOOO"],
            // The eye is not surrounded by White alone.
            &["OOOOO", "O...O", "OOXOO"],
        ];
        for rows in others {
            assert_eq!(vital(rows), None, "{rows:?}");
        }
    }
}
