//! The lines of an analysis, in the forms of Leela Zero and of KataGo.
//!
//! One line is one update: a segment `info …` for each move, `move` first and `pv` last of the plain keys, then what was asked
//! for besides. Clients take winrates for fractions where a figure has a decimal point, so that every one has six decimals.

use std::fmt::Write;

use super::arguments::move_text;
use crate::engine::{Analysis, Figures, Listed, Owned};
use crate::vertex::Move;

/// Whose form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Leela Zero's: whole numbers, chances in ten-thousandths.
    Lz,
    /// KataGo's: decimals.
    Kata,
}

/// What a line tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) dialect: Dialect,
    /// Moves told at least and at most.
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
    /// What is told unless something else is asked for.
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

    /// The line.
    pub(super) fn line(&self, analysis: &Analysis<'_>) -> String {
        let mut line = String::new();
        // Writing into a string cannot fail, here and below.
        let mut moves = analysis.moves(self.least, self.most);
        if moves.is_empty() {
            // After the end, or where nothing can be done: a pass is what would be answered.
            moves.push(Listed {
                mv: Move::Pass,
                figures: analysis.root(),
                prior: 1.0,
                variation: &[],
            });
        }
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
                let whole = |chance: f64| (chance * 10_000.0).round() as u32;
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
        // The tree has no transpositions: an edge is visited as often as what it leads to.
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

    /// The figures that KataGo gives of positions and moves alike.
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
            // No game here ends without a result.
            line.push_str(" noResultValue 0.000000");
        }
    }
}

/// A chance as a value from -1 to 1.
fn utility(chance: f64) -> f64 {
    2.0 * chance - 1.0
}

/// Mean and deviation of the ownership of each place of the alias grid, row by row from the top left; 0 where there is no vertex.
pub fn ownership_grid(analysis: &Analysis<'_>) -> Vec<(f64, f64)> {
    grid_of(analysis, &analysis.ownership())
}

/// What belongs to each vertex, in the places of the alias grid.
pub fn grid_of(analysis: &Analysis<'_>, owned: &[Owned]) -> Vec<(f64, f64)> {
    let names = &analysis.goban.names;
    let rows = (0..names.height()).rev();
    let places = rows.flat_map(|row| (0..names.width()).map(move |column| (column, row)));
    places
        .map(|(column, row)| {
            let vertex = names.vertex_at(column, row);
            vertex
                .and_then(|vertex| owned.get(vertex.index()))
                // No negative zero in the text.
                .map_or((0.0, 0.0), |owned| (owned.mean + 0.0, owned.deviation))
        })
        .collect()
}

/// Six decimals are plenty.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
