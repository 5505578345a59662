//! Analysis lines in the formats of Leela Zero and KataGo.
//!
//! Each line is one update. It has one segment `info …` per move. A segment starts with `move` and
//! ends with `pv`, followed by the optional keys. Clients treat a win rate as a fraction if it
//! contains a decimal point. Decimal values therefore always have six decimals.

use std::fmt::Write;

use crate::engine::{Analysis, Figures, Listed, Owned};
use crate::notation::move_text;

/// Format of an analysis line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Leela Zero: probabilities as integers, in units of 1/10,000.
    Lz,
    /// KataGo: decimal numbers.
    Kata,
}

/// Content of an analysis line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) dialect: Dialect,
    /// Minimum and maximum number of moves.
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) root: bool,
    pub(super) ownership: bool,
    pub(super) ownership_deviation: bool,
    pub(super) pv_visits: bool,
    pub(super) pv_edge_visits: bool,
    pub(super) no_result: bool,
}

impl Form {
    /// Returns the default content.
    pub(super) fn of(dialect: Dialect) -> Form {
        Form {
            dialect,
            least: 1,
            most: usize::MAX,
            root: false,
            ownership: false,
            ownership_deviation: false,
            pv_visits: false,
            pv_edge_visits: false,
            no_result: false,
        }
    }

    /// Returns one analysis line.
    pub(super) fn line(&self, analysis: &Analysis<'_>) -> String {
        let mut line = String::new();
        // Writing to a string cannot fail, here and below.
        let moves = analysis.moves_or_pass(self.least, self.most);
        for (order, listed) in moves.iter().enumerate() {
            if order > 0 {
                line.push(' ');
            }
            self.segment(&mut line, analysis, listed, order);
        }
        if self.root {
            let root = analysis.root();
            let _ = write!(line, " rootInfo visits {}", root.visits);
            self.figures(&mut line, &root);
        }
        if self.ownership || self.ownership_deviation {
            let grid = ownership_grid(analysis);
            if self.ownership {
                line.push_str(" ownership");
                for (mean, _) in &grid {
                    let _ = write!(line, " {mean:.6}");
                }
            }
            if self.ownership_deviation {
                line.push_str(" ownershipStdev");
                for (_, deviation) in &grid {
                    let _ = write!(line, " {deviation:.6}");
                }
            }
        }
        line
    }

    fn segment(
        &self,
        line: &mut String,
        analysis: &Analysis<'_>,
        listed: &Listed<'_>,
        order: usize,
    ) {
        let name = |mv| move_text(analysis.goban, mv);
        let Figures {
            visits,
            winrate,
            lcb,
            ..
        } = listed.figures;
        let _ = write!(line, "info move {} visits {visits}", name(listed.mv));
        match self.dialect {
            Dialect::Lz => {
                let whole = |probability: f64| (probability * 10_000.0).round() as u32;
                let _ = write!(
                    line,
                    " winrate {} prior {} lcb {}",
                    whole(winrate),
                    whole(listed.prior),
                    whole(lcb)
                );
            }
            Dialect::Kata => {
                self.figures(line, &listed.figures);
                let _ = write!(line, " prior {:.6} lcb {lcb:.6}", listed.prior);
                let _ = write!(line, " utilityLcb {:.6}", utility(lcb));
            }
        }
        let _ = write!(line, " order {order} pv");
        let alone = [(listed.mv, visits)];
        let variation = if listed.variation.is_empty() {
            &alone
        } else {
            listed.variation
        };
        for &(mv, _) in variation {
            let _ = write!(line, " {}", name(mv));
        }
        // The tree has no transpositions, so an edge has as many visits as its child.
        for (asked, key) in [
            (self.pv_visits, "pvVisits"),
            (self.pv_edge_visits, "pvEdgeVisits"),
        ] {
            if asked {
                let _ = write!(line, " {key}");
                for (_, visits) in variation {
                    let _ = write!(line, " {visits}");
                }
            }
        }
    }

    /// Writes the values that KataGo reports for both positions and moves.
    fn figures(&self, line: &mut String, figures: &Figures) {
        let &Figures {
            visits,
            winrate,
            lead,
            deviation,
            ..
        } = figures;
        let _ = write!(
            line,
            " utility {:.6} winrate {winrate:.6} scoreMean {lead:.6} scoreStdev {deviation:.6} scoreLead {lead:.6} \
             scoreSelfplay {lead:.6} weight {:.6}",
            utility(winrate),
            f64::from(visits)
        );
        if self.no_result {
            // Every omnigo game has a result.
            line.push_str(" noResultValue 0.000000");
        }
    }
}

/// Converts a win probability to a utility from -1 to 1.
fn utility(probability: f64) -> f64 {
    2.0 * probability - 1.0
}

/// Returns mean and standard deviation of the ownership of each point of the alias grid, row by row
/// from the top left. Points without a vertex get 0.
pub fn ownership_grid(analysis: &Analysis<'_>) -> Vec<(f64, f64)> {
    grid_of(analysis, &analysis.ownership())
}

/// Arranges `owned`, which is in index order, by the points of the alias grid. Points without a
/// vertex get 0.
pub fn grid_of(analysis: &Analysis<'_>, owned: &[Owned]) -> Vec<(f64, f64)> {
    let names = &analysis.goban.names;
    let rows = (0..names.height()).rev();
    let places = rows.flat_map(|row| (0..names.width()).map(move |column| (column, row)));
    places
        .map(|(column, row)| {
            let vertex = names.vertex_at(column, row);
            vertex
                .and_then(|vertex| owned.get(vertex.index()))
                // Adding 0.0 turns -0.0 into 0.0, which avoids `-0` in the text.
                .map_or((0.0, 0.0), |owned| (owned.mean + 0.0, owned.deviation))
        })
        .collect()
}

/// Rounds to six decimals.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
