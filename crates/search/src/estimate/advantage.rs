//! Difference in strength that networks of KataGo take into account.
//!
//! These networks learned from games in which one player had more playouts, and they see by how
//! much. Told that its player is stronger, a network expects mistakes of the opponent and suggests
//! bolder moves. KataGo calls the difference the playout doubling advantage. In handicap games, it
//! tells the network that the player behind is stronger, so that this player's moves still differ
//! in win probability (`gtp.cpp`, `searchnnhelpers.cpp`).

use omnigo_base::color::Color;
use omnigo_base::vertex::Move;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::Scoring;

/// Greatest difference in handicap games, in doublings of playouts. Few games of the training had
/// more.
const MOST: f64 = 2.75;
/// Step of the difference in handicap games, in doublings. Sums of such steps are exact.
const STEP: f64 = 0.125;
/// Win probability of the player behind below which the difference grows by a step.
const TOO_LOW: f64 = 0.05;
/// Win probability of the player behind above which the difference shrinks by a step.
const TOO_HIGH: f64 = 0.25;
/// Fair komi in points. The rest of the komi is an advantage.
const FAIR_KOMI: f64 = 7.0;
/// Least advantage of a handicap game in points, on 19×19. It is less on smaller boards.
const THRESHOLD: f64 = 4.0;
/// Least advantage of a handicap game in points, on every board.
const LEAST_THRESHOLD: f64 = 2.0;
/// Largest side of boards that are too small for the method.
const SMALL_SIDE: usize = 7;

/// Difference in strength between the players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Advantage {
    /// Doublings of playouts by which White is stronger. Negative if Black is stronger.
    white: f64,
}

impl Advantage {
    /// Returns the difference by which `color` is stronger.
    pub(crate) fn of(color: Color, doublings: f64) -> Advantage {
        Advantage {
            white: signed(color, doublings),
        }
    }

    /// Returns the doublings of playouts by which `color` is stronger. Never −0.
    pub(crate) fn for_color(self, color: Color) -> f32 {
        (signed(color, self.white) + 0.0) as f32
    }
}

/// Returns a number for White from one for `color`, and the other way round.
fn signed(color: Color, number: f64) -> f64 {
    match color == Color::WHITE {
        true => number,
        false => -number,
    }
}

/// Difference in strength during a handicap game. It begins at a limit that depends on the
/// handicap, and then follows the win probabilities of the engine's searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandicapAdvantage {
    /// Doublings for the player behind. `None` before the first search of a game.
    doublings: Option<f64>,
    /// Moves of the game at the latest search. After an undo or in another game, the difference
    /// begins anew.
    moves: Vec<(Color, Move)>,
    /// White's win probability in the latest search, unless it has been taken into account.
    latest: Option<f64>,
}

impl HandicapAdvantage {
    /// Returns the difference for the next search. Each point of handicap raises its limit by
    /// `per_point` doublings on 19×19, and by more on smaller boards.
    pub(crate) fn next<B: Board>(&mut self, game: &Game<B>, per_point: f64) -> Advantage {
        let Some((behind, limit)) = handicap(game, per_point) else {
            *self = HandicapAdvantage::default();
            return Advantage::default();
        };
        let moves: Vec<(Color, Move)> = game.moves().collect();
        if !moves.starts_with(&self.moves) {
            *self = HandicapAdvantage::default();
        }
        self.moves = moves;
        let has_begun = game.board().position().contains(&Some(Color::WHITE));
        let doublings = match self.doublings.filter(|_| has_begun) {
            Some(doublings) => {
                let latest = self
                    .latest
                    .take()
                    .map(|white| match behind == Color::WHITE {
                        true => white,
                        false => 1.0 - white,
                    });
                let step = match latest {
                    Some(winrate) if winrate < TOO_LOW => STEP,
                    Some(winrate) if winrate > TOO_HIGH => -STEP,
                    Some(_) | None => 0.0,
                };
                (doublings + step).clamp(0.0, limit)
            }
            None => limit,
        };
        self.doublings = Some(doublings);
        Advantage::of(behind, doublings)
    }

    /// Records the win probability of the player to move in a search that chose a move.
    pub(crate) fn note(&mut self, to_move: Color, winrate: f64) {
        self.latest = Some(match to_move == Color::WHITE {
            true => winrate,
            false => 1.0 - winrate,
        });
    }
}

/// Returns the player behind, and the limit of the difference in doublings. `None` if the game is
/// no handicap game, or the board is small.
fn handicap<B: Board>(game: &Game<B>, per_point: f64) -> Option<(Color, f64)> {
    let (width, height) = game.board().rectangle()?;
    let ahead = black_advantage(game);
    let scale = (361.0 / (width * height) as f64).powf(0.75);
    let threshold = (THRESHOLD / scale).max(LEAST_THRESHOLD);
    if per_point <= 0.0 || ahead.abs() < threshold || width.min(height) <= SMALL_SIDE {
        return None;
    }
    let limit = MOST.min(per_point * (ahead.abs() - threshold) * scale);
    let behind = match ahead >= 0.0 {
        true => Color::WHITE,
        false => Color::BLACK,
    };
    Some((behind, (limit / STEP).round() * STEP))
}

/// Returns Black's advantage in points at the start of the game, by komi and handicap stones.
fn black_advantage<B: Board>(game: &Game<B>) -> f64 {
    let stone = match game.rules().scoring {
        Scoring::Territory => 14.0,
        Scoring::Area | Scoring::Stones | Scoring::None => 15.0,
    };
    // White moves after the stones, so one of them is no advantage.
    let extra = game.handicap_stones().saturating_sub(1);
    let komi = game.komi() + game.handicap_bonus();
    stone * f64::from(extra) + FAIR_KOMI - komi.halves() as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::choose::search_result::SearchResult;
    use crate::grow::guide::Guidance;
    use crate::grow::limits::Limits;
    use crate::parameters::Parameters;
    use crate::raw::raw_output;
    use crate::request::{SearchRequest, Settings};
    use crate::searcher::Searcher;
    use omnigo_base::vertex::Vertex;
    use omnigo_core::board::grid::{Grid, GridBoard};
    use omnigo_core::game::Line;
    use omnigo_core::playout::Style;
    use omnigo_core::rules::{Points, presets};
    use omnigo_net::Weights;
    use omnigo_net::katago::inputs::Facts;
    use omnigo_net::katago::{Collector, Evaluator};
    use omnigo_net::kernels::Kernel;

    /// KataGo's default of points of handicap.
    const PER_POINT: f64 = 0.045;

    /// Returns a game with handicap stones at the first points, before White's first move.
    fn game(side: usize, rules: &str, halves: i64, stones: u32) -> Game<GridBoard> {
        let board = GridBoard::new(Grid::new(side, side).unwrap(), 2).unwrap();
        let rules = presets::find(rules).unwrap().rules.clone();
        let mut game = Game::new(board, rules, Points::from_halves(halves), Color::BLACK);
        let mut position = vec![None; side * side];
        position[..stones as usize].fill(Some(Color::BLACK));
        game.restart(&position, Color::WHITE);
        game.set_handicap(stones);
        game
    }

    /// The limits were worked out by hand from KataGo's formulas.
    #[test]
    fn limits_of_handicap_games_are_those_of_katago() {
        // 19x19, Japanese, four stones, komi 0.5: 3 * 14 + 6.5 = 48.5 points of advantage, of which
        // 4 are free. 44.5 * 0.045 = 2.0025.
        let limit = |side, rules, halves, stones| {
            handicap(&game(side, rules, halves, stones), PER_POINT)
                .map(|(color, limit)| (color.index(), limit))
        };
        assert_eq!(limit(19, "japanese", 1, 4), Some((1, 2.0)));
        // Chinese: 45 + 6.5 - 4 = 47.5. 43.5 * 0.045 = 1.9575, which rounds to 2.
        assert_eq!(limit(19, "chinese", 1, 4), Some((1, 2.0)));
        // Two stones: 14 + 6.5 = 20.5. 16.5 * 0.045 = 0.7425.
        assert_eq!(limit(19, "japanese", 1, 2), Some((1, 0.75)));
        // Nine stones exceed the greatest limit.
        assert_eq!(limit(19, "japanese", 1, 9), Some((1, 2.75)));
        // 9x9 scales points by (361 / 81) ** 0.75 = 3.069. The threshold is 2. Komi 0.5 leaves 4.5
        // points. 4.5 * 3.069 * 0.045 = 0.6215.
        assert_eq!(limit(9, "japanese", 1, 0), Some((1, 0.625)));
        // Black is behind at komi 12: -5 points. 3 * 3.069 * 0.045 = 0.414.
        assert_eq!(limit(9, "japanese", 24, 0), Some((0, 0.375)));
        // No handicap games: fair komi, komi 4 on 19x19, and small boards.
        assert_eq!(limit(19, "japanese", 13, 0), None);
        assert_eq!(limit(19, "japanese", 8, 0), None);
        assert_eq!(limit(7, "japanese", 1, 3), None);
        assert_eq!(handicap(&game(19, "japanese", 1, 4), 0.0), None);
    }

    #[test]
    fn the_difference_follows_win_probabilities() {
        let mut game = game(19, "japanese", 1, 2);
        let mut advantage = HandicapAdvantage::default();
        let white = |found: Advantage| found.for_color(Color::WHITE);
        // The limit holds until White has stones.
        for winrate in [0.3, 0.9] {
            assert_eq!(white(advantage.next(&game, PER_POINT)), 0.75);
            advantage.note(Color::WHITE, winrate);
        }
        game.play(Color::WHITE, Move::Place(Vertex::at(200)))
            .unwrap();
        let mut next = |color, winrate| {
            advantage.note(color, winrate);
            let found = advantage.next(&game, PER_POINT);
            assert_eq!(found, advantage.next(&game, PER_POINT), "counted twice");
            assert_eq!(found.for_color(Color::BLACK), -white(found));
            white(found)
        };
        assert_eq!(next(Color::WHITE, 0.26), 0.625);
        assert_eq!(next(Color::WHITE, 0.25), 0.625);
        assert_eq!(next(Color::BLACK, 0.7), 0.5);
        assert_eq!(next(Color::WHITE, 0.05), 0.5);
        assert_eq!(next(Color::BLACK, 0.96), 0.625);
        assert_eq!(next(Color::WHITE, 0.01), 0.75);
        assert_eq!(next(Color::WHITE, 0.01), 0.75);
        for _ in 0..9 {
            next(Color::WHITE, 0.5);
        }
        assert_eq!(next(Color::WHITE, 0.5), 0.0);
        // It begins anew after an undo, and in another game.
        let mut other = game.clone();
        assert!(game.take_back(1));
        game.play(Color::WHITE, Move::Place(Vertex::at(210)))
            .unwrap();
        assert_eq!(white(advantage.next(&game, PER_POINT)), 0.75);
        advantage.note(Color::WHITE, 0.5);
        other.play(Color::BLACK, Move::Pass).unwrap();
        assert_eq!(white(advantage.next(&other, PER_POINT)), 0.75);
    }

    #[test]
    fn a_missing_difference_is_never_negative_zero() {
        for color in [Color::BLACK, Color::WHITE] {
            let none = Advantage::of(color, 0.0);
            for other in [Color::BLACK, Color::WHITE] {
                assert_eq!(none.for_color(other).to_bits(), 0.0_f32.to_bits());
            }
        }
        let black = Advantage::of(Color::BLACK, 1.5);
        assert_eq!(black.for_color(Color::BLACK), 1.5);
        assert_eq!(black.for_color(Color::WHITE), -1.5);
    }

    /// Returns a searcher with the sample network and these parameters.
    fn searcher(set: impl FnOnce(&mut Parameters)) -> Searcher {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../net/samples/katago.bin");
        let network = Weights::read(sample.as_ref()).unwrap();
        let mut guidance = Guidance::new(network, Kernel::Portable, true);
        set(&mut guidance.parameters);
        Searcher::new(Settings {
            threads: 1,
            seed: 1,
            memory: 1 << 24,
            style: Style::Tactical,
            guidance: Some(guidance),
        })
    }

    /// Returns a request for a search of this many playouts.
    fn request(game: &Game<GridBoard>, playouts: u64) -> SearchRequest<'static> {
        SearchRequest {
            to_move: game.to_move(),
            limits: Limits {
                playouts: Some(playouts),
                ..Limits::default()
            },
            start: Instant::now(),
            restrictions: &[],
            noise: None,
            analyzes: false,
            ponders: false,
            dynamic_komi: false,
            ends_early: false,
        }
    }

    /// Runs a search.
    fn search(
        searcher: &mut Searcher,
        game: &Game<GridBoard>,
        request: SearchRequest<'_>,
    ) -> SearchResult {
        searcher.search(game, request, &AtomicBool::new(false), None)
    }

    /// The player to move is stronger, so the opponent is weaker after the next move.
    #[test]
    fn leaves_see_the_difference_of_their_player() {
        let mut game = game(9, "chinese", 13, 0);
        let mut searcher = searcher(|parameters| {
            parameters.playout_doubling_advantage = 1.5;
            parameters.root_num_symmetries_to_sample = 8;
        });
        let guidance = searcher.settings().guidance.clone().unwrap();
        let Weights::KataGo(network) = &guidance.network else {
            unreachable!("the sample is a network of KataGo")
        };
        let kernel = Kernel::Portable;
        let evaluator = Evaluator::new(Arc::clone(network), game.board(), kernel, None);
        let mut evaluator = evaluator.unwrap();
        // Win probabilities in the present position, in all symmetries. A draw is half a win.
        let mut values = |game: &Game<GridBoard>, advantage: f32, optimism: f32| {
            let line = Line::new(game, game.to_move());
            let mut legal: Vec<Vertex> = line.placements().collect();
            legal.sort_unstable();
            let mut collector = Collector::new(game);
            let facts = Facts {
                advantage,
                ..collector.collect(&line, &[], &legal)
            };
            [0, 1, 2, 3, 4, 5, 6, 7].map(|symmetry| {
                let output = evaluator.run(&facts, symmetry, optimism);
                output.win + (1.0 - output.win - output.loss) / 2.0
            })
        };
        let raw = raw_output(Some(&guidance), &game, 0, None).unwrap().output;
        assert_eq!(
            raw.win + (1.0 - raw.win - raw.loss) / 2.0,
            values(&game, 1.5, 0.2)[0]
        );
        assert_ne!(values(&game, 1.5, 0.2)[0], values(&game, -1.5, 0.2)[0]);
        // The second visit evaluates a move, in one symmetry. The score counts for a little.
        let now = request(&game, 2);
        let result = search(&mut searcher, &game, now);
        let found = result.candidates[0].value as f32;
        game.play(game.to_move(), result.candidates[0].mv).unwrap();
        let mut distance = |advantage: f32| {
            let all = values(&game, advantage, 1.0).map(|win| (found - (1.0 - win)).abs());
            all.into_iter().fold(1.0, f32::min)
        };
        let [weaker, stronger, even] = [-1.5, 1.5, 0.0].map(&mut distance);
        assert!(
            weaker < stronger.min(even) / 4.0,
            "{weaker} {stronger} {even}"
        );
    }

    /// Only searches that choose a move change the difference, also if the engine ponders.
    #[test]
    fn analyses_and_pondering_take_no_steps() {
        let mut game = game(9, "japanese", 1, 0);
        for at in [20, 60] {
            game.play(game.to_move(), Move::Place(Vertex::at(at)))
                .unwrap();
        }
        let mut searcher = searcher(|parameters| {
            parameters.dynamic_playout_doubling_advantage_cap_per_opp_lead = PER_POINT;
        });
        let mut found = Vec::new();
        for (analyzes, ponders) in [
            (false, false),
            (true, false),
            (false, true),
            (false, true),
            (false, false),
            (false, false),
        ] {
            let request = SearchRequest {
                analyzes,
                ponders,
                ..request(&game, 10)
            };
            let result = search(&mut searcher, &game, request);
            assert!((TOO_HIGH..1.0 - TOO_HIGH).contains(&result.winrate));
            found.push(searcher.handicap.doublings.unwrap());
            // Other settings do not begin the game anew.
            searcher.set_settings(searcher.settings().clone());
            searcher.forget();
        }
        // The first search takes the limit, and pondering takes the step of the next one.
        assert_eq!(found, [0.625, 0.625, 0.5, 0.5, 0.5, 0.375]);
    }

    /// During the opponent's turn, a search works for the player who moves next. Its evaluations
    /// serve that player's next search.
    #[test]
    fn pondering_keeps_the_player() {
        for ponders in [true, false] {
            let mut game = game(9, "japanese", 13, 0);
            let mut searcher = searcher(|parameters| parameters.playout_doubling_advantage = 1.0);
            let mut visits = Vec::new();
            for turn in 0..3 {
                let request = SearchRequest {
                    ponders: ponders && turn == 1,
                    ..request(&game, 40)
                };
                let result = search(&mut searcher, &game, request);
                visits.push(result.visits > 40);
                game.play(game.to_move(), result.candidates[0].mv).unwrap();
            }
            assert_eq!(visits, [false, ponders, ponders]);
        }
    }
}
