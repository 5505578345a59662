//! The latest judgment of dead stones, so that all commands agree about a position.
//!
//! Limits of time may end a judgment early on a busy machine. Another judgment of the same position
//! could then find other dead stones.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::{Points, Ruleset};
use omnigo_search::{ANSWERED_IN, JudgedChain, Settings, agreed_status};

/// A judgment counts for a request that allows at most this much more time.
const SLACK: Duration = Duration::from_millis(100);

/// Everything about a game that its judgment depends on.
#[derive(Debug, PartialEq)]
struct Facts {
    rules: Ruleset,
    komi: Points,
    bonus: Points,
    initial: [Points; Color::MAX],
    start: Vec<Option<Color>>,
    moves: Vec<(Color, Move)>,
    to_move: Color,
    resigned: Option<Color>,
}

impl Facts {
    fn of<B: Board>(game: &Game<B>) -> Facts {
        Facts {
            rules: game.rules().clone(),
            komi: game.komi(),
            bonus: game.handicap_bonus(),
            initial: *game.initial_scores(),
            start: game.start().to_vec(),
            moves: game.moves().collect(),
            to_move: game.to_move(),
            resigned: game.resigned(),
        }
    }
}

/// The latest judgment of a game, if there is one.
#[derive(Debug, Default)]
pub(super) struct Judged(Mutex<Option<(Facts, Duration, Vec<JudgedChain>)>>);

impl Judged {
    /// Returns the chains of the position with their status. Ends by `by`. Reuses the
    /// latest judgment if the game is the same and it had as much time, or [`SLACK`] less. See
    /// [`agreed_status`].
    pub(super) fn status<B: Board>(
        &self,
        game: &Game<B>,
        settings: &Settings,
        by: Instant,
    ) -> Vec<JudgedChain> {
        let allowed = by.saturating_duration_since(Instant::now());
        let allowed = allowed.min(ANSWERED_IN);
        let facts = Facts::of(game);
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, had, chains)) = &*latest
            && *known == facts
            && *had + SLACK >= allowed
        {
            return chains.clone();
        }
        let chains = agreed_status(game, settings, by);
        *latest = Some((facts, allowed, chains.clone()));
        chains
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::playout::Style;
    use omnigo_core::rules::presets;

    #[test]
    fn a_position_keeps_its_judgment_until_a_request_allows_more_time() {
        let board = GridBoard::new(Grid::new(5, 5).unwrap(), 2).unwrap();
        let rules = presets::find("japanese").unwrap().rules.clone();
        let mut game = Game::new(board, rules, Points::ZERO, Color::BLACK);
        let settings = Settings {
            threads: 1,
            seed: 1,
            memory: 1 << 24,
            style: Style::Tactical,
            guidance: None,
        };
        let judged = Judged::default();
        let had = || judged.0.lock().unwrap().as_ref().unwrap().1;
        let status = |game: &Game<GridBoard>, time: Duration| {
            judged.status(game, &settings, Instant::now() + time)
        };
        game.play(Color::BLACK, Move::Place(Vertex::at(12)))
            .unwrap();
        let short = Duration::from_millis(500);
        let first = status(&game, short);
        assert_eq!(first.len(), 1);
        // A marked judgment shows which one is returned.
        judged.0.lock().unwrap().as_mut().unwrap().2.clear();
        assert!(status(&game, short).is_empty());
        assert!(status(&game, Duration::ZERO).is_empty());
        assert!(had() <= short);
        assert_eq!(status(&game, ANSWERED_IN), first);
        assert!(had() > short);
        judged.0.lock().unwrap().as_mut().unwrap().2.clear();
        game.set_komi(Points::from_halves(1));
        assert_eq!(status(&game, ANSWERED_IN), first);
        judged.0.lock().unwrap().as_mut().unwrap().2.clear();
        game.play(Color::WHITE, Move::Pass).unwrap();
        assert_eq!(status(&game, ANSWERED_IN), first);
    }
}
