//! Conditions for resigning.
//!
//! A low win probability alone is not enough. In a handicap game it is low by design, and a network
//! can misjudge a single position. The expected score lead, the stage of the game, and several
//! turns in a row must agree.

use super::search_result::SearchResult;
use super::stage::stones;
use omnigo_base::color::Color;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::Scoring;

/// Minimum number of root visits for a search that judges a game lost.
const MIN_VISITS: u32 = 100;
/// Minimum expected loss in points for resigning. Small boards use [`DEFICIT_SHARE`].
const DEFICIT: f64 = 10.0;
/// Minimum expected loss for resigning, as a fraction of the board's points. The smaller of the two
/// limits applies.
const DEFICIT_SHARE: f64 = 0.1;
/// Minimum fraction of the points that hold stones before a player resigns an even game.
const FILLED: f64 = 0.2;
/// Minimum fraction of the points that hold stones before a player resigns a handicap game.
const FILLED_HANDICAP: f64 = 0.4;
/// Minimum number of handicap stones of a handicap game.
const HANDICAP: u32 = 2;
/// Number of a player's turns in a row that must look lost.
pub const TURNS: usize = 3;

/// Returns true if the position looks lost to the player to move. A player resigns after `TURNS`
/// such turns in a row.
///
/// Both the best and the most promising move must be below the win probability `resign_below`. If
/// points are counted, the expected score lead must be below −10 points. On boards of fewer than
/// 100 points, the limit is −10 % of the points instead. Enough of the board must hold stones.
pub fn is_lost<B: Board>(game: &Game<B>, result: &SearchResult, resign_below: f64) -> bool {
    let Some(best) = result.best() else {
        return false;
    };
    let hope = result.most_promising_placement().unwrap_or(best);
    result.visits >= MIN_VISITS
        && [best, hope].iter().all(|c| c.winrate < resign_below)
        && is_far_behind(game, result)
        && f64::from(stones(game)) >= least_filled(game) * game.board().points() as f64
}

/// Returns true if the expected score lead is low enough to resign, or if no points are counted.
fn is_far_behind<B: Board>(game: &Game<B>, result: &SearchResult) -> bool {
    match game.rules().scoring {
        Scoring::None => true,
        Scoring::Area | Scoring::Stones | Scoring::Territory => {
            let points = game.board().points() as f64;
            let lead = result.lead.map_or(0.0, |lead| lead.mean);
            lead < -DEFICIT.min(DEFICIT_SHARE * points)
        }
    }
}

/// Returns the fraction of the points that must hold stones before a player resigns this game.
fn least_filled<B: Board>(game: &Game<B>) -> f64 {
    if game.handicap_stones() >= HANDICAP {
        FILLED_HANDICAP
    } else {
        FILLED
    }
}

/// Turns at which a game looked lost to the player to move.
#[derive(Clone, Debug, Default)]
pub struct LostTurns {
    /// Number of moves before each turn, and its player; in ascending order.
    turns: Vec<(usize, Color)>,
}

impl LostTurns {
    /// Removes the turns that follow `moves` or more moves, as after an undo.
    pub fn truncate(&mut self, moves: usize) {
        self.turns.retain(|&(turn, _)| turn < moves);
    }

    /// Records whether the position looks lost to `color`. Returns true if it looked lost in each
    /// of the last `TURNS` turns of `color`.
    pub fn note<B: Board>(&mut self, game: &Game<B>, color: Color, lost: bool) -> bool {
        let now = game.moves().len();
        self.truncate(now);
        if !lost {
            return false;
        }
        let moves = game.moves().enumerate().rev();
        let own = moves.filter(|&(_, (mover, _))| mover == color);
        let before: Vec<usize> = own.take(TURNS - 1).map(|(turn, _)| turn).collect();
        let all = before.len() == TURNS - 1
            && before
                .iter()
                .all(|&turn| self.turns.contains(&(turn, color)));
        self.turns.push((now, color));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::search_result::Candidate;
    use super::*;
    use crate::estimate::ownership::Ownership;
    use crate::estimate::root_record::Lead;
    use crate::grow::tree::Proof;
    use omnigo_base::vertex::{Move, Vertex};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    fn candidate(at: usize, visits: u32, winrate: f64) -> Candidate {
        Candidate {
            mv: Move::Place(Vertex::at(at)),
            visits,
            value: winrate,
            winrate,
            proof: Proof::Open,
            prior: 0.1,
            lead: None,
        }
    }

    fn result(candidates: Vec<Candidate>, lead: f64) -> SearchResult {
        SearchResult {
            visits: candidates.iter().map(|c| c.visits).sum(),
            value: candidates[0].value,
            winrate: candidates[0].winrate,
            share: 0.0,
            candidates,
            lead: Some(Lead {
                mean: lead,
                deviation: 5.0,
                samples: 400,
            }),
            variations: Vec::new(),
            ownership: Ownership::new(81, 2),
        }
    }

    /// Returns a 9×9 game after `stones` placements, which fill the board row by row without
    /// captures.
    fn game(stones: usize) -> Game<GridBoard> {
        let board = GridBoard::new(Grid::new(9, 9).unwrap(), 2).unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let places = (0..81).filter(|at| at % 9 != 4 && at % 18 < 9);
        for (number, at) in places.take(stones).enumerate() {
            let color = [Color::BLACK, Color::WHITE][number % 2];
            game.play(color, Move::Place(Vertex::at(at))).unwrap();
        }
        game
    }

    #[test]
    fn resigning_needs_a_low_win_rate_and_score_late_in_the_game() {
        let lost = |stones: usize, winrate: f64, lead: f64, visits: u32| {
            let result = result(vec![candidate(80, visits, winrate)], lead);
            is_lost(&game(stones), &result, 0.05)
        };
        assert!(lost(20, 0.02, -20.0, 500));
        assert!(!lost(20, 0.06, -20.0, 500));
        // The limit is a tenth of 81 points.
        assert!(!lost(20, 0.02, -8.0, 500));
        assert!(lost(20, 0.02, -8.2, 500));
        assert!(!lost(16, 0.02, -20.0, 500));
        assert!(!lost(20, 0.02, -20.0, 99));
    }

    #[test]
    fn a_promising_move_prevents_resigning() {
        let game = game(20);
        for (visits, lost) in [(100, false), (9, true)] {
            let moves = vec![candidate(80, 500, 0.04), candidate(79, visits, 0.6)];
            assert_eq!(is_lost(&game, &result(moves, -30.0), 0.1), lost);
        }
    }

    #[test]
    fn handicap_games_are_resigned_later() {
        let mut game = game(20);
        game.set_handicap(2);
        let result = result(vec![candidate(80, 500, 0.01)], -30.0);
        assert!(!is_lost(&game, &result, 0.05));
    }

    #[test]
    fn resigns_after_three_lost_turns_in_a_row() {
        let mut game = game(10);
        let mut turns = LostTurns::default();
        let mut place = 80;
        let mut next = |game: &mut Game<GridBoard>| {
            let color = game.to_move();
            game.play(color, Move::Place(Vertex::at(place))).unwrap();
            place -= 1;
        };
        for resigns in [false, false, true] {
            assert_eq!(turns.note(&game, Color::BLACK, true), resigns);
            next(&mut game);
            assert!(!turns.note(&game, Color::WHITE, false));
            next(&mut game);
        }
        // A turn that does not look lost restarts the count, and so does an undo of the counted
        // turns.
        assert!(!turns.note(&game, Color::BLACK, false));
        next(&mut game);
        next(&mut game);
        assert!(!turns.note(&game, Color::BLACK, true));
        turns.truncate(0);
        next(&mut game);
        next(&mut game);
        assert!(!turns.note(&game, Color::BLACK, true));
    }
}
