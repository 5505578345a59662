//! Scores and results of games.

use std::fmt;

use super::{Game, tax};
use crate::board::{BareBoard, Census};
use crate::rules::{DeadStones, Neutral, Points, Ruleset, Scoring};
use omnigo_base::color::Color;
use omnigo_base::vertex::Vertex;

/// The result of a game.
///
/// ```
/// use omnigo_base::color::Color;
/// use omnigo_core::game::Outcome;
/// use omnigo_core::rules::Points;
/// assert_eq!(Outcome::By(Color::BLACK, Points::from_halves(7)).to_string(), "B+3.5");
/// assert_eq!(Outcome::LastMover(Color::WHITE).to_string(), "W+");
/// assert_eq!(Outcome::Tie.to_string(), "0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This color leads the second best by this number of points.
    By(Color, Points),
    /// This color made the last move, under rules where only this counts.
    LastMover(Color),
    /// No color has a higher score than all others.
    Tie,
}

impl Outcome {
    /// Returns the winner, or `None` for a tie.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::By(color, _) | Outcome::LastMover(color) => Some(color),
            Outcome::Tie => None,
        }
    }

    /// Returns the outcome of these scores, one per color.
    pub fn of_scores(scores: &[Points]) -> Outcome {
        Outcome::best(
            scores
                .iter()
                .copied()
                .zip(Color::all(scores.len()))
                .collect(),
        )
    }

    /// Returns the outcome of these scores, one per color, for the sides of these rules. The first
    /// color of a side stands for it.
    pub fn of_sides(scores: &[Points], rules: &Ruleset) -> Outcome {
        let mut totals: Vec<(Points, Color)> = Vec::with_capacity(scores.len());
        for (color, &score) in Color::all(scores.len()).zip(scores) {
            let leader = rules.leader(color);
            match totals.iter_mut().find(|(_, known)| *known == leader) {
                Some((total, _)) => *total += score,
                None => totals.push((score, leader)),
            }
        }
        Outcome::best(totals)
    }

    fn best(mut totals: Vec<(Points, Color)>) -> Outcome {
        totals.sort_unstable_by(|a, b| b.cmp(a));
        match totals.as_slice() {
            [(best, color), (second, _), ..] if best > second => {
                Outcome::By(*color, *best - *second)
            }
            _ => Outcome::Tie,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |color: Color| match color {
            Color::BLACK => "B".to_owned(),
            Color::WHITE => "W".to_owned(),
            other => other.to_string(),
        };
        match self {
            Outcome::By(color, margin) => write!(f, "{}+{margin}", letter(*color)),
            Outcome::LastMover(color) => write!(f, "{}+", letter(*color)),
            Outcome::Tie => f.write_str("0"),
        }
    }
}

/// Error: the position has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// The rules count no points, and the player to move can continue.
    #[error("cannot score")]
    Undecided,
}

/// Returns the scores in color order for a census. `unit` is the value of a counted unit, `initial`
/// holds the points of each color before counting, and `prisoners` holds captured stones.
pub fn score_census(
    census: &Census,
    unit: Points,
    rules: &Ruleset,
    komi: Points,
    initial: &[Points; Color::MAX],
    prisoners: &[i64],
) -> [Points; Color::MAX] {
    let mut scores = [Points::ZERO; Color::MAX];
    for color in Color::all(rules.colors) {
        let i = color.index();
        let (stones, enclosed) = (census.stones[i], census.enclosed[i]);
        let shared = match rules.neutral {
            Neutral::Both => census.untouched,
            Neutral::None => 0,
        };
        let captured = Points::whole(prisoners.get(i).copied().unwrap_or(0));
        scores[i] = match rules.scoring {
            Scoring::Area => initial[i] + unit * (stones + enclosed + shared),
            Scoring::Stones => initial[i] + unit * stones,
            Scoring::Territory => initial[i] + unit * (enclosed + shared) + captured,
            Scoring::None => Points::ZERO,
        };
    }
    scores[Color::WHITE.index()] += rules.scored_komi(komi);
    scores
}

/// Status of stones at the end, on which the players agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Dead stones, to be removed.
    pub dead: Vec<Vertex>,
    /// Stones of chains in seki.
    pub seki: Vec<Vertex>,
}

impl<B: BareBoard> Game<B> {
    /// Returns the scores of the position without the stones in `dead`, one per color. White's
    /// score includes komi.
    pub fn scores(&self, dead: &[Vertex]) -> Result<Vec<Points>, ScoreError> {
        let dead = dead.to_vec();
        let seki = Vec::new();
        self.agreed_scores(&Agreement { dead, seki })
    }

    /// Returns the scores of the position under the players' agreement, one per color. White's
    /// score includes komi.
    pub fn agreed_scores(&self, agreement: &Agreement) -> Result<Vec<Points>, ScoreError> {
        let Agreement { dead, seki } = agreement;
        if self.rules.scoring == Scoring::None {
            return Err(ScoreError::Undecided);
        }
        let mut won = self.tally.won;
        let mut cleared = None;
        if !dead.is_empty() {
            let mut position = self.board.position();
            for &point in dead {
                if let Some(color) = position.get_mut(point.index()).and_then(Option::take)
                    && self.rules.colors == 2
                {
                    won[color.other().index()] += 1;
                }
            }
            let board = cleared.insert(self.board.clone());
            board.set_position(&position);
        }
        let board = cleared.as_ref().unwrap_or(&self.board);
        let mut census = board.census();
        match self.rules.dead {
            DeadStones::Agreed => tax::levy(self.rules.tax, board, seki, &mut census),
            DeadStones::None => tax::levy_unjudged(self.rules.tax, board, &mut census),
        }
        let mut scores = score_census(
            &census,
            self.board.unit(),
            &self.rules,
            self.komi,
            &self.initial,
            &won,
        );
        scores[Color::WHITE.index()] += self.handicap_bonus();
        if let Some((color, worth)) = self.button() {
            scores[color.index()] += worth;
        }
        Ok(scores[..self.rules.colors].to_vec())
    }

    /// Returns the result of the current position. The stones in `dead` are removed before
    /// counting.
    pub fn outcome(&self, dead: &[Vertex]) -> Result<Outcome, ScoreError> {
        let dead = dead.to_vec();
        let seki = Vec::new();
        self.agreed_outcome(&Agreement { dead, seki })
    }

    /// Returns the result of the current position under the players' agreement.
    pub fn agreed_outcome(&self, agreement: &Agreement) -> Result<Outcome, ScoreError> {
        match self.rules.scoring {
            Scoring::Area | Scoring::Stones | Scoring::Territory => {
                let scores = self.agreed_scores(agreement);
                scores.map(|scores| Outcome::of_sides(&scores, &self.rules))
            }
            Scoring::None if self.rules.colors == 2 && self.is_stuck(self.to_move()) => {
                Ok(Outcome::LastMover(self.to_move().other()))
            }
            Scoring::None => Err(ScoreError::Undecided),
        }
    }
}
