//! Points whose owner is certain without playouts: unconditionally alive chains and their vital
//! regions.

use super::ownership::Ownership;
use omnigo_base::color::Color;
use omnigo_core::board::Board;
use omnigo_core::game::Game;

/// Assigns each point with a certain owner to that owner in all samples. Changes nothing if
/// unconditional life is undefined for the position.
///
/// Cost: number of points plus number of edges, for each color.
pub(crate) fn assign_certain_points<B: Board>(game: &Game<B>, ownership: &mut Ownership) {
    for color in Color::all(game.rules().colors) {
        let Ok(life) = game.unconditional_life(color) else {
            return;
        };
        // Stones that other colors place in a vital region can be captured.
        for &point in life.chains.iter().chain(&life.regions).flatten() {
            ownership.give(point, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::{Status, judge};
    use super::*;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::board::BareBoard;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::rules::{Points, presets};

    #[test]
    fn unconditional_life_overrides_playouts() {
        // Black lives with two eyes at the edge. A white stone stands in one of them.
        let mut board = GridBoard::new(Grid::new(5, 4).unwrap(), 2).unwrap();
        let text = ".O.X.XXXXX..........";
        let position: Vec<Option<Color>> = text.chars().map(Color::from_symbol).collect();
        board.set_position(&position);
        let rules = presets::find("tromp-taylor").unwrap().rules.clone();
        let game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let life = game.unconditional_life(Color::BLACK).unwrap();
        let mut ownership = Ownership::new(20, 2);
        ownership.add(game.board());
        ownership.add(game.board());
        assert_eq!(ownership.share(Vertex::at(1), Color::WHITE), 1.0);
        assign_certain_points(&game, &mut ownership);
        assert!(!life.chains.is_empty(), "{life:?}");
        assert_eq!(ownership.share(Vertex::at(1), Color::BLACK), 1.0);
        let dead = judge(&game)
            .into_iter()
            .find(|(_, stones)| stones.contains(&Vertex::at(1)));
        assert_eq!(dead.map(|(status, _)| status), Some(Status::Dead));
    }
}
