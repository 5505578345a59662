//! Dead stones at the end of a line, under rules whose players agree on them.
//!
//! Stones that are dead at the root are removed if they are still there. Under territory scoring,
//! so are later stones without an eye in settled territory. Otherwise the opponent would have to
//! capture each of them, at the cost of a point.

use crate::choose::decide::surely_dead;
use crate::estimate::judge::sample_until;
use omnigo_base::color::Color;
use omnigo_base::vertex::{Move, Vertex};
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::{DeadStones, Scoring};

/// Number of playouts that find dead stones before a search.
const SAMPLES: usize = 128;
/// Minimum number of playouts that show settled territory.
const FEWEST: u32 = 16;
/// Minimum fraction of these playouts, 0…1, in which a color must own an empty point for the point
/// to be its settled territory.
const HELD: f64 = 0.85;

/// Agreement about dead stones, known at the root of a search.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    /// Dead stones of the root.
    dead: Vec<(Vertex, Color)>,
    /// Owner of each point without a living stone at the root, if it is settled territory. Empty
    /// without territory scoring.
    territory: Vec<Option<Color>>,
}

impl Agreement {
    /// Returns the agreement about the position of `game`.
    ///
    /// Empty if players do not agree on dead stones under the rules. Also empty early in the game:
    /// with more than 3/5 of the placements open and no pass as the last move. Playouts stop once
    /// `enough` returns true.
    pub(crate) fn at_root<B: Board>(game: &Game<B>, enough: impl Fn() -> bool) -> Agreement {
        let board = game.board();
        let late = board.vacant().len() * 5 <= board.placements() * 3
            || game.moves().last().is_some_and(|m| m.1 == Move::Pass);
        if game.rules().dead == DeadStones::None || !late {
            return Agreement::default();
        }
        let sampled = sample_until(board, game.rules().colors, SAMPLES, enough);
        let dead = surely_dead(board, &sampled);
        let is_dead = |point| dead.binary_search_by_key(&point, |&(at, _)| at).is_ok();
        let is_open = |point: Vertex| board.at(point).is_none() || is_dead(point);
        let points = (0..board.points()).map(Vertex::at);
        let owner = |point| sampled.owner(point, HELD).filter(|_| is_open(point));
        let territory = match game.rules().scoring {
            Scoring::Territory if board.has_chains() && sampled.samples() >= FEWEST => {
                points.map(owner).collect()
            }
            Scoring::Territory | Scoring::Area | Scoring::Stones | Scoring::None => Vec::new(),
        };
        Agreement { dead, territory }
    }

    /// Removes the dead stones from the position at the end of a line.
    pub(crate) fn remove_dead<B: Board>(&self, board: &mut B) {
        let is_dead = |&&(at, color): &&(Vertex, Color)| board.at(at) == Some(color);
        let mut dead: Vec<Vertex> = self
            .dead
            .iter()
            .filter(is_dead)
            .map(|&(at, _)| at)
            .collect();
        self.add_intruders(board, &mut dead);
        if !dead.is_empty() {
            let mut position = board.position();
            for at in dead {
                position[at.index()] = None;
            }
            board.set_position(&position);
        }
    }

    /// Adds the stones of chains that lie in the territory of another color and have no eye.
    fn add_intruders<B: Board>(&self, board: &B, dead: &mut Vec<Vertex>) {
        let mut seen = vec![false; self.territory.len()];
        for (i, &owner) in self.territory.iter().enumerate() {
            let at = Vertex::at(i);
            let (Some(owner), Some(color)) = (owner, board.at(at)) else {
                continue;
            };
            if owner == color || seen[i] {
                continue;
            }
            let mut stones = Vec::new();
            board.for_chain(at, |stone| {
                seen[stone.index()] = true;
                stones.push(stone);
            });
            let is_inside = |stone: &Vertex| self.territory[stone.index()] == Some(owner);
            let has_eye = |&stone: &Vertex| {
                let is_own = |point| board.at(point) == Some(color);
                let is_eye = |point| board.at(point).is_none() && board.around(point).all(is_own);
                board.around(stone).any(is_eye)
            };
            if stones.iter().all(is_inside) && !stones.iter().any(has_eye) {
                dead.extend(stones);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    /// White's territory is the column on the right, and Black's the two columns on the left.
    const FINISHED: &str = "..XXOO.
        ..X.XO.
        ..XXXO.
        ..XXOO.
        ..X.XO.
        ..XXXO.
        ..XXOO.";

    fn board(rows: &str) -> GridBoard {
        let mut board = GridBoard::new(Grid::new(7, 7).unwrap(), 2).unwrap();
        let rows: Vec<&str> = rows.split_whitespace().rev().collect();
        let stone = |c| match c {
            'X' => Some(Color::BLACK),
            'O' => Some(Color::WHITE),
            _ => None,
        };
        let position: Vec<_> = rows.iter().flat_map(|row| row.chars().map(stone)).collect();
        board.set_position(&position);
        board
    }

    /// Returns the position of `rows` after the removal of dead stones. They are dead by the
    /// agreement at [`FINISHED`] under these rules.
    fn settled(rules: &str, rows: &str) -> Vec<Option<Color>> {
        let rules = presets::find(rules).unwrap().rules.clone();
        let game = Game::new(board(FINISHED), rules, Points::ZERO, Color::BLACK);
        let agreement = Agreement::at_root(&game, || false);
        let mut board = board(rows);
        agreement.remove_dead(&mut board);
        board.position()
    }

    #[test]
    fn stones_without_an_eye_in_settled_territory_are_dead() {
        let intruder = FINISHED.replacen("XO.", "XOX", 2);
        assert_eq!(settled("japanese", &intruder), board(FINISHED).position());
        // Under area rules the opponent can capture the stones for nothing.
        assert_eq!(settled("chinese", &intruder), board(&intruder).position());
    }

    #[test]
    fn stones_with_an_eye_are_alive() {
        let eye = FINISHED.replacen("..XXOO.", ".OXXOO.", 1);
        let eye = eye.replacen("..X.XO.", "OOX.XO.", 1);
        assert_eq!(settled("japanese", &eye), board(&eye).position());
        let no_eye = eye.replacen(".OXXOO.", "..XXOO.", 1);
        assert_eq!(settled("japanese", &no_eye), board(FINISHED).position());
    }
}
