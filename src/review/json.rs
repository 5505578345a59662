//! A review as JSON: the record of the game with the key `review`. The key `tree` has the
//! variations of the review, so that readers of records show them.

use serde_json::{Map, Value, json};

use super::game::{Game, Keys};
use super::summary::Side;
use super::tree::tree;
use super::walk::{Estimate, Grade, Loss, MoveReview, Review};
use crate::color::Color;
use crate::engine::Engine;
use crate::graph::goban::Goban;
use crate::notation::move_label;
use crate::record::json::write_tree;
use crate::replay::{self, played};
use crate::text::four_decimals;

/// Key of the review in a record, and the kind of a document that is no record.
const KEY: &str = "review";

/// Name of the key with all variations of a record.
const TREE: &str = "tree";

/// Returns the record of the game with its review. A record in JSON keeps all its keys, and its
/// tree grows. `engine` is the engine of the review, after the last move.
///
/// # Errors
/// One line, if the record cannot be written.
pub fn json(game: &Game, review: &Review, engine: &Engine) -> Result<String, String> {
    let (own, is_record) = match &game.json {
        Some((_, keys)) => (keys.clone(), true),
        None => {
            let is_record = review.is_plain && review.is_complete();
            (keys(&record(game, review, engine)?)?, is_record)
        }
    };
    let own = own.0.into_iter();
    let own = own.filter(|(key, _)| key != KEY && !(is_record && key == TREE));
    let lines = own.map(|(key, value)| format!("{}:{}", Value::from(key), value.get()));
    let mut lines: Vec<String> = lines.collect();
    if is_record {
        let tree = write_tree(&tree(game, review), &game.goban.names);
        lines.push(format!("\"{TREE}\":{tree}"));
    }
    let found = found(game, review, engine)?;
    lines.push(format!("\"{KEY}\":{found}"));
    Ok(format!("{{{}}}\n", lines.join(",\n")))
}

fn keys(text: &str) -> Result<Keys, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Returns the record of a game from SGF. Only a game of legal moves can be loaded again. The
/// document of another game has the kind `review` and no moves of its own.
fn record(game: &Game, review: &Review, engine: &Engine) -> Result<String, String> {
    if review.is_plain && review.is_complete() {
        let mut record = replay::game(engine);
        record.result = game.result.clone();
        return record.write(&played(engine));
    }
    let document = json!({
        "kind": KEY,
        "graph": game.goban.spec.to_string(),
        "players": game.rules.colors,
        "result": game.result,
    });
    Ok(document.to_string())
}

/// Returns the review itself.
fn found(game: &Game, review: &Review, engine: &Engine) -> Result<Value, String> {
    let moves = review.moves.iter().map(|m| move_value(m, &game.goban));
    let worst: Vec<usize> = review.worst().iter().map(|m| m.number).collect();
    let settings = &review.settings;
    let engine = serde_json::to_value(played(engine)).map_err(|error| error.to_string())?;
    let komi = game.komi.to_string().parse::<f64>().ok();
    Ok(json!({
        "perspective": Color::BLACK.to_string(),
        "ruleset": game.rules.to_string(),
        "komi": komi,
        "playouts": settings.playouts,
        "secondsPerPosition": settings.seconds,
        "seconds": settings.total,
        "mistake": loss(&settings.mistake),
        "blunder": loss(&settings.blunder),
        "complete": review.is_complete(),
        "start": estimate(&review.start),
        "moves": moves.collect::<Vec<Value>>(),
        "black": side(&review.side(Color::BLACK)),
        "white": side(&review.side(Color::WHITE)),
        "worst": worst,
        "engine": engine,
    }))
}

fn loss(loss: &Loss) -> Value {
    json!({"points": loss.points, "winrate": loss.winrate})
}

fn estimate(estimate: &Estimate) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert(
        "winrate".to_string(),
        json!(four_decimals(estimate.winrate)),
    );
    map.insert("lead".to_string(), json!(estimate.lead.map(four_decimals)));
    map.insert("visits".to_string(), json!(estimate.visits));
    map
}

fn move_value(m: &MoveReview, goban: &Goban) -> Value {
    let name = |mv| move_label(&goban.names, mv);
    let grade = match m.grade {
        Grade::Best => "best",
        Grade::Good => "good",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    };
    let variation = m.before.variation.iter().map(|&mv| name(mv));
    json!({
        "number": m.number,
        "color": m.color.to_string(),
        "move": name(m.mv),
        "before": estimate(&m.before),
        "after": estimate(&m.after),
        "pointsLost": m.points_lost.map(four_decimals),
        "winrateLost": four_decimals(m.winrate_lost),
        "grade": grade,
        "best": m.before.best.map(name),
        "bestWinrate": four_decimals(m.before.best_winrate),
        "bestLead": m.before.best_lead.map(four_decimals),
        "variation": variation.collect::<Vec<String>>(),
    })
}

fn side(side: &Side) -> Value {
    json!({
        "moves": side.moves,
        "pointsLost": side.points_lost.map(four_decimals),
        "winrateLost": side.winrate_lost.map(four_decimals),
        "mistakes": side.mistakes,
        "blunders": side.blunders,
        "agreement": side.agreement.map(four_decimals),
    })
}
