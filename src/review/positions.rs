//! The main line of a reviewed game as several positions with numbered moves.

use super::game::{Game, ReadError};
use crate::engine::Options;
use crate::record::sgf::Step;
use crate::render::section::Sections;
use crate::render::svg::Frame;

/// Returns at most [`POSITIONS`](crate::render::section::POSITIONS) positions of the main line, the
/// last one among them.
///
/// # Errors
/// If the moves cannot be played.
pub fn positions(game: &Game) -> Result<Vec<Frame>, ReadError> {
    let mut engine = game.engine(Options::replaying())?;
    let steps = game.steps();
    let is_move = |step: &&Step| matches!(step, Step::Play(..));
    let mut sections = Sections::new(steps.iter().filter(is_move).count(), None);
    for step in &steps {
        match *step {
            Step::Play(color, mv) => {
                game.play(&mut engine, color, mv)?;
                sections.add(&game.goban, mv, || engine.position());
            }
            Step::Setup { .. } => game.set_up(&mut engine, step),
        }
    }
    Ok(sections.finish(&game.goban, || engine.position()))
}

#[cfg(test)]
mod tests {
    use super::super::game::Choices;
    use super::*;

    #[test]
    fn positions_number_all_moves_of_the_main_line() {
        let drawn = |text: &str| {
            let game = Game::read(text.into(), &Choices::default()).unwrap();
            let frames = positions(&game).unwrap();
            let captions: Vec<String> = frames.into_iter().map(|frame| frame.caption).collect();
            captions
        };
        let captions = drawn("(;SZ[5]KM[1]RU[cgos];B[aa];W[bb](;B[cc])(;B[dd]))");
        assert_eq!(captions, ["move 1", "move 2", "move 3"]);
        let passes = ";B[];W[]".repeat(12);
        assert_eq!(drawn(&format!("(;SZ[5]KM[1]RU[cgos]{passes})")).len(), 12);
        // A set-up and an illegal move are carried out.
        let odd = drawn("(;SZ[5]KM[1]RU[cgos];B[aa];AE[aa]AW[bb];W[bb];B[bb])");
        assert_eq!(odd.len(), 3, "{odd:?}");
        assert_eq!(drawn("(;SZ[5]KM[1]RU[cgos])"), ["start"]);
    }
}
