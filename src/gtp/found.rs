//! What the latest search found, kept for those who ask afterwards, and the drawings that GoGui makes of it.

use std::fmt::Write;

use super::arguments::move_text;
use crate::color::Color;
use crate::engine::{Analysis, Figures};
use crate::graph::goban::Goban;
use crate::vertex::Move;

/// A move that a search looked at.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The move.
    pub mv: Move,
    /// What is thought of it.
    pub figures: Figures,
    /// Its share of what was expected of all moves at first, 0…1.
    pub prior: f64,
    /// The expected moves, this one first.
    pub variation: Vec<Move>,
}

/// The findings of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The board that it was about, as a spec.
    pub board: String,
    /// Whose move was looked for.
    pub color: Color,
    /// What is thought of the position.
    pub root: Figures,
    /// The moves looked at well enough, the best first.
    pub moves: Vec<Tried>,
}

/// Moves drawn at most.
const DRAWN: usize = 10;
/// Moves of a variation that are told.
const TOLD: usize = 12;

impl Found {
    /// The findings so far of a search.
    pub fn of(analysis: &Analysis<'_>) -> Found {
        let listed = analysis.moves(1, usize::MAX);
        Found {
            board: analysis.goban.spec.to_string(),
            color: analysis.color,
            root: analysis.root(),
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

    /// The expected moves, the best one first.
    pub fn variation(&self) -> &[Move] {
        self.moves.first().map_or(&[], |tried| &tried.variation)
    }

    /// What was found, in a sentence.
    pub fn sentence(&self, goban: &Goban) -> String {
        let Figures {
            visits,
            winrate,
            lead,
            ..
        } = self.root;
        let mut text = format!(
            "{visits} visits, {} wins {:.1} %, {lead:+.1} points",
            self.color,
            winrate * 100.0
        );
        if !self.moves.is_empty() {
            text.push_str("; expected");
        }
        for mv in self.variation().iter().take(TOLD) {
            text.push(' ');
            text.push_str(&move_text(goban, *mv));
        }
        text
    }

    /// GoGui's drawing commands for the best moves: how often each was visited, in percent, greener the better it is, and the
    /// expected moves.
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
        // Writing into a string cannot fail, here and below.
        for tried in placed.take(DRAWN) {
            let share = 100.0 * f64::from(tried.figures.visits) / all;
            let _ = write!(labels, " {} {share:.0}", name(tried.mv));
            // From green over yellow to red within a tenth of the chances.
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
