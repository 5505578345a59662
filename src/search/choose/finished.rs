//! Detection of finished games: no move is left that could change a score by territory.
//!
//! A search maximizes wins. When it expects to lose, it fills seki liberties and eyes in case the
//! opponent errs. Each such stone costs a point. This module detects by the status of the chains
//! that no useful move is left.

use std::time::Instant;

use crate::board::Board;
use crate::game::Game;
use crate::search::estimate::judge::{self, Status};
use crate::vertex::{Move, Vertex};

/// Minimum fraction of the playouts, 0…1, in which the owner must keep every stone of a chain for
/// the chain to be safe.
const SAFE: f64 = 0.9;
/// Number of playouts that estimate the safety of the chains.
const SAMPLES: usize = 256;

/// Returns true if there is no threat to answer and each empty region is safe territory or part of
/// a seki.
///
/// The chains are judged until `by`. The last move rules out unanswered threats: it was a pass, or
/// the position was set up. Returns false with other than two colors, on boards without chains, or
/// if the empty vertices exceed half of the points.
pub(in crate::search) fn is_finished<B: Board>(game: &Game<B>, by: Instant) -> bool {
    let last = game.moves().next_back();
    let board = game.board();
    let full = board.vacant().len() * 2 <= board.points();
    full && last.is_none_or(|(_, mv)| mv == Move::Pass)
        && board.has_chains()
        && game.rules().colors == 2
        && Survey::of(game, by).regions_are_closed(board)
}

/// State of a point, by the chain on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// No stone, or a dead one.
    Vacant,
    /// A stone that survives in nearly all playouts.
    Safe,
    /// A stone in seki.
    Seki,
    /// A stone whose survival is undecided in the playouts.
    Open,
}

/// State of each point of a board.
struct Survey {
    standing: Vec<Standing>,
}

impl Survey {
    fn of<B: Board>(game: &Game<B>, by: Instant) -> Survey {
        let board = game.board();
        let owners = judge::sample_by(board, game.rules().colors, SAMPLES, by);
        let mut standing = vec![Standing::Vacant; board.points()];
        for (status, stones) in judge::judge_by(game, by) {
            let safe = |stone: &Vertex| {
                let owner = board.at(*stone);
                owner.is_some_and(|color| owners.share(*stone, color) >= SAFE)
            };
            let found = match status {
                Status::Dead => Standing::Vacant,
                Status::Seki => Standing::Seki,
                Status::Alive if stones.iter().all(safe) => Standing::Safe,
                Status::Alive => Standing::Open,
            };
            for stone in stones {
                standing[stone.index()] = found;
            }
        }
        Survey { standing }
    }

    fn regions_are_closed<B: Board>(&self, board: &B) -> bool {
        let mut seen = vec![false; self.standing.len()];
        for start in (0..self.standing.len()).map(Vertex::at) {
            let vacant = self.standing[start.index()] == Standing::Vacant;
            if vacant && !seen[start.index()] && !self.is_closed(board, start, &mut seen) {
                return false;
            }
        }
        true
    }

    /// Returns true if no undecided stone is adjacent to the region of `start`, and the region
    /// touches a seki or stones of only one color.
    fn is_closed<B: Board>(&self, board: &B, start: Vertex, seen: &mut [bool]) -> bool {
        let mut region = vec![start];
        seen[start.index()] = true;
        let (mut color, mut seki, mut one_color, mut safe) = (None, false, true, true);
        while let Some(point) = region.pop() {
            for near in board.around(point) {
                match self.standing[near.index()] {
                    Standing::Vacant => {
                        if !std::mem::replace(&mut seen[near.index()], true) {
                            region.push(near);
                        }
                        continue;
                    }
                    Standing::Safe => {}
                    Standing::Seki => seki = true,
                    Standing::Open => safe = false,
                }
                let owner = board.at(near);
                one_color &= color.is_none() || color == owner;
                color = owner;
            }
        }
        safe && (seki || (one_color && color.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::grid::{Grid, GridBoard};
    use crate::color::Color;
    use crate::rules::{Points, presets};

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
        Instant::now() + judge::JUDGED_IN
    }

    #[test]
    fn an_open_board_is_not_finished() {
        let open = ".........\n".repeat(9);
        assert!(!is_finished(&game(&open), soon()));
    }

    #[test]
    fn seki_and_safe_territory_finish_a_game() {
        let mut game = game(SEKI);
        assert!(is_finished(&game, soon()));
        // A placement may be a threat.
        let eye = Move::Place(Vertex::at(8));
        game.play(Color::WHITE, eye).unwrap();
        assert!(!is_finished(&game, soon()));
    }
}
