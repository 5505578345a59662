//! Points of White beyond the board, as every network takes them instead of the bare komi.

use omnigo_base::color::Color;
use omnigo_base::points::Points;
use omnigo_core::board::Board;
use omnigo_core::game::Line;
use omnigo_core::rules::Scoring;

/// Returns the points that White gets in addition to the area on the board: komi, the compensation
/// for a handicap, and the button. Under territory rules, each stone that was set up or placed
/// gives the opponent a point.
pub fn bonus<B: Board>(line: &Line<'_, B>) -> Points {
    let game = line.game();
    let rules = game.rules();
    let mut bonus = rules.scored_komi(game.komi()) + line.handicap_bonus();
    if let Some((color, worth)) = line.button() {
        bonus = match color {
            Color::WHITE => bonus + worth,
            _ => bonus - worth,
        };
    }
    if rules.scoring == Scoring::Territory {
        let stones = |color: Color| {
            let set_up = game.start().iter().filter(|&&stone| stone == Some(color));
            set_up.count() as i64 + game.placed(color) + i64::from(line.placed(color))
        };
        bonus += Points::whole(stones(Color::BLACK) - stones(Color::WHITE));
    }
    bonus
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::{Move, Vertex};
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Game;
    use omnigo_core::rules::presets;

    /// Returns the bonus with 6.5 points of komi and two black stones set up, after White passed
    /// and Black placed a stone. The second move belongs to the search.
    fn found(rules: &str) -> i64 {
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let rules = presets::find(rules).unwrap().rules.clone();
        let mut game = Game::new(board, rules, Points::from_halves(13), Color::BLACK);
        let mut start = vec![None; 25];
        start[..2].fill(Some(Color::BLACK));
        game.restart(&start, Color::WHITE);
        game.play(Color::WHITE, Move::Pass).unwrap();
        let mut line = Line::new(&game, Color::BLACK);
        line.play(Move::Place(Vertex::at(12)));
        bonus(&line).halves()
    }

    #[test]
    fn a_second_move_before_whites_first_counts() {
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let rules = presets::find("chinese").unwrap().rules.clone();
        let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        game.play(Color::BLACK, Move::Place(Vertex::at(12)))
            .unwrap();
        game.play(Color::WHITE, Move::Pass).unwrap();
        let mut line = Line::new(&game, Color::BLACK);
        let mut found = |vertex| {
            line.play(Move::Place(Vertex::at(vertex)));
            bonus(&line).halves()
        };
        // White's first stone settles the bonus.
        assert_eq!([7, 11, 8, 9].map(&mut found), [4, 4, 4, 4]);
        line.reset(Color::BLACK);
        assert_eq!(bonus(&line).halves(), 0);
        // Two moves of White in a row set up a position.
        for (color, vertex) in [(Color::BLACK, 13), (Color::WHITE, 7)] {
            game.play(color, Move::Place(Vertex::at(vertex))).unwrap();
        }
        let mut line = Line::new(&game, Color::WHITE);
        assert_eq!(bonus(&line).halves(), 4);
        line.play(Move::Place(Vertex::at(8)));
        assert_eq!(bonus(&line).halves(), 0);
    }

    #[test]
    fn stones_cost_points_under_territory_rules() {
        assert_eq!(found("tromp-taylor"), 13);
        // Three stones of Black.
        assert_eq!(found("japanese"), 19);
        // White took the button of half a point.
        assert_eq!(found("aga-button") - found("aga"), 1);
    }
}
