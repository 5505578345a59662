//! Search of every position of the main line, and the cost of each move.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::game::{Game, ReadError};
use crate::color::Color;
use crate::engine::{Analysis, AnalysisRequest, Engine, Figures};
use crate::game::Outcome;
use crate::record::sgf::Step;
use crate::replay::Illegal;
use crate::rules::Scoring;
use crate::vertex::Move;

/// Minimum time of a search in seconds, after the time for the review has run out.
const LEAST_SECONDS: f64 = 0.01;

/// Loss from which a move is a mistake or a blunder. Either quantity suffices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Loss in points.
    pub points: f64,
    /// Loss of win probability, 0…1.
    pub winrate: f64,
}

impl Loss {
    /// Default loss of a mistake. The page of `omnigo play` uses the same win probability.
    pub const MISTAKE: Loss = Loss {
        points: 2.0,
        winrate: 0.05,
    };
    /// Default loss of a blunder.
    pub const BLUNDER: Loss = Loss {
        points: 8.0,
        winrate: 0.15,
    };
}

/// Settings of a review.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Maximum number of playouts per position.
    pub playouts: Option<u64>,
    /// Maximum seconds per position.
    pub seconds: Option<f64>,
    /// Maximum seconds of all searches together.
    pub total: Option<f64>,
    /// Loss of a mistake.
    pub mistake: Loss,
    /// Loss of a blunder.
    pub blunder: Loss,
    /// Maximum number of moves of a variation.
    pub variation: usize,
}

impl Settings {
    /// Default number of playouts per position, if there is no limit of time.
    pub const PLAYOUTS: u64 = 500;
    /// Default maximum number of moves of a variation.
    pub const VARIATION: usize = 10;
}

/// Estimate of a position, from Black's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Win probability, 0…1.
    pub winrate: f64,
    /// Score lead in points. `None` if no points are counted.
    pub lead: Option<f64>,
    /// Number of playouts. 0 after the end of the game.
    pub visits: u32,
    /// Best move. `None` after the end of the game.
    pub best: Option<Move>,
    /// Win probability after the best move, 0…1.
    pub best_winrate: f64,
    /// Score lead after the best move. `None` if no points are counted.
    pub best_lead: Option<f64>,
    /// Moves that the search expects, beginning with the best one.
    pub variation: Vec<Move>,
}

/// Judgment of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The best move of the search.
    Best,
    /// Another move that is no mistake.
    Good,
    /// Loses at least [`Settings::mistake`].
    Mistake,
    /// Loses at least [`Settings::blunder`].
    Blunder,
}

/// Review of a move.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// Number of the move, from 1.
    pub number: usize,
    /// Index of the move in [`Game::steps`].
    pub step: usize,
    /// Player of the move.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Estimate before the move.
    pub before: Estimate,
    /// Estimate after the move.
    pub after: Estimate,
    /// Points lost by the player, at least 0. `None` if no points are counted.
    pub points_lost: Option<f64>,
    /// Win probability lost by the player, at least 0.
    pub winrate_lost: f64,
    /// Judgment.
    pub grade: Grade,
}

/// Review of a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// Estimate of the start.
    pub start: Estimate,
    /// The moves that were reviewed.
    pub moves: Vec<MoveReview>,
    /// Number of moves of the main line.
    pub total: usize,
    /// True if the game stays one sequence of moves: without set-ups and illegal moves.
    pub is_plain: bool,
    /// One-line warnings about moves.
    pub warnings: Vec<String>,
    /// Settings of the review.
    pub settings: Settings,
}

impl Review {
    /// Returns true if all moves were reviewed.
    pub fn is_complete(&self) -> bool {
        self.moves.len() == self.total
    }
}

/// Effort for the positions that are left.
struct Effort {
    settings: Settings,
    /// End of the time for the review.
    until: Option<Instant>,
    /// Number of positions left.
    left: usize,
}

impl Effort {
    /// Returns the seconds for the next position.
    fn seconds(&self) -> Option<f64> {
        let share = self.until.map(|until| {
            let left = until.saturating_duration_since(Instant::now());
            (left.as_secs_f64() / self.left.max(1) as f64).max(LEAST_SECONDS)
        });
        match (share, self.settings.seconds) {
            (Some(share), Some(seconds)) => Some(share.min(seconds)),
            (share, seconds) => share.or(seconds),
        }
    }
}

/// Reviews a game with an engine at its start. Ends early when the stop signal of the engine is
/// set. Calls `progress` with the number of reviewed moves and of all moves.
///
/// # Errors
/// If a move of a game in JSON is illegal.
pub fn review(
    engine: &mut Engine,
    game: &Game,
    settings: Settings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReadError> {
    let steps = game.steps();
    let is_move = |step: &Step| matches!(step, Step::Play(..));
    let total = steps.iter().filter(|step| is_move(step)).count();
    let until = settings.total.and_then(|total| {
        let total = Duration::try_from_secs_f64(total).ok()?;
        Instant::now().checked_add(total)
    });
    let mut effort = Effort {
        settings,
        until,
        left: total + 1,
    };
    let stop = engine.stop_signal();
    let mut review = Review {
        start: Estimate::default(),
        moves: Vec::new(),
        total,
        is_plain: true,
        warnings: Vec::new(),
        settings,
    };
    let first = match steps.first() {
        Some(Step::Play(color, _)) => *color,
        Some(Step::Setup { .. }) | None => engine.to_move(),
    };
    review.start = estimate(engine, first, &mut effort);
    let mut present = Some((first, review.start.clone()));
    let mut odd = Illegal::default();
    for (number, step) in steps.iter().enumerate() {
        let &Step::Play(color, mv) = step else {
            game.set_up(engine, step);
            review.is_plain = false;
            present = None;
            continue;
        };
        let before = match present.take().filter(|(player, _)| *player == color) {
            Some((_, estimate)) => estimate,
            // A position was set up, or the player moves twice in a row.
            None => estimate(engine, color, &mut effort),
        };
        let next = review.moves.len() + 1;
        if let Some(illegal) = game.play(engine, color, mv)? {
            review.is_plain = false;
            odd.add(format_args!("move {next}, {color}: {illegal}"));
        }
        let after = estimate(engine, color.other(), &mut effort);
        if stop.load(Ordering::Relaxed) {
            // The latest search was cut short.
            break;
        }
        present = Some((color.other(), after.clone()));
        review
            .moves
            .push(judged(settings, (next, number), (color, mv), before, after));
        progress(next, total);
    }
    review.warnings = odd.into_lines().collect();
    Ok(review)
}

/// Returns the review of a move with its number and its index among the steps.
fn judged(
    settings: Settings,
    (number, step): (usize, usize),
    (color, mv): (Color, Move),
    before: Estimate,
    after: Estimate,
) -> MoveReview {
    let sign = if color == Color::BLACK { 1.0 } else { -1.0 };
    let lost = |before: f64, after: f64| (sign * (before - after)).max(0.0);
    let is_best = before.best == Some(mv);
    // The difference of two searches is noise if the first one already chose this move. After the
    // end of the game, there is nothing to lose.
    let is_free = is_best || before.best.is_none();
    let points_lost = before
        .lead
        .zip(after.lead)
        .map(|(before, after)| match is_free {
            true => 0.0,
            false => lost(before, after),
        });
    let winrate_lost = match is_free {
        true => 0.0,
        false => lost(before.winrate, after.winrate),
    };
    let loses = |loss: Loss| {
        points_lost.is_some_and(|points| points >= loss.points) || winrate_lost >= loss.winrate
    };
    let grade = match is_best {
        true => Grade::Best,
        false if loses(settings.blunder) => Grade::Blunder,
        false if loses(settings.mistake) => Grade::Mistake,
        false => Grade::Good,
    };
    MoveReview {
        number,
        step,
        color,
        mv,
        before,
        after,
        points_lost,
        winrate_lost,
        grade,
    }
}

/// Estimates the position with `color` to move: the mean over a search, or the result of a game
/// that is over.
fn estimate(engine: &mut Engine, color: Color, effort: &mut Effort) -> Estimate {
    let seconds = effort.seconds();
    effort.left = effort.left.saturating_sub(1);
    if engine.is_over()
        && let Some(estimate) = result(engine)
    {
        return estimate;
    }
    let counts = engine.rules().scoring != Scoring::None;
    let most = effort.settings.variation;
    let request = AnalysisRequest {
        playouts: Some(effort.settings.playouts.unwrap_or(u64::MAX)),
        seconds,
        ..AnalysisRequest::for_color(color)
    };
    let mut found = Estimate::default();
    engine.analyze(&request, &mut |analysis: &Analysis<'_>, _| {
        let root = analysis.root();
        let listed = analysis.moves(1, 1);
        let best = listed.first();
        let is_known = counts && analysis.result.lead.is_some();
        let of_black = |figures: Figures| match color {
            Color::BLACK => (figures.winrate, is_known.then_some(figures.lead)),
            _ => (1.0 - figures.winrate, is_known.then_some(-figures.lead)),
        };
        let (winrate, lead) = of_black(root);
        let (best_winrate, best_lead) = of_black(best.map_or(root, |best| best.figures));
        found = Estimate {
            winrate,
            lead,
            visits: root.visits,
            best: best.map(|best| best.mv),
            best_winrate,
            best_lead,
            variation: best.map_or_else(Vec::new, |best| {
                let moves = best.variation.iter().map(|&(mv, _)| mv);
                moves.take(most).collect()
            }),
        };
    });
    found
}

/// Returns the estimate of a game that is over. `None` if its result is unknown.
fn result(engine: &Engine) -> Option<Estimate> {
    let outcome = engine.outcome().ok()?;
    let (winrate, lead) = match outcome {
        Outcome::By(color, points) => {
            let points = points.to_string().parse::<f64>().ok()?;
            match color == Color::BLACK {
                true => (1.0, Some(points)),
                false => (0.0, Some(-points)),
            }
        }
        Outcome::LastMover(Color::BLACK) => (1.0, None),
        Outcome::LastMover(_) => (0.0, None),
        Outcome::Tie => (0.5, Some(0.0)),
    };
    let counts = engine.rules().scoring != Scoring::None;
    Some(Estimate {
        winrate,
        lead: lead.filter(|_| counts),
        ..Estimate::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::Vertex;

    const SETTINGS: Settings = Settings {
        playouts: None,
        seconds: None,
        total: None,
        mistake: Loss::MISTAKE,
        blunder: Loss::BLUNDER,
        variation: Settings::VARIATION,
    };

    fn at(winrate: f64, lead: f64) -> Estimate {
        Estimate {
            winrate,
            lead: Some(lead),
            best: Some(Move::Place(Vertex::at(0))),
            ..Estimate::default()
        }
    }

    fn of(color: Color, mv: Move, before: Estimate, after: Estimate) -> MoveReview {
        judged(SETTINGS, (1, 0), (color, mv), before, after)
    }

    #[test]
    fn losses_are_those_of_the_player() {
        let black = of(Color::BLACK, Move::Pass, at(0.6, 3.0), at(0.5, 2.0));
        assert_eq!(black.grade, Grade::Mistake);
        assert!((black.winrate_lost - 0.1).abs() < 1e-9);
        assert_eq!(black.points_lost, Some(1.0));
        let white = of(Color::WHITE, Move::Pass, at(0.6, 3.0), at(0.5, 2.0));
        assert_eq!((white.winrate_lost, white.points_lost), (0.0, Some(0.0)));
        assert_eq!(white.grade, Grade::Good);
    }

    #[test]
    fn points_or_win_probability_make_a_mistake() {
        for (winrate, lead, grade) in [
            (0.5, -1.9, Grade::Good),
            (0.5, -2.0, Grade::Mistake),
            (0.44, 0.0, Grade::Mistake),
            (0.5, -8.0, Grade::Blunder),
            (0.34, 0.0, Grade::Blunder),
        ] {
            let found = of(Color::BLACK, Move::Pass, at(0.5, 0.0), at(winrate, lead));
            assert_eq!(found.grade, grade, "{winrate} {lead}");
        }
    }

    #[test]
    fn the_best_move_and_moves_after_the_end_lose_nothing() {
        let best = Move::Place(Vertex::at(0));
        let found = of(Color::BLACK, best, at(0.9, 9.0), at(0.1, -9.0));
        assert_eq!((found.grade, found.winrate_lost), (Grade::Best, 0.0));
        let over = Estimate {
            best: None,
            ..at(0.9, 9.0)
        };
        let found = of(Color::BLACK, Move::Pass, over, at(0.1, -9.0));
        assert_eq!((found.grade, found.points_lost), (Grade::Good, Some(0.0)));
    }

    #[test]
    fn the_time_for_the_review_is_shared() {
        let effort = |total: Option<f64>, seconds| Effort {
            settings: Settings {
                seconds,
                ..SETTINGS
            },
            until: total.map(|total| Instant::now() + Duration::from_secs_f64(total)),
            left: 10,
        };
        assert_eq!(effort(None, None).seconds(), None);
        assert_eq!(effort(None, Some(3.0)).seconds(), Some(3.0));
        let share = effort(Some(100.0), None).seconds().unwrap();
        assert!(share > 9.0 && share <= 10.0, "{share}");
        assert_eq!(effort(Some(100.0), Some(2.0)).seconds(), Some(2.0));
        assert_eq!(effort(Some(0.0), Some(2.0)).seconds(), Some(LEAST_SECONDS));
    }
}
