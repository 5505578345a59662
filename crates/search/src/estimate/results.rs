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

/// Scores of the sides, at the index of their first color.
struct Totals {
    scores: [Points; Color::MAX],
    /// Index of the first color of the side of each color.
    leaders: [usize; Color::MAX],
    colors: usize,
}

impl Totals {
    fn of(scores: &[Points; Color::MAX], rules: &Ruleset) -> Totals {
        let mut totals = Totals {
            scores: *scores,
            leaders: std::array::from_fn(|c| c),
            colors: rules.colors,
        };
        for color in Color::all(rules.colors) {
            let (own, leader) = (color.index(), rules.leader(color).index());
            totals.leaders[own] = leader;
            if leader != own {
                totals.scores[leader] += scores[own];
            }
        }
        totals
    }

    /// Returns the scores of all sides, except that of `leader`.
    fn without(&self, leader: usize) -> impl Iterator<Item = Points> {
        let sides = (0..self.colors).filter(move |&c| c != leader && self.leaders[c] == c);
        sides.map(|c| self.scores[c])
    }

    /// Returns the score of the side of `color` minus the best score of the other sides.
    fn lead(&self, color: usize) -> Points {
        let leader = self.leaders[color];
        self.scores[leader] - self.without(leader).max().unwrap_or_default()
    }
}

/// Returns the score of the side of `color` minus the best score of the other sides.
pub(crate) fn lead(scores: &[Points; Color::MAX], rules: &Ruleset, color: usize) -> Points {
    Totals::of(scores, rules).lead(color)
}

/// Returns the result of a game that `winner` has won, for example by a resignation.
pub(crate) fn won_by(winner: Color) -> Results {
    let mut results = [0; Color::MAX];
    results[winner.index()] = WIN;
    results
}

/// Converts final scores to one result per color, 0…[`WIN`]. Winning is worth 96 %, split between
/// the sides of a tie. The score lead adds 0 to 4 %; a lead of 0 adds 2 %.
pub(crate) fn results_of(scores: &[Points; Color::MAX], rules: &Ruleset, points: usize) -> Results {
    let mut results = [0; Color::MAX];
    let totals = Totals::of(scores, rules);
    // No color has this index, so all sides count.
    let best = totals.without(Color::MAX).max().unwrap_or_default();
    let winners = totals.without(Color::MAX).filter(|&total| total == best);
    let winners = winners.count();
    for (c, result) in results.iter_mut().enumerate().take(rules.colors) {
        let base = if totals.scores[totals.leaders[c]] == best {
            (WIN - MARGIN) / winners as u64
        } else {
            0
        };
        let span = 2 * points.max(1) as i64;
        let margin = totals.lead(c).halves().clamp(-span, span);
        *result = base + (MARGIN as i64 * (margin + span) / (2 * span)) as u64;
    }
    results
}

/// Part of the results of a search for the score.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ScorePart {
    /// The rules count no score.
    No,
    /// The network predicts no score. Its results are those of an even score, and playouts beside
    /// it hardly change that.
    Even,
    /// The part is that of the score lead. The kept tree has visits of earlier searches, whose
    /// leads are known by this mean alone, as a share of the points, −1…1. `None` without a tree.
    Lead(Option<f64>),
}

impl ScorePart {
    /// Returns the mean score lead of `visits` as a share of the points, −1…1. `known` has the mean
    /// and the number of the visits of this search, and `other` is the mean of the others.
    pub(crate) fn mean(self, known: Option<(f64, u32)>, visits: u32, other: Option<f64>) -> f64 {
        let earlier = match self {
            ScorePart::No | ScorePart::Even => return 0.0,
            ScorePart::Lead(earlier) => earlier.or(other),
        };
        let (mean, samples) = known.unwrap_or_default();
        let rest = f64::from(visits.saturating_sub(samples));
        match earlier {
            Some(earlier) if rest > 0.0 => {
                (mean * f64::from(samples) + earlier * rest) / f64::from(visits)
            }
            _ => mean,
        }
    }

    /// Returns the win probability in the mean result `value` of visits with a mean score lead of
    /// `share` of the points. It inverts [`results_of`] and the results of networks.
    pub(crate) fn win_probability(self, value: f64, share: f64) -> f64 {
        let worth = MARGIN as f64 / WIN as f64;
        match self {
            ScorePart::No => value,
            // Resigned games have no such part, and leads of kept visits are estimates. So the
            // quotient may be outside.
            ScorePart::Even | ScorePart::Lead(_) => {
                ((value - worth * (share + 1.0) / 2.0) / (1.0 - worth)).clamp(0.0, 1.0)
            }
        }
    }
}

/// Conversion of area scores to territory scores. The stones that a color has put on the board are
/// subtracted from its area.
pub(crate) struct AreaToTerritory {
    /// The rules, with area scoring instead of territory scoring.
    pub(crate) rules: Ruleset,
    /// Number of stones that each color has put on the board, including those of the start
    /// position.
    pub(crate) put: [i64; Color::MAX],
}

impl AreaToTerritory {
    /// Returns the conversion for this game, or `None` without territory scoring.
    pub(crate) fn of<B: Board>(game: &Game<B>) -> Option<AreaToTerritory> {
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
        Some(AreaToTerritory { rules, put })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omnigo_core::rules::presets;

    #[test]
    fn allies_share_their_results() {
        let rules = |colors: usize, sides: &str| Ruleset {
            colors,
            sides: sides.parse().unwrap(),
            ..presets::find("tromp-taylor").unwrap().rules.clone()
        };
        let scores = |points: [i64; 4]| {
            let mut scores = [Points::ZERO; Color::MAX];
            for (slot, points) in scores.iter_mut().zip(points) {
                *slot = Points::whole(points);
            }
            scores
        };
        let alone = results_of(&scores([1, 4, 2, 3]), &rules(4, "0"), 10);
        assert!(alone[1] > WIN / 2 && [0, 2, 3].iter().all(|&c| alone[c] < WIN / 2));
        let pairs = rules(4, "1212");
        let won = results_of(&scores([1, 4, 2, 3]), &pairs, 10);
        assert_eq!((won[0], won[1]), (won[2], won[3]));
        assert!(won[1] > WIN / 2 && won[0] < WIN / 2);
        assert_eq!(lead(&scores([1, 4, 2, 3]), &pairs, 3), Points::whole(4));
        assert_eq!(lead(&scores([1, 4, 2, 3]), &pairs, 0), Points::whole(-4));
        // A tie of two sides is worth half a win, however many colors they have.
        let tie = results_of(&scores([1, 3, 2, 0]), &rules(4, "101"), 10);
        let half = (WIN - MARGIN) / 2 + MARGIN / 2;
        assert_eq!([tie[0], tie[1], tie[2]], [half; 3]);
        assert!(tie[3] < half);
        // Between two colors, each plays alone.
        let two = results_of(&scores([1, 4, 0, 0]), &rules(2, "11"), 10);
        assert!(two[1] > WIN / 2 && two[0] < WIN / 2);
    }

    #[test]
    fn the_win_probability_has_no_part_for_the_score() {
        let rules = &presets::find("tromp-taylor").unwrap().rules;
        // Black wins three of four games. Leads beyond the 81 points count as 81.
        let leads = [1, 30, 90, -7];
        let mut value = 0.0;
        for lead in leads {
            let mut scores = [Points::ZERO; Color::MAX];
            scores[0] = Points::whole(lead);
            value += results_of(&scores, rules, 81)[0] as f64 / (4.0 * WIN as f64);
        }
        let share = (1.0 + 30.0 + 81.0 - 7.0) / (4.0 * 81.0);
        let part = ScorePart::Lead(None);
        assert!((part.win_probability(value, share) - 0.75).abs() < 0.001);
        // Certain results stay certain, and without a score the results are wins.
        for value in [0.0, 1.0] {
            assert_eq!(part.win_probability(value, share), value);
        }
        assert_eq!(ScorePart::No.win_probability(0.98, 0.0), 0.98);
        assert_eq!(ScorePart::Even.win_probability(0.5, 0.0), 0.5);
    }

    #[test]
    fn visits_of_earlier_searches_have_the_lead_of_that_search() {
        let kept = ScorePart::Lead(Some(0.4));
        assert_eq!(kept.mean(None, 300, None), 0.4);
        assert_eq!(kept.mean(Some((-0.6, 100)), 400, None), 0.15);
        let new = ScorePart::Lead(None);
        assert_eq!(new.mean(Some((-0.6, 100)), 100, Some(0.4)), -0.6);
        assert_eq!(new.mean(None, 1, Some(0.4)), 0.4);
        assert_eq!(ScorePart::Even.mean(Some((-0.6, 100)), 100, None), 0.0);
    }
}
