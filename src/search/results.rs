//! What a playout is worth to each color.

use super::tree::WIN;
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::rules::{Points, Ruleset, Scoring};

/// Of a result, how much the margin of the win is worth.
pub(super) const MARGIN: u64 = WIN / 25;

/// Results of a playout for each color, 0…[`WIN`].
pub(super) type Results = [u64; Color::MAX];

/// What one color has more than the best of the others.
pub(super) fn lead(scores: &[Points; Color::MAX], colors: usize, color: usize) -> Points {
    let others = (0..colors).filter(|&other| other != color);
    scores[color] - others.map(|other| scores[other]).max().unwrap_or_default()
}

/// The results that scores amount to: a win, and a little for its margin; ties are halves.
pub(super) fn results_of(scores: &[Points; Color::MAX], colors: usize, points: usize) -> Results {
    let mut results = [0; Color::MAX];
    let best = (0..colors).map(|c| scores[c]).max().unwrap_or_default();
    let winners = (0..colors).filter(|&c| scores[c] == best).count();
    for c in 0..colors {
        let base = if scores[c] == best {
            (WIN - MARGIN) / winners as u64
        } else {
            0
        };
        let span = 2 * points.max(1) as i64;
        let margin = lead(scores, colors, c).halves().clamp(-span, span);
        results[c] = base + (MARGIN as i64 * (margin + span) / (2 * span)) as u64;
    }
    results
}

/// Counting territory by area: what it takes besides the area.
pub(super) struct AsArea {
    /// The rules with area in place of territory.
    pub(super) rules: Ruleset,
    /// Stones that each color has put on the board, those of the start included.
    pub(super) put: [i64; Color::MAX],
}

impl AsArea {
    pub(super) fn of<B: Board>(game: &Game<B>) -> Option<AsArea> {
        match game.rules().scoring {
            Scoring::Area | Scoring::Stones | Scoring::None => return None,
            Scoring::Territory => {}
        }
        let mut put = [0; Color::MAX];
        for color in game.start().iter().flatten() {
            put[color.index()] += 1;
        }
        for color in Color::all(game.rules().colors) {
            put[color.index()] += game.placed(color);
        }
        let rules = Ruleset {
            scoring: Scoring::Area,
            ..game.rules().clone()
        };
        Some(AsArea { rules, put })
    }
}
