//! Summary of a review: figures for each color, and the worst moves.

use super::walk::{Grade, MoveReview, Review};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::notation::move_text;
use crate::text::counted;

/// Maximum number of moves in the list of the worst.
const WORST: usize = 5;

/// Moves of one color.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Number of moves.
    pub moves: usize,
    /// Mean number of points lost per move. `None` without moves, or if no points are counted.
    pub points_lost: Option<f64>,
    /// Mean win probability lost per move. `None` without moves.
    pub winrate_lost: Option<f64>,
    /// Number of mistakes that are no blunders.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
    /// Fraction of moves that the search prefers as well. `None` without moves.
    pub agreement: Option<f64>,
}

/// Returns the mean, or `None` without values.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Review {
    /// Returns the figures of a color.
    pub fn side(&self, color: Color) -> Side {
        let moves = || self.moves.iter().filter(move |m| m.color == color);
        let graded = |grade: Grade| moves().filter(|m| m.grade == grade).count();
        Side {
            moves: moves().count(),
            points_lost: mean(moves().filter_map(|m| m.points_lost)),
            winrate_lost: mean(moves().map(|m| m.winrate_lost)),
            mistakes: graded(Grade::Mistake),
            blunders: graded(Grade::Blunder),
            agreement: mean(moves().map(|m| f64::from(u8::from(m.grade == Grade::Best)))),
        }
    }

    /// Returns the worst mistakes and blunders, the worst first.
    pub fn worst(&self) -> Vec<&MoveReview> {
        let blunder = self.settings.blunder;
        // Losses of points and of win probability, each as a multiple of a blunder's.
        let weight = |m: &MoveReview| {
            let points = m.points_lost.unwrap_or(0.0) / blunder.points;
            points.max(m.winrate_lost / blunder.winrate)
        };
        let mut worst: Vec<&MoveReview> = self.moves.iter().filter(|m| m.is_mistake()).collect();
        worst.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        worst.truncate(WORST);
        worst
    }

    /// Returns the summary as text, without a line break at its end.
    pub fn summary(&self, goban: &Goban) -> String {
        let mut lines = Vec::new();
        for color in [Color::BLACK, Color::WHITE] {
            lines.push(format!(
                "{}: {}.",
                capitalized(color),
                self.side(color).text()
            ));
        }
        let worst: Vec<String> = self
            .worst()
            .into_iter()
            .map(|m| {
                let mv = move_text(goban, m.mv);
                format!("{} {} {mv} ({})", m.number, m.color, m.loss())
            })
            .collect();
        lines.push(match worst.is_empty() {
            true => "No mistakes.".to_string(),
            false => format!("Worst moves: {}.", worst.join("; ")),
        });
        if !self.is_complete() {
            let (done, all) = (self.moves.len(), self.total);
            lines.push(format!("Interrupted after {done} of {all} moves."));
        }
        lines.join("\n")
    }
}

impl MoveReview {
    /// Returns true for mistakes and blunders.
    pub fn is_mistake(&self) -> bool {
        self.grade >= Grade::Mistake
    }

    /// Returns the loss as text: `2.3 points, 4.5 % win rate`.
    pub(super) fn loss(&self) -> String {
        loss_text(self.points_lost, self.winrate_lost)
    }
}

impl Side {
    fn text(&self) -> String {
        let (Some(winrate), Some(agreement)) = (self.winrate_lost, self.agreement) else {
            return "no moves".to_string();
        };
        let loss = loss_text(self.points_lost, winrate);
        format!(
            "{}, {loss} lost per move, {}, {}, agreement {:.0} %",
            counted(self.moves as u64, "move"),
            counted(self.mistakes as u64, "mistake"),
            counted(self.blunders as u64, "blunder"),
            100.0 * agreement
        )
    }
}

fn loss_text(points: Option<f64>, winrate: f64) -> String {
    let winrate = format!("{:.1} % win rate", 100.0 * winrate);
    match points {
        Some(points) => format!("{points:.1} points, {winrate}"),
        None => winrate,
    }
}

fn capitalized(color: Color) -> &'static str {
    match color {
        Color::BLACK => "Black",
        _ => "White",
    }
}
