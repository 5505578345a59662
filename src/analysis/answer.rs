//! Answer to a query: the result of the search for one of its turns.

use serde_json::{Map, Value, json};

use super::query::{Perspective, Query};
use crate::color::Color;
use crate::engine::{Analysis, Figures, Listed};
use crate::gtp::info::{grid_of, ownership_grid, rounded};
use crate::notation::move_text;
use crate::vertex::Move;

/// Returns the answer during a search, or at its end if `last` is true.
pub(super) fn answer(query: &Query, turn: usize, analysis: &Analysis<'_>, last: bool) -> Value {
    let flip = match query.perspective {
        Perspective::ToMove => false,
        Perspective::Of(color) => color != analysis.color,
    };
    let view = View { flip };
    let moves = analysis.moves_or_pass(1, usize::MAX);
    let infos = moves.iter().enumerate();
    let infos = infos.map(|(order, listed)| move_info(query, analysis, &view, listed, order));
    let figures = analysis.root();
    let mut root = view.figures(&figures);
    root.insert("lcb".to_string(), json!(view.probability(figures.lcb)));
    let player = match analysis.color {
        Color::BLACK => "B".to_string(),
        Color::WHITE => "W".to_string(),
        other => other.to_string(),
    };
    root.insert("currentPlayer".to_string(), json!(player));
    let mut answer = json!({
        "id": query.id,
        "turnNumber": turn,
        "isDuringSearch": !last,
        "moveInfos": infos.collect::<Vec<_>>(),
        "rootInfo": root,
    });
    let Some(object) = answer.as_object_mut() else {
        return answer;
    };
    if query.ownership || query.ownership_deviation {
        let grid = ownership_grid(analysis);
        if query.ownership {
            object.insert("ownership".to_string(), view.owners(&grid));
        }
        if query.ownership_deviation {
            let deviations = grid.iter().map(|&(_, deviation)| rounded(deviation));
            object.insert("ownershipStdev".to_string(), deviations.collect());
        }
    }
    if query.policy {
        object.insert("policy".to_string(), policy(analysis));
    }
    answer
}

/// Returns the answer for a turn that was not searched.
pub(super) fn nothing(query: &Query, turn: usize) -> Value {
    json!({"id": query.id, "turnNumber": turn, "isDuringSearch": false, "noResults": true})
}

/// Perspective of the reported values.
struct View {
    /// True if the values are for the opponent of the analysis color.
    flip: bool,
}

impl View {
    fn probability(&self, probability: f64) -> f64 {
        rounded(if self.flip {
            1.0 - probability
        } else {
            probability
        })
    }

    fn points(&self, points: f64) -> f64 {
        // Adding 0.0 turns -0.0 into 0.0, which avoids `-0` in the text.
        rounded(if self.flip { -points } else { points }) + 0.0
    }

    fn owners(&self, grid: &[(f64, f64)]) -> Value {
        grid.iter().map(|&(mean, _)| self.points(mean)).collect()
    }

    fn figures(&self, figures: &Figures) -> Map<String, Value> {
        let (winrate, lead) = (self.probability(figures.winrate), self.points(figures.lead));
        let fields = [
            ("visits", json!(figures.visits)),
            ("weight", json!(f64::from(figures.visits))),
            ("winrate", json!(winrate)),
            ("utility", json!(rounded(2.0 * winrate - 1.0))),
            ("scoreLead", json!(lead)),
            ("scoreMean", json!(lead)),
            ("scoreSelfplay", json!(lead)),
            ("scoreStdev", json!(rounded(figures.deviation))),
        ];
        let fields = fields.into_iter();
        fields
            .map(|(key, value)| (key.to_string(), value))
            .collect()
    }
}

fn move_info(
    query: &Query,
    analysis: &Analysis<'_>,
    view: &View,
    listed: &Listed<'_>,
    order: usize,
) -> Value {
    let name = |mv| move_text(analysis.goban, mv);
    let lcb = view.probability(listed.figures.lcb);
    let mut info = view.figures(&listed.figures);
    let alone = [(listed.mv, listed.figures.visits)];
    let variation = if listed.variation.is_empty() {
        &alone
    } else {
        listed.variation
    };
    let pv: Vec<String> = variation.iter().map(|&(mv, _)| name(mv)).collect();
    let mut add = |key: &str, value: Value| info.insert(key.to_string(), value);
    add("move", json!(name(listed.mv)));
    add("order", json!(order));
    add("prior", json!(rounded(listed.prior)));
    add("lcb", json!(lcb));
    add("utilityLcb", json!(rounded(2.0 * lcb - 1.0)));
    add("edgeVisits", json!(listed.figures.visits));
    add("pv", json!(pv));
    if query.moves_ownership
        && let Some(owned) = analysis.ownership_after(listed.mv)
    {
        add("ownership", view.owners(&grid_of(analysis, &owned)));
    }
    if query.pv_visits {
        let visits: Vec<u32> = variation.iter().map(|&(_, visits)| visits).collect();
        add("pvVisits", json!(visits));
        add("pvEdgeVisits", json!(visits));
    }
    Value::Object(info)
}

/// Returns the prior of each point of the alias grid, row by row from the top left, then that of
/// the pass. Points without a candidate move get -1.
fn policy(analysis: &Analysis<'_>) -> Value {
    let names = &analysis.goban.names;
    let mut by_vertex = vec![-1.0; names.vertices()];
    let mut pass = -1.0;
    for candidate in &analysis.result.candidates {
        let prior = rounded(candidate.prior);
        match candidate.mv {
            Move::Pass => pass = prior,
            Move::Place(at) => {
                if let Some(place) = by_vertex.get_mut(at.index()) {
                    *place = prior;
                }
            }
        }
    }
    let rows = (0..names.height()).rev();
    let places = rows.flat_map(|row| (0..names.width()).map(move |column| (column, row)));
    let of_place = |(column, row)| {
        let vertex = names.vertex_at(column, row);
        vertex
            .and_then(|v| by_vertex.get(v.index()).copied())
            .unwrap_or(-1.0)
    };
    let mut policy: Vec<f64> = places.map(of_place).collect();
    policy.push(pass);
    json!(policy)
}
