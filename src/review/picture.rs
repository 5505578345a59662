//! A review as a picture: win rate and score lead over the moves, with the worst moves.

use super::game::Game;
use super::walk::{Estimate, Grade, Review};
use crate::notation::move_text;
use crate::render::svg::{Chart, Curve, Mark, chart};
use crate::text::quote;

/// Returns the graph of win rate and score lead as SVG.
pub fn picture(game: &Game, review: &Review) -> String {
    let estimates = || {
        let after = review.moves.iter().map(|m| (m.number, &m.after));
        [(0, &review.start)].into_iter().chain(after)
    };
    let points = |value: &dyn Fn(&Estimate) -> Option<f64>| -> Vec<(f64, f64)> {
        let known = estimates().filter_map(|(number, estimate)| {
            let value = value(estimate)?;
            Some((number as f64, value))
        });
        known.collect()
    };
    let mut curves = vec![Curve {
        title: "Win rate of Black (%)".to_string(),
        points: points(&|estimate| Some(100.0 * estimate.winrate)),
        middle: 50.0,
        range: Some((0.0, 100.0)),
    }];
    if game.counts_points() {
        curves.push(Curve {
            title: "Score lead of Black (points)".to_string(),
            points: points(&|estimate| estimate.lead),
            middle: 0.0,
            range: None,
        });
    }
    let marks = review.worst().into_iter().map(|m| Mark {
        at: m.number as f64,
        name: format!("{} {}", m.number, move_text(&game.goban, m.mv)),
        is_severe: m.grade == Grade::Blunder,
    });
    chart(&Chart {
        title: format!("Review of {}", quote(&game.goban.spec.to_string())),
        across: "Move number".to_string(),
        legend: ["mistake".to_string(), "blunder".to_string()],
        curves,
        marks: marks.collect(),
    })
}
