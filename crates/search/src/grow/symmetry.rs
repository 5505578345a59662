//! Moves at the root that the symmetries of the position map to each other.
//!
//! Networks guide searches on rectangles alone, so the symmetries are those of a rectangle. The
//! earlier positions of a game are hardly ever symmetric. As in KataGo, they count only if one of
//! them forbids a move now.

use super::restriction::{Restriction, restrict};
use omnigo_base::color::Color;
use omnigo_base::symmetry::{AXES, SYMMETRIES, turned};
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::{Game, Line};
use omnigo_core::rules::Suicide;

/// Moves that need no search, because each is equivalent to another one.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// The moves in index order.
    moves: Vec<Vertex>,
}

impl Twins {
    /// Returns all but one of the equivalent moves of `to_move`, among those that the restrictions
    /// admit.
    pub(crate) fn at_root<B: Board>(
        game: &Game<B>,
        to_move: Color,
        restrictions: &[Restriction],
    ) -> Twins {
        let line = Line::new(game, to_move);
        let mut moves: Vec<Vertex> = line.placements().collect();
        let pass = line.can_pass() && game.rules().allows_pass(!moves.is_empty());
        restrict(restrictions, to_move, 0, &mut moves, pass);
        Twins::of(&line, &moves)
    }

    /// Returns all but one of the equivalent moves in the position of the line. `moves` are the
    /// placements to search. Empty if ko or superko forbids a placement.
    ///
    /// Like KataGo, keeps the move that people play first: Black's upper right, White's lower left.
    fn of<B: Board>(line: &Line<'_, B>, moves: &[Vertex]) -> Twins {
        let board = line.board();
        let Some((width, height)) = board.rectangle() else {
            return Twins::default();
        };
        if repeats(line) {
            return Twins::default();
        }
        let sides = [width, height];
        let mut symmetries: Vec<usize> = (1..SYMMETRIES).collect();
        symmetries.retain(|&symmetry| {
            let is_shape = symmetry & AXES == 0 || width == height;
            let mut points = (0..width * height).map(Vertex::at);
            is_shape && points.all(|at| board.at(at) == board.at(image(at, sides, symmetry)))
        });
        let mut ordered = moves.to_vec();
        ordered.sort_unstable_by_key(|at| (at.index() % width, at.index() / width));
        if line.to_move() == Color::BLACK {
            ordered.reverse();
        }
        let mut is_twin = vec![false; width * height];
        for at in ordered {
            if is_twin[at.index()] {
                continue;
            }
            for &symmetry in &symmetries {
                let other = image(at, sides, symmetry);
                is_twin[other.index()] |= other != at;
            }
        }
        let mut twins = moves.to_vec();
        twins.sort_unstable();
        twins.retain(|at| is_twin[at.index()]);
        Twins { moves: twins }
    }

    /// Returns true if the search leaves out this move.
    pub(crate) fn contains(&self, mv: Move) -> bool {
        let at = mv.vertex();
        at.is_some_and(|at| self.moves.binary_search(&at).is_ok())
    }
}

/// Returns true if an earlier position forbids a placement.
fn repeats<B: Board>(line: &Line<'_, B>) -> bool {
    let (board, rules) = (line.board(), line.game().rules());
    let mut vacant = board.vacant().iter();
    vacant.any(|&at| {
        let preview = board.preview(line.to_move(), at);
        let is_suicide = preview.suicide && rules.suicide == Suicide::Forbidden;
        !is_suicide && preview.hash != board.hash() && !line.is_legal(at)
    })
}

/// Returns the image of a point of a rectangle that keeps its shape.
fn image(at: Vertex, sides: [usize; 2], symmetry: usize) -> Vertex {
    let [width, _] = sides;
    Vertex::at(turned(
        [at.index() % width, at.index() / width],
        sides,
        symmetry,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    fn game(width: usize, height: usize) -> Game<GridBoard> {
        game_from(width, height, &vec![None; width * height], Color::BLACK)
    }

    fn game_from(
        width: usize,
        height: usize,
        position: &[Option<Color>],
        to_move: Color,
    ) -> Game<GridBoard> {
        let mut board = GridBoard::new(Grid::new(width, height).unwrap(), 2).unwrap();
        board.set_position(position);
        let rules = presets::find("cgos").unwrap().rules.clone();
        Game::new(board, rules, Points::from_halves(13), to_move)
    }

    fn twins(game: &Game<GridBoard>) -> Twins {
        let line = Line::new(game, game.to_move());
        let moves: Vec<Vertex> = line.placements().collect();
        Twins::of(&line, &moves)
    }

    #[test]
    fn one_of_each_class_of_equivalent_moves_stays() {
        // Eight symmetries of 81 points leave 15, and four of 63 leave 20.
        assert_eq!(twins(&game(9, 9)).moves.len(), 81 - 15);
        assert_eq!(twins(&game(9, 7)).moves.len(), 63 - 20);
        let mut center = game(9, 9);
        center
            .play(Color::BLACK, Move::Place(Vertex::at(40)))
            .unwrap();
        assert_eq!(twins(&center).moves.len(), 80 - 14);
        // A stone on the diagonal leaves one reflection, which moves 72 points.
        let mut corner = game(9, 9);
        corner
            .play(Color::BLACK, Move::Place(Vertex::at(20)))
            .unwrap();
        assert_eq!(twins(&corner).moves.len(), 36);
        let mut aside = game(9, 9);
        aside
            .play(Color::BLACK, Move::Place(Vertex::at(11)))
            .unwrap();
        assert_eq!(twins(&aside).moves.len(), 0);
    }

    #[test]
    fn black_keeps_the_upper_right_and_white_the_lower_left() {
        let corners = [0, 8, 72, 80].map(Vertex::at);
        let kept = |game: &Game<GridBoard>| {
            let twins = twins(game);
            corners.map(|at| !twins.contains(Move::Place(at)))
        };
        let mut game = game(9, 9);
        assert_eq!(kept(&game), [false, false, false, true]);
        assert!(!twins(&game).contains(Move::Pass));
        game.play(Color::BLACK, Move::Place(Vertex::at(40)))
            .unwrap();
        assert_eq!(kept(&game), [true, false, false, false]);
        // If some moves are not searched, one of the others stays.
        let line = Line::new(&game, game.to_move());
        let left = Twins::of(&line, &corners[1..]);
        assert_eq!(left.moves[..], [corners[1], corners[3]]);
    }

    #[test]
    fn images_permute_the_points() {
        for (sides, count) in [([5, 5], SYMMETRIES), ([5, 3], AXES)] {
            for symmetry in 0..count {
                let points = (0..sides[0] * sides[1]).map(Vertex::at);
                let mut images: Vec<Vertex> = points
                    .clone()
                    .map(|at| image(at, sides, symmetry))
                    .collect();
                images.sort_unstable();
                assert!(images.into_iter().eq(points));
            }
        }
    }

    #[test]
    fn a_forbidden_recapture_keeps_all_moves() {
        // Black captures the stone B3 by C3. The position is its own mirror image then.
        let at = |x: usize, y: usize| Vertex::at(5 * y + x);
        let mut position = vec![None; 25];
        for (x, y) in [(0, 2), (1, 1), (1, 3)] {
            position[at(x, y).index()] = Some(Color::BLACK);
        }
        for (x, y) in [(1, 2), (2, 1), (2, 3), (3, 2)] {
            position[at(x, y).index()] = Some(Color::WHITE);
        }
        let mut game = game_from(5, 5, &position, Color::BLACK);
        game.play(Color::BLACK, Move::Place(at(2, 2))).unwrap();
        assert_eq!(game.board().at(at(1, 2)), None);
        assert_eq!(twins(&game).moves.len(), 0);
        // Without that history, White may capture.
        let free = game_from(5, 5, &game.board().position(), Color::WHITE);
        assert!(!twins(&free).moves.is_empty());
    }
}
