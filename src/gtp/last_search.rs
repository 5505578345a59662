//! Result of the latest search, stored for later commands, and GoGui drawings of it.

use std::fmt::Write;

use crate::color::Color;
use crate::engine::{Analysis, Figures};
use crate::graph::goban::Goban;
use crate::notation::move_text;
use crate::vertex::Move;

/// Move that a search visited.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The move.
    pub mv: Move,
    /// Estimates for the move.
    pub figures: Figures,
    /// Prior of the move, 0…1.
    pub prior: f64,
    /// Principal variation that starts with this move.
    pub variation: Vec<Move>,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct LastSearch {
    /// Specification of the searched board.
    pub board: String,
    /// Player to move.
    pub color: Color,
    /// Estimates for the position.
    pub root: Figures,
    /// True if the search counted points.
    pub counts_points: bool,
    /// Visited moves, the best first.
    pub moves: Vec<Tried>,
}

/// Maximum number of moves in a drawing.
const DRAWN: usize = 10;
/// Maximum number of moves of a variation in a sentence.
const TOLD: usize = 12;

impl LastSearch {
    /// Returns the current result of a search.
    pub fn of(analysis: &Analysis<'_>) -> LastSearch {
        let listed = analysis.moves(1, usize::MAX);
        LastSearch {
            board: analysis.goban.spec.to_string(),
            color: analysis.color,
            root: analysis.root(),
            counts_points: analysis.result.lead.is_some(),
            moves: listed
                .into_iter()
                .map(|listed| Tried {
                    mv: listed.mv,
                    figures: listed.figures,
                    prior: listed.prior,
                    variation: match listed.variation {
                        [] => vec![listed.mv],
                        moves => moves.iter().map(|(mv, _)| *mv).collect(),
                    },
                })
                .collect(),
        }
    }

    /// Returns the principal variation, or an empty slice without moves.
    pub fn variation(&self) -> &[Move] {
        self.moves.first().map_or(&[], |tried| &tried.variation)
    }

    /// Describes the result in one sentence.
    pub fn sentence(&self, goban: &Goban) -> String {
        let Figures {
            visits,
            winrate,
            lead,
            ..
        } = self.root;
        let mut text = format!(
            "{visits} visits, {} wins {:.1} %",
            self.color,
            winrate * 100.0
        );
        if self.counts_points {
            // Writing to a string cannot fail.
            let _ = write!(text, ", {lead:+.1} points");
        }
        if !self.moves.is_empty() {
            text.push_str("; expected");
        }
        for mv in self.variation().iter().take(TOLD) {
            text.push(' ');
            text.push_str(&move_text(goban, *mv));
        }
        text
    }

    /// Returns GoGui drawing commands for the best moves and the principal variation. Labels show
    /// each move's percentage of visits. Colors show its win probability, from green for the best
    /// move to red.
    pub fn drawing(&self, goban: &Goban) -> String {
        let mut drawing = String::new();
        let name = |mv| move_text(goban, mv);
        let all = f64::from(self.root.visits.max(1));
        let best = self
            .moves
            .first()
            .map_or(0.0, |tried| tried.figures.winrate);
        let placed = self.moves.iter().filter(|tried| tried.mv != Move::Pass);
        let mut labels = String::new();
        // Writing to a string cannot fail, here and below.
        for tried in placed.take(DRAWN) {
            let share = 100.0 * f64::from(tried.figures.visits) / all;
            let _ = write!(labels, " {} {share:.0}", name(tried.mv));
            // Green for the best move, yellow at 5 percentage points less win probability, red at
            // 10 or more.
            let worse = ((best - tried.figures.winrate) * 10.0).clamp(0.0, 1.0);
            let red = (255.0 * (2.0 * worse).min(1.0)) as u8;
            let green = (255.0 * (2.0 - 2.0 * worse).min(1.0)) as u8;
            let _ = writeln!(drawing, "COLOR #{red:02x}{green:02x}40 {}", name(tried.mv));
        }
        if !labels.is_empty() {
            let _ = writeln!(drawing, "LABEL{labels}");
        }
        let _ = write!(drawing, "TEXT {}", self.sentence(goban));
        drawing
    }
}
