//! Detection of finished games: no move is left that could change a score by territory.
//!
//! A search maximizes wins. When it expects to lose, it fills seki liberties and eyes in case the
//! opponent errs. Each such stone costs a point. This module detects by the status of the chains
//! that no useful move is left.

use std::time::Instant;

use crate::estimate::judge::{self, Status};
use crate::estimate::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::board::region::flood;
use omnigo_core::game::Game;
use omnigo_core::rules::{DeadStones, Scoring};

/// Minimum fraction of the playouts, 0…1, in which the owner must keep the stones and points that
/// the last move could threaten.
const QUIET: f64 = 0.95;
/// The same for a chain with room elsewhere. Playouts also kill it by mistakes in that room.
const QUIET_WITH_ROOM: f64 = 0.85;
/// Minimum number of points of an empty region in which a chain counts as having room. This is more
/// than two eyes need.
const ROOM: usize = 10;
/// Number of playouts that look for threats of the last move.
const SAMPLES: usize = 256;
/// Minimum number of these playouts. With fewer, no game counts as finished.
const FEWEST: u32 = 16;

/// Returns true if the game is finished and a placement at `at` is useless: it is inside territory
/// or a seki. See [`survey`].
pub(crate) fn is_useless<B: Board>(game: &Game<B>, at: Vertex, by: Instant) -> bool {
    survey(game, by).is_some_and(|survey| !survey.region_of(game.board(), at).is_neutral())
}

/// Returns the owner of each point of a finished game, or `None` if the game is not finished.
///
/// A game is finished if no move changes the score of a region and no threat is open. The chains
/// are judged until `by`.
///
/// In the playouts of a search, a player may give up a seki by mistake. Here a seki stays.
///
/// A game that passes have ended for good belongs to its stones as they stand if the rules say so.
pub fn settled_ownership<B: Board>(game: &Game<B>, by: Instant) -> Option<Ownership> {
    let board = game.board();
    let stands = game.rules().dead == DeadStones::None;
    let survey = if stands && game.ended_by_passes() && game.reopened().is_none() {
        Survey::as_it_stands(board)
    } else {
        survey(game, by)?
    };
    let mut owners = survey.owners_of_points(board);
    if game.rules().scoring == Scoring::Stones {
        let points = (0..board.points()).map(Vertex::at);
        owners = points.map(|point| board.at(point)).collect();
    }
    Some(Ownership::of_owners(&owners, game.rules().colors))
}

/// Returns the state of each point if the game is finished, else `None`.
///
/// A game is finished if two conditions hold. There is no threat to answer, and each empty region
/// is safe territory, part of a seki, or a single neutral point. The chains are judged until `by`.
/// Returns `None` with other than two colors, on boards without chains, or if the empty vertices
/// exceed half of the points.
fn survey<B: Board>(game: &Game<B>, by: Instant) -> Option<Survey> {
    let board = game.board();
    let full = board.vacant().len() * 2 <= board.points();
    if !full || !board.has_chains() || game.rules().colors != 2 {
        return None;
    }
    let survey = Survey::of(game, by)?;
    let is_quiet = match game.moves().next_back() {
        Some((color, Move::Place(last))) => survey.is_quiet(board, last, color),
        Some((_, Move::Pass)) | None => true,
    };
    (is_quiet && survey.regions_are_closed(board)).then_some(survey)
}

/// State of a point, by the chain on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// No stone, or a dead one.
    Vacant,
    /// A stone that survives in nearly all playouts, or by reading.
    Safe,
    /// A stone in seki.
    Seki,
    /// A stone that playouts leave in doubt, without a reading that settles it.
    Open,
}

/// Connected points without living stones, and the living stones around them.
struct Region {
    points: Vec<Vertex>,
    border: Vec<Vertex>,
    /// The color of all stones of the border, or `None` if there are several or none.
    owner: Option<Color>,
    /// True if all stones of the border are safe.
    is_safe: bool,
    /// True if a stone of the border is in seki, and none is undecided.
    is_seki: bool,
}

impl Region {
    /// Returns true if no placement in the region changes the score.
    fn is_closed(&self) -> bool {
        self.is_seki || (self.is_safe && self.owner.is_some()) || self.is_neutral()
    }

    /// Returns true if the region is a single point between safe stones of both colors.
    fn is_neutral(&self) -> bool {
        self.is_safe && self.owner.is_none() && self.points.len() == 1 && !self.border.is_empty()
    }
}

/// State of each point of a board.
struct Survey {
    standing: Vec<Standing>,
    owners: Ownership,
}

impl Survey {
    /// Judges the position. Returns `None` if there is too little time for it.
    fn of<B: Board>(game: &Game<B>, by: Instant) -> Option<Survey> {
        let board = game.board();
        let owners = judge::sample_by(board, game.rules().colors, SAMPLES, by);
        if owners.samples() < FEWEST {
            return None;
        }
        let mut standing = vec![Standing::Vacant; board.points()];
        let (chains, in_doubt) = judge::judge_with_doubt(game, by);
        for ((status, stones), in_doubt) in chains.into_iter().zip(in_doubt) {
            let found = match status {
                Status::Dead => Standing::Vacant,
                Status::Seki => Standing::Seki,
                Status::Alive if in_doubt => Standing::Open,
                Status::Alive => Standing::Safe,
            };
            for stone in stones {
                standing[stone.index()] = found;
            }
        }
        Some(Survey { standing, owners })
    }

    /// Returns the state of a finished game in which all stones count as alive.
    fn as_it_stands<B: Board>(board: &B) -> Survey {
        let points = (0..board.points()).map(Vertex::at);
        let standing = |point| match board.at(point) {
            Some(_) => Standing::Safe,
            None => Standing::Vacant,
        };
        Survey {
            standing: points.map(standing).collect(),
            owners: Ownership::new(board.points(), board.colors()),
        }
    }

    fn is_vacant(&self, point: Vertex) -> bool {
        self.standing[point.index()] == Standing::Vacant
    }

    /// Returns the owner of each point, in index order. Stones in seki keep their points, and
    /// regions between both colors have no owner.
    fn owners_of_points<B: Board>(&self, board: &B) -> Vec<Option<Color>> {
        let points = (0..self.standing.len()).map(Vertex::at);
        let mut owners: Vec<Option<Color>> = points.clone().map(|point| board.at(point)).collect();
        let mut seen = vec![false; self.standing.len()];
        for start in points {
            if self.is_vacant(start) && !seen[start.index()] {
                let region = self.region(board, start, &mut seen);
                for point in &region.points {
                    owners[point.index()] = region.owner;
                }
            }
        }
        owners
    }

    fn regions_are_closed<B: Board>(&self, board: &B) -> bool {
        let mut seen = vec![false; self.standing.len()];
        for start in (0..self.standing.len()).map(Vertex::at) {
            if !self.is_vacant(start) || seen[start.index()] {
                continue;
            }
            if !self.region(board, start, &mut seen).is_closed() {
                return false;
            }
        }
        true
    }

    /// Returns the region of a vacant point, and marks its points as seen.
    fn region<B: Board>(&self, board: &B, start: Vertex, seen: &mut [bool]) -> Region {
        let (mut points, mut border) = (Vec::new(), Vec::new());
        let is_vacant = |point| self.is_vacant(point);
        flood(board, start, &mut points, seen, is_vacant, |stone| {
            border.push(stone);
        });
        border.sort_unstable();
        border.dedup();
        let first = border.first().and_then(|&stone| board.at(stone));
        let owner = first.filter(|_| border.iter().all(|&stone| board.at(stone) == first));
        let has = |wanted| {
            let standing = |stone: &Vertex| self.standing[stone.index()];
            border.iter().any(|stone| standing(stone) == wanted)
        };
        let (seki, open) = (has(Standing::Seki), has(Standing::Open));
        Region {
            owner,
            is_safe: !seki && !open,
            is_seki: seki && !open,
            points,
            border,
        }
    }

    fn region_of<B: Board>(&self, board: &B, point: Vertex) -> Region {
        self.region(board, point, &mut vec![false; self.standing.len()])
    }

    /// Returns true if the `last` move, of `color`, threatens nothing nearby. All opposing chains
    /// next to it are safe. So are those around a region that it touches or lies in, and the region
    /// itself, unless it is territory of `color`.
    fn is_quiet<B: Board>(&self, board: &B, last: Vertex, color: Color) -> bool {
        let other = color.other();
        let share = |point: Vertex| self.owners.share(point, other);
        let keeps = |&point: &Vertex| share(point) >= QUIET;
        let stone_keeps = |stone: &Vertex| {
            board.at(*stone) != Some(other)
                || keeps(stone)
                || (share(*stone) >= QUIET_WITH_ROOM && self.has_room(board, *stone, last))
        };
        let around: Vec<Vertex> = board.around(last).collect();
        let near = around.iter().chain([&last]);
        let mut seen = vec![false; self.standing.len()];
        around
            .iter()
            .filter(|point| !self.is_vacant(**point))
            .all(stone_keeps)
            && near.filter(|point| self.is_vacant(**point)).all(|&point| {
                if seen[point.index()] {
                    return true;
                }
                let region = self.region(board, point, &mut seen);
                let owned = region.owner != Some(other) || region.points.iter().all(keeps);
                region.border.iter().all(stone_keeps) && owned
            })
    }

    /// Returns true if the chain of a stone borders a large empty region of its color that `last`
    /// does not touch.
    fn has_room<B: Board>(&self, board: &B, stone: Vertex, last: Vertex) -> bool {
        let mut around = Vec::new();
        board.for_chain(stone, |stone| around.extend(board.around(stone)));
        let mut seen = vec![false; self.standing.len()];
        around.into_iter().any(|point| {
            if !self.is_vacant(point) || seen[point.index()] {
                return false;
            }
            let region = self.region(board, point, &mut seen);
            let touches = |point| point == last || board.around(point).any(|near| near == last);
            region.points.len() >= ROOM
                && region.owner == board.at(stone)
                && region
                    .points
                    .iter()
                    .all(|&point| board.at(point).is_none() && !touches(point))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    fn game(rows: &str) -> Game<GridBoard> {
        let rows: Vec<&str> = rows.split_whitespace().collect();
        let mut board = GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap();
        let cells = rows.iter().rev().flat_map(|row| row.chars());
        let position: Vec<Option<Color>> = cells.map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = presets::find("japanese").unwrap().rules.clone();
        Game::new(board, rules, Points::ZERO, Color::BLACK)
    }

    /// Each of the two black corner groups at the top has one eye and shares the liberty C9.
    const SEKI: &str = "
        .X.O.OX.X
        XXOOOOXX.
        OOXXXXX.X
        .OX.X.XXX
        OOXXXXXOO
        .OOOOOOO.
        OO.O.O.OO
        .OOOOOO.O
        OO.O.OOO.";

    fn soon() -> Instant {
        Instant::now() + judge::MAX_JUDGE_TIME
    }

    fn vertex(name: &str) -> Vertex {
        let (column, row) = name.split_at(1);
        let x = "ABCDEFGHJ".find(column).unwrap();
        Vertex::at(9 * (row.parse::<usize>().unwrap() - 1) + x)
    }

    fn useless(game: &Game<GridBoard>, name: &str) -> bool {
        is_useless(game, vertex(name), soon())
    }

    #[test]
    fn nothing_is_useless_on_an_open_board() {
        let open = ".........\n".repeat(9);
        assert!(!useless(&game(&open), "E5"));
    }

    #[test]
    fn seki_and_safe_territory_finish_a_game() {
        let mut game = game(SEKI);
        for name in ["C9", "A9", "J8", "A6", "J1"] {
            assert!(useless(&game, name), "{name}");
        }
        assert!(!is_useless(&game, vertex("C9"), Instant::now()), "no time");
        // White fills an eye of its own, which threatens nothing.
        game.play(Color::WHITE, Move::Place(vertex("J1"))).unwrap();
        assert!(useless(&game, "J8"));
    }

    /// Black's group at the top lives on four points in a row.
    const FOUR: &str = "
        ....XO.O.
        XXXXXOOOO
        OOOOOOOOO
        O.O.O.O.O
        OOOOOOOOO
        XXXXXXXXX
        X.X.X.X.X
        XXXXXXXXX
        .X.X.X.X.";

    #[test]
    fn a_threat_near_the_last_move_is_answered() {
        let mut game = game(FOUR);
        game.play(Color::WHITE, Move::Place(vertex("B9"))).unwrap();
        for name in ["C9", "A9", "A1"] {
            assert!(!useless(&game, name), "{name}");
        }
        game.play(Color::BLACK, Move::Place(vertex("C9"))).unwrap();
        game.play(Color::WHITE, Move::Place(vertex("G9"))).unwrap();
        for name in ["A9", "D9", "A1"] {
            assert!(useless(&game, name), "{name}");
        }
    }

    #[test]
    fn a_chain_with_room_elsewhere_is_not_threatened() {
        // In 8 % of the playouts, Black loses the large territory on the right by mistakes.
        let rows = "
            .O.OOX...
            OO.OXXX..
            XXOOOOX..
            XOOXXXX..
            XOOOXOOX.
            XXXXXOX..
            XOXX.OXX.
            OOOOOOOX.
            .....OXX.";
        let mut game = game(rows);
        game.play(Color::WHITE, Move::Place(vertex("E3"))).unwrap();
        for name in ["J4", "H6", "A9", "C1"] {
            assert!(useless(&game, name), "{name}");
        }
    }

    #[test]
    fn a_neutral_point_is_never_useless() {
        // E5 is neutral, and A1 is in Black's territory.
        let rows = "
            .O.O.O.O.
            OOOOOOOOO
            O.O.O.O.O
            OOOOOOOOO
            XXXX.OOOO
            XXXXXXXXX
            X.X.X.X.X
            XXXXXXXXX
            .X.X.X.X.";
        let mut game = game(rows);
        assert!(useless(&game, "A1"));
        assert!(!useless(&game, "E5"));
        game.play(Color::WHITE, Move::Place(vertex("E5"))).unwrap();
        assert!(useless(&game, "A1"));
    }
}
