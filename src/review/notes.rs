//! Notes of a review on the moves of a game, for all formats that hold comments and variations.

use super::game::Game;
use super::walk::{Grade, Loss, MoveReview, Review};
use crate::color::Color;
use crate::graph::goban::Goban;
use crate::notation::move_text;
use crate::record::sgf::{Note, Variation};

/// Returns a note for the start and one for each move that was reviewed.
pub(super) fn notes(game: &Game, review: &Review) -> Vec<Note> {
    let mut notes = vec![Note {
        step: None,
        comment: format!("{}\n{}", heading(game, review), review.summary(&game.goban)),
        value: review.start.lead,
        ..Note::default()
    }];
    notes.extend(review.moves.iter().map(|m| note(m, &game.goban)));
    notes
}

/// Returns the lines about the engine and the meaning of the figures.
fn heading(game: &Game, review: &Review) -> String {
    let settings = &review.settings;
    let limits = [
        settings
            .playouts
            .map(|playouts| format!("at most {playouts} playouts per position")),
        settings
            .seconds
            .map(|seconds| format!("at most {seconds} s per position")),
        settings
            .total
            .map(|seconds| format!("at most {seconds} s for all positions")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let effort = match limits.is_empty() {
        true => "no limit".to_string(),
        false => limits.join(", "),
    };
    let loss = |loss: &Loss| {
        let winrate = 100.0 * loss.winrate;
        match game.counts_points() {
            true => format!("{} points or {winrate} % win rate", loss.points),
            false => format!("{winrate} % win rate"),
        }
    };
    format!(
        "Review by omnigo {}: {effort}, ruleset {}, komi {}.\n\
         Win rates and leads are Black's. A mistake loses {}, a blunder {}.",
        env!("CARGO_PKG_VERSION"),
        game.rules,
        game.komi,
        loss(&settings.mistake),
        loss(&settings.blunder),
    )
}

/// Returns win rate and lead as text: `win rate 48.3 %, lead -1.2`.
fn figures(winrate: f64, lead: Option<f64>) -> String {
    let winrate = format!("win rate {:.1} %", 100.0 * winrate);
    match lead {
        Some(lead) => format!("{winrate}, lead {}", signed(lead)),
        None => winrate,
    }
}

/// Returns points with one decimal and a sign.
fn signed(points: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:+.1}", (10.0 * points).round() / 10.0 + 0.0)
}

fn note(m: &MoveReview, goban: &Goban) -> Note {
    let mut comment = format!(
        "Before: {}\nAfter: {}",
        figures(m.before.winrate, m.before.lead),
        figures(m.after.winrate, m.after.lead)
    );
    comment.push_str(&match m.grade {
        Grade::Best => "\nBest move".to_string(),
        Grade::Good => format!("\nLoses {}", m.loss()),
        Grade::Mistake => format!("\nMistake: loses {}", m.loss()),
        Grade::Blunder => format!("\nBlunder: loses {}", m.loss()),
    });
    let best = m.before.best.filter(|_| m.is_mistake());
    if let Some(best) = best {
        comment.push_str(&format!("\nBest: {}", move_text(goban, best)));
    }
    let players = [m.color, m.color.other()].into_iter().cycle();
    let moves: Vec<(Color, _)> = players.zip(m.before.variation.iter().copied()).collect();
    Note {
        step: Some(m.step),
        comment,
        value: m.after.lead,
        bad: match m.grade {
            Grade::Best | Grade::Good => None,
            Grade::Mistake => Some(1),
            Grade::Blunder => Some(2),
        },
        mark: best.and_then(|best| best.vertex()),
        variation: best.map(|_| Variation {
            comment: format!(
                "Better than {}: {}",
                move_text(goban, m.mv),
                figures(m.before.best_winrate, m.before.best_lead)
            ),
            moves,
        }),
    }
}
