//! Results of a playout for each color, computed from the final scores.

use crate::grow::tree::WIN;
use omnigo_base::color::Color;
use omnigo_core::board::Board;
use omnigo_core::game::Game;
use omnigo_core::rules::{Points, Ruleset, Scoring};

/// Part of a result that depends on the score lead: 4 % of [`WIN`].
pub(crate) const MARGIN: u64 = WIN / 25;

/// Result of a playout for each color, 0…[`WIN`].
pub(crate) type Results = [u64; Color::MAX];

/// Returns the score of `color` minus the best score of the other colors.
pub(crate) fn lead(scores: &[Points; Color::MAX], colors: usize, color: usize) -> Points {
    let others = (0..colors).filter(|&other| other != color);
    scores[color] - others.map(|other| scores[other]).max().unwrap_or_default()
}

/// Converts final scores to one result per color, 0…[`WIN`]. Winning is worth 96 %, split in a tie.
/// The score lead adds 0 to 4 %; a lead of 0 adds 2 %.
pub(crate) fn results_of(scores: &[Points; Color::MAX], colors: usize, points: usize) -> Results {
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

/// Conversion of area scores to territory scores. The stones that a color has put on the board are
/// subtracted from its area.
pub(crate) struct AsArea {
    /// The rules, with area scoring instead of territory scoring.
    pub(crate) rules: Ruleset,
    /// Number of stones that each color has put on the board, including those of the start
    /// position.
    pub(crate) put: [i64; Color::MAX],
}

impl AsArea {
    /// Returns the conversion for this game, or `None` without territory scoring.
    pub(crate) fn of<B: Board>(game: &Game<B>) -> Option<AsArea> {
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
