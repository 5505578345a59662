//! Finished games as SGF files.

use std::fs;
use std::path::{Path, PathBuf};

use super::MatchError;
use super::komi::Komi;
use super::options::Plan;
use super::record::GameLine;
use crate::color::Color;
use crate::files::{probe, replace};
use crate::record::sgf::{GameRecord, Step};
use crate::rules::Points;
use crate::vertex::Move;

/// Returns the file of the game with this number.
fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("game-{number:05}.sgf"))
}

/// Creates a folder for games, and checks that they can be written there.
pub(super) fn prepare(folder: &Path) -> Result<(), MatchError> {
    let of = |path: &Path, problem| MatchError::File {
        path: path.to_owned(),
        problem,
    };
    fs::create_dir_all(folder).map_err(|problem| of(folder, problem))?;
    let first = path(folder, 1);
    probe(&first).map_err(|problem| of(&first, problem))
}

/// Writes a game into a folder.
pub(super) fn write(folder: &Path, plan: &Plan, game: &GameLine) -> Result<(), MatchError> {
    let path = path(folder, game.game);
    let text = text(plan, game)?;
    replace(&path, text).map_err(|problem| MatchError::File { path, problem })
}

fn text(plan: &Plan, game: &GameLine) -> Result<String, MatchError> {
    let (width, height) = plan.goban.rectangle.unwrap_or((0, 0));
    let mut color = game.first.parse().unwrap_or(Color::BLACK);
    let mut steps = Vec::with_capacity(game.moves.len());
    for word in &game.moves {
        let mv = plan.goban.names.find(word).map_or(Move::Pass, Move::Place);
        steps.push(Step::Play(color, mv));
        color = color.other();
    }
    let komi = match (plan.komi, game.komi) {
        (Komi::Fixed(points), _) => points,
        (Komi::Even(_), komi) => Points::from_halves((2.0 * komi.unwrap_or(0.0)) as i64),
    };
    let record = GameRecord {
        width,
        height,
        komi: Some(komi),
        rules: Some(plan.settings.ruleset.clone()),
        // The result is added with the names of the players below.
        result: None,
        start: plan.start(),
        handicap: Some(plan.settings.handicap).filter(|&stones| stones > 0),
        to_move: None,
        steps,
        warnings: Vec::new(),
    };
    let written = record.write()?;
    let (black, white) = if game.swapped {
        (&game.engines.white, &game.engines.black)
    } else {
        (&game.engines.black, &game.engines.white)
    };
    let properties = [
        ("PB", black.text()),
        ("PW", white.text()),
        ("RE", game.result.clone()),
        ("RO", game.game.to_string()),
    ];
    let properties: String = properties
        .iter()
        .map(|(name, value)| format!("{name}[{}]", escape(value)))
        .collect();
    // The record writer has no player names. Insert their properties at the start of the root node.
    let rest = written.strip_prefix("(;").unwrap_or(&written);
    Ok(format!("(;{properties}{rest}"))
}

/// Escapes a value as SGF's SimpleText.
fn escape(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace(']', "\\]")
        .replace(':', "\\:")
}
